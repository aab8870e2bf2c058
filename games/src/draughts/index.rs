//! The numbering of positions: a bijection between a table's positions and 0..n, by formula.
//!
//! Men come first. All positions with the same men are neighbours and form a *slice*, numbered by
//! where the kings stand:
//!
//! ```text
//! index = (number of the men) · (size of a slice) + (number of the kings)
//! ```
//!
//! *Kings.* The kings of the side to move are a subset of the squares without men, those of the
//! opponent a subset of what is still free: two [combinadics](crate::combinadics).
//!
//! *Men.* A man is never on its crowning row, so the men of the side to move stand on bits 0 to 27
//! and the opponent's on bits 4 to 31. How many squares an opponent's man can choose from depends
//! on how many of the other men stand where it can go, in bits 4 to 27. So the men are numbered in
//! five blocks by the number j of own men on bits 0 to 3; within a block all factors are constant:
//!
//! ```text
//! C(4, j)  ·  C(24, M-j)  ·  C(28-(M-j), m)
//! bits 0-3    bits 4-27      bits 4-31 without the own men
//! ```
//!
//! There are no holes, and no other symmetry is used. The largest table (`57v57`) has
//! 4,342,147,381,405,342,080 positions, so 64 bits are enough for the whole game.

use super::Draughts;
use super::board::{Position, Side};
use super::table::{MOST, Table};
use crate::colour::Colour;
use crate::combinadics::{binomial, colex_rank, colex_unrank, subsets};

/// The row on which only the side to move has men.
const FIRST_ROW: u32 = 0xf;

/// `[M][m][j]` = how many ways to place M own and m opposing men have fewer than j on
/// [`FIRST_ROW`]: where block j begins, and with j = 5 how many ways there are.
pub(super) type Blocks = [[[u64; 6]; MOST as usize + 1]; MOST as usize + 1];

pub(super) fn blocks() -> Box<Blocks> {
    let mut blocks: Box<Blocks> = Box::default();
    for own in 0..=MOST {
        for opponent in 0..=MOST {
            let begins = &mut blocks[own as usize][opponent as usize];
            for j in 0..5 {
                let ways = own.checked_sub(j).map_or(0, |rest| {
                    binomial(4, j) * binomial(24, rest) * binomial(28 - rest, opponent)
                });
                begins[j as usize + 1] = begins[j as usize] + ways;
            }
        }
    }
    blocks
}

/// Slices: the numbering seen as men, and kings among men.
impl Draughts {
    /// How many ways there are to place the men of a table: the number of its slices.
    #[inline]
    pub fn men_configurations(&self, table: Table) -> u64 {
        self.blocks_of(table.own().men, table.opponent().men)[5]
    }

    /// How many ways there are to place the kings of a table once its men stand.
    #[inline]
    pub fn slice_size(&self, table: Table) -> u64 {
        king_placements(table.men(), table.own().kings, table.opponent().kings)
    }

    /// The number of a placement of men among those of as many men.
    #[inline]
    pub fn rank_men(&self, own: u32, opponent: u32) -> u64 {
        let (men, opponents) = (own.count_ones(), opponent.count_ones());
        let first_row = own & FIRST_ROW;
        let j = first_row.count_ones();
        let rest = men - j;
        let opponent = self.bits.pext(opponent >> 4, !own >> 4);
        let within = colex_rank(first_row) * binomial(24, rest) + colex_rank(own >> 4);
        self.blocks_of(men, opponents)[j as usize]
            + within * binomial(28 - rest, opponents)
            + colex_rank(opponent)
    }

    /// The men of the side to move and of its opponent in slice `number` of a table.
    #[inline]
    pub fn unrank_men(&self, table: Table, number: u64) -> (u32, u32) {
        let (men, opponents) = (table.own().men, table.opponent().men);
        let blocks = self.blocks_of(men, opponents);
        assert!(number < blocks[5], "{table} has no slice {number}");
        let j = blocks.partition_point(|&begin| begin <= number) - 1;
        let rest = men - j as u32;
        let (within, opponent) = split(number - blocks[j], binomial(28 - rest, opponents));
        let (first_row, others) = split(within, binomial(24, rest));
        let own = colex_unrank(first_row, j as u32) | (colex_unrank(others, rest) << 4);
        let opponent = self.bits.pdep(colex_unrank(opponent, opponents), !own >> 4) << 4;
        (own, opponent)
    }

    /// Visits the men of all slices of a table in the order of their numbers, which is several
    /// times as fast as to unrank each.
    pub fn visit_men(&self, table: Table, mut visit: impl FnMut(u32, u32)) {
        let (men, opponents) = (table.own().men, table.opponent().men);
        for j in 0..=men.min(4) {
            let rest = men - j;
            for first_row in subsets(4, j) {
                for others in subsets(24, rest) {
                    let own = first_row | others << 4;
                    for opponent in subsets(28 - rest, opponents) {
                        visit(own, self.bits.pdep(opponent, !own >> 4) << 4);
                    }
                }
            }
        }
    }

    /// The number of a position within its slice.
    #[inline]
    pub fn rank_kings(&self, position: &Position) -> u64 {
        let Position { own, opponent, .. } = position;
        let free = !(own.men | opponent.men);
        let left = free & !own.kings;
        let own_rank = colex_rank(self.bits.pext(own.kings, free));
        let opponent_rank = colex_rank(self.bits.pext(opponent.kings, left));
        own_rank * binomial(left.count_ones(), opponent.kings.count_ones()) + opponent_rank
    }

    /// Position `number` of the slice of a table in which the men stand so; Black to move.
    #[inline]
    pub fn unrank_kings(&self, table: Table, men: (u32, u32), number: u64) -> Position {
        let (own_kings, opponent_kings) = (table.own().kings, table.opponent().kings);
        let free = !(men.0 | men.1);
        let choices = binomial(32 - table.men() - own_kings, opponent_kings);
        let (own_rank, opponent_rank) = split(number, choices);
        let own = self.bits.pdep(colex_unrank(own_rank, own_kings), free);
        let left = free & !own;
        let opponent = self
            .bits
            .pdep(colex_unrank(opponent_rank, opponent_kings), left);
        Position {
            own: Side {
                men: men.0,
                kings: own,
            },
            opponent: Side {
                men: men.1,
                kings: opponent,
            },
            colour: Colour::Black,
        }
    }

    #[inline]
    fn blocks_of(&self, own_men: u32, opponent_men: u32) -> &[u64; 6] {
        &self.blocks[own_men as usize][opponent_men as usize]
    }

    pub(super) fn table_size(&self, table: Table) -> u64 {
        self.men_configurations(table) * self.slice_size(table)
    }

    #[inline]
    pub(super) fn rank_position(&self, position: &Position) -> u64 {
        let Position { own, opponent, .. } = position;
        let men = (own.men | opponent.men).count_ones();
        let slice = king_placements(men, own.kings.count_ones(), opponent.kings.count_ones());
        self.rank_men(own.men, opponent.men) * slice + self.rank_kings(position)
    }

    pub(super) fn unrank_position(&self, table: Table, index: u64) -> Position {
        let (men, kings) = split(index, self.slice_size(table));
        self.unrank_kings(table, self.unrank_men(table, men), kings)
    }
}

/// How many ways there are to place kings of both sides on the squares that `men` leave free.
#[inline]
fn king_placements(men: u32, own: u32, opponent: u32) -> u64 {
    let free = 32 - men;
    binomial(free, own) * binomial(free - own, opponent)
}

/// A number in a mixed base: its leading part, and its last digit.
#[inline]
fn split(number: u64, base: u64) -> (u64, u64) {
    (number / base, number % base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn men_are_visited_in_the_order_of_their_numbers() {
        let game = Draughts::new();
        for table in game.tables(Some(4)) {
            let mut number = 0;
            game.visit_men(table, |own, opponent| {
                assert_eq!(game.unrank_men(table, number), (own, opponent), "{table}");
                number += 1;
            });
            assert_eq!(number, game.men_configurations(table));
        }
    }
}
