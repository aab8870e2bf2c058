"""The answers of a database and a game: plain values that compare, hash and print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, overload

Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The value of a position for the side to move, or of a move for the side that makes it.

    ``plies`` is the exact distance to the end of the game under best play: odd for a win, even for
    a loss, 0 if the game is already lost. It is None for a draw, and if it is not known.
    """

    outcome: Outcome
    plies: int | None = None

    def __str__(self) -> str:
        return self.outcome if self.plies is None else f"{self.outcome} in {self.plies}"


@dataclass(frozen=True, slots=True)
class DrawRank:
    """How good a draw is: the score of the table in which the game stays for ever.

    ``score`` is for the side to move, or for the side that makes the move; ``exact`` is the same as
    a fraction. ``tables`` are the tables of this score in which the game may stay.
    ``conversion_plies`` is None if the game stays in its table.
    """

    score: float
    exact: str
    tables: tuple[str, ...]
    conversion_plies: int | None = None


class Turn(str):
    """A legal move: its text, such as ``'a1-a4xg7'``, with its places and the position after it."""

    position: str
    """The position after the move."""
    start: str | None
    """The name of the place the man leaves; None if it is placed from the hand."""
    end: str
    """The name of the place where it ends."""
    via: tuple[str, ...]
    """The places in between, in a capture of several jumps."""
    taken: tuple[str, ...]
    """The places of the captured men."""

    @classmethod
    def _of(cls, answer: Mapping[str, Any]) -> Turn:
        turn = cls(answer["move"])
        path = answer["path"]
        turn.position = answer["position"]
        turn.start = path["from"]
        turn.end = path["to"]
        turn.via = tuple(path["via"])
        turn.taken = tuple(path["taken"])
        return turn


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move with its value for the side that makes it; the move counts as a ply.

    ``verdict`` is None if the move leads into a missing table. Then ``missing`` is the name of the
    table, empty if no table has as many pieces. Moves to symmetric positions have the same
    ``symmetry_class``.
    """

    turn: Turn
    verdict: Verdict | None
    missing: str | None
    symmetry_class: int
    draw_rank: DrawRank | None = None

    @property
    def outcome(self) -> Outcome | None:
        """``'win'``, ``'draw'``, ``'loss'``, or None if it is not known."""
        return None if self.verdict is None else self.verdict.outcome

    @property
    def plies(self) -> int | None:
        """The distance; None for a draw, and if it is not known."""
        return None if self.verdict is None else self.verdict.plies

    @property
    def position(self) -> str:
        """The position after the move."""
        return self.turn.position

    def __str__(self) -> str:
        return f"{self.turn}: {'unknown' if self.verdict is None else self.verdict}"


@dataclass(frozen=True, slots=True)
class Line:
    """A game under best play of both sides: a sequence of moves.

    ``positions[i]`` is the position after ``turns[i]``, and ``verdicts[i]`` the value of that move
    for the side that makes it. ``end`` is the reason why the line ends: ``'finished'``, or in a
    drawn game ``'repetition'`` or ``'cut'``.
    """

    position: str
    verdict: Verdict
    turns: tuple[str, ...]
    positions: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    end: Literal["finished", "repetition", "cut"]

    def __len__(self) -> int:
        return len(self.turns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.turns)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.turns[index]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A position sampled from a table."""

    position: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Man:
    """A man or king on the board."""

    at: str
    side: Literal["white", "black"]
    kind: str


@dataclass(frozen=True, slots=True)
class State:
    """The state of a position by the rules: the men on the board, and whether the game is over.

    If the game is over, ``finished`` is the reason, such as ``'no turn'``, and ``winner`` the side
    that has won, or None in a draw. ``hand`` has the numbers of men in White's hand and in Black's.
    """

    side: Literal["white", "black"]
    men: tuple[Man, ...]
    hand: tuple[int, int]
    finished: str | None
    winner: Literal["white", "black"] | None


@dataclass(frozen=True, slots=True)
class Row:
    """A position in numbers: one row of the arrays of :meth:`Database.probe_batch`.

    The side to move comes first; a row has no colours. ``mover`` and ``opponent`` are sets of
    places, and ``kings`` is the set of the kings of both sides.
    """

    mover: int
    opponent: int
    hands: tuple[int, int] = (0, 0)
    kings: int = 0
    quiet: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the board: x to the right, y downwards."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board as a drawing. ``edges`` and ``lines`` have indices of ``places``, which are in the
    order of the bits of a :class:`Row`."""

    kind: Literal["points", "squares"]
    width: float
    height: float
    places: tuple[Place, ...]
    edges: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset: a game with fixed options."""

    id: str
    game: str
    title: str
    men: int
    options: Mapping[str, str]
    start: str
    geometry: Geometry


@dataclass(frozen=True, slots=True)
class Coverage:
    """The contents of a database.

    Every table with at most ``complete_to`` pieces, and none in hand, is there. ``whole_game`` is
    true if every table of the ruleset is there.
    """

    tables: int
    tables_with_plies: int
    most_pieces: int
    complete_to: int
    whole_game: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The counts of a table; symmetric positions count once.

    ``plies`` counts positions by plies, wins at odd and losses at even numbers; it is None in lists
    of tables. The longest win or loss is 0 if there is none; its position is the first of several.
    """

    name: str
    positions: int
    win: int
    draw: int
    loss: int
    longest_win: int
    longest_loss: int
    longest_win_position: str | None
    longest_loss_position: str | None
    plies: Mapping[int, int] | None
    bytes: int
    leads_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a build.

    ``event`` is ``'group'`` (work on ``name`` has begun), ``'phase'`` (it has reached ``name``),
    ``'stored'`` (the table ``name`` is finished), ``'skipped'`` (``name`` existed before) or
    ``'waiting'`` (another process is writing to the directory ``name``). ``done`` of ``total``
    positions are finished.
    """

    event: Literal["group", "phase", "stored", "skipped", "waiting"]
    name: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Built:
    """The tables after a build."""

    ruleset: str
    directory: str
    tables: int
    positions: int
