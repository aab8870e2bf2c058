//! Opens regular files only.
//!
//! Opening a FIFO waits until another process opens its other end; opening a device may do anything.
//! So the type is checked before opening, and again afterwards, since the name may have changed its
//! meaning in between; opening itself does not wait.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::path::Path;

use crate::error::{Error, Result};

/// Opens a file for reading. Returns its length too.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    open_with(path, File::options().read(true))
}

/// Opens a file with the given options. Returns its length too.
pub(crate) fn open_with(path: &Path, options: &mut OpenOptions) -> Result<(File, u64)> {
    // If it does not exist, it may be about to be created; otherwise opening reports that.
    if let Ok(metadata) = path.metadata() {
        check(path, &metadata)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path).map_err(Error::io(path))?;
    let metadata = file.metadata().map_err(Error::io(path))?;
    check(path, &metadata)?;
    Ok((file, metadata.len()))
}

fn check(path: &Path, metadata: &Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(Error::NotAFile {
        file: path.into(),
        found: kind_of(metadata.file_type()),
    })
}

#[cfg(unix)]
fn kind_of(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if found.is_dir() => "a directory",
        () if found.is_fifo() => "a FIFO",
        () if found.is_socket() => "a socket",
        () if found.is_char_device() || found.is_block_device() => "a device",
        () => "something else",
    }
}

#[cfg(not(unix))]
fn kind_of(found: FileType) -> &'static str {
    if found.is_dir() {
        "a directory"
    } else {
        "something else"
    }
}
