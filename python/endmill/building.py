"""Building databases."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from . import _endmill
from .answers import Built, Progress
from .errors import BadTableError

HERE = Path("data/db")


def default_directory() -> Path:
    """Where the database is if nobody says, as for the program ``endmill``.

    The directory that ``ENDMILL_DB`` names; else ``data/db`` here, if it exists; else
    ``endmill/db`` in the user's data directory (``~/.local/share`` on most systems).
    """
    named = os.environ.get("ENDMILL_DB")
    if named:
        return Path(named)
    if HERE.is_dir():
        return HERE
    given = os.environ.get("APPDATA" if os.name == "nt" else "XDG_DATA_HOME", "")
    data = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return data / "endmill" / "db"


@dataclass(frozen=True, slots=True)
class _Request:
    pieces: int | None
    men: int | None
    tables: list[str] | None
    plies: bool
    placing_plies: bool | None
    threads: int | None
    memory: int | None


def _count(name: str, value: int | None, bits: int) -> int | None:
    """A number that may be left out, refused if it does not fit."""
    if value is None:
        return None
    number = operator.index(value)
    most = 2**bits - 1
    if not 0 <= number <= most:
        raise ValueError(f"{name} must be a whole number from 0 to {most}, not {number}")
    return number


def build(
    ruleset: str,
    directory: str | os.PathLike[str] | None = None,
    *,
    pieces: int | None = None,
    men: int | None = None,
    tables: str | Iterable[str] | None = None,
    plies: bool = True,
    placing_plies: bool | None = None,
    threads: int | None = None,
    memory: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Built:
    """Solves tables and stores them; what is there already is kept.

    At most one of these says which tables, with everything they depend on; all if none does:

    :param pieces: all with at most this number of pieces on the board, none in hand.
    :param men: all with at most this number of pieces on the board and in hand together.
    :param tables: these, as ``'5v4'`` or ``['5v4', '4v4']``.

    How:

    :param directory: where the database is or will be; by default as for :func:`endmill.open_database`.
    :param plies: False stores outcomes only.
    :param placing_plies: plies of positions in which every turn places a man too; by default where
        a ruleset has few enough of them.
    :param threads: all processors by default.
    :param memory: bytes of working memory; a group of tables that takes more is solved in scratch
        files, which takes longer.
    :param progress: is called with a :class:`Progress`, in the thread that called ``build``. An
        exception that it raises stops the build and comes out of ``build``.

    Ctrl-C stops after the step at hand and raises :class:`KeyboardInterrupt`. However a build is
    stopped, the same call goes on where it was, and ends in the same files.

    :raises UnknownRulesetError: there is no such ruleset.
    :raises BadTableError: a table cannot be read, none is named, or the choice cannot be meant.
    :raises ValueError: a number is negative or too large.
    :raises BuildError: another process is building there, or memory or disk do not suffice.
    """
    if sum(choice is not None for choice in (pieces, men, tables)) > 1:
        raise TypeError("build() takes one of pieces, men and tables")
    place = default_directory() if directory is None else Path(directory)
    named = [tables] if isinstance(tables, str) else tables
    names = None if named is None else [part for name in named for part in name.split(",")]
    if names == []:
        raise BadTableError("no table is named in tables: leave it out to build all")
    request = _Request(
        pieces=_count("pieces", pieces, 32),
        men=_count("men", men, 32),
        tables=names,
        plies=plies,
        placing_plies=placing_plies,
        threads=_count("threads", threads, 16),
        memory=_count("memory", memory, 64),
    )
    hear = None if progress is None else lambda *event: progress(Progress(*event))
    there, positions = _endmill.build(ruleset, place, request, hear)
    return Built(ruleset=ruleset, directory=str(place), tables=there, positions=positions)
