//! One writer of the manifest of a ruleset.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::regular;

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// The right to write the manifest of a directory, until it is dropped. Readers do not need it, as
/// files appear whole; nor do builders, which write tables and their records.
///
/// The lock belongs to the open file, so the operating system releases it however the process
/// ends. The file `.lock` is never removed: otherwise two processes could lock two files of that
/// name. Where files cannot be locked there is no exclusion: a manifest appears whole, and the next
/// one adds what it lacks.
#[derive(Debug)]
pub struct Lock {
    directory: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of an existing directory; fails with [`Error::Locked`] if it is taken.
    pub fn acquire(directory: &Path) -> Result<Lock> {
        let path = directory.join(".lock");
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        let (file, _) = regular::open_with(&path, &mut options)?;
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Lock {
                directory: directory.into(),
                _file: file,
            }),
            Err(TryLockError::WouldBlock) => Err(Error::Locked {
                directory: directory.into(),
                holders: Vec::new(),
            }),
        }
    }

    /// Waits for the lock; fails with [`Error::Locked`] if it is still taken after `patience`.
    /// `waiting` is called once if there is something to wait for.
    pub fn acquire_within(
        directory: &Path,
        patience: Duration,
        waiting: impl FnOnce(),
    ) -> Result<Lock> {
        let first = Lock::acquire(directory);
        if !matches!(first, Err(Error::Locked { .. })) {
            return first;
        }
        waiting();
        let started = Instant::now();
        loop {
            thread::sleep(PAUSE.min(patience));
            let lock = Lock::acquire(directory);
            if !matches!(lock, Err(Error::Locked { .. })) || started.elapsed() >= patience {
                return lock;
            }
        }
    }

    /// The locked directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_that_is_released_soon_is_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let held = Lock::acquire(directory.path()).unwrap();
        let mut waited = false;
        let patience = Duration::from_secs(60);
        let lock = thread::scope(|scope| {
            // Released only when another process waits for it.
            let (tell, told) = std::sync::mpsc::channel();
            scope.spawn(move || {
                told.recv().unwrap();
                drop(held);
            });
            Lock::acquire_within(directory.path(), patience, || {
                waited = true;
                tell.send(()).unwrap();
            })
        });
        assert!(lock.is_ok() && waited);
    }

    #[test]
    fn lock_that_is_kept_is_refused_after_a_while() {
        let directory = tempfile::tempdir().unwrap();
        let _held = Lock::acquire(directory.path()).unwrap();
        let patience = Duration::from_millis(50);
        let lock = Lock::acquire_within(directory.path(), patience, || ());
        assert!(matches!(lock, Err(Error::Locked { .. })));
    }
}
