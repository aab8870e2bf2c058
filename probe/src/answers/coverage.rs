//! The contents of a database in a few numbers.

use endmill_games::Game;
use serde::Serialize;

use crate::coverage::Coverage;
use crate::database::Database;

/// The contents of a database, from the names of its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoverageAnswer {
    /// The number of tables.
    pub tables: usize,
    /// The number of tables with distances.
    pub tables_with_plies: usize,
    /// The number of pieces on the board in the largest table.
    pub most_pieces: u32,
    /// Every table with at most this number of pieces, and none in hand, is there.
    pub complete_to: u32,
    /// Whether every table of the ruleset is there.
    pub whole_game: bool,
}

impl<T> From<&Coverage<T>> for CoverageAnswer {
    fn from(coverage: &Coverage<T>) -> CoverageAnswer {
        let tables = &coverage.tables;
        let most_pieces = tables.iter().map(|covered| covered.pieces).max();
        CoverageAnswer {
            tables: tables.len(),
            tables_with_plies: tables.iter().filter(|covered| covered.has_plies).count(),
            most_pieces: most_pieces.unwrap_or(0),
            complete_to: coverage.complete_to,
            whole_game: coverage.whole_game,
        }
    }
}

impl CoverageAnswer {
    /// Counts the tables. Reads no file.
    pub fn ask<G: Game>(database: &Database<G>) -> CoverageAnswer {
        (&database.coverage()).into()
    }
}
