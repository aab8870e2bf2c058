//! Small databases, built by the solver.

use std::path::Path;

use endmill_dbformat::{Rules, Store};
use endmill_games::draughts::Draughts;
use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_probe::Database;
use endmill_solver::{BuildOptions, Plan, PlyChoice, build};
use tempfile::TempDir;

pub fn morris(id: &str) -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == id).unwrap())
}

/// A database in a directory of its own.
pub struct Small<G: Game> {
    pub database: Database<G>,
    pub directory: TempDir,
}

/// The whole game of `three`.
pub fn three() -> Small<Morris> {
    built(&morris("three"), None, morris("three"))
}

/// Flying against flying.
pub fn nine() -> Small<Morris> {
    built(&morris("nine"), Some(6), morris("nine"))
}

pub fn draughts() -> Small<Draughts> {
    built(&Draughts::new(), Some(3), Draughts::new())
}

/// The same, of which only the outcomes are stored.
pub fn draughts_without_plies() -> Small<Draughts> {
    built_with(&Draughts::new(), Some(3), Draughts::new(), false)
}

fn built<G: Game + Layout>(game: &G, pieces: Option<u32>, same: G) -> Small<G> {
    built_with(game, pieces, same, true)
}

fn built_with<G: Game + Layout>(game: &G, pieces: Option<u32>, same: G, plies: bool) -> Small<G> {
    let directory = TempDir::new().unwrap();
    build_in(directory.path(), game, pieces, plies);
    Small {
        database: Database::open(directory.path(), same).unwrap(),
        directory,
    }
}

fn build_in<G: Game + Layout>(directory: &Path, game: &G, pieces: Option<u32>, plies: bool) {
    let store = Store::new(directory, Rules::of(game));
    std::fs::create_dir_all(store.directory()).unwrap();
    let plan = Plan::new(game, &game.tables(pieces));
    let options = BuildOptions {
        plies: PlyChoice {
            solved: plies,
            swept: plies,
        },
        ..BuildOptions::default()
    };
    build(game, &store, &plan, &options, &()).unwrap();
}
