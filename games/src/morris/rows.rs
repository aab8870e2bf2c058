//! Rows: the sets of men of one size, up to the symmetries of the board.
//!
//! Every set belongs to the row of its orbit; the orbit's least set (as a binary number) represents
//! the row, and rows are numbered in increasing order of these. [`Rows::locate`] finds the row of
//! any set and a symmetry that maps the set to the row's, by one look-up in a table of all sets of
//! the size (C(24, 9) = 1,307,504 entries of four bytes for nine men).

use super::board::Board;
use super::symmetry::Symmetry;
use crate::combinadics::{SubsetRank, binomial, subsets};

/// The rows of one size.
#[derive(Debug)]
pub struct Rows {
    ranks: SubsetRank<u32>,
    /// The least set of each orbit.
    sets: Vec<u32>,
    /// For each row, the subgroup that fixes its set; 0 = the identity alone.
    stabilisers: Vec<u32>,
    /// Subgroups as the numbers of their symmetries, in order.
    subgroups: Vec<Vec<u16>>,
    /// For each set by rank: the row, then the symmetry to the row's set.
    located: Vec<u32>,
    /// The number of bits of a symmetry in these entries.
    symmetry_bits: u32,
    /// For each symmetry, its inverse.
    inverse: Vec<u16>,
}

impl Rows {
    pub(super) fn new(board: &Board, men: u32) -> Rows {
        const UNSEEN: u32 = u32::MAX;
        let points = board.points() as u32;
        let ranks = SubsetRank::new(points, men, points / 2);
        let symmetries = board.symmetries();
        let symmetry_bits = symmetries.len().next_power_of_two().trailing_zeros();
        let inverse: Vec<u16> = symmetries
            .iter()
            .map(|symmetry| inverse_of(symmetries, symmetry))
            .collect();

        let count = binomial(points, men) as usize;
        let mut located = vec![UNSEEN; count];
        let mut sets = Vec::new();
        let mut stabilisers = Vec::new();
        let mut subgroups = vec![vec![0]];
        for (rank, set) in subsets(points, men).enumerate() {
            if located[rank] == UNSEEN {
                let row = sets.len() as u32;
                let mut stabiliser = Vec::new();
                for (g, symmetry) in symmetries.iter().enumerate() {
                    let image = symmetry.apply(set);
                    if image == set {
                        stabiliser.push(g as u16);
                    }
                    let entry = &mut located[ranks.rank(image) as usize];
                    if *entry == UNSEEN {
                        *entry = row << symmetry_bits | u32::from(inverse[g]);
                    }
                }
                sets.push(set);
                let known = subgroups.iter().position(|known| *known == stabiliser);
                stabilisers.push(known.unwrap_or(subgroups.len()) as u32);
                if known.is_none() {
                    subgroups.push(stabiliser);
                }
            }
        }
        Rows {
            ranks,
            sets,
            stabilisers,
            subgroups,
            located,
            symmetry_bits,
            inverse,
        }
    }

    /// Returns the number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Returns the set that represents a row.
    #[inline]
    pub fn set(&self, row: usize) -> u32 {
        self.sets[row]
    }

    /// Returns the numbers of the symmetries that fix the row's set; the first is the identity.
    pub fn stabiliser(&self, row: usize) -> &[u16] {
        &self.subgroups[self.stabilisers[row] as usize]
    }

    /// Returns whether only the identity fixes the row's set.
    #[inline]
    pub fn is_rigid(&self, row: usize) -> bool {
        self.stabilisers[row] == 0
    }

    /// Returns the number of the inverse of a symmetry.
    #[inline]
    pub fn inverse(&self, symmetry: usize) -> u16 {
        self.inverse[symmetry]
    }

    /// Returns the row of a set, and the number of a symmetry that maps the set to the row's.
    #[inline(always)]
    pub fn locate(&self, set: u32) -> (usize, usize) {
        let entry = self.located[self.ranks.rank(set) as usize];
        let symmetry = entry & ((1 << self.symmetry_bits) - 1);
        ((entry >> self.symmetry_bits) as usize, symmetry as usize)
    }
}

fn inverse_of(symmetries: &[Symmetry], symmetry: &Symmetry) -> u16 {
    let undoes = |other: &Symmetry| {
        let images = symmetry.images().iter().enumerate();
        images
            .into_iter()
            .all(|(point, &image)| usize::from(other.images()[usize::from(image)]) == point)
    };
    let found = symmetries.iter().position(undoes);
    found.expect("a group has inverses") as u16
}

#[cfg(test)]
mod tests {
    use super::super::board::named;
    use super::*;
    use crate::combinadics::colex_unrank;

    /// 82,880 rows of nine men: the count that the design states.
    #[test]
    fn every_set_is_carried_to_the_set_of_its_row() {
        let board = Board::new(&named("nine").unwrap().spec);
        let rows = Rows::new(&board, 9);
        assert_eq!(rows.len(), 82_880);
        for number in (0..binomial(24, 9)).step_by(17) {
            let set = colex_unrank(number, 9);
            let (row, symmetry) = rows.locate(set);
            assert_eq!(board.symmetries()[symmetry].apply(set), rows.set(row));
        }
    }
}
