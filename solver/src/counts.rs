//! Counting the positions of a table by value.

use endmill_dbformat::Statistics;
use endmill_layout::NodeValue;
use rayon::prelude::*;

/// Codes that one task counts.
const CODES_PER_TASK: usize = 1 << 18;

/// Draws, and decided positions by plies.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    draws: u64,
    histogram: Vec<u64>,
    /// For each number of plies the first position.
    first: Vec<u64>,
}

impl Counts {
    /// Of positions that are numbered from `start` on.
    pub(crate) fn of(codes: &[NodeValue], start: u64) -> Counts {
        let mut counts = Counts::default();
        for (position, code) in (start..).zip(codes) {
            match code.value().plies() {
                None => counts.draws += 1,
                Some(plies) => {
                    let plies = usize::from(plies);
                    counts.make_room(plies + 1);
                    if counts.histogram[plies] == 0 {
                        counts.first[plies] = position;
                    }
                    counts.histogram[plies] += 1;
                }
            }
        }
        counts
    }

    /// Of all positions of a table, by all threads.
    pub(crate) fn of_all(codes: &[NodeValue]) -> Counts {
        let tasks = codes.par_chunks(CODES_PER_TASK).enumerate();
        let counts = tasks.map(|(task, codes)| Counts::of(codes, (task * CODES_PER_TASK) as u64));
        counts.reduce(Counts::default, |mut sum, counts| {
            sum.add(&counts);
            sum
        })
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.draws += other.draws;
        self.make_room(other.histogram.len());
        for (first, other) in self.first.iter_mut().zip(&other.first) {
            *first = (*first).min(*other);
        }
        for (sum, count) in self.histogram.iter_mut().zip(&other.histogram) {
            *sum += count;
        }
    }

    fn make_room(&mut self, plies: usize) {
        if self.histogram.len() < plies {
            self.histogram.resize(plies, 0);
            self.first.resize(plies, u64::MAX);
        }
    }

    pub(crate) fn statistics(self) -> Statistics {
        let of_parity = |parity| self.histogram.iter().skip(parity).step_by(2).sum();
        let longest_at = |parity| {
            let mut plies = (0..self.histogram.len()).rev();
            let longest = plies.find(|&plies| plies % 2 == parity && self.histogram[plies] > 0)?;
            Some(self.first[longest])
        };
        Statistics {
            longest_win_at: longest_at(1),
            longest_loss_at: longest_at(0),
            wins: of_parity(1),
            draws: self.draws,
            losses: of_parity(0),
            histogram: self.histogram,
        }
    }
}
