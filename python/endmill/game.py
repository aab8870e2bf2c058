"""The rules of a ruleset without any table, for engines and trainers."""

from __future__ import annotations

import json
from functools import cached_property

from . import _endmill, _reading
from .answers import Row, Ruleset, State, Turn
from .drawing import svg


class Game:
    """A ruleset such as ``'nine'``; :func:`endmill.rulesets` lists them.

    Positions and moves are texts, as on the command line. Whatever is printed can be read.

    >>> game = Game("three")
    >>> position = game.play(game.start, "b2")
    >>> len(game.turns(position))
    8
    """

    def __init__(self, ruleset: str) -> None:
        self._rules = _endmill.Database(ruleset, None, 0)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset and its board."""
        return _reading.ruleset(json.loads(self._rules.ruleset()))

    @property
    def start(self) -> str:
        """The starting position."""
        return self.ruleset.start

    def position(self, text: str) -> str:
        """Reads a position in any notation of the game, and returns it in the first one.

        :raises BadPositionError: the position cannot be read, or is not legal.
        """
        return self._rules.text(text)

    def state(self, position: str) -> State:
        """The men on the board, the side to move, and whether and why the game is over."""
        return _reading.state(json.loads(self._rules.state(position)))

    def is_over(self, position: str) -> bool:
        """Whether the game is over."""
        return self.state(position).finished is not None

    def turns(self, position: str) -> list[Turn]:
        """Every legal move, in the order of the game; none if the game is over."""
        return [Turn._of(turn) for turn in json.loads(self._rules.turns(position))]

    def turn(self, position: str, text: str) -> Turn:
        """Reads one legal move.

        :raises BadTurnError: the move cannot be read, or is not legal.
        """
        return Turn._of(json.loads(self._rules.turn(position, text)))

    def play(self, position: str, turn: str) -> str:
        """The position after a move.

        :raises BadTurnError: the move cannot be read, or is not legal.
        """
        return self._rules.play(position, str(turn))

    def diagram(self, position: str) -> str:
        """The board drawn for a console."""
        return self._rules.diagram(position)

    def svg(self, position: str, turn: str | None = None, *, size: int = 400) -> str:
        """The board as an SVG picture, with an arrow for a move if one is given."""
        shown = None if turn is None else self.turn(position, turn)
        return svg(self.ruleset.geometry, self.state(position), shown, size=size)

    def row(self, position: str) -> Row:
        """A position in numbers, as :meth:`Database.probe_batch` takes them.

        In draughts the board is turned round with White to move.
        """
        return Row(*self._rules.row(position))

    def from_row(self, row: Row) -> str:
        """The position of a row, with White to move if colours do not matter (in draughts
        Black).

        :raises BadPositionError: the position is not legal.
        """
        return self._rules.text_of_row((row.mover, row.opponent, row.hands, row.kings, row.quiet))

    def __repr__(self) -> str:
        return f"Game({self.ruleset.id!r})"


def rulesets() -> list[str]:
    """The ids of all rulesets."""
    return _endmill.rulesets()
