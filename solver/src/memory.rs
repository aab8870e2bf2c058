//! Working memory: arrays of one type, in memory or in a mapped scratch file.
//!
//! Random access to a gigabyte is bound by address translation with ordinary pages, so huge pages
//! are requested. Without them ordinary pages do.
//!
//! An array in a scratch file takes memory only for the pages in use: a pass in order releases the
//! pages that it has left behind.

#![allow(unsafe_code, reason = "views working memory as the values in it")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use endmill_games::value::{AtomicDrawState, AtomicState, DrawState, NodeState, NodeValue};
use memmap2::MmapMut;
use rayon::prelude::*;

use crate::budget::Share;
use crate::chunks::SmallChunks;

/// Values that one task writes.
const VALUES_PER_TASK: usize = 1 << 16;

/// A type of which working memory may consist.
///
/// # Safety
/// All bit patterns, also zeros, must be values of the type, and it must have no padding.
pub unsafe trait Word: Copy + Send + Sync + 'static {}

// SAFETY: integers, and transparent wrappers of one.
unsafe impl Word for u8 {}
// SAFETY: as above.
unsafe impl Word for u16 {}
// SAFETY: as above.
unsafe impl Word for u64 {}
// SAFETY: as above.
unsafe impl Word for NodeState {}
// SAFETY: as above.
unsafe impl Word for NodeValue {}
// SAFETY: as above.
unsafe impl Word for DrawState {}

/// An array in working memory.
#[derive(Debug)]
pub struct Buffer<T> {
    map: MmapMut,
    /// The map begins with this number of values.
    len: usize,
    /// Of the budget that the memory comes from; `None` for a scratch file.
    share: Option<Share>,
    values: PhantomData<T>,
}

impl<T: Word> Buffer<T> {
    /// An array in memory that is all zero.
    pub(crate) fn in_memory(map: MmapMut, len: usize, share: Share) -> Buffer<T> {
        #[cfg(target_os = "linux")]
        {
            // Advice: a refusal costs speed only.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Buffer::zeros(map, len, Some(share))
    }

    /// An array in a mapped file that is all zero.
    pub(crate) fn in_scratch(file: MmapMut, len: usize) -> Buffer<T> {
        Buffer::zeros(file, len, None)
    }

    fn zeros(map: MmapMut, len: usize, share: Option<Share>) -> Buffer<T> {
        assert!(map.len() >= len * size_of::<T>());
        Buffer {
            map,
            len,
            share,
            values: PhantomData,
        }
    }

    /// The same bytes as values of another type of the same size.
    pub(crate) fn cast<U: Word>(self) -> Buffer<U> {
        const { assert!(size_of::<T>() == size_of::<U>()) };
        Buffer {
            map: self.map,
            len: self.len,
            share: self.share,
            values: PhantomData,
        }
    }
}

impl Buffer<u8> {
    /// Fills memory with `len` copies of a value of any type.
    pub(crate) fn filled<T: Copy + Send + Sync>(mut self, value: T, len: usize) -> Buffer<T> {
        // Mapped memory begins with a page; no page is smaller.
        const { assert!(align_of::<T>() <= 4096) };
        assert!(self.map.len() >= len * size_of::<T>());
        let first: *mut MaybeUninit<T> = self.map.as_mut_ptr().cast();
        // SAFETY: the map has room for `len` values and is aligned for them; its borrow is
        // exclusive, and nothing need be there yet.
        let places = unsafe { std::slice::from_raw_parts_mut(first, len) };
        // In parallel: the system provides the pages of a hundred megabytes on first write.
        let places = places.par_chunks_mut(VALUES_PER_TASK).small_chunks(1);
        places.for_each(|places| places.fill(MaybeUninit::new(value)));
        Buffer {
            map: self.map,
            len,
            share: self.share,
            values: PhantomData,
        }
    }
}

impl<T> Buffer<T> {
    /// Returns true if the array is in a scratch file.
    pub(crate) fn is_scratch(&self) -> bool {
        self.share.is_none()
    }

    /// Releases the pages of a scratch file until they are used again.
    pub(crate) fn release_pages(&self) {
        if self.is_scratch() {
            release_pages(&self.map, 0, self.bytes() as usize);
        }
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    /// Cuts the array into sections of equal length; the last one may be shorter.
    pub(crate) fn sections(&mut self, length: usize) -> Vec<Section<'_, T>> {
        let is_scratch = self.is_scratch();
        let values: *mut T = self.map.as_mut_ptr().cast();
        let map = &self.map;
        let firsts = (0..self.len).step_by(length);
        let sections = firsts.map(|first| Section {
            // SAFETY: as in `deref_mut`. Sections do not overlap, and as long as they live `self` is
            // borrowed; `map` is only used to advise the system.
            values: unsafe {
                std::slice::from_raw_parts_mut(values.add(first), length.min(self.len - first))
            },
            first,
            map,
            is_scratch,
        });
        sections.collect()
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the map is page-aligned, holds `len` values since it was made and lives as long as
        // `self`; shared access to `self` excludes `deref_mut`.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.len) }
    }
}

/// A section of an array, for one owner.
pub(crate) struct Section<'a, T> {
    values: &'a mut [T],
    first: usize,
    map: &'a MmapMut,
    is_scratch: bool,
}

impl<T> Section<'_, T> {
    /// Releases the pages of a section of a scratch file until they are used again.
    pub(crate) fn release_pages(self) {
        if self.is_scratch {
            let bytes = |values| values * size_of::<T>();
            release_pages(self.map, bytes(self.first), bytes(self.values.len()));
        }
    }
}

impl<T> Deref for Section<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.values
    }
}

impl<T> DerefMut for Section<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.values
    }
}

/// Unmaps some bytes of a scratch file until they are used again.
fn release_pages(file: &MmapMut, first: usize, count: usize) {
    #[cfg(unix)]
    {
        use memmap2::UncheckedAdvice;
        // SAFETY: the mapping is a shared one of a file, so that all that was written is in the
        // file's pages, and comes back from there. A refusal costs memory only.
        let _ = unsafe { file.unchecked_advise_range(UncheckedAdvice::DontNeed, first, count) };
    }
    #[cfg(not(unix))]
    let _ = (file, first, count);
}

/// The bytes of an array.
pub(crate) fn as_bytes<T: Word>(values: &[T]) -> &[u8] {
    // SAFETY: words have no padding, and bytes no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes of an array, to be replaced.
pub(crate) fn as_bytes_mut<T: Word>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `as_bytes`; all bytes are values of words, and the borrow is exclusive.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// States that several threads may write at the same time.
pub(crate) fn shared(states: &mut [NodeState]) -> &[AtomicState] {
    // SAFETY: both are transparent wrappers, of u16 and of AtomicU16, which has its size and
    // alignment; the exclusive borrow keeps every non-atomic view away as long as this one is used.
    unsafe { std::slice::from_raw_parts(states.as_mut_ptr().cast(), states.len()) }
}

/// The same for draws that are ranked.
pub(crate) fn shared_draws(states: &mut [DrawState]) -> &[AtomicDrawState] {
    // SAFETY: as in `shared`, with u32 and AtomicU32.
    unsafe { std::slice::from_raw_parts(states.as_mut_ptr().cast(), states.len()) }
}

/// Cuts an array into parts of these lengths.
///
/// # Panics
/// Panics if the parts are longer than the array.
pub(crate) fn split<T>(
    mut values: &mut [T],
    lengths: impl Iterator<Item = usize>,
) -> Vec<&mut [T]> {
    let parts = lengths.map(|length| {
        let (part, after) = std::mem::take(&mut values).split_at_mut(length);
        values = after;
        part
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;

    use super::*;

    #[test]
    fn a_list_is_the_same_in_memory_and_in_a_scratch_file() {
        let directory = tempfile::tempdir().unwrap();
        let short = Budget::new(100, directory.path().into());
        short.be_short(true);
        for budget in [Budget::unlimited(), short] {
            let mut list = budget.list(Some(7u32), 1000).unwrap();
            for (number, part) in (0..).zip(split(&mut list, [1, 0, 600].into_iter())) {
                part.fill(Some(number));
            }
            assert_eq!(list.len(), 1000);
            assert_eq!(list[..2], [Some(0), Some(2)]);
            assert_eq!(list[600..602], [Some(2), Some(7)]);
            assert!(budget.list(0u8, 0).unwrap().is_empty());
        }
    }
}
