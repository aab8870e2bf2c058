//! Which number a position has: tables, their sizes, rank and unrank.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::error::{ParseError, Problem};
use crate::rules::Rules;

/// The pieces of both sides together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pieces {
    /// Pieces still to be placed.
    pub in_hand: u32,
    /// Pieces on the board.
    pub on_board: u32,
}

impl Pieces {
    /// Some pieces on the board, none in hand.
    pub fn on_board(on_board: u32) -> Pieces {
        Pieces {
            in_hand: 0,
            on_board,
        }
    }
}

/// The numbering of positions without holes, table by table.
///
/// A [`Table`](Numbering::Table) is the set of all positions with the same material, seen from the
/// side to move; colours do not matter. [`rank`](Numbering::rank) numbers its positions without
/// holes, symmetric positions as one. An *inside* turn changes no material and leads into the
/// [`partner`](Numbering::partner) table; every other turn leads *outside*, to a table that can be
/// solved before, or to a finished game that has no table.
pub trait Numbering: Rules {
    /// The material of both sides, seen from the side to move. Its `Display` is the table's name,
    /// also in the names of files.
    type Table: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;

    /// All tables with at most `pieces` pieces on the board and none in hand; without a limit
    /// every table of the ruleset. A table comes after all tables that its outside turns lead to.
    fn tables(&self, pieces: Option<u32>) -> Vec<Self::Table>;

    /// The exact number of positions of a table, symmetric ones counted once.
    fn size(&self, table: Self::Table) -> u64;

    /// The pieces in every position of the table.
    fn pieces(&self, table: Self::Table) -> Pieces;

    /// The table that inside turns lead to: the same material with the other side to move.
    fn partner(&self, table: Self::Table) -> Self::Table;

    /// The tables that outside turns of `table` may lead to, without repetition.
    fn outside(&self, table: Self::Table) -> Vec<Self::Table>;

    /// The table of a position; `None` if it has no number: if the game is finished by too few men,
    /// if there are too many pieces for a numbering in 64 bits, or if it remembers what no table
    /// holds. In the last case its value is that of its turns.
    fn table_of(&self, position: &Self::Position) -> Option<Self::Table>;

    /// The number of a position within its table.
    ///
    /// # Panics
    /// May panic (or return nonsense) for a position without a table.
    fn rank(&self, position: &Self::Position) -> u64;

    /// The canonical position of a number, with the first player to move where that is possible.
    ///
    /// # Panics
    /// If `index >= size(table)`.
    fn unrank(&self, table: Self::Table, index: u64) -> Self::Position;

    /// The tables that are solved together with `table`: itself, and its partner if inside turns
    /// lead there.
    fn solved_together(&self, table: Self::Table) -> Vec<Self::Table> {
        let mut tables = vec![table, self.partner(table)];
        tables.dedup();
        tables
    }

    /// Whether inside turns lead from `table` or from the tables it is solved together with. If
    /// not, its values follow at once from those of the tables outside.
    fn has_inside_turns(&self, _table: Self::Table) -> bool {
        true
    }

    /// Whether a turn changes no material.
    fn is_inside(&self, position: &Self::Position, turn: &Self::Turn) -> bool {
        let partner = self.table_of(position).map(|table| self.partner(table));
        partner.is_some() && self.table_of(&self.play(position, turn)) == partner
    }

    /// Reads the name of a table, as its `Display` writes it.
    fn parse_table(&self, text: &str) -> Result<Self::Table, ParseError> {
        let mut tables = self.tables(None).into_iter();
        tables
            .find(|table| table.to_string() == text)
            .ok_or_else(|| {
                ParseError::from(Problem::NoSuchTable {
                    name: text.to_owned(),
                    ruleset: self.description().id,
                    why: "it is not one of its tables".to_owned(),
                })
            })
    }
}

/// Reads the name of a table, or one that means several: where positions remember a count, `3v5`
/// means the tables `3v5@0`, `3v5@1`, ….
pub fn parse_tables<G: Numbering>(game: &G, text: &str) -> Result<Vec<G::Table>, ParseError> {
    game.parse_table(text)
        .map(|table| vec![table])
        .or_else(|error| {
            let prefix = format!("{}@", text.trim());
            let mut tables = game.tables(None);
            tables.retain(|table| table.to_string().starts_with(&prefix));
            match tables[..] {
                [] => Err(error),
                _ => {
                    tables.sort();
                    Ok(tables)
                }
            }
        })
}

/// A game that can take turns back and exchange symmetric positions. No result depends on it: the
/// laws hold turns and un-moves against each other.
pub trait Unmoves: Numbering {
    /// Replaces `positions` by every position from which an inside turn leads to `position`, once
    /// for each such turn. Un-moves that differ by a symmetry of `position` all count: see the
    /// third law of [`Game`](crate::Game).
    fn unmoves(&self, position: &Self::Position, positions: &mut Vec<Self::Position>);

    /// The images of a position under all symmetries by which positions are counted as one, the
    /// position included.
    fn images(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![*position]
    }

    /// How many of these symmetries leave the position as it is (1 without symmetry).
    fn stabiliser(&self, position: &Self::Position) -> u32 {
        let images = self.images(position).into_iter();
        images.filter(|image| image == position).count() as u32
    }
}
