//! A small database, built once for all tests of a file.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::Path;
use std::sync::LazyLock;

use dbformat::{Rules, Statistics, Store};
use games::Game;
use games::draughts::Draughts;
use games::morris::{Morris, RULESETS};
use solver::{BuildOptions, BuildProgress, Plan, Progress, build};
use tempfile::TempDir;

static DATABASE: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    build_into(directory.path(), &nine(), 6);
    build_into(directory.path(), &Draughts::new(), 3);
    directory
});

/// All positions of nine men's morris with 6 men, and of draughts with up to 3.
pub fn database() -> &'static Path {
    DATABASE.path()
}

pub fn nine() -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == "nine").unwrap())
}

fn build_into<G: Game>(directory: &Path, game: &G, pieces: u32) {
    let store = Store::new(directory, Rules::of(game));
    let plan = Plan::new(game, &game.tables(Some(pieces)));
    build(game, &store, &plan, &BuildOptions::default(), &Unseen).unwrap();
}

/// Nobody watches the build.
struct Unseen;

impl Progress for Unseen {
    fn at_ply(&self, _: u16) {}
}

impl BuildProgress for Unseen {
    fn group(&self, _: &str, _: u64) {}
    fn phase(&self, _: &str) {}
    fn skipped(&self, _: &str, _: u64) {}
    fn stored(&self, _: &str, _: &Statistics) {}
}
