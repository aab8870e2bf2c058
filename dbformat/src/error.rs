//! What can be wrong with a database. Each variant has its own remedy.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The result of everything that touches a file.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a file gives no answer. Every error names its file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Build or fetch it.
    #[error("{}: no such file", .file.display())]
    Missing {
        /// The file that was asked for.
        file: PathBuf,
    },
    /// The name belongs to something other than a file, which must not be opened.
    #[error("{}: {found}, not a regular file", .file.display())]
    NotAFile {
        /// The name.
        file: PathBuf,
        /// What stands there, such as `a FIFO`.
        found: &'static str,
    },
    /// Another file, or a table that a transfer has changed.
    #[error("{}: not an Endmill table{}", .file.display(), .hint.map_or(String::new(), |hint| format!(" ({hint})")))]
    NotATable {
        /// The file.
        file: PathBuf,
        /// How a transfer seems to have changed it, if its first bytes betray that.
        hint: Option<&'static str>,
    },
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
    /// A newer program is needed.
    #[error("{}: too new: codec {codec} is not known to this program", .file.display())]
    CodecTooNew {
        /// The file.
        file: PathBuf,
        /// The id of the codec.
        codec: u8,
    },
    /// Build it again.
    #[error("{}: too old: codec {codec} is not supported any more; build the table again", .file.display())]
    CodecTooOld {
        /// The file.
        file: PathBuf,
        /// The id of the codec.
        codec: u8,
    },
    /// Made for another game, or for an earlier version of its rules.
    #[error("{}: made for {found}, expected {expected}", .file.display())]
    RulesDiffer {
        /// The file.
        file: PathBuf,
        /// The rules that were asked for.
        expected: String,
        /// The rules in the file.
        found: String,
    },
    /// The file of another table under this name.
    #[error("{}: holds table {found}, expected {expected}", .file.display())]
    WrongTable {
        /// The file.
        file: PathBuf,
        /// Name and size of the table that was asked for.
        expected: String,
        /// Name and size of the table in the file.
        found: String,
    },
    /// Outcomes where plies should be, or the reverse.
    #[error("{}: holds {found}, expected {expected}", .file.display())]
    WrongKind {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        expected: crate::Kind,
        /// What the file holds.
        found: crate::Kind,
    },
    /// Plies or ranks coded for other outcomes than those in the `.wld`: two builds were mixed.
    #[error("{}: not made together with {}", .file.display(), .outcomes.display())]
    NotAPair {
        /// The file with the plies or ranks.
        file: PathBuf,
        /// The file with the outcomes.
        outcomes: PathBuf,
    },
    /// Fetch or build it again.
    #[error("{}: damaged ({part})", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The part that a checksum or a bound contradicts.
        part: Part,
    },
    /// Another process is writing.
    #[error(
        "{}: another process is writing here{}{}",
        .directory.display(), if .holders.is_empty() { "" } else { ": " }, .holders.join("; ")
    )]
    Locked {
        /// The directory that is being written.
        directory: PathBuf,
        /// The processes that hold claims, and for how long, where that is known.
        holders: Vec<String>,
    },
    /// I/O error.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Error {
    /// The file or directory that the error is about.
    pub fn file(&self) -> &Path {
        match self {
            Error::Missing { file }
            | Error::NotAFile { file, .. }
            | Error::NotATable { file, .. }
            | Error::FormatTooNew { file, .. }
            | Error::CodecTooNew { file, .. }
            | Error::CodecTooOld { file, .. }
            | Error::RulesDiffer { file, .. }
            | Error::WrongTable { file, .. }
            | Error::WrongKind { file, .. }
            | Error::NotAPair { file, .. }
            | Error::Damaged { file, .. }
            | Error::Locked {
                directory: file, ..
            }
            | Error::Io { file, .. } => file,
        }
    }

    /// Names the file in an error of the operating system; a file that does not exist is
    /// [`Missing`](Error::Missing).
    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Error::Missing { file: file.into() },
            _ => Error::Io {
                file: file.into(),
                source,
            },
        }
    }

    pub(crate) fn damaged(file: &Path, part: Part) -> Error {
        Error::Damaged {
            file: file.into(),
            part,
        }
    }
}

/// The part of a file that is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first bytes: what the file is.
    Header,
    /// What follows the blocks: histogram, codec parameters, block lengths.
    Index,
    /// Its blocks hold other numbers of wins, draws and losses than the header states.
    Counts,
    /// The block of this number.
    Block(usize),
    /// The file is shorter or longer than its header says.
    Length,
    /// A part of the file was there when it was opened, and can be read no more.
    Lost,
    /// The manifest contradicts the checksum at its end.
    Manifest,
    /// The whole file is not the one that the manifest lists.
    Contents,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => f.write_str("header"),
            Part::Index => f.write_str("index"),
            Part::Counts => f.write_str("counts"),
            Part::Block(number) => write!(f, "block {number}"),
            Part::Length => f.write_str("length"),
            Part::Lost => f.write_str("cut short or unreadable since it was opened"),
            Part::Manifest => f.write_str("manifest"),
            Part::Contents => f.write_str("contents differ from the manifest"),
        }
    }
}
