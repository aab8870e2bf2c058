"""The exceptions of this package, by their remedy.

::

    EndmillError
    ├── MissingTableError (KeyError)        the table is not in this database
    │   └── MissingPliesError               the outcome is known, the distance is not
    ├── UnknownRulesetError (ValueError)
    ├── BadPositionError (ValueError)       with the place: `at` in a text, `index` in arrays
    ├── BadTurnError (ValueError)           with the place: `at`
    ├── BadTableError (ValueError)          with the place: `at`
    ├── DatabaseError                       a file is at fault; `file`, `code`
    │   ├── DamagedFileError                fetch or build the file again
    │   ├── NoTablesError (FileNotFoundError)   the directory has no table of the ruleset
    │   ├── FormatError                     made by a program that is too new or too old
    │   └── DatabaseIOError (OSError)       I/O error
    └── BuildError                          a build failed

A closed database raises :class:`ValueError`, as a closed file does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class EndmillError(Exception):
    """The base of all errors of this package.

    ``code`` is a stable name for programs, the same as in the JSON of the command line.
    """

    code: str = "error"

    def __init__(self, message: str, *rest: Any) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class MissingTableError(EndmillError, KeyError):
    """Nothing is wrong, except that the answer is not in this database.

    ``table`` is the table to build or fetch; None if no table has that many pieces.
    """

    code = "table_missing"

    def __init__(self, message: str, table: str | None = None) -> None:
        super().__init__(message)
        self.table = table


class MissingPliesError(MissingTableError):
    """The outcome is known, but not the distance that was asked for."""

    code = "plies_missing"


class UnknownRulesetError(EndmillError, ValueError):
    """The ruleset is unknown."""

    code = "unknown_ruleset"


class _BadInputError(EndmillError, ValueError):
    """A text that cannot be read, or is not legal.

    ``at`` is the wrong character of the text, from 0; None if the text as a whole is wrong.
    """

    code = "bad_input"

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.at = at


class BadPositionError(_BadInputError):
    """A position that cannot be read, or is not legal.

    ``at`` is the wrong character of a text, from 0, and ``index`` the first wrong row of arrays.
    Each is None if it does not apply.
    """

    def __init__(self, message: str, at: int | None = None, index: int | None = None) -> None:
        super().__init__(message, at)
        self.index = index


class BadTurnError(_BadInputError):
    """A move that cannot be read, or is not legal."""


class BadTableError(_BadInputError):
    """The name of a table that cannot be read, or that the ruleset does not have."""


class DatabaseError(EndmillError):
    """Something is wrong with the files. ``file`` is the file, if it is a single one."""

    code = "database"

    def __init__(
        self, message: str, code: str | None = None, file: Path | str | None = None
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.file = None if file is None else Path(file)


class DamagedFileError(DatabaseError):
    """A file is damaged, or has the name of another: fetch or build it again."""

    code = "file_damaged"


class NoTablesError(DatabaseError, FileNotFoundError):
    """The directory has no table of the ruleset, or does not exist. ``file`` is the directory."""

    code = "no_tables"


class FormatError(DatabaseError):
    """A file was made by a program that is too new or too old."""

    code = "format_too_new"


class DatabaseIOError(DatabaseError, OSError):
    """I/O error."""

    code = "io"


class BuildError(EndmillError):
    """A build failed. Finished tables are kept."""

    code = "build"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
