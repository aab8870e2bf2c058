//! Rows: the sets of men of one size, up to the symmetries of the board.
//!
//! Every set belongs to the row of its orbit; the orbit's least set (as a binary number) stands
//! for the row, and rows are numbered in increasing order of these. [`Rows::locate`] finds the
//! row of any set and a symmetry that carries the set to the row's own, by one look-up in a table
//! over all sets of the size (C(24, 9) = 1,307,504 entries of four bytes for nine men).

use super::board::Board;
use super::symmetry::Symmetry;
use crate::combinadics::{binomial, colex_rank, colex_unrank};

/// The colex number of a set of one size by two look-ups.
///
/// The members below 12 contribute what they would in any set. The members from 12 on contribute
/// by their place in the whole set, and how many come before them follows from the size.
#[derive(Debug)]
pub(super) struct SubsetRank {
    low: Box<[u32; 4096]>,
    high: Box<[u32; 4096]>,
}

impl SubsetRank {
    pub(super) fn new(size: u32) -> SubsetRank {
        let mut low = Box::new([0; 4096]);
        let mut high = Box::new([0; 4096]);
        for set in 0..4096u32 {
            low[set as usize] = colex_rank(set) as u32;
            if let Some(below) = size.checked_sub(set.count_ones())
                && below <= 12
            {
                let filler = (1 << below) - 1;
                let whole = colex_rank(set << 12 | filler) - colex_rank(filler);
                high[set as usize] = whole as u32;
            }
        }
        SubsetRank { low, high }
    }

    #[inline(always)]
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.low[(set & 0xfff) as usize] + self.high[(set >> 12) as usize]
    }
}

/// The rows of one size.
#[derive(Debug)]
pub struct Rows {
    rank: SubsetRank,
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
        let rank = SubsetRank::new(men);
        let symmetries = board.symmetries();
        let symmetry_bits = symmetries.len().next_power_of_two().trailing_zeros();
        let inverse: Vec<u16> = symmetries
            .iter()
            .map(|symmetry| inverse_of(symmetries, symmetry))
            .collect();

        let count = binomial(board.points() as u32, men) as usize;
        let mut located = vec![UNSEEN; count];
        let mut sets = Vec::new();
        let mut stabilisers = Vec::new();
        let mut subgroups = vec![vec![0]];
        let mut set = colex_unrank(0, men);
        for number in 0..count {
            if located[number] == UNSEEN {
                let row = sets.len() as u32;
                let mut stabiliser = Vec::new();
                for (g, symmetry) in symmetries.iter().enumerate() {
                    let image = symmetry.apply(set);
                    if image == set {
                        stabiliser.push(g as u16);
                    }
                    let entry = &mut located[rank.rank(image) as usize];
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
            set = next_of_size(set);
        }
        Rows {
            rank,
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
        let entry = self.located[self.rank.rank(set) as usize];
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

/// The next greater set with as many members (Gosper's trick); 0 after the empty set.
pub(super) fn next_of_size(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let lowest = set & set.wrapping_neg();
    let ripple = set + lowest;
    ripple | (((set ^ ripple) >> 2) / lowest)
}

#[cfg(test)]
mod tests {
    use super::super::board::named;
    use super::*;

    #[test]
    fn two_look_ups_give_the_colex_number() {
        for size in 0..=12 {
            let rank = SubsetRank::new(size);
            let mut set = colex_unrank(0, size);
            let count = binomial(24, size);
            for number in 0..count.min(100_000) {
                assert_eq!(u64::from(rank.rank(set)), number);
                set = next_of_size(set);
            }
            let last = colex_unrank(count - 1, size);
            assert_eq!(u64::from(rank.rank(last)), count - 1);
        }
    }

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
