//! The error of every question, with one variant per remedy.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use endmill_dbformat::{Error as FileError, Rules};
use endmill_games::{Description, Game, ParseError, RulesetError, Visitor, rulesets};
use thiserror::Error;

/// The result of every question.
pub type Result<T> = std::result::Result<T, ProbeError>;

/// Why a question has no answer. Programs match on the variant, or on [`code`](ProbeError::code).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// There is no such ruleset, or its rules file has mistakes.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// The position cannot be read, or is not legal.
    #[error(transparent)]
    Position(ParseError),
    /// The turn cannot be read, or is not legal.
    #[error(transparent)]
    Turn(ParseError),
    /// The name of the table cannot be read, or the ruleset has no such table.
    #[error(transparent)]
    Table(ParseError),
    /// The directory holds no table of the ruleset, or does not exist: see
    /// [`Options::allow_empty`](crate::Options::allow_empty).
    #[error("{} has no tables of {ruleset}", .directory.display())]
    NoTables {
        /// The database directory.
        directory: PathBuf,
        /// The ruleset's id.
        ruleset: String,
    },
    /// The table of the position is not in the database, and the others do not prove a value
    /// either. Build or fetch it.
    #[error("table {table} is not in the database")]
    TableMissing {
        /// Its name.
        table: String,
    },
    /// No database has tables with that many pieces.
    #[error("the position has more pieces than any table")]
    NoSuchTable,
    /// The outcome is known, but the distance is not: the `.dtw` of a table is missing, or some
    /// turns lead into missing tables.
    #[error("the plies of table {table} are not known here")]
    PliesMissing {
        /// Its name.
        table: String,
    },
    /// A file cannot be used: it is damaged, made for other rules or by another version, or the
    /// operating system refuses to read it.
    #[error("{}{}", .0, changed_rules(.0))]
    File(FileError),
    /// The file was replaced while the database was open. Open it again.
    #[error("{}: replaced since the database was opened", .file.display())]
    Replaced {
        /// The file.
        file: PathBuf,
    },
    /// Two tables contradict each other: the value of a position is not that of its best turn.
    /// Every file is intact, but they do not belong together, or were solved wrongly.
    #[error("table {table} contradicts the tables its turns lead to")]
    Contradiction {
        /// Its name.
        table: String,
    },
}

impl ProbeError {
    /// A name for programs, stable over versions.
    pub fn code(&self) -> &'static str {
        match self {
            ProbeError::Ruleset(RulesetError::Unknown(_)) => "unknown_ruleset",
            ProbeError::Ruleset(_) => "bad_rules_file",
            ProbeError::Position(_) | ProbeError::Turn(_) | ProbeError::Table(_) => "bad_input",
            ProbeError::NoTables { .. } => "no_tables",
            ProbeError::TableMissing { .. } | ProbeError::NoSuchTable => "table_missing",
            ProbeError::PliesMissing { .. } => "plies_missing",
            ProbeError::Replaced { .. } => "file_replaced",
            ProbeError::Contradiction { .. } => "contradiction",
            ProbeError::File(error) => match error {
                FileError::RulesDiffer { .. } => "rules_differ",
                FileError::WrongTable { .. }
                | FileError::WrongKind { .. }
                | FileError::NotAPair { .. }
                | FileError::NotAFile { .. } => "wrong_file",
                FileError::FormatTooNew { .. } | FileError::CodecTooNew { .. } => "format_too_new",
                FileError::CodecTooOld { .. } => "format_too_old",
                FileError::Io { .. } => "io",
                _ => "file_damaged",
            },
        }
    }

    /// Returns whether the question is at fault, not the database.
    pub fn is_bad_input(&self) -> bool {
        use ProbeError::{Position, Ruleset, Table, Turn};
        matches!(self, Ruleset(_) | Position(_) | Turn(_) | Table(_))
    }

    /// Returns whether nothing is wrong except that the answer is not in this database.
    pub fn is_missing(&self) -> bool {
        use ProbeError::{NoSuchTable, NoTables, PliesMissing, TableMissing};
        matches!(
            self,
            NoTables { .. } | TableMissing { .. } | NoSuchTable | PliesMissing { .. }
        )
    }

    /// The missing table, if one is missing.
    pub fn missing_table(&self) -> Option<&str> {
        match self {
            ProbeError::TableMissing { table } | ProbeError::PliesMissing { table } => Some(table),
            _ => None,
        }
    }

    /// The wrong character of the text of a question, from 0.
    pub fn at(&self) -> Option<usize> {
        match self {
            ProbeError::Position(error) | ProbeError::Turn(error) | ProbeError::Table(error) => {
                error.at
            }
            _ => None,
        }
    }

    /// The file or directory that cannot be used.
    pub fn file(&self) -> Option<&Path> {
        match self {
            ProbeError::NoTables { directory, .. } => Some(directory),
            ProbeError::Replaced { file } => Some(file),
            ProbeError::File(error) => Some(error.file()),
            _ => None,
        }
    }

    /// The error for a file of the database. `table` is the table that was looked for.
    pub fn of_file(table: &str, error: FileError) -> ProbeError {
        match error {
            FileError::Missing { .. } => ProbeError::TableMissing {
                table: table.to_owned(),
            },
            error => ProbeError::File(error),
        }
    }
}

/// Every ruleset by the name that files give its rules. Setting up the games takes a while.
static KNOWN: LazyLock<Vec<(String, Description)>> =
    LazyLock::new(|| rulesets().map(|known| known.visit(Describe)).collect());

/// The rules that differ, as ` (flying: no instead of yes)`. Empty if the rules in the file are
/// not those of any ruleset of this program: they were changed since.
fn changed_rules(error: &FileError) -> String {
    let FileError::RulesDiffer {
        expected, found, ..
    } = error
    else {
        return String::new();
    };
    let known = |name: &str| KNOWN.iter().find(|(rules, _)| rules == name);
    match (known(expected), known(found)) {
        (Some((_, expected)), Some((_, found))) => match expected.differences(found).as_slice() {
            [] => String::new(),
            differences => format!(" ({})", differences.join(", ")),
        },
        _ => String::new(),
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = (String, Description);

    fn visit<G: Game>(self, game: G) -> (String, Description) {
        (Rules::of(&game).to_string(), game.description())
    }
}
