//! Which rows have something to do at which ply.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// One bit for each row and ply. Most rows have nothing to do at most plies: the solver looks
/// only at those that are flagged.
#[derive(Debug)]
pub(crate) struct Flags {
    words_per_ply: usize,
    plies: Vec<Box<[AtomicU64]>>,
    highest: AtomicUsize,
}

impl Flags {
    /// Room for so many rows, at the plies `0..plies`.
    pub(crate) fn new(rows: usize, plies: usize) -> Flags {
        let mut flags = Flags {
            words_per_ply: rows.div_ceil(64),
            plies: Vec::new(),
            highest: AtomicUsize::new(0),
        };
        flags.reserve(plies);
        flags
    }

    /// Makes room for the plies `0..plies`.
    pub(crate) fn reserve(&mut self, plies: usize) {
        while self.plies.len() < plies {
            self.plies
                .push((0..self.words_per_ply).map(|_| AtomicU64::new(0)).collect());
        }
    }

    /// Flags a row at a ply.
    pub(crate) fn set(&self, ply: u16, row: usize) {
        let word = &self.plies[usize::from(ply)][row / 64];
        let bit = 1 << (row % 64);
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
            self.highest.fetch_max(usize::from(ply), Relaxed);
        }
    }

    /// The rows flagged at a ply, in order.
    pub(crate) fn rows(&self, ply: usize) -> Vec<usize> {
        let mut rows = Vec::new();
        for (i, word) in self.plies[ply].iter().enumerate() {
            let mut word = word.load(Relaxed);
            while word != 0 {
                rows.push(i * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
        rows
    }

    /// The highest ply at which a row is flagged.
    pub(crate) fn highest(&self) -> usize {
        self.highest.load(Relaxed)
    }
}
