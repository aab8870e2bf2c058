//! A small database, built once for all tests of a file.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use endmill_games::draughts::Draughts;
use endmill_games::morris::Morris;
use endmill_solver::BuildOptions;
use endmill_testkit::build;

/// In the target directory, so that nothing is left elsewhere; rebuilt by every run.
static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = concat!("database-of-", env!("CARGO_CRATE_NAME"));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if let Err(error) = fs::remove_dir_all(&home) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
    let (database, options) = (home.join(DEFAULT), BuildOptions::default());
    build(&database, &nine(), 6, &options);
    build(&database, &Draughts::new(), 3, &options);
    home
});

/// The default directory of databases.
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
    endmill_testkit::morris("nine")
}
