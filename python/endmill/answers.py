"""What a database and a game answer: plain values that compare, hash and print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, overload

Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a position is worth for its side to move, or a turn for the side that makes it.

    ``plies`` is the exact distance to the end of the game under best play: odd for a win, even for
    a loss, 0 if the game is already lost. It is None for a draw, and where it is not known.
    """

    outcome: Outcome
    plies: int | None = None

    def __str__(self) -> str:
        return self.outcome if self.plies is None else f"{self.outcome} in {self.plies}"


class Turn(str):
    """A legal turn. It is its text, such as ``'a1-a4xg7'``, with what is known about it."""

    position: str
    """The position after it."""
    start: str | None
    """The name of the place the man comes from; None if it is placed from the hand."""
    end: str
    """The name of the place where it ends."""
    via: tuple[str, ...]
    """The places it passes in a capture of several jumps."""
    taken: tuple[str, ...]
    """The places of the men that are taken."""

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
    """A legal turn with what it is worth for the side that makes it, the turn counted.

    ``verdict`` is None if the turn leads into a table that is not there; then ``missing`` is the
    name of the table, empty if no table has as many pieces. Turns that lead to symmetric positions
    have the same ``symmetry_class``.
    """

    turn: Turn
    verdict: Verdict | None
    missing: str | None
    symmetry_class: int

    @property
    def outcome(self) -> Outcome | None:
        """``'win'``, ``'draw'``, ``'loss'``, or None if it is not known."""
        return None if self.verdict is None else self.verdict.outcome

    @property
    def plies(self) -> int | None:
        """The distance, if there is one and it is known."""
        return None if self.verdict is None else self.verdict.plies

    @property
    def position(self) -> str:
        """The position after the turn."""
        return self.turn.position

    def __str__(self) -> str:
        return f"{self.turn}: {'unknown' if self.verdict is None else self.verdict}"


@dataclass(frozen=True, slots=True)
class Line:
    """A game under best play of both sides: a sequence of turns.

    ``positions[i]`` is the position after ``turns[i]``, ``verdicts[i]`` what that turn is worth
    for the side that makes it. ``end`` says why the line ends: ``'finished'``, or in a drawn game
    ``'repetition'`` or ``'cut'``.
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
    """A position drawn from a table."""

    position: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Man:
    """A piece on the board."""

    at: str
    side: Literal["white", "black"]
    kind: str


@dataclass(frozen=True, slots=True)
class State:
    """What the rules say of a position: what stands where, and whether the game is over.

    ``finished`` is a few words such as ``'no turn'`` if the game is over, and then ``winner`` is
    the side that has won, None in a draw. ``hand`` has the men in White's hand and in Black's.
    """

    side: Literal["white", "black"]
    men: tuple[Man, ...]
    hand: tuple[int, int]
    finished: str | None
    winner: Literal["white", "black"] | None


@dataclass(frozen=True, slots=True)
class Row:
    """A position in numbers: one row of the arrays of :meth:`Database.probe_batch`.

    The side to move comes first; colours are not part of it. ``mover`` and ``opponent`` are sets
    of places, ``kings`` says which of the pieces are kings.
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
    """A board as a drawing. Numbers in ``edges`` and ``lines`` are those of ``places``, which are
    in the order of the bits of a :class:`Row`."""

    kind: Literal["points", "squares"]
    width: float
    height: float
    places: tuple[Place, ...]
    edges: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game with its options fixed."""

    id: str
    game: str
    title: str
    men: int
    options: Mapping[str, str]
    start: str
    geometry: Geometry


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a database has.

    Every table with at most ``complete_to`` pieces and none in hand is there; ``whole_game`` if
    every table of the ruleset is.
    """

    tables: int
    tables_with_plies: int
    most_pieces: int
    complete_to: int
    whole_game: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The counts of a table; symmetric positions count once.

    ``plies`` says how many positions are decided in how many plies, wins at odd and losses at even
    numbers; it is None in lists of tables. The longest wins and losses are 0 without one, and
    their positions are the first of several.
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
    """How far a build has got.

    ``event`` is ``'group'`` (the work on ``name`` begins), ``'phase'`` (it has reached ``name``),
    ``'stored'`` (the table ``name`` is finished), ``'skipped'`` (``name`` was there already) or
    ``'waiting'`` (another process is writing in the directory ``name``). ``done`` of ``total``
    positions are finished.
    """

    event: Literal["group", "phase", "stored", "skipped", "waiting"]
    name: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Built:
    """What there is after a build."""

    ruleset: str
    directory: str
    tables: int
    positions: int
