"""From the JSON of the native part to the classes of :mod:`endmill.answers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .answers import (
    Coverage,
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


def verdict(answer: Answer) -> Verdict | None:
    """None if the outcome is not known."""
    outcome = answer["outcome"]
    return None if outcome is None else Verdict(outcome, answer["plies"])


def _known(answer: Answer) -> Verdict:
    return Verdict(answer["outcome"], answer["plies"])


def move(answer: Answer) -> Move:
    return Move(Turn._of(answer), verdict(answer), answer.get("missing"), answer["class"])


def line(answer: Answer) -> Line:
    return Line(
        position=answer["position"],
        verdict=_known(answer),
        turns=tuple(answer["line"]),
        positions=tuple(answer["positions"]),
        verdicts=tuple(_known(value) for value in answer["values"]),
        end=answer["end"],
    )


def sampled(answer: Answer) -> Sampled:
    return Sampled(answer["position"], _known(answer))


def state(answer: Answer) -> State:
    finished = answer["finished"] or {}
    white, black = answer["hand"]
    return State(
        side=answer["side"],
        men=tuple(Man(man["at"], man["side"], man["kind"]) for man in answer["men"]),
        hand=(white, black),
        finished=finished.get("reason"),
        winner=finished.get("winner"),
    )


def ruleset(answer: Answer) -> Ruleset:
    board = answer["geometry"]
    return Ruleset(
        id=answer["id"],
        game=answer["game"],
        title=answer["title"],
        men=answer["men"],
        options=answer["options"],
        start=answer["start"],
        geometry=Geometry(
            kind=board["kind"],
            width=board["width"],
            height=board["height"],
            places=tuple(Place(at["name"], at["x"], at["y"]) for at in board["points"]),
            edges=tuple((a, b) for a, b in board["edges"]),
            lines=tuple(tuple(points) for points in board["lines"]),
        ),
    )


def coverage(answer: Answer) -> Coverage:
    return Coverage(
        tables=answer["tables"],
        tables_with_plies=answer["tables_with_plies"],
        most_pieces=answer["most_pieces"],
        complete_to=answer["complete_to"],
        whole_game=answer["whole_game"],
    )


def table(answer: Answer) -> Table:
    plies = answer.get("plies")
    return Table(
        name=answer["table"],
        positions=answer["positions"],
        win=answer["win"],
        draw=answer["draw"],
        loss=answer["loss"],
        longest_win=answer["longest_win"],
        longest_loss=answer["longest_loss"],
        longest_win_position=answer.get("longest_win_position"),
        longest_loss_position=answer.get("longest_loss_position"),
        plies=None if plies is None else {int(ply): count for ply, count in plies.items()},
        bytes=answer["wld_bytes"] + answer["dtw_bytes"],
        leads_to=tuple(answer["leads_to"]),
    )
