//! Small databases, built by the solver.

use std::path::Path;

use dbformat::{Rules, Statistics, Store};
use games::Game;
use games::draughts::Draughts;
use games::morris::{Morris, RULESETS};
use probe::Database;
use solver::{BuildOptions, BuildProgress, Plan, PlyChoice, Progress, build};
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

fn built<G: Game>(game: &G, pieces: Option<u32>, same: G) -> Small<G> {
    built_with(game, pieces, same, true)
}

fn built_with<G: Game>(game: &G, pieces: Option<u32>, same: G, plies: bool) -> Small<G> {
    let directory = TempDir::new().unwrap();
    build_in(directory.path(), game, pieces, plies);
    Small {
        database: Database::open(directory.path(), same).unwrap(),
        directory,
    }
}

fn build_in<G: Game>(directory: &Path, game: &G, pieces: Option<u32>, plies: bool) {
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
    build(game, &store, &plan, &options, &Silent).unwrap();
}

struct Silent;

impl Progress for Silent {
    fn at_ply(&self, _: u16) {}
}

impl BuildProgress for Silent {
    fn group(&self, _: &str, _: u64) {}
    fn phase(&self, _: &str) {}
    fn skipped(&self, _: &str, _: u64) {}
    fn stored(&self, _: &str, _: &Statistics) {}
}
