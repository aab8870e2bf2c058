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
    """The default directory of the database, the same as for the program ``endmill``.

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
    """An optional number. Raises ValueError if it does not fit."""
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
    """Builds tables that are not there yet.

    At most one of these selects tables, to which their dependencies are added; by default all:

    :param pieces: tables with at most this number of pieces on the board, and none in hand.
    :param men: tables with at most this number of pieces on the board and in hand together.
    :param tables: these tables, as ``'5v4'`` or ``['5v4', '4v4']``.

    Options:

    :param directory: the database directory; by default that of :func:`endmill.open_database`.
    :param plies: False stores outcomes only.
    :param placing_plies: whether to store the plies of positions in which every move places a man;
        by default only if the ruleset has few such positions.
    :param threads: all processors by default.
    :param memory: bytes of working memory; a group of tables that needs more is solved in scratch
        files, which is slower.
    :param progress: called with a :class:`Progress`, in the thread that called ``build``. If it
        raises an exception, the build stops and ``build`` raises that exception.

    Ctrl-C stops after the current step and raises :class:`KeyboardInterrupt`. After any stop, the
    same call resumes the build, with the same files as the result.

    :raises UnknownRulesetError: the ruleset is unknown.
    :raises BadTableError: the name of a table cannot be read, or the selection is not valid.
    :raises ValueError: a number is negative or too large.
    :raises BuildError: another process is building there, or memory or disk space is insufficient.
    """
    if sum(choice is not None for choice in (pieces, men, tables)) > 1:
        raise TypeError("build() takes one of pieces, men and tables")
    place = default_directory() if directory is None else Path(directory)
    named = [tables] if isinstance(tables, str) else tables
    names = None if named is None else [part for name in named for part in name.split(",")]
    if names == []:
        raise BadTableError("tables is empty: leave it out to build all tables")
    request = _Request(
        pieces=_count("pieces", pieces, 32),
        men=_count("men", men, 32),
        tables=names,
        plies=plies,
        placing_plies=placing_plies,
        threads=_count("threads", threads, 16),
        memory=_count("memory", memory, 64),
    )
    report = None if progress is None else lambda *event: progress(Progress(*event))
    there, positions = _endmill.build(ruleset, place, request, report)
    return Built(ruleset=ruleset, directory=str(place), tables=there, positions=positions)
