//! One writer per ruleset directory.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The right to write into a directory, as long as it lives. Readers need none: files appear
/// whole under their names.
///
/// The lock belongs to the open file, so the operating system releases it however the process
/// ends. The file `.lock` itself stays: removing it would let two processes lock two files of
/// that name.
#[derive(Debug)]
pub struct Lock {
    directory: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, creating the directory if need be; [`Error::Locked`] if it is taken.
    pub fn acquire(directory: &Path) -> Result<Lock> {
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
        let path = directory.join(".lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock {
                directory: directory.into(),
                _file: file,
            }),
            Err(TryLockError::WouldBlock) => Err(Error::Locked {
                directory: directory.into(),
            }),
            Err(TryLockError::Error(source)) => Err(Error::Io { file: path, source }),
        }
    }

    /// The locked directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}
