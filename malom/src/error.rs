//! What can go wrong with sector files.

use std::io;
use std::path::{Path, PathBuf};

use endmill_games::ParseError;
use endmill_probe::ProbeError;
use thiserror::Error as ThisError;

/// The result of work with sector files.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no result.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Malom has no such game.
    #[error(
        "there are no sector files of {ruleset}: the format has room for the rules of {known} only"
    )]
    NoVariant {
        /// The ruleset.
        ruleset: String,
        /// Those whose rules have some.
        known: String,
    },
    /// A name of a table cannot be read.
    #[error(transparent)]
    Table(#[from] ParseError),
    /// The database has no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A `.secval` cannot be read.
    #[error("{}:{line}: {why}", file.display())]
    BadValues {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A value does not leave room for the keys.
    #[error("the value {value} of sector {sector} does not fit: a cell holds at most {most}")]
    ValueTooLarge {
        /// The sector.
        sector: String,
        /// Its value.
        value: i32,
        /// The most that a key holds.
        most: i32,
    },
    /// A `.sec2` is not what it should be.
    #[error("{}: {why}", file.display())]
    BadSector {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There is a file that this export did not write.
    #[error(
        "{} was not written by an export of {ruleset} with these values: choose another directory, or remove it",
        file.display()
    )]
    NotOurs {
        /// The file.
        file: PathBuf,
        /// The ruleset.
        ruleset: String,
    },
    /// The disk is too small.
    #[error("{} has {free} bytes free, and {needed} are needed", directory.display())]
    Room {
        /// Where.
        directory: PathBuf,
        /// Bytes that are free.
        free: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// The work was asked to stop.
    #[error("stopped")]
    Stopped,
    /// A file cannot be written whole, or another process writes here.
    #[error(transparent)]
    Write(#[from] endmill_dbformat::Error),
    /// The operating system said no.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn io(file: &Path) -> impl FnOnce(io::Error) -> Error {
        let file = file.to_owned();
        |source| Error::Io { file, source }
    }

    /// Whether what was asked for is at fault.
    pub fn is_bad_input(&self) -> bool {
        if let Error::Io { source, .. } = self {
            // Where there is no such directory, or none that may be used.
            return matches!(
                source.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::NotADirectory
                    | io::ErrorKind::AlreadyExists
                    | io::ErrorKind::PermissionDenied
            );
        }
        matches!(
            self,
            Error::NoVariant { .. }
                | Error::Table(_)
                | Error::BadValues { .. }
                | Error::ValueTooLarge { .. }
                | Error::NotOurs { .. }
        )
    }

    /// Whether nothing is wrong except that something is not in the database.
    pub fn is_missing(&self) -> bool {
        matches!(self, Error::Probe(error) if error.is_missing())
    }
}
