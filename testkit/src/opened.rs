//! The files of a database, and the ways to open them.

#![allow(unsafe_code, reason = "maps files")]

use std::fs;
use std::path::{Path, PathBuf};

use endmill_games::Features;
use endmill_probe::{Access, Database, Options};

/// Memory maps.
// SAFETY: the tests replace files as a whole, or check what happens when a mapped file changes.
pub const MAPPED: Access = unsafe { Access::mapped() };

/// No cache and as few open files as possible.
pub fn frugal(access: Access) -> Options {
    Options {
        access,
        cache_bytes: 0,
        open_files: 0,
        ..Options::default()
    }
}

/// The table files of a ruleset, sorted.
pub fn table_files(database: &Path, ruleset: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(database.join(ruleset)).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let is_table = |file: &PathBuf| {
        file.extension()
            .is_some_and(|e| e == "wld" || e == "dtw" || e == "drw")
    };
    let mut files: Vec<_> = files.filter(is_table).collect();
    files.sort();
    files
}

/// Name and bytes of every table file, as `Database::from_bytes` takes them.
pub fn table_bytes(database: &Path, ruleset: &str) -> Vec<(String, Vec<u8>)> {
    let files = table_files(database, ruleset).into_iter();
    let named = files.map(|file| {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(file).unwrap())
    });
    named.collect()
}

/// A database opened in every way, each with its name.
pub fn all_ways<G: Features>(
    database: &Path,
    game: impl Fn() -> G,
) -> Vec<(&'static str, endmill_probe::Result<Database<G>>)> {
    let open = |options: &Options| Database::open_with(database, game(), options);
    let small_cache = Options {
        cache_bytes: 4096,
        ..Options::default()
    };
    let bytes = table_bytes(database, &game().description().id);
    let embedded = Database::from_bytes(bytes, game(), &frugal(MAPPED));
    vec![
        ("default", open(&Options::default())),
        ("mapped", open(&frugal(MAPPED))),
        ("positioned", open(&frugal(Access::POSITIONED))),
        ("small cache", open(&small_cache)),
        ("from bytes", embedded),
    ]
}
