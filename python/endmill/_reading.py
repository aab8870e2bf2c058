"""From the JSON of the native part to the classes of :mod:`endmill.answers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

from .answers import (
    Coverage,
    DrawRank,
    Geometry,
    Line,
    Man,
    Move,
    Place,
    Ruleset,
    Sampled,
    State,
    Table,
    Turn,
    Verdict,
)

Answer = Mapping[str, Any]
T = TypeVar("T")


def _object(kind: Callable[..., T], answer: Answer, **others: Any) -> T:
    """An object with the fields of an answer that have the same name, and others."""
    names = (field.name for field in fields(cast(Any, kind)))
    return kind(**{name: answer.get(name) for name in names} | others)


def verdict(answer: Answer) -> Verdict | None:
    """None if the outcome is not known."""
    outcome = answer["outcome"]
    return None if outcome is None else Verdict(outcome, answer["plies"])


def _known(answer: Answer) -> Verdict:
    return Verdict(answer["outcome"], answer["plies"])


def move(answer: Answer) -> Move:
    return Move(
        Turn._of(answer),
        verdict(answer),
        answer.get("missing"),
        answer["class"],
        draw_rank(answer.get("draw_rank")),
    )


def draw_rank(answer: Answer | None) -> DrawRank | None:
    """None if there is no rank."""
    if answer is None:
        return None
    return _object(DrawRank, answer, tables=tuple(answer["tables"]))


def line(answer: Answer) -> Line:
    return _object(
        Line,
        answer,
        verdict=_known(answer),
        turns=tuple(answer["line"]),
        positions=tuple(answer["positions"]),
        verdicts=tuple(_known(value) for value in answer["values"]),
    )


def sampled(answer: Answer) -> Sampled:
    return Sampled(answer["position"], _known(answer))


def state(answer: Answer) -> State:
    finished = answer["finished"] or {}
    return _object(
        State,
        answer,
        men=tuple(_object(Man, man) for man in answer["men"]),
        hand=tuple(answer["hand"]),
        finished=finished.get("reason"),
        winner=finished.get("winner"),
    )


def ruleset(answer: Answer) -> Ruleset:
    board = answer["geometry"]
    geometry = _object(
        Geometry,
        board,
        places=tuple(_object(Place, place) for place in board["points"]),
        edges=tuple(tuple(ends) for ends in board["edges"]),
        lines=tuple(tuple(points) for points in board["lines"]),
    )
    return _object(Ruleset, answer, geometry=geometry)


def coverage(answer: Answer) -> Coverage:
    return _object(Coverage, answer)


def table(answer: Answer) -> Table:
    plies = answer.get("plies")
    return _object(
        Table,
        answer,
        name=answer["table"],
        plies=None if plies is None else {int(ply): count for ply, count in plies.items()},
        bytes=answer["wld_bytes"] + answer["dtw_bytes"],
        leads_to=tuple(answer["leads_to"]),
    )
