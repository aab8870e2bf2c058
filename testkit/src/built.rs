//! Databases that the solver built.

use std::path::Path;

use endmill_dbformat::{Rules, Store};
use endmill_games::Features;
use endmill_layout::Layout;
use endmill_probe::Database;
use endmill_solver::{BuildOptions, ChosenScores, Plan, PlyChoice};
use tempfile::TempDir;

/// Builds all tables with at most `pieces` pieces; `None` builds the whole game.
pub fn build<G: Layout>(
    database: &Path,
    game: &G,
    pieces: impl Into<Option<u32>>,
    options: &BuildOptions,
) -> Store {
    let store = Store::new(database, Rules::of(game));
    let plan = Plan::new(game, &game.tables(pieces.into()));
    endmill_solver::build(game, &store, &plan, options, &()).unwrap();
    store
}

/// Options that store the distances of every table, or of none.
pub fn plies(stored: bool) -> BuildOptions {
    BuildOptions {
        plies: PlyChoice {
            solved: stored,
            swept: stored,
        },
        ..BuildOptions::default()
    }
}

/// A database in a temporary directory, which is removed with this value.
pub struct Built<G: Features> {
    /// The opened database.
    pub database: Database<G>,
    /// Where it lies.
    pub directory: TempDir,
}

impl<G: Layout> Built<G> {
    /// Builds tables and those that they depend on, ranks their draws, and opens the result.
    pub fn ranked(game: G, tables: &[G::Table], options: &BuildOptions) -> Built<G> {
        let directory = TempDir::new().unwrap();
        let store = Store::new(directory.path(), Rules::of(&game));
        let plan = Plan::new(&game, tables);
        endmill_solver::build(&game, &store, &plan, options, &()).unwrap();
        let scores = ChosenScores::Counted;
        endmill_solver::build_draws(&game, &store, &plan, &scores, options, &()).unwrap();
        let database = Database::open(directory.path(), game).unwrap();
        Built {
            database,
            directory,
        }
    }

    /// Builds like [`build`], and opens the result.
    pub fn new(game: G, pieces: impl Into<Option<u32>>, options: &BuildOptions) -> Built<G> {
        let directory = TempDir::new().unwrap();
        build(directory.path(), &game, pieces, options);
        let database = Database::open(directory.path(), game).unwrap();
        Built {
            database,
            directory,
        }
    }
}
