//! The memory budget: where working memory comes from, and how much of it there may be.

#![allow(unsafe_code, reason = "maps scratch files")]

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use fs4::fs_std::FileExt;
use memmap2::MmapMut;

use crate::SolveError;
use crate::memory::{Buffer, Word};
use crate::nodes::Nodes;
use crate::spill::{SpillSpace, Spilled};

/// Where the budget is [short](Budget::be_short), an array that takes more than one part in this number
/// of it goes to a scratch file, and half of the budget is left to the solver.
const SMALL: u64 = 16;

/// Provides working memory up to a limit, and beyond it mapped files in a scratch directory. These take
/// memory only for the pages in use: they are processed in order, and pages are released.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    used: Arc<AtomicU64>,
    is_short: Arc<AtomicBool>,
    scratch: Option<PathBuf>,
    /// For tables that must leave memory; only with a scratch directory.
    spill: Option<Arc<SpillSpace>>,
}

/// A share of the budget, returned when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    bytes: u64,
    used: Arc<AtomicU64>,
}

impl Budget {
    /// A budget without a limit.
    pub fn unlimited() -> Budget {
        Budget {
            limit: u64::MAX,
            used: Arc::default(),
            is_short: Arc::default(),
            scratch: None,
            spill: None,
        }
    }

    /// A budget of a number of bytes of memory; beyond them, files in a directory.
    pub fn new(limit: u64, scratch: PathBuf) -> Budget {
        Budget {
            limit,
            used: Arc::default(),
            is_short: Arc::default(),
            spill: Some(Arc::new(SpillSpace::new(&scratch))),
            scratch: Some(scratch),
        }
    }

    /// The bytes of memory that may be in use at once.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Keeps an array in a packed scratch file, if there is room for one.
    pub(crate) fn spill<T: Word>(&self, values: &[T]) -> Option<Spilled<T>> {
        self.spill.as_ref()?.write(values)
    }

    /// Sets whether the next group takes more than the limit: then tables go to scratch files, so that
    /// memory is left for the work itself.
    pub(crate) fn be_short(&self, is_short: bool) {
        self.is_short.store(is_short, Relaxed);
    }

    /// Returns true if the group that is being solved takes more than the limit.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short.load(Relaxed)
    }

    /// Returns true if the limit leaves this number of bytes.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.used.load(Relaxed).saturating_add(bytes) <= self.limit
    }

    /// Memory for the nodes of a table, all draws.
    pub fn nodes(&self, count: usize) -> Result<Nodes, SolveError> {
        self.buffer(count)
    }

    /// Memory for a table in any form, all zero.
    pub(crate) fn buffer<T: Word>(&self, len: usize) -> Result<Buffer<T>, SolveError> {
        let [most, all] = match self.is_short() {
            true => [self.limit / SMALL, self.limit / 2],
            false => [self.limit; 2],
        };
        self.within(len, most, all)
    }

    /// Memory for a group while it is solved, all zero: what tables leave free where memory is short.
    pub(crate) fn working<T: Word>(&self, len: usize) -> Result<Buffer<T>, SolveError> {
        self.within(len, self.limit, self.limit)
    }

    /// Memory for a list that is made while a table is stored, filled with one value. It is counted
    /// only where memory is short: then lists leave half of it to the models, the buffers and the
    /// program itself.
    pub(crate) fn list<T: Copy + Send + Sync>(
        &self,
        value: T,
        len: usize,
    ) -> Result<Buffer<T>, SolveError> {
        let most = match self.is_short() {
            true => self.limit / 2,
            false => u64::MAX,
        };
        let memory: Buffer<u8> = self.within(len * size_of::<T>(), most, most)?;
        Ok(memory.filled(value, len))
    }

    /// An array in memory, if it takes no more than `most` bytes, and everything together no more than
    /// `all`; otherwise in a scratch file.
    fn within<T: Word>(&self, len: usize, most: u64, all: u64) -> Result<Buffer<T>, SolveError> {
        let bytes = bytes_of::<T>(len);
        let before = self.used.fetch_add(bytes, Relaxed);
        let share = Share {
            bytes,
            used: Arc::clone(&self.used),
        };
        if self.scratch.is_none() || (bytes <= most && before.saturating_add(bytes) <= all) {
            let memory = MmapMut::map_anon(bytes as usize)?;
            return Ok(Buffer::in_memory(memory, len, share));
        }
        drop(share);
        self.scratch(len)
    }

    /// An array in a scratch file, all zero.
    pub(crate) fn scratch<T: Word>(&self, len: usize) -> Result<Buffer<T>, SolveError> {
        let Some(scratch) = &self.scratch else {
            return self.buffer(len);
        };
        let bytes = bytes_of::<T>(len);
        let mapped = map_scratch(scratch, bytes).map_err(|source| SolveError::Scratch {
            directory: scratch.clone(),
            bytes,
            source,
        })?;
        Ok(Buffer::in_scratch(mapped, len))
    }
}

/// The bytes of an array; an empty mapping is not possible.
fn bytes_of<T>(len: usize) -> u64 {
    (len as u64 * size_of::<T>() as u64).max(1)
}

fn map_scratch(directory: &Path, bytes: u64) -> io::Result<MmapMut> {
    let mut file = tempfile::tempfile_in(directory)?;
    reserve(&mut file, bytes)?;
    // SAFETY: the file has no name, so no other process can change or truncate it.
    unsafe { MmapMut::map_mut(&file) }
}

/// Makes a new file this long, all zero, and allocates its blocks on the disk. Otherwise they would be
/// allocated as the mapping is written, and a full disk would be a bus error.
fn reserve(file: &mut File, bytes: u64) -> io::Result<()> {
    loop {
        match file.allocate(bytes) {
            // Some systems allocate without making the file longer.
            Ok(()) => return file.set_len(bytes),
            Err(error) => match error.kind() {
                // Interrupted by a signal; nothing was allocated.
                ErrorKind::Interrupted => {}
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                    return Err(error);
                }
                // The file system cannot allocate; any other error will show when writing.
                _ => return write_zeros(file, bytes),
            },
        }
    }
}

fn write_zeros(file: &mut File, mut bytes: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    while bytes > 0 {
        let some = bytes.min(zeros.len() as u64);
        file.write_all(&zeros[..some as usize])?;
        bytes -= some;
    }
    // Some file systems allocate only when they must write.
    file.sync_data()
}

impl Drop for Share {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_scratch_file_is_allocated_before_it_is_mapped() {
        use std::os::unix::fs::MetadataExt;
        let length = (3 << 20) + 1;
        for reserve in [reserve, write_zeros] {
            let mut file = tempfile::tempfile().unwrap();
            reserve(&mut file, length).unwrap();
            let metadata = file.metadata().unwrap();
            assert_eq!(metadata.len(), length);
            // The unit of `blocks` is 512 bytes everywhere.
            assert!(metadata.blocks() * 512 >= length, "{metadata:?}");
        }
    }

    /// `/dev/full` cannot allocate, and behaves like a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_where_files_cannot_be_allocated() {
        let mut full = File::options().write(true).open("/dev/full").unwrap();
        let error = reserve(&mut full, 1 << 20).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn an_error_about_a_scratch_file_names_its_directory_and_bytes() {
        let nowhere = tempfile::tempdir().unwrap().path().join("nowhere");
        let error = Budget::new(0, nowhere.clone()).nodes(500_000).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(nowhere.to_str().unwrap()), "{message}");
        assert!(message.contains("1000000 bytes"), "{message}");
    }
}
