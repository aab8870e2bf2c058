//! Opens files, and nothing else that has the name of one.
//!
//! Opening a FIFO waits until somebody opens its other end, which may be never; opening a device
//! may do anything. So what a name stands for is looked at first, and since it may become
//! something else in between, the file is opened without waiting and looked at again.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::path::Path;

use crate::error::{Error, Result};

/// Opens a file for reading; gives its length too.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    open_with(path, File::options().read(true))
}

/// Opens a file with options of choice; gives its length too.
pub(crate) fn open_with(path: &Path, options: &mut OpenOptions) -> Result<(File, u64)> {
    // What is not there may be about to be created, and if not, opening says so.
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
