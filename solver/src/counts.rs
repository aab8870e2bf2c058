//! Counting the positions of a table by value.

use dbformat::Statistics;
use games::group::Code;

/// Draws, and decided positions by plies.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    draws: u64,
    histogram: Vec<u64>,
}

impl Counts {
    pub(crate) fn of(codes: &[Code]) -> Counts {
        let mut counts = Counts::default();
        for code in codes {
            match code.value().plies() {
                None => counts.draws += 1,
                Some(plies) => {
                    let plies = usize::from(plies);
                    if counts.histogram.len() <= plies {
                        counts.histogram.resize(plies + 1, 0);
                    }
                    counts.histogram[plies] += 1;
                }
            }
        }
        counts
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.draws += other.draws;
        let plies = self.histogram.len().max(other.histogram.len());
        self.histogram.resize(plies, 0);
        for (sum, count) in self.histogram.iter_mut().zip(&other.histogram) {
            *sum += count;
        }
    }

    pub(crate) fn statistics(self) -> Statistics {
        let of_parity = |parity| self.histogram.iter().skip(parity).step_by(2).sum();
        Statistics {
            wins: of_parity(1),
            draws: self.draws,
            losses: of_parity(0),
            histogram: self.histogram,
        }
    }
}
