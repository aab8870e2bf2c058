//! Counting the positions of a table by value.

use endmill_dbformat::Statistics;
use endmill_layout::NodeValue;
use rayon::prelude::*;

use crate::chunks::SmallChunks;

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
        let longest = codes.iter().map(|code| code.plies()).max();
        let mut counts = Counts::default();
        // Draws are counted behind the plies: a branch would be guessed wrong all the time.
        let drawn = usize::from(longest.unwrap_or(0)) + 1;
        counts.make_room(drawn + 1);
        for (position, code) in (start..).zip(codes) {
            let decided = code.is_decided();
            let plies = usize::from(code.plies());
            let place = if decided { plies } else { drawn };
            if counts.histogram[place] == 0 {
                counts.first[place] = position;
            }
            counts.histogram[place] += 1;
        }
        counts.draws = counts.histogram[drawn];
        let plies = counts.histogram[..drawn]
            .iter()
            .rposition(|&count| count > 0);
        let plies = plies.map_or(0, |longest| longest + 1);
        counts.histogram.truncate(plies);
        counts.first.truncate(plies);
        counts
    }

    /// Of all positions of a table, by all threads.
    pub(crate) fn of_all(codes: &[NodeValue]) -> Counts {
        let tasks = codes.par_chunks(CODES_PER_TASK).enumerate().small_chunks(1);
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
