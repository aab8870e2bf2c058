"""Exact endgame databases of morris games and English draughts.

::

    import endmill

    endmill.build("nine", "data/db", pieces=7)
    with endmill.open_database("data/db", "nine") as db:
        print(db.probe("W:Wd1,b2,d2:Ba1,f2,a4"))

:func:`open_database` opens a database to probe positions, :class:`Game` has the rules, and
:func:`build` builds databases. ``ENDMILL_DB`` names the default database.
"""

from ._endmill import __version__
from .answers import (
    Built,
    Coverage,
    DrawRank,
    Geometry,
    Line,
    Man,
    Move,
    Outcome,
    Place,
    Progress,
    Row,
    Ruleset,
    Sampled,
    State,
    Table,
    Turn,
    Verdict,
)
from .arrays import turn_round
from .building import build
from .database import Database, open_database
from .errors import (
    BadPositionError,
    BadTableError,
    BadTurnError,
    BuildError,
    DamagedFileError,
    DatabaseError,
    DatabaseIOError,
    EndmillError,
    FormatError,
    MissingPliesError,
    MissingTableError,
    NoTablesError,
    UnknownRulesetError,
)
from .game import Game, rulesets

__all__ = [
    "BadPositionError",
    "BadTableError",
    "BadTurnError",
    "BuildError",
    "Built",
    "Coverage",
    "DamagedFileError",
    "Database",
    "DatabaseError",
    "DrawRank",
    "DatabaseIOError",
    "EndmillError",
    "FormatError",
    "Game",
    "Geometry",
    "Line",
    "Man",
    "MissingPliesError",
    "MissingTableError",
    "Move",
    "NoTablesError",
    "Outcome",
    "Place",
    "Progress",
    "Row",
    "Ruleset",
    "Sampled",
    "State",
    "Table",
    "Turn",
    "UnknownRulesetError",
    "Verdict",
    "__version__",
    "build",
    "open_database",
    "rulesets",
    "turn_round",
]
