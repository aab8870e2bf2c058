//! Columns: the sets of men of the column side on the points that a row leaves free.
//!
//! Within a row the free points are renumbered 0, 1, 2 …, so that columns look the same in every
//! row: a *squeezed* set. The colex rank of a squeezed set is its column.

use crate::combinadics::{SubsetRank, binomial, subsets};

/// The columns of all rows with the same number of free points, for one number of men of the
/// column side.
#[derive(Debug)]
pub struct Columns {
    men: u32,
    /// Split in the middle and with short entries, the tables take one to six KiB and stay in the
    /// first-level cache with the rows being worked on.
    ranks: SubsetRank<u16>,
    sets: Vec<u32>,
}

impl Columns {
    /// Returns the columns of `men` men on `free_points` points.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 2¹⁶.
    pub fn new(free_points: u32, men: u32) -> Columns {
        let count = binomial(free_points, men);
        assert!(count <= 1 << 16, "the row side has at least as many men");
        Columns {
            men,
            ranks: SubsetRank::new(free_points, men, free_points / 2),
            sets: subsets(free_points, men).collect(),
        }
    }

    /// The number of men in each column.
    #[inline]
    pub fn men(&self) -> u32 {
        self.men
    }

    /// The number of columns; there is always at least one.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// The squeezed sets of all columns in order.
    #[inline]
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The ranks of squeezed sets, by halves.
    #[inline]
    pub fn ranks(&self) -> &SubsetRank<u16> {
        &self.ranks
    }

    /// Returns the column of a squeezed set.
    #[inline(always)]
    pub fn rank(&self, squeezed: u32) -> u32 {
        self.ranks.rank(squeezed)
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
