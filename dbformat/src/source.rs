//! Where the bytes of a table come from.

#![allow(unsafe_code, reason = "maps files")]

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::bus::{Full, Guard};
use crate::error::{Error, Part, Result};
use crate::regular;

/// The bytes of one file: mapped, read when asked for, or in memory already.
#[derive(Debug)]
pub struct Source {
    file: PathBuf,
    length: u64,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// The guard first: fields are dropped in this order.
    Mapped(Option<Guard>, Mmap),
    Positioned(File),
    InMemory(Cow<'static, [u8]>),
}

impl Source {
    /// Reads with one system call per block: safe whatever happens to the file.
    pub fn open(path: &Path) -> Result<Source> {
        let (file, length) = regular::open(path)?;
        Ok(Source {
            file: path.into(),
            length,
            bytes: Bytes::Positioned(file),
        })
    }

    /// Maps the file: a block that is in the page cache costs no system call and no copy.
    ///
    /// # Safety
    /// As long as the source lives, no process may change or shorten the file in place: a
    /// shortened file ends the process with a bus error, unless the program
    /// [survives](crate::survive_cut_files) that. Building a database never does this, it
    /// replaces files by renaming; `cp` over an existing file does.
    pub unsafe fn map(path: &Path) -> Result<Source> {
        let (file, length) = regular::open(path)?;
        // SAFETY: the caller keeps the file unchanged.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io(path))?;
        let bytes = match Guard::new(&map) {
            Ok(guard) => Bytes::Mapped(guard, map),
            // If it cannot be guarded, it is read by system calls.
            Err(Full) => Bytes::Positioned(file),
        };
        Ok(Source {
            file: path.into(),
            length,
            bytes,
        })
    }

    /// Bytes in memory, for instance compiled into a program. `name` stands for the file in errors.
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Source {
        let bytes = bytes.into();
        Source {
            file: name.into(),
            length: bytes.len() as u64,
            bytes: Bytes::InMemory(bytes),
        }
    }

    /// The name of the file in errors.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The number of bytes when the source was opened.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Fails if any byte that was read is lost. A mapped file that is cut short yields zeros, if the
    /// program [survives](crate::survive_cut_files) that; so call this after using the bytes, and
    /// before trusting the result.
    pub fn check(&self) -> Result<()> {
        match &self.bytes {
            Bytes::Mapped(Some(guard), _) if guard.is_cut() => {
                Err(Error::damaged(&self.file, Part::Lost))
            }
            _ => Ok(()),
        }
    }

    /// A range of the bytes, in `buffer` if they are not in memory. A range beyond the end is
    /// damage to the [length](Part::Length), and allocates nothing.
    pub fn read<'a>(&'a self, range: Range<u64>, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let too_short = || Error::damaged(&self.file, Part::Length);
        if range.start > range.end || range.end > self.length {
            return Err(too_short());
        }
        let in_memory = |bytes: &'a [u8]| {
            let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
            bytes.get(range)
        };
        match &self.bytes {
            Bytes::Mapped(_, map) => {
                self.check()?;
                in_memory(map).ok_or_else(too_short)
            }
            Bytes::InMemory(bytes) => in_memory(bytes).ok_or_else(too_short),
            Bytes::Positioned(file) => {
                let length = usize::try_from(range.end - range.start).map_err(|_| too_short())?;
                buffer.resize(length, 0);
                match read_exact_at(file, buffer, range.start) {
                    Ok(()) => Ok(buffer),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(too_short()),
                    Err(error) => Err(Error::io(&self.file)(error)),
                }
            }
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
