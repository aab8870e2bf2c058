//! Rows: the sets of men of one size, up to the symmetries of the board.
//!
//! Every set belongs to the row of its orbit; the orbit's least set (as a binary number) stands
//! for the row, and rows are numbered in increasing order of these. [`Rows::locate`] finds the
//! row of any set and a symmetry that carries the set to the row's own, by one look-up in a table
//! over all sets of the size (C(24, 9) = 1,307,504 entries of four bytes for nine men).

use super::board::Board;
use super::symmetry::Symmetry;
use crate::combinadics::{SubsetRank, binomial, subsets};

/// The rows of one size.
#[derive(Debug)]
pub struct Rows {
    ranks: SubsetRank<u32>,
    /// The least set of each orbit.
    sets: Vec<u32>,
    /// For each row which of the subgroups leaves its set as it is; 0 = the identity alone.
    stabilisers: Vec<u32>,
    /// Subgroups by the numbers of their symmetries, in order.
    subgroups: Vec<Vec<u16>>,
    /// For each set, by its number: the row, then the symmetry to the row's set.
    located: Vec<u32>,
    /// Bits of a symmetry in these entries.
    symmetry_bits: u32,
    /// For each symmetry the one that undoes it.
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

    /// How many rows there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The set that stands for a row.
    #[inline]
    pub fn set(&self, row: usize) -> u32 {
        self.sets[row]
    }

    /// The numbers of the symmetries that leave the row's set as it is; the first is the identity.
    pub fn stabiliser(&self, row: usize) -> &[u16] {
        &self.subgroups[self.stabilisers[row] as usize]
    }

    /// Whether no symmetry but the identity leaves the row's set as it is.
    #[inline]
    pub fn is_rigid(&self, row: usize) -> bool {
        self.stabilisers[row] == 0
    }

    /// The number of the symmetry that undoes another.
    #[inline]
    pub fn inverse(&self, symmetry: usize) -> u16 {
        self.inverse[symmetry]
    }

    /// The row of a set, and the number of a symmetry that carries the set to the row's.
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
