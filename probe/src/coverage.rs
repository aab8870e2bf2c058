//! The contents of a database.

use endmill_dbformat::Kind;
use endmill_games::Features;

use crate::database::Database;

/// A table of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredTable<T> {
    /// The table.
    pub table: T,
    /// Pieces on the board.
    pub pieces: u32,
    /// Whether its distances are known: stored, or, in a compact database, derived from tables
    /// one turn ahead.
    pub has_plies: bool,
    /// The size of its `.wld`.
    pub outcome_bytes: u64,
    /// The size of its `.dtw`, 0 without one.
    pub ply_bytes: u64,
}

impl<T> CoveredTable<T> {
    /// Returns whether its distances are not stored, but derived from tables one turn ahead.
    pub fn leaves_plies_out(&self) -> bool {
        self.has_plies && self.ply_bytes == 0
    }
}

/// The contents of a database, from the names of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage<T> {
    /// The tables, those with fewer pieces first.
    pub tables: Vec<CoveredTable<T>>,
    /// Every table with at most this number of pieces on the board, and none in hand, is there. A
    /// search need not ask about more.
    pub complete_to: u32,
    /// Whether every table of the ruleset is there, so that any position has an answer.
    pub whole_game: bool,
}

impl<G: Features> Database<G> {
    /// The tables of the database. Reads no file.
    pub fn coverage(&self) -> Coverage<G::Table> {
        let (game, table_set) = (&self.game, &self.lookup.table_set);
        let mut tables: Vec<_> = table_set
            .entries()
            .iter()
            .map(|entry| CoveredTable {
                table: entry.table,
                pieces: game.pieces(entry.table).on_board,
                has_plies: entry.has_plies(),
                outcome_bytes: entry.bytes(Kind::Outcomes).unwrap_or(0),
                ply_bytes: entry.bytes(Kind::Plies).unwrap_or(0),
            })
            .collect();
        tables.sort_by_key(|covered| (covered.pieces, covered.table));
        let is_here = |&table: &G::Table| table_set.find(table).is_some();
        // Upwards, and not beyond the largest table: with many pieces the lists are long.
        let most = tables.last().map_or(0, |covered| covered.pieces);
        let complete = |pieces: &u32| game.tables(Some(*pieces)).iter().all(is_here);
        Coverage {
            complete_to: (0..=most).take_while(complete).last().unwrap_or(0),
            // The table of the start is solved last, so look for it first.
            whole_game: game.table_of(&game.start()).as_ref().is_some_and(is_here)
                && game.tables(None).iter().all(is_here),
            tables,
        }
    }
}
