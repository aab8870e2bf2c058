//! Tables that leave memory for a while, kept in scratch files.
//!
//! Decoding a stored table again evaluates a model for every position. A table that is needed again soon
//! is therefore written to an unnamed file in its resident form, packed by zstd's fastest level, and
//! comes back in a tenth of the time. The file is an optimisation: without it, the table is read again.

#![allow(unsafe_code, reason = "maps scratch files")]

use std::fs::File;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::Mmap;
use rayon::prelude::*;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound};

use crate::chunks::SmallChunks;
use crate::memory::{Word, as_bytes, as_bytes_mut};

/// The bytes of a chunk.
const CHUNK: usize = 1 << 20;
/// The number of chunks that all threads pack before they are written.
const CHUNKS_AT_A_TIME: usize = 64;
/// Negative levels are faster still, but pack far worse.
const LEVEL: i32 = 1;

/// The directory of spilled tables, and the bytes that they take.
#[derive(Debug)]
pub(crate) struct SpillSpace {
    directory: PathBuf,
    used: Arc<AtomicU64>,
}

/// An array in a file that is removed with it.
#[derive(Debug)]
pub(crate) struct Spilled<T> {
    file: Mmap,
    /// Where each chunk ends in the file.
    ends: Vec<u64>,
    len: usize,
    used: Arc<AtomicU64>,
    values: PhantomData<T>,
}

impl SpillSpace {
    /// Spilled tables in a directory.
    pub(crate) fn new(directory: &Path) -> SpillSpace {
        SpillSpace {
            directory: directory.into(),
            used: Arc::default(),
        }
    }

    /// Returns true if a file of `end` bytes may grow by `more`: spilled tables take at most half of the
    /// space that is free. The rest is for the tables of the database.
    fn has_room(&self, end: u64, more: u64) -> bool {
        let free = fs4::available_space(&self.directory).unwrap_or(0);
        let used = self.used.load(Relaxed).saturating_add(end);
        used.saturating_add(2 * more) <= free
    }

    /// Writes an array to a new file, or returns `None` if there is too little room, or on any error.
    pub(crate) fn write<T: Word>(&self, values: &[T]) -> Option<Spilled<T>> {
        self.try_write(values).ok().flatten()
    }

    fn try_write<T: Word>(&self, values: &[T]) -> io::Result<Option<Spilled<T>>> {
        let bytes = as_bytes(values);
        let mut file = tempfile::tempfile_in(&self.directory)?;
        let mut ends = Vec::with_capacity(bytes.len().div_ceil(CHUNK));
        let mut end = 0;
        for some in bytes.chunks(CHUNK * CHUNKS_AT_A_TIME) {
            let packed = some
                .par_chunks(CHUNK)
                .small_chunks(1)
                .map_init(CCtx::create, pack);
            let packed: Vec<Vec<u8>> = packed.collect::<io::Result<_>>()?;
            let length: u64 = packed.iter().map(|chunk| chunk.len() as u64).sum();
            if !self.has_room(end, length) {
                return Ok(None);
            }
            for chunk in packed {
                file.write_all(&chunk)?;
                end += chunk.len() as u64;
                ends.push(end);
            }
        }
        self.used.fetch_add(end, Relaxed);
        Ok(Some(Spilled {
            file: map(&file)?,
            ends,
            len: values.len(),
            used: Arc::clone(&self.used),
            values: PhantomData,
        }))
    }
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the file has no name, so no other process can change or truncate it.
    unsafe { Mmap::map(file) }
}

/// Releases the pages of a file until they are read again: a restored table stays in its file, and would
/// otherwise be in memory twice.
fn release_pages(file: &Mmap) {
    #[cfg(unix)]
    {
        use memmap2::UncheckedAdvice;
        // SAFETY: the mapping is read-only and of a file, from where its pages come back. A refusal
        // costs memory only.
        let _ = unsafe { file.unchecked_advise(UncheckedAdvice::DontNeed) };
    }
    #[cfg(not(unix))]
    let _ = file;
}

fn pack(context: &mut CCtx<'_>, chunk: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::with_capacity(compress_bound(chunk.len()));
    context
        .set_parameter(CParameter::CompressionLevel(LEVEL))
        .and_then(|_| context.set_parameter(CParameter::ChecksumFlag(true)))
        .and_then(|_| context.compress2(&mut packed, chunk))
        .map_err(failed)?;
    Ok(packed)
}

fn failed(code: usize) -> io::Error {
    io::Error::other(zstd::zstd_safe::get_error_name(code))
}

impl<T: Word> Spilled<T> {
    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Brings the array back. Its checksums are compared.
    ///
    /// # Panics
    /// Panics if `values` has another length.
    pub(crate) fn read(&self, values: &mut [T]) -> io::Result<()> {
        assert_eq!(values.len(), self.len);
        let chunks = as_bytes_mut(values)
            .par_chunks_mut(CHUNK)
            .zip(&self.ends)
            .enumerate()
            .small_chunks(1);
        let read = chunks.try_for_each_init(DCtx::create, |context, (number, (bytes, &end))| {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            let packed = &self.file[start as usize..end as usize];
            let length = context.decompress(bytes, packed).map_err(failed)?;
            match length == bytes.len() {
                true => Ok(()),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            }
        });
        release_pages(&self.file);
        read
    }
}

impl<T> Drop for Spilled<T> {
    fn drop(&mut self) {
        self.used
            .fetch_sub(self.ends.last().copied().unwrap_or(0), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spilled_array_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let space = SpillSpace::new(directory.path());
        for length in [0, 1, CHUNK - 1, CHUNK, 3 * CHUNK + 5] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i % 251) as u8).collect();
            let spilled = space.write(&bytes).unwrap();
            let mut read = vec![0; spilled.len()];
            spilled.read(&mut read).unwrap();
            assert_eq!(read, bytes);
            assert!(length == 0 || space.used.load(Relaxed) > 0);
        }
        assert_eq!(space.used.load(Relaxed), 0);
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }

    /// A restored table is in memory once, though its file stays mapped.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_restored_array_leaves_no_pages_of_its_file() {
        let directory = tempfile::tempdir().unwrap();
        // They do not pack well.
        let squares = (0..8 * CHUNK as u64).map(|i| i.wrapping_mul(i) >> 13);
        let bytes: Vec<u8> = squares.map(|square| (square ^ square >> 9) as u8).collect();
        let spilled = SpillSpace::new(directory.path()).write(&bytes).unwrap();
        assert!(spilled.file.len() > CHUNK);
        spilled.read(&mut vec![0; bytes.len()]).unwrap();
        let kibibytes = resident_kibibytes(spilled.file.as_ptr() as usize);
        assert!(kibibytes < 64, "{kibibytes} KiB");
    }

    /// The resident memory of the mapping at an address, by the system's account.
    #[cfg(target_os = "linux")]
    fn resident_kibibytes(address: usize) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let start = format!("{address:x}-");
        let mut lines = maps.lines().skip_while(|line| !line.starts_with(&start));
        let resident = lines.find_map(|line| line.strip_prefix("Rss:")).unwrap();
        resident.trim().trim_end_matches(" kB").parse().unwrap()
    }

    #[test]
    fn an_array_is_not_spilled_without_room() {
        let directory = tempfile::tempdir().unwrap();
        let space = SpillSpace::new(directory.path());
        space.used.store(u64::MAX, Relaxed);
        assert!(space.write(&[1u8; 5000]).is_none());
        let nowhere = SpillSpace::new(&directory.path().join("nowhere"));
        assert!(nowhere.write(&[1u8]).is_none());
    }
}
