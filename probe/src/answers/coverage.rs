//! What a database has, in a few numbers.

use endmill_games::Game;
use serde::Serialize;

use crate::coverage::Coverage;
use crate::database::Database;

/// What a database has, from the names of its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoverageAnswer {
    /// Tables that are there.
    pub tables: usize,
    /// Those of them that have distances.
    pub tables_with_plies: usize,
    /// Pieces on the board in the largest of them.
    pub most_pieces: u32,
    /// Every table with this many pieces or fewer, and none in hand, is there.
    pub complete_to: u32,
    /// Every table of the ruleset is there.
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
    /// Counts what is there. Reads no file.
    pub fn ask<G: Game>(database: &Database<G>) -> CoverageAnswer {
        (&database.coverage()).into()
    }
}
