//! The numbering of positions: tables, their sizes, rank and unrank.

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

/// A numbering of positions without gaps, table by table.
///
/// A [`Table`](Numbering::Table) is the set of all positions with the same material, seen from the
/// side to move; colours do not matter. [`rank`](Numbering::rank) numbers its positions without
/// gaps, and symmetric positions alike. An *inside* turn changes no material and leads into the
/// [`partner`](Numbering::partner) table; every other turn leads *outside*, to a table that can be
/// solved before, or to a finished game that has no table.
pub trait Numbering: Rules {
    /// The material of both sides, seen from the side to move. Its `Display` is the table's name,
    /// which file names use.
    type Table: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;

    /// Returns all tables with at most `pieces` pieces on the board and none in hand, or every
    /// table of the ruleset without a limit. A table comes after all tables that its outside turns
    /// lead to.
    fn tables(&self, pieces: Option<u32>) -> Vec<Self::Table>;

    /// Returns the exact number of positions of a table, counting symmetric ones once.
    fn size(&self, table: Self::Table) -> u64;

    /// Returns the number of pieces in every position of the table.
    fn pieces(&self, table: Self::Table) -> Pieces;

    /// Returns the table that inside turns lead to: the same material with the other side to move.
    fn partner(&self, table: Self::Table) -> Self::Table;

    /// Returns the tables that outside turns of `table` may lead to, without repetition.
    fn outside(&self, table: Self::Table) -> Vec<Self::Table>;

    /// Returns the table of a position; `None` if it has no rank: if the game is over because a
    /// side has too few men, if there are too many pieces for 64-bit ranks, or if it remembers
    /// something that no table covers. In the last case its value follows from its turns.
    fn table_of(&self, position: &Self::Position) -> Option<Self::Table>;

    /// Returns the number of a position within its table.
    ///
    /// # Panics
    /// May panic (or return nonsense) for a position without a table.
    fn rank(&self, position: &Self::Position) -> u64;

    /// Returns the canonical position of a rank, with the first player to move where possible.
    ///
    /// # Panics
    /// Panics if `index >= size(table)`.
    fn unrank(&self, table: Self::Table, index: u64) -> Self::Position;

    /// Returns the tables that are solved together with `table`: itself, and its partner if inside
    /// turns lead there.
    fn solved_together(&self, table: Self::Table) -> Vec<Self::Table> {
        let mut tables = vec![table, self.partner(table)];
        tables.dedup();
        tables
    }

    /// Returns whether inside turns lead from `table` or from the tables it is solved together
    /// with. If not, one sweep over the tables outside gives its values.
    fn has_inside_turns(&self, _table: Self::Table) -> bool {
        true
    }

    /// Returns whether a turn is inside.
    fn is_inside(&self, position: &Self::Position, turn: &Self::Turn) -> bool {
        let partner = self.table_of(position).map(|table| self.partner(table));
        partner.is_some() && self.table_of(&self.play(position, turn)) == partner
    }

    /// Reads the name of a table.
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
    /// Replaces `positions` with every position from which an inside turn leads to `position`, once
    /// for each such turn. Un-moves that differ by a symmetry of `position` all count: see the
    /// third law of [`Game`](crate::Game).
    fn unmoves(&self, position: &Self::Position, positions: &mut Vec<Self::Position>);

    /// Returns the images of a position under all symmetries that the numbering merges, including
    /// the position itself.
    fn images(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![*position]
    }

    /// Returns how many of these symmetries map the position to itself (1 without symmetry).
    fn stabiliser(&self, position: &Self::Position) -> u32 {
        let images = self.images(position).into_iter();
        images.filter(|image| image == position).count() as u32
    }
}
