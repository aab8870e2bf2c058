//! A file appears under its name whole, or not at all.
//!
//! It is written under a temporary name in the same directory, synced, renamed, and then the
//! directory is synced: after a power cut the name leads to the old contents or to the new. A
//! process that is killed leaves its temporary file behind; [`clean_leftovers`] removes it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::lock::Lock;

/// Stands in every temporary name, and in no other.
const MARK: &str = ".tmp-";

/// A file that has not got its name yet. Dropped before [`commit`](AtomicFile::commit), it leaves
/// nothing.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    out: BufWriter<File>,
    temporary: PathBuf,
    target: PathBuf,
}

impl AtomicFile {
    pub(crate) fn create(target: &Path) -> Result<AtomicFile> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let temporary = target.with_file_name(format!(".{name}{MARK}{}", std::process::id()));
        let file = File::create(&temporary).map_err(Error::io(&temporary))?;
        Ok(AtomicFile {
            out: BufWriter::with_capacity(1 << 18, file),
            temporary,
            target: target.into(),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out
            .write_all(bytes)
            .map_err(Error::io(&self.temporary))
    }

    /// Back to the first byte, to write over what stands there.
    pub(crate) fn rewind(&mut self) -> Result<()> {
        self.out.rewind().map_err(Error::io(&self.temporary))
    }

    /// Gives the file its name, in place of any file that had it.
    pub(crate) fn commit(mut self) -> Result<()> {
        let mut to_disk = || -> io::Result<()> {
            self.out.flush()?;
            self.out.get_ref().sync_all()?;
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

/// Writes a small file: whole, or not at all, and in place of any file that had its name.
pub fn write_whole(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = AtomicFile::create(target)?;
    file.write(bytes)?;
    file.commit()
}

/// Makes a rename last. Windows has no such call and orders its journal itself.
fn sync_directory(directory: Option<&Path>) -> io::Result<()> {
    match directory {
        // A bare name: its directory is the current one.
        Some(directory) if directory.as_os_str().is_empty() => sync_directory(Some(".".as_ref())),
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

/// Removes the temporary files that killed processes left in a directory. The lock shows that
/// nobody is writing them now.
pub fn clean_leftovers(lock: &Lock) -> Result<()> {
    let directory = lock.directory();
    for entry in fs::read_dir(directory).map_err(Error::io(directory))? {
        let entry = entry.map_err(Error::io(directory))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.contains(MARK) {
            fs::remove_file(entry.path()).map_err(Error::io(&entry.path()))?;
        }
    }
    Ok(())
}
