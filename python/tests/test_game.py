"""The rules, without any table."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import endmill


def test_every_ruleset_is_a_game():
    assert {"nine", "three", "draughts"} <= set(endmill.rulesets())
    for ruleset in endmill.rulesets():
        game = endmill.Game(ruleset)
        assert repr(game) == f"Game({ruleset!r})"
        assert game.ruleset.id == ruleset
        assert game.position("start") == game.start
        assert not game.is_over(game.start)
        assert len(game.ruleset.geometry.places) in (9, 16, 24, 32)


@pytest.mark.parametrize("ruleset", ["nine", "lasker", "three", "draughts"])
def test_random_games_end_as_the_rules_say(ruleset):
    game = endmill.Game(ruleset)
    chance = random.Random(ruleset)
    position = game.start
    for _ in range(400):
        turns = game.turns(position)
        assert game.is_over(position) == (not turns)
        if not turns:
            break
        turn = chance.choice(turns)
        assert game.play(position, turn) == turn.position
        assert game.play(position, str(turn)) == turn.position
        assert game.from_row(game.row(position)).count(",") == position.count(",")
        position = turn.position
    assert ElementTree.fromstring(game.svg(position)).tag.endswith("svg")


def test_a_turn_is_its_text_with_its_places():
    game = endmill.Game("nine")
    turn = game.turn("W:Wa1,d1,g4:Bb2,b4,d6", "g4-g1xb4")
    assert turn == "g4-g1xb4"
    assert (turn.start, turn.end, turn.taken) == ("g4", "g1", ("b4",))
    assert turn.position == "B:Wa1,d1,g1:Bb2,d6"


def test_an_illegal_turn_says_why():
    game = endmill.Game("nine")
    with pytest.raises(endmill.BadTurnError, match="is not legal"):
        game.play("W:Wa1,d1,g4,f4:Bb2,b4,d6", "a1-g7")
    with pytest.raises(ValueError) as caught:
        game.play(game.start, "z9")
    assert isinstance(caught.value, endmill.BadTurnError)


def test_a_finished_game_has_a_winner_and_a_reason():
    game = endmill.Game("nine")
    state = game.state("B:Wa1,d1,g1:Bb2,d6")
    assert (state.side, state.winner, state.finished) == ("black", "white", "too few men")
    assert game.turns("B:Wa1,d1,g1:Bb2,d6") == []


def test_a_row_is_a_position_without_colours():
    game = endmill.Game("nine")
    row = game.row("B:Wa1,d1,g1:Bb2,d6,g7")
    assert row == endmill.Row(mover=1 << 3 | 1 << 19 | 1 << 23, opponent=0b111)
    assert game.from_row(row) == "W:Wb2,d6,g7:Ba1,d1,g1"
    assert game.row(game.play(game.start, "a1")) == endmill.Row(0, 1, hands=(9, 8))
    with pytest.raises(endmill.BadPositionError):
        game.from_row(endmill.Row(1, 1))


def test_a_picture_shows_every_man_and_the_turn():
    game = endmill.Game("nine")
    picture = game.svg("W:Wa1,d1,g4:Bb2,b4,d6", "g4-g1xb4", size=300)
    root = ElementTree.fromstring(picture)
    assert root.get("width") == "300"
    classes = [each.get("class") for each in root.iter() if each.get("class")]
    assert classes.count("white man") == classes.count("black man") == 3
    assert classes.count("line") == len(game.ruleset.geometry.edges)
    assert classes.count("turn") == 3
    placing = ElementTree.fromstring(game.svg(game.start, "a1"))
    assert sum("in-hand" in (each.get("class") or "") for each in placing.iter()) == 18
    kings = endmill.Game("draughts").svg("B:W18,K31:B12,K5", "5-9")
    assert kings.count("man") == kings.count('king"') == 2


def test_the_console_board_is_the_one_of_the_program():
    board = endmill.Game("nine").diagram("W:Wd1,b2,d2:Ba1,f2,a4,e4")
    assert board.splitlines()[0].split() == ["A", "B", "C", "D", "E", "F", "G"]
    assert board.count("○") == 3
