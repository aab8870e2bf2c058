//! Which rows have work at which ply.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// One bit per row and ply. Most rows have no work at most plies: the solver visits only flagged ones.
/// Made once and [reset](Flags::reset) for every part: parts are so small that allocating would cost
/// more than setting flags.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    words_per_ply: usize,
    /// Ply by ply.
    words: Vec<AtomicU64>,
    highest: AtomicUsize,
}

impl Flags {
    /// Removes all flags, and makes room for some rows at the plies `0..plies`.
    pub(crate) fn reset(&mut self, rows: usize, plies: usize) {
        self.words_per_ply = rows.div_ceil(64);
        self.words.clear();
        self.highest = AtomicUsize::new(0);
        self.reserve(plies);
    }

    /// Makes room for the plies `0..plies`.
    pub(crate) fn reserve(&mut self, plies: usize) {
        let words = plies * self.words_per_ply;
        if self.words.len() < words {
            self.words.resize_with(words, AtomicU64::default);
        }
    }

    /// Flags a row at a ply. Without `SHARED`, no other thread may set flags at this time, and it takes
    /// no atomic instruction.
    #[inline(always)]
    pub(crate) fn set<const SHARED: bool>(&self, ply: u16, row: usize) {
        let ply = usize::from(ply);
        let word = &self.words[ply * self.words_per_ply + row / 64];
        let bit = 1 << (row % 64);
        let before = word.load(Relaxed);
        if before & bit != 0 {
            return;
        }
        if SHARED {
            word.fetch_or(bit, Relaxed);
        } else {
            word.store(before | bit, Relaxed);
        }
        if ply > self.highest.load(Relaxed) {
            self.highest.fetch_max(ply, Relaxed);
        }
    }

    /// Returns true if a row is flagged at a ply.
    pub(crate) fn is_set(&self, ply: u16, row: usize) -> bool {
        let word = &self.words[usize::from(ply) * self.words_per_ply + row / 64];
        word.load(Relaxed) >> (row % 64) & 1 == 1
    }

    /// The rows flagged at a ply, in order.
    pub(crate) fn rows(&self, ply: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.words[ply * self.words_per_ply..][..self.words_per_ply];
        words.iter().enumerate().flat_map(|(i, word)| {
            let mut word = word.load(Relaxed);
            std::iter::from_fn(move || {
                let lowest = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(i * 64 + lowest)
            })
        })
    }

    /// The highest ply at which a row is flagged.
    pub(crate) fn highest(&self) -> usize {
        self.highest.load(Relaxed)
    }
}
