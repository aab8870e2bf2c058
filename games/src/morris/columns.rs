//! Columns: the sets of men of the column side on the points that a row leaves free.
//!
//! Within a row the free points are renumbered 0, 1, 2 …, so that columns look the same in every
//! row: a *squeezed* set. The colex number of a squeezed set is the column.

use super::rows::next_of_size;
use crate::combinadics::{binomial, colex_rank, colex_unrank};

/// The columns of all rows with the same number of free points, for one number of men of the
/// column side.
///
/// Ranks are the sum of two look-ups, as in [`SubsetRank`](super::rows), but the set is split in
/// the middle and the entries are short: together they take one to six KiB, and so stay in the
/// first cache beside the rows that are worked on.
#[derive(Debug)]
pub struct Columns {
    men: u32,
    split: u32,
    low: Box<[u16; 4096]>,
    high: Box<[u16; 4096]>,
    sets: Vec<u32>,
}

impl Columns {
    /// The sets of `men` members of 0, 1, … `free_points` - 1.
    ///
    /// # Panics
    /// If there are more than 2¹⁶.
    pub fn new(free_points: u32, men: u32) -> Columns {
        let count = binomial(free_points, men);
        assert!(count <= 1 << 16, "the row side has at least as many men");
        let split = free_points / 2;
        let mut low = Box::new([0; 4096]);
        let mut high = Box::new([0; 4096]);
        for set in 0..1u32 << split {
            low[set as usize] = colex_rank(set) as u16;
        }
        for set in 0..1u32 << (free_points - split) {
            if let Some(below) = men.checked_sub(set.count_ones())
                && below <= split
            {
                let filler = (1 << below) - 1;
                let whole = colex_rank(set << split | filler) - colex_rank(filler);
                high[set as usize] = whole as u16;
            }
        }
        let first = colex_unrank(0, men);
        let sets = std::iter::successors(Some(first), |&set| Some(next_of_size(set)));
        Columns {
            men,
            split,
            low,
            high,
            sets: sets.take(count as usize).collect(),
        }
    }

    /// Men in each column.
    #[inline]
    pub fn men(&self) -> u32 {
        self.men
    }

    /// How many columns there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The squeezed sets of all columns in order.
    #[inline]
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// Where squeezed sets are split into a lower and an upper half.
    #[inline]
    pub fn split(&self) -> u32 {
        self.split
    }

    /// What a set of the lower half adds to a column: its number among the sets of its size.
    #[inline]
    pub fn lower_place(&self, lower: usize) -> u32 {
        u32::from(self.low[lower])
    }

    /// What a set of the upper half, given from the split on, adds to a column.
    #[inline]
    pub fn upper_place(&self, upper: usize) -> u32 {
        u32::from(self.high[upper])
    }

    /// The column of a squeezed set.
    #[inline(always)]
    pub fn rank(&self, squeezed: u32) -> u32 {
        let low = squeezed & ((1 << self.split) - 1);
        let high = squeezed >> self.split;
        // The masks change nothing; they spare the bounds checks.
        u32::from(self.low[low as usize & 4095]) + u32::from(self.high[high as usize & 4095])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbered_in_order() {
        for (free, men) in [(21, 3), (17, 7), (16, 8), (12, 12), (6, 0), (3, 2)] {
            let columns = Columns::new(free, men);
            assert_eq!(columns.len() as u64, binomial(free, men));
            for (column, &set) in columns.sets().iter().enumerate() {
                assert_eq!(columns.rank(set) as usize, column);
            }
        }
    }
}
