//! Why there is no answer, apart by what the caller can do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use endmill_dbformat::{Part, Rules};
use endmill_games::{Description, Game, Visitor, rulesets};
use thiserror::Error;

/// The result of every question.
pub type Result<T> = std::result::Result<T, ProbeError>;

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The directory holds no table of the ruleset, or does not exist: see
    /// [`Options::allow_empty`](crate::Options::allow_empty).
    #[error("there is no table of {ruleset} in {}", .directory.display())]
    NoTables {
        /// The database directory.
        directory: PathBuf,
        /// The ruleset's id.
        ruleset: String,
    },
    /// The table of the position is not in the database, and those that are do not prove a value
    /// either. Build or fetch it.
    #[error("table {table} is not in the database")]
    TableMissing {
        /// Its name.
        table: String,
    },
    /// No database has tables with that many pieces.
    #[error("the position has more pieces than any table")]
    NoSuchTable,
    /// The outcome is known, but the distance that was asked for is not: the `.dtw` of a table is
    /// missing, or some turns lead into missing tables.
    #[error("the plies of table {table} are not known here")]
    PliesMissing {
        /// Its name.
        table: String,
    },
    /// The file was made for another ruleset, or before a rule was changed.
    #[error("{}: made for {found}, expected {expected}{}", .file.display(), listed(.differences))]
    RulesDiffer {
        /// The file.
        file: PathBuf,
        /// The rules that were asked for.
        expected: String,
        /// The rules in the file.
        found: String,
        /// The rules that are not the same, as `flying: no instead of yes`. Empty if the rules in
        /// the file are not those of any ruleset of this program: they were changed since.
        differences: Vec<String>,
    },
    /// The file is intact but in the wrong place: another table, outcomes instead of plies, or
    /// plies that were not made together with the outcomes beside them; or it is no file at all,
    /// but a directory or a FIFO.
    #[error(transparent)]
    WrongFile(endmill_dbformat::Error),
    /// Fetch or build it again.
    #[error("{}: damaged ({part})", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The part that a checksum or a bound contradicts; the block, if it is one.
        part: Part,
    },
    /// Not a table at all, or one that a transfer has mangled.
    #[error(transparent)]
    NotATable(endmill_dbformat::Error),
    /// A newer program is needed.
    #[error("{}: too new: format version {found}, this program reads up to {supported}", .file.display())]
    FormatTooNew {
        /// The file.
        file: PathBuf,
        /// The version in the file.
        found: u16,
        /// The newest version known here.
        supported: u16,
    },
    /// A newer program is needed, or the table must be built again: its codec is not one of those
    /// that this program reads.
    #[error(transparent)]
    CodecUnknown(endmill_dbformat::Error),
    /// The file was replaced while the database was open. Open it again.
    #[error("{}: replaced since the database was opened", .file.display())]
    Replaced {
        /// The file.
        file: PathBuf,
    },
    /// Two tables contradict each other: a position is not worth what its best turn is worth.
    /// Every file is intact, but they do not belong together, or were solved wrongly.
    #[error("table {table} contradicts the tables its turns lead to")]
    Contradiction {
        /// Its name.
        table: String,
    },
    /// The operating system said no.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl ProbeError {
    /// A name for programs, stable over versions.
    pub fn code(&self) -> &'static str {
        match self {
            ProbeError::NoTables { .. } => "no_tables",
            ProbeError::TableMissing { .. } | ProbeError::NoSuchTable => "table_missing",
            ProbeError::PliesMissing { .. } => "plies_missing",
            ProbeError::RulesDiffer { .. } => "rules_differ",
            ProbeError::WrongFile(_) => "wrong_file",
            ProbeError::Damaged { .. } | ProbeError::NotATable(_) => "file_damaged",
            ProbeError::FormatTooNew { .. }
            | ProbeError::CodecUnknown(endmill_dbformat::Error::CodecTooNew { .. }) => {
                "format_too_new"
            }
            ProbeError::CodecUnknown(_) => "format_too_old",
            ProbeError::Replaced { .. } => "file_replaced",
            ProbeError::Contradiction { .. } => "contradiction",
            ProbeError::Io { .. } => "io",
        }
    }

    /// Whether nothing is wrong except that the answer is not in this database.
    pub fn is_missing(&self) -> bool {
        matches!(
            self,
            ProbeError::NoTables { .. }
                | ProbeError::TableMissing { .. }
                | ProbeError::NoSuchTable
                | ProbeError::PliesMissing { .. }
        )
    }

    /// The table that is missing, if one is.
    pub fn missing_table(&self) -> Option<&str> {
        match self {
            ProbeError::TableMissing { table } | ProbeError::PliesMissing { table } => Some(table),
            _ => None,
        }
    }

    /// The file or directory that stands in the way, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            ProbeError::TableMissing { .. }
            | ProbeError::NoSuchTable
            | ProbeError::PliesMissing { .. }
            | ProbeError::Contradiction { .. } => None,
            ProbeError::WrongFile(error)
            | ProbeError::NotATable(error)
            | ProbeError::CodecUnknown(error) => Some(error.file()),
            ProbeError::NoTables {
                directory: file, ..
            }
            | ProbeError::RulesDiffer { file, .. }
            | ProbeError::Damaged { file, .. }
            | ProbeError::FormatTooNew { file, .. }
            | ProbeError::Replaced { file }
            | ProbeError::Io { file, .. } => Some(file),
        }
    }

    /// Sorts what went wrong with a file. `table` is the one that was looked for.
    pub fn of_file(table: &str, error: endmill_dbformat::Error) -> ProbeError {
        use endmill_dbformat::Error as File;
        match error {
            File::Missing { .. } => ProbeError::TableMissing {
                table: table.to_owned(),
            },
            File::RulesDiffer {
                file,
                expected,
                found,
            } => ProbeError::RulesDiffer {
                differences: differences(&expected, &found),
                file,
                expected,
                found,
            },
            File::FormatTooNew {
                file,
                found,
                supported,
            } => ProbeError::FormatTooNew {
                file,
                found,
                supported,
            },
            File::Damaged { file, part } => ProbeError::Damaged { file, part },
            File::Io { file, source } => ProbeError::Io { file, source },
            error @ (File::WrongTable { .. }
            | File::WrongKind { .. }
            | File::NotAPair { .. }
            | File::NotAFile { .. }) => ProbeError::WrongFile(error),
            error @ (File::CodecTooNew { .. } | File::CodecTooOld { .. }) => {
                ProbeError::CodecUnknown(error)
            }
            error => ProbeError::NotATable(error),
        }
    }
}

fn listed(differences: &[String]) -> String {
    match differences {
        [] => String::new(),
        some => format!(" ({})", some.join(", ")),
    }
}

/// Every ruleset by the name that files give its rules. Setting up the games takes a while, and
/// who asks a foreign file once may ask it again for every position.
static KNOWN: LazyLock<Vec<(String, Description)>> =
    LazyLock::new(|| rulesets().map(|known| known.visit(Describe)).collect());

/// What is different between two rules, as files name them, if both are known here.
fn differences(expected: &str, found: &str) -> Vec<String> {
    let known = |name: &str| KNOWN.iter().find(|(rules, _)| rules == name);
    match (known(expected), known(found)) {
        (Some((_, expected)), Some((_, found))) => expected.differences(found),
        _ => Vec::new(),
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = (String, Description);

    fn visit<G: Game>(self, game: G) -> (String, Description) {
        (Rules::of(&game).to_string(), game.description())
    }
}
