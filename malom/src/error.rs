//! The errors of sector files.

use std::io;
use std::path::{Path, PathBuf};

use endmill_games::ParseError;
use endmill_probe::ProbeError;
use thiserror::Error as ThisError;

/// The result of work with sector files.
pub type Result<T> = std::result::Result<T, Error>;

/// Why sector files cannot be written or compared.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Malom has no game with these rules.
    #[error("no sector files of {ruleset}: the format supports only the rules of {known}")]
    NoVariant {
        /// The ruleset.
        ruleset: String,
        /// The rulesets with sector files.
        known: String,
    },
    /// A name of a table cannot be read.
    #[error(transparent)]
    Table(#[from] ParseError),
    /// An error of the database.
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
    /// The value of a sector is too large for its cells.
    #[error("the value {value} of sector {sector} does not fit: a cell holds at most {most}")]
    ValueTooLarge {
        /// The sector.
        sector: String,
        /// Its value.
        value: i32,
        /// The maximum of a key.
        most: i32,
    },
    /// A `.sec2` is malformed.
    #[error("{}: {why}", file.display())]
    BadSector {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file is in the way that this export did not write.
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
    #[error("{} has {free} bytes free, but the export needs {needed}", directory.display())]
    Room {
        /// The directory.
        directory: PathBuf,
        /// The number of free bytes.
        free: u64,
        /// The number of bytes that the export needs.
        needed: u64,
    },
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
    /// A file cannot be written, or another process writes to the directory.
    #[error(transparent)]
    Write(#[from] endmill_dbformat::Error),
    /// I/O error.
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

    /// Returns whether the user's input is at fault.
    pub fn is_bad_input(&self) -> bool {
        if let Error::Io { source, .. } = self {
            // The directory does not exist, or cannot be used.
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

    /// Returns whether nothing is wrong except that a table is missing.
    pub fn is_missing(&self) -> bool {
        matches!(self, Error::Probe(error) if error.is_missing())
    }
}
