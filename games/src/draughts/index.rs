//! The numbering of positions: a bijection between a table's positions and 0..n, by formula.
//!
//! Men come first. All positions with the same men are adjacent and form a *slice*, numbered by the
//! squares of the kings:
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
//! There are no gaps, and the numbering uses no symmetry. The largest table (`57v57`) has
//! 4,342,147,381,405,342,080 positions, so 64 bits are enough for the whole game.

use super::board::{Position, Side};
use super::moves::Turn;
use super::table::{MOST, Table};
use super::{Draughts, notation};
use crate::colour::Colour;
use crate::combinadics::{binomial, colex_rank, colex_unrank, subsets};
use crate::error::ParseError;
use crate::numbering::{Numbering, Pieces};

/// The row where only the side to move has men.
const FIRST_ROW: u32 = 0xf;

/// `[M][m][j]` = the number of ways to place M own and m opposing men with fewer than j on
/// [`FIRST_ROW`]: the start of block j, and with j = 5 the total.
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

/// Slices: the numbering of men, and of kings given the men.
impl Draughts {
    /// Returns the number of ways to place the men of a table: the number of its slices.
    #[inline]
    pub fn men_configurations(&self, table: Table) -> u64 {
        self.blocks_of(table.own().men, table.opponent().men)[5]
    }

    /// Returns the number of ways to place the kings of a table given its men: the size of a slice.
    #[inline]
    pub fn slice_size(&self, table: Table) -> u64 {
        king_placements(table.men(), table.own().kings, table.opponent().kings)
    }

    /// Returns the rank of a placement of men.
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

    /// Returns the men of the side to move and of its opponent in slice `number` of a table.
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

    /// Visits the men of all slices of a table in order, several times as fast as unranking each.
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

    /// Returns the rank of a position within its slice.
    #[inline]
    pub fn rank_kings(&self, position: &Position) -> u64 {
        let Position { own, opponent, .. } = position;
        let free = !(own.men | opponent.men);
        let left = free & !own.kings;
        let own_rank = colex_rank(self.bits.pext(own.kings, free));
        let opponent_rank = colex_rank(self.bits.pext(opponent.kings, left));
        own_rank * binomial(left.count_ones(), opponent.kings.count_ones()) + opponent_rank
    }

    /// Returns position `number` of the slice of a table with these men; Black to move.
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
}

impl Numbering for Draughts {
    type Table = Table;

    /// Without a limit all 8,100 tables, including that of the start position: all can be numbered,
    /// though most are too large to be solved.
    fn tables(&self, pieces: Option<u32>) -> Vec<Table> {
        Table::up_to(pieces.unwrap_or(2 * MOST))
    }

    fn size(&self, table: Table) -> u64 {
        self.men_configurations(table) * self.slice_size(table)
    }

    fn pieces(&self, table: Table) -> Pieces {
        Pieces::on_board(table.pieces())
    }

    fn partner(&self, table: Table) -> Table {
        table.partner()
    }

    fn outside(&self, table: Table) -> Vec<Table> {
        table.outside()
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        Table::of(position)
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        let Position { own, opponent, .. } = position;
        let men = (own.men | opponent.men).count_ones();
        let slice = king_placements(men, own.kings.count_ones(), opponent.kings.count_ones());
        self.rank_men(own.men, opponent.men) * slice + self.rank_kings(position)
    }

    #[inline]
    fn unrank(&self, table: Table, index: u64) -> Position {
        let (men, kings) = split(index, self.slice_size(table));
        self.unrank_kings(table, self.unrank_men(table, men), kings)
    }

    fn is_inside(&self, _: &Position, turn: &Turn) -> bool {
        turn.captured() == 0 && !turn.crowns()
    }

    fn parse_table(&self, text: &str) -> Result<Table, ParseError> {
        notation::parse_table(text)
    }
}

/// Returns the number of ways to place kings of both sides on the squares that `men` leave free.
#[inline]
fn king_placements(men: u32, own: u32, opponent: u32) -> u64 {
    let free = 32 - men;
    binomial(free, own) * binomial(free - own, opponent)
}

/// Splits a number in a mixed base into its leading part and its last digit.
#[inline]
fn split(number: u64, base: u64) -> (u64, u64) {
    (number / base, number % base)
}

#[cfg(test)]
mod tests {
    use super::*;

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
