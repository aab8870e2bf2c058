//! The working memory: two bytes a node, in mapped memory.
//!
//! Random access to a gigabyte is bound by address translation with ordinary pages, so huge pages
//! are asked for; where there are none, ordinary ones do.

use std::sync::atomic::AtomicU16;

use endmill_layout::NodeValue;
use memmap2::MmapMut;

use crate::budget::Share;

/// The nodes of a table, all zero at first.
#[derive(Debug)]
pub struct Nodes {
    memory: MmapMut,
    count: usize,
    /// Of the budget it was given out from.
    _share: Share,
}

impl Nodes {
    /// Nodes in memory that is all zero and has room for `count` of them.
    pub(crate) fn new(memory: MmapMut, count: usize, share: Share) -> Nodes {
        assert!(memory.len() >= count * 2);
        #[cfg(target_os = "linux")]
        {
            // Advice: a refusal costs speed only.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Nodes {
            memory,
            count,
            _share: share,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The nodes of a solved table.
    pub fn codes(&self) -> &[NodeValue] {
        // SAFETY: the mapping is page-aligned, holds at least `count` u16 and lives as long as
        // `self`; `NodeValue` is a transparent u16, for which all bit patterns are valid; shared
        // access to `self` excludes `states_mut`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }

    /// The same memory as bytes, where it holds something else.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.count * 2]
    }

    /// The same memory as bytes, where it holds something else.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[..self.count * 2]
    }

    /// The same while the table is being solved.
    pub(crate) fn states(&self) -> &[u16] {
        // SAFETY: as in `codes`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }

    /// The nodes for one owner, to be split by rows.
    pub(crate) fn states_mut(&mut self) -> &mut [u16] {
        // SAFETY: as in `codes`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count) }
    }
}

/// Nodes for threads that write them at the same time.
pub(crate) fn shared(states: &mut [u16]) -> &[AtomicU16] {
    // SAFETY: AtomicU16 has the size and alignment of u16, and the exclusive borrow keeps every
    // non-atomic view away as long as this one is used.
    unsafe { std::slice::from_raw_parts(states.as_mut_ptr().cast(), states.len()) }
}
