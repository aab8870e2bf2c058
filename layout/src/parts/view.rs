//! The slices of a table as rows and columns, for solving.
//!
//! A slice holds all positions with the same men. Its rows are the kings of the side to move, its
//! columns those of the opponent, as the numbering has them. Once the squares without men are
//! renumbered, all slices of a table look alike: one list of rows and one of columns serve them
//! all. Turning the board reverses that renumbering, so turned lists are kept too, which avoids
//! turning kings one by one.

use endmill_games::bits::Bits;
use endmill_games::combinadics::{colex_rank, subsets};
use endmill_games::draughts::Table;
use endmill_games::draughts::board::visit_king_steps;

/// Sets of one size of renumbered squares, in the order of the numbering.
#[derive(Debug)]
pub(super) struct Sets {
    sets: Vec<u32>,
    /// The same sets seen from the other side of the board.
    turned: Vec<u32>,
    /// The ranks of the turned sets.
    turned_numbers: Vec<u32>,
}

impl Sets {
    pub(super) fn new(squares: u32, size: u32) -> Sets {
        let sets: Vec<u32> = subsets(squares, size).collect();
        let turn = |set: &u32| set.reverse_bits() >> (32 - squares);
        let turned: Vec<u32> = sets.iter().map(turn).collect();
        Sets {
            turned_numbers: turned.iter().map(|&set| colex_rank(set) as u32).collect(),
            turned,
            sets,
        }
    }

    pub(super) fn sets(&self) -> &[u32] {
        &self.sets
    }

    pub(super) fn turned(&self) -> &[u32] {
        &self.turned
    }

    /// Returns the number of a set seen from the other side of the board.
    #[inline(always)]
    pub(super) fn turned_number(&self, number: usize) -> u32 {
        self.turned_numbers[number]
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }
}

/// The slices of a table: their rows and columns.
#[derive(Debug)]
pub(super) struct View {
    pub(super) table: Table,
    /// The kings of the side to move, on the squares without men.
    pub(super) rows: Sets,
    /// The kings of the opponent, on the squares that are still free.
    pub(super) columns: Sets,
}

impl View {
    pub(super) fn new(table: Table) -> View {
        let (own, opponent) = (table.own().kings, table.opponent().kings);
        let free = 32 - table.men();
        View {
            table,
            rows: Sets::new(free, own),
            columns: Sets::new(free - own, opponent),
        }
    }

    /// Nodes of a slice.
    pub(super) fn slice(&self) -> usize {
        self.rows.len() * self.columns.len()
    }
}

/// Returns the rank of kings within their slice, given its number of columns.
#[inline(always)]
pub(super) fn king_node(bits: Bits, free: u32, own: u32, opponent: u32, columns: usize) -> usize {
    king_row(bits, free, own) * columns + king_column(bits, free, own, opponent)
}

/// Returns the row of a slice for the kings of the side to move.
#[inline(always)]
pub(super) fn king_row(bits: Bits, free: u32, own: u32) -> usize {
    colex_rank(bits.pext(own, free)) as usize
}

/// Returns the column for the kings of the other side.
#[inline(always)]
pub(super) fn king_column(bits: Bits, free: u32, own: u32, opponent: u32) -> usize {
    colex_rank(bits.pext(opponent, free & !own)) as usize
}

/// Visits the ranks of the king sets one step away from `kings`, on the squares without men.
#[inline(always)]
pub(super) fn visit_stepped(bits: Bits, kings: u32, free: u32, mut visit: impl FnMut(usize)) {
    visit_king_steps(
        kings,
        free & !kings,
        #[inline(always)]
        |from, to| visit(colex_rank(bits.pext(kings ^ from ^ to, free)) as usize),
    );
}

/// The men of both sides, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Men {
    pub(super) own: u32,
    pub(super) opponent: u32,
}

impl Men {
    /// Returns the men as the other side sees them.
    #[inline]
    pub(super) fn turned(self) -> Men {
        Men {
            own: self.opponent.reverse_bits(),
            opponent: self.own.reverse_bits(),
        }
    }

    /// Returns the squares without men.
    #[inline]
    pub(super) fn free(self) -> u32 {
        !(self.own | self.opponent)
    }

    /// Returns the total advancement of the men, in rows.
    pub(super) fn advancement(self) -> u32 {
        // The three binary digits of a man's row, each counted for all men at once.
        let rows_gone = |men: u32| {
            (men & 0xf0f0_f0f0).count_ones()
                + 2 * (men & 0xff00_ff00).count_ones()
                + 4 * (men & 0xffff_0000).count_ones()
        };
        rows_gone(self.own) + rows_gone(self.opponent.reverse_bits())
    }
}
