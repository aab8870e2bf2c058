"""Results of games by the rules and in PDN, with the points of the first player first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import endmill

CORPUS = Path(__file__).parents[2] / "tests" / "fixtures" / "results"


def games(name: str) -> list[tuple[dict[str, str], list[str], str]]:
    """The tags, the moves and the result of every game of a file."""
    found = []
    for text in (CORPUS / name).read_text().split("[Event ")[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', "[Event " + text, re.MULTILINE))
        words = text.split("]\n\n")[1].split()
        turns = [word for word in words[:-1] if not word.endswith(".")]
        found.append((tags, turns, words[-1]))
    return found


@pytest.mark.parametrize(("name", "count"), [("english.pdn", 23), ("morris.pdn", 9)])
def test_the_winner_by_the_rules_is_the_winner_of_the_result(name, count):
    read = games(name)
    assert len(read) == count
    for tags, turns, result in read:
        game = endmill.Game(tags.get("Ruleset", "draughts"))
        first = game.state(game.start).side
        second = {"white": "black", "black": "white"}[first]
        assert first == ("black" if name == "english.pdn" else "white")
        position = game.position(tags.get("FEN", "start"))
        for turn in turns:
            position = game.play(position, turn)
        stated = {"1-0": first, "2-0": first, "0-1": second, "0-2": second}.get(result, "draw")
        assert stated == tags["Winner"], tags
        state = game.state(position)
        if tags["Ended"] in ("no pieces", "no turn", "too few men"):
            assert (state.winner, state.finished) == (stated, tags["Ended"]), tags
        else:
            assert not game.is_over(position), tags


def test_a_line_ends_with_the_winner(directory):
    with endmill.open_database(directory, "draughts") as database:
        for position, winner in [("B:WK5:BK10,K14", "black"), ("W:WK23,K28:BK32", "white")]:
            last = database.line(position).positions[-1]
            assert database.game.state(last).winner == winner
