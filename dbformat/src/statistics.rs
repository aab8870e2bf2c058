//! The counts of a table that its header carries, so that reports need not decode a block.

/// Entries of the longest histogram: no value of the format has more than 16,383 plies.
pub(crate) const MAX_HISTOGRAM: usize = 1 << 14;

/// How many positions of a table are won, drawn and lost, and in how many plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions without a winner.
    pub draws: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Entry *p* counts the positions decided in *p* plies: wins at odd, losses at even *p*. Ends
    /// at the longest; empty if plies were not kept.
    pub histogram: Vec<u64>,
    /// The first position of a longest win; `None` without one.
    pub longest_win_at: Option<u64>,
    /// The first position of a longest loss; `None` without one.
    pub longest_loss_at: Option<u64>,
}

impl Statistics {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The longest win in plies; `None` without wins or without plies.
    pub fn longest_win(&self) -> Option<u16> {
        self.longest(1)
    }

    /// The longest loss in plies; `None` without losses or without plies.
    pub fn longest_loss(&self) -> Option<u16> {
        self.longest(0)
    }

    fn longest(&self, parity: usize) -> Option<u16> {
        let longest = (0..self.histogram.len())
            .rev()
            .find(|&plies| plies % 2 == parity && self.histogram[plies] != 0)?;
        u16::try_from(longest).ok()
    }

    /// Returns true if values of a file of plies may have up to this number of plies. The filler of a
    /// value that is not stored is the shortest possible, or repeats another.
    pub(crate) fn allow(&self, plies: u16) -> bool {
        plies <= 1 || usize::from(plies) < self.histogram.len()
    }

    /// The same without plies, as for tables that have none.
    pub fn without_plies(self) -> Statistics {
        Statistics {
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            ..Statistics::default()
        }
    }

    /// Returns true if the counts add up: to the size of the table, and the histogram to wins and losses.
    pub(crate) fn add_up_to(&self, positions: u64) -> bool {
        let from = |parity| sum(self.histogram.iter().skip(parity).step_by(2));
        sum(&[self.wins, self.draws, self.losses]) == Some(positions)
            && self.histogram.len() <= MAX_HISTOGRAM
            && self.histogram.last() != Some(&0)
            && [self.longest_win_at, self.longest_loss_at]
                .iter()
                .all(|at| at.is_none_or(|at| at < positions))
            && (self.histogram.is_empty()
                || (from(0) == Some(self.losses) && from(1) == Some(self.wins)))
    }
}

/// `None` if the counts are too many to be true.
fn sum<'a>(counts: impl IntoIterator<Item = &'a u64>) -> Option<u64> {
    let mut counts = counts.into_iter();
    counts.try_fold(0, |sum: u64, &count| sum.checked_add(count))
}
