//! A small database, built once for all tests of a file.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use endmill_dbformat::{Rules, Store};
use endmill_games::draughts::Draughts;
use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_solver::{BuildOptions, Plan, build};

/// Below the target directory, so that nothing is left elsewhere; made anew by every run.
static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = concat!("database-of-", env!("CARGO_CRATE_NAME"));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if let Err(error) = fs::remove_dir_all(&home) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
    build_into(&home.join(DEFAULT), &nine(), 6);
    build_into(&home.join(DEFAULT), &Draughts::new(), 3);
    home
});

/// Where databases are by default.
const DEFAULT: &str = "data/db";

/// A directory with a database in its default place.
pub fn home() -> &'static Path {
    &HOME
}

/// All positions of nine men's morris with 6 men, and of draughts with up to 3.
pub fn database() -> PathBuf {
    home().join(DEFAULT)
}

pub fn nine() -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == "nine").unwrap())
}

fn build_into<G: Game + Layout>(directory: &Path, game: &G, pieces: u32) {
    let store = Store::new(directory, Rules::of(game));
    let plan = Plan::new(game, &game.tables(Some(pieces)));
    build(game, &store, &plan, &BuildOptions::default(), &()).unwrap();
}
