//! Atomic files: a file appears under its name whole, or not at all.
//!
//! It is written under a temporary name in the same directory, synced, and renamed; then the
//! directory is synced. After a power cut the name leads to the old contents or to the new.
//!
//! A temporary name belongs to one writer: several processes, on several machines, may write the
//! same file at once, and the last rename wins. The writer locks the file until it is renamed, so
//! that [`clean_leftovers`] recognises what a killed process left behind.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};

/// Stands in every temporary name, and in no other.
const MARK: &str = ".tmp-";
/// Where files cannot be locked, a temporary file counts as left over if it has not been written to
/// for this long.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// The same for a file from another machine, locked or not: on some network file systems only one
/// machine sees a lock.
const ABANDONED_ELSEWHERE: Duration = Duration::from_secs(60 * 60);

/// A file that does not have its final name yet. If it is dropped before
/// [`commit`](AtomicFile::commit), nothing is left.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    temporary: PathBuf,
    target: PathBuf,
}

impl AtomicFile {
    /// The name that [`commit`](AtomicFile::commit) gives it.
    pub fn create(target: &Path) -> Result<AtomicFile> {
        let (file, temporary) = loop {
            let temporary = temporary_name(target);
            match File::create_new(&temporary) {
                Ok(file) if is_ours(&file) => break (file, temporary),
                // A clean-up removed it before it was locked.
                Ok(_) => {}
                // Left by a dead process that had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io(&temporary)(error)),
            }
        };
        Ok(AtomicFile {
            out: BufWriter::with_capacity(1 << 18, file),
            temporary,
            target: target.into(),
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out
            .write_all(bytes)
            .map_err(Error::io(&self.temporary))
    }

    /// Back to the first byte, to write over what stands there.
    pub(crate) fn rewind(&mut self) -> Result<()> {
        self.out.rewind().map_err(Error::io(&self.temporary))
    }

    /// Makes the contents durable under the temporary name, which is returned.
    pub(crate) fn sync(&mut self) -> Result<&Path> {
        let flushed = self.out.flush();
        flushed
            .and_then(|()| self.out.get_ref().sync_all())
            .map_err(Error::io(&self.temporary))?;
        Ok(&self.temporary)
    }

    /// Gives the file its name, replacing any file of this name.
    pub fn commit(mut self) -> Result<()> {
        self.sync()?;
        let to_disk = || -> io::Result<()> {
            fs::rename(&self.temporary, &self.target)?;
            sync_directory(self.target.parent())
        };
        to_disk().map_err(Error::io(&self.target))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // After the rename there is nothing under this name: the error says only that.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// A name that no other writer has, on this machine or on another.
fn temporary_name(target: &Path) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let writer = format!("{}-{}-{number}", crate::host(), std::process::id());
    target.with_file_name(format!(".{name}{MARK}{writer}"))
}

/// Locks a new file to show that it is being written. Returns false if another process took it for
/// a leftover in between, and has locked or removed it. Where files cannot be locked, new files are
/// not cleaned up.
fn is_ours(file: &File) -> bool {
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
    }
    #[cfg(not(unix))]
    true
}

/// Writes a small file, whole or not at all, replacing any file of its name.
pub fn write_whole(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = AtomicFile::create(target)?;
    file.write(bytes)?;
    file.commit()
}

/// Makes a rename durable. Windows has no such call and orders its journal itself.
fn sync_directory(directory: Option<&Path>) -> io::Result<()> {
    match directory {
        // A bare name: its directory is the current one.
        Some(directory) if directory.as_os_str().is_empty() => sync_directory(Some(".".as_ref())),
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

/// Removes the temporary files that killed processes left in a directory. What another process is
/// writing stays.
pub fn clean_leftovers(directory: &Path) -> Result<()> {
    for entry in fs::read_dir(directory).map_err(Error::io(directory))? {
        let path = entry.map_err(Error::io(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(writer) = name
            .strip_prefix('.')
            .and_then(|name| Some(name.split_once(MARK)?.1))
        else {
            continue;
        };
        // Locked until it is removed.
        if let Some(_left_over) = left_over(&path, writer) {
            match fs::remove_file(&path).map_err(Error::io(&path)) {
                // Its writer has just renamed it, or another process cleans up too.
                Err(Error::Missing { .. }) => {}
                removed => removed?,
            }
        }
    }
    Ok(())
}

/// Opens and locks a temporary file if its writer is gone.
fn left_over(path: &Path, writer: &str) -> Option<File> {
    // Over NFS only a file that is open for writing can be locked.
    let file = File::options().read(true).write(true).open(path).ok()?;
    let abandoned = match file.try_lock() {
        Ok(()) if is_of_this_host(writer) => Duration::ZERO,
        Ok(()) => ABANDONED_ELSEWHERE,
        Err(TryLockError::WouldBlock) => return None,
        Err(TryLockError::Error(_)) => ABANDONED,
    };
    let written = file.metadata().ok()?.modified().ok()?;
    let age = SystemTime::now()
        .duration_since(written)
        .unwrap_or_default();
    (age >= abandoned).then_some(file)
}

/// Returns true if the writer in a temporary name is or was a process of this machine. Version 0.1
/// wrote no machine, and supported one only.
fn is_of_this_host(writer: &str) -> bool {
    let process = writer.strip_prefix(crate::host());
    let process = process.and_then(|process| process.strip_prefix('-'));
    process.is_some_and(|process| process.split('-').count() == 2) || !writer.contains('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_writes_is_not_left_over() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("5v4.wld");
        let mut writing = AtomicFile::create(&target).unwrap();
        let second = AtomicFile::create(&target).unwrap();
        let here = format!(".4v4.wld.tmp-{}-1-0", crate::host());
        let here = directory.path().join(here);
        fs::write(&here, "half a table").unwrap();
        clean_leftovers(directory.path()).unwrap();
        assert!(!here.exists());
        writing.write(b"first").unwrap();
        writing.commit().unwrap();
        second.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    /// Its lock may be seen over there only.
    #[test]
    fn what_another_machine_has_written_lately_is_not_left_over() {
        let directory = tempfile::tempdir().unwrap();
        let elsewhere = directory.path().join(".4v4.wld.tmp-elsewhere-1-0");
        fs::write(&elsewhere, "half a table").unwrap();
        clean_leftovers(directory.path()).unwrap();
        assert!(elsewhere.exists());
        let file = File::options().write(true).open(&elsewhere).unwrap();
        file.set_modified(SystemTime::now() - ABANDONED_ELSEWHERE)
            .unwrap();
        drop(file);
        clean_leftovers(directory.path()).unwrap();
        assert!(!elsewhere.exists());
    }
}
