"""Databases: opening them, and probing positions."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _endmill, _reading
from .answers import Coverage, DrawRank, Line, Move, Outcome, Ruleset, Sampled, Table, Verdict
from .arrays import column
from .building import default_directory
from .errors import MissingTableError
from .game import Game

T = TypeVar("T")

DEFAULT_CACHE_BYTES = 64 << 20


class Database:
    """The tables of one ruleset, opened by :func:`open_database`.

    Files are opened when they are first needed. Any number of threads may probe at once; the
    interpreter lock is released meanwhile.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        ruleset: str,
        *,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
    ) -> None:
        self._directory = Path(directory)
        self._tables = _endmill.Database(ruleset, self._directory, cache_bytes)
        self._id = ruleset

    # The object itself

    @property
    def directory(self) -> Path:
        """The database directory."""
        return self._directory

    @cached_property
    def game(self) -> Game:
        """The rules. They can be used after the database is closed."""
        return Game(self._id)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset and its board."""
        return self.game.ruleset

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` was called."""
        return self._tables.closed

    def close(self) -> None:
        """Releases files and memory. Later questions raise ValueError."""
        self._tables.close()

    def __enter__(self) -> Database:
        if self.closed:
            raise ValueError("the database is closed")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        closed = ", closed" if self.closed else ""
        return f"<endmill.Database {self._id!r} in {str(self._directory)!r}{closed}>"

    # One position

    def probe(self, position: str) -> Verdict:
        """The value of a position for the side to move.

        >>> db.probe("W:Wd1,b2,d2:Ba1,f2,a4,e4")
        Verdict(outcome='win', plies=33)

        :raises MissingTableError: the table is not in the database, and the others do not prove a
            value either.
        :raises BadPositionError: the position cannot be read, or is not legal.
        :raises DamagedFileError: a file is damaged.
        """
        return Verdict(*self._tables.probe(position))

    @overload
    def get(self, position: str) -> Verdict | None: ...

    @overload
    def get(self, position: str, default: T) -> Verdict | T: ...

    def get(self, position: str, default: T | None = None) -> Verdict | T | None:
        """Like :meth:`probe`, but returns ``default`` if a table is missing."""
        try:
            return self.probe(position)
        except MissingTableError:
            return default

    def covers(self, position: str) -> bool:
        """Whether the table of a position is there. Reads no file."""
        return self._tables.covers(position)

    def moves(self, position: str) -> list[Move]:
        """Every legal move with its value for the side that makes it, best first.

        Wins come first, the shortest first; then draws, by their ranks; then moves into missing tables, whose
        values are unknown; then losses, the longest first. A finished game has no moves.
        """
        return [_reading.move(move) for move in json.loads(self._tables.moves(position))]

    def draw_rank(self, position: str) -> DrawRank | None:
        """How good a draw is; None if the position is not a draw, or if its rank is not stored.

        Ranks are stored by ``endmill build --draws``. :meth:`moves` lists the drawing moves by rank.
        """
        return _reading.draw_rank(json.loads(self._tables.draw_rank(position)))

    def line(self, position: str) -> Line:
        """The rest of the game under best play of both sides.

        :raises MissingTableError: a table or the distances of the line are missing.
        """
        return _reading.line(json.loads(self._tables.line(position)))

    # Tables

    def sample(
        self,
        table: str,
        *,
        outcome: Outcome | None = None,
        plies: int | None = None,
        n: int = 1,
        seed: int = 0,
    ) -> list[Sampled]:
        """Samples ``n`` different positions of a table that fit, or all if there are fewer.

        Every choice is equally likely. The same seed gives the same positions as long as the files
        are the same.

        >>> [each.verdict.plies for each in db.sample("3v4", outcome="win", plies=33, n=2)]
        [33, 33]
        """
        answer = json.loads(self._tables.sample(table, outcome, plies, n, seed))
        return [_reading.sampled(position) for position in answer["positions"]]

    def coverage(self) -> Coverage:
        """The contents of the database in a few numbers. Reads no file."""
        return _reading.coverage(json.loads(self._tables.coverage()))

    def tables(self) -> list[Table]:
        """All tables of the database, without their counts by plies."""
        return [_reading.table(table) for table in json.loads(self._tables.tables_json())]

    def table(self, name: str) -> Table:
        """One table with all its counts.

        :raises MissingTableError: the table is not in the database.
        :raises BadTableError: the ruleset has no such table.
        """
        return _reading.table(json.loads(self._tables.table_json(name)))

    # Many positions

    @overload
    def probe_batch(
        self,
        mover: ArrayLike,
        opponent: ArrayLike,
        hands: ArrayLike | None = None,
        *,
        kings: ArrayLike | None = None,
        quiet: ArrayLike | None = None,
        plies: Literal[True] = True,
        threads: int | None = None,
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]: ...

    @overload
    def probe_batch(
        self,
        mover: ArrayLike,
        opponent: ArrayLike,
        hands: ArrayLike | None = None,
        *,
        kings: ArrayLike | None = None,
        quiet: ArrayLike | None = None,
        plies: Literal[False],
        threads: int | None = None,
    ) -> tuple[NDArray[np.int8], None]: ...

    def probe_batch(
        self,
        mover: ArrayLike,
        opponent: ArrayLike,
        hands: ArrayLike | None = None,
        *,
        kings: ArrayLike | None = None,
        quiet: ArrayLike | None = None,
        plies: bool = True,
        threads: int | None = None,
    ) -> tuple[NDArray[np.int8], NDArray[np.int16] | None]:
        """The values of many positions: arrays in, arrays out, on all processors, without the GIL.

        In draughts the third argument is ``kings``: ``probe_batch(mover, opponent, kings)``.

        :param mover: uint32, the men of the side to move. In morris bit i is point i in reading
            order: a1 is bit 0, then d1, g1, b2 and so on (``db.ruleset.geometry.places``). In
            draughts bit i is square i + 1 as Black to move sees the board; with White to move,
            turn all three sets round with :func:`endmill.turn_round`.
        :param opponent: uint32, the men of the other side.
        :param hands: uint8 of the shape (n, 2), the men in hand, for the side to move first.
        :param kings: uint32, the kings of both sides.
        :param quiet: uint8, plies since the last removal, if the ruleset counts them.
        :param plies: False for outcomes only; then None is returned instead of plies.
        :param threads: all processors by default.
        :returns: int8 outcomes: 1 for a win, 0 a draw, -1 a loss, -2 a missing table; and int16
            plies, -1 for none.
        :raises BadPositionError: a row is not a legal position; ``index`` is that of the first.

        Positions with banned mills need :meth:`probe`.
        """
        if hands is not None and kings is None and self._tables.has_kings:
            hands, kings = None, hands
        own = column("mover", mover, np.uint32, (-1,))
        length = len(own)
        return self._tables.probe_batch(
            own,
            column("opponent", opponent, np.uint32, (length,)),
            None if hands is None else column("hands", hands, np.uint8, (length, 2)),
            None if kings is None else column("kings", kings, np.uint32, (length,)),
            None if quiet is None else column("quiet", quiet, np.uint8, (length,)),
            plies,
            threads,
        )


def open_database(
    directory: str | os.PathLike[str] | None = None,
    ruleset: str = "nine",
    *,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
) -> Database:
    """Opens the tables of a ruleset in a database directory.

    ::

        with endmill.open_database("data/db", "nine") as db:
            print(db.probe("W:Wd1,b2,d2:Ba1,f2,a4,e4"))

    :param directory: a directory that ``endmill build`` or :func:`endmill.build` has filled. The
        default is ``ENDMILL_DB``, else ``data/db`` if it exists, else ``endmill/db`` in the user's
        data directory. Tables that are added later are not seen.
    :param ruleset: the id of a ruleset; :func:`endmill.rulesets` lists them.
    :param cache_bytes: the size of the cache of decoded blocks.
    :raises NoTablesError: the directory has no table of the ruleset, or does not exist. It is a
        FileNotFoundError.
    :raises UnknownRulesetError: the ruleset is unknown.
    """
    place = default_directory() if directory is None else directory
    return Database(place, ruleset, cache_bytes=cache_bytes)
