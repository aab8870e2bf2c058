//! A database keeps few files open, and works with as few as the system allows.

#![cfg(target_os = "linux")]

mod program;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_probe::{Access, Database, Options};
use endmill_testkit::{MAPPED, morris, table_bytes};
use program::built;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tempfile::TempDir;

/// Both tests count the open files of this process, so they run one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Limits the open files of this process until it is dropped.
struct Few(Rlimit);

impl Few {
    fn files(count: u64) -> Few {
        let before = getrlimit(Resource::Nofile);
        let few = Rlimit {
            current: Some(count),
            ..before
        };
        setrlimit(Resource::Nofile, few).unwrap();
        Few(before)
    }
}

impl Drop for Few {
    fn drop(&mut self) {
        setrlimit(Resource::Nofile, self.0).unwrap();
    }
}

fn open_files() -> usize {
    // Listing them opens one.
    fs::read_dir("/proc/self/fd").unwrap().count() - 1
}

fn opened(db: &Path, access: Access, open_files: usize) -> Database<Morris> {
    let options = Options {
        access,
        cache_bytes: 0,
        open_files,
        ..Options::default()
    };
    Database::open_with(db, morris("six"), &options).unwrap()
}

/// Probes all tables from many threads at once and compares with `right`.
fn ask(database: &Database<Morris>, right: &Database<Morris>, threads: u64, questions: usize) {
    let game = database.game();
    let tables = game.tables(None);
    thread::scope(|scope| {
        for seed in 0..threads {
            let tables = &tables;
            scope.spawn(move || {
                let mut random = StdRng::seed_from_u64(seed);
                for _ in 0..questions {
                    let table = tables[random.random_range(0..tables.len())];
                    let position = game.unrank(table, random.random_range(0..game.size(table)));
                    let expected = right.probe(&position).unwrap();
                    assert_eq!(database.probe(&position).unwrap(), expected);
                }
            });
        }
    });
}

/// The whole of `six` in files, and the same in memory.
fn six() -> (TempDir, Database<Morris>) {
    let db = built(&["six"]);
    let files = table_bytes(db.path(), "six");
    assert!(files.len() > 80, "{} files", files.len());
    let right = Database::from_bytes(files, morris("six"), &Options::default()).unwrap();
    (db, right)
}

#[test]
fn a_database_with_more_tables_than_open_files_answers_right() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (db, right) = six();
    for access in [Access::POSITIONED, MAPPED] {
        let database = opened(db.path(), access, Options::default().open_files);
        let _few = Few::files(40);
        ask(&database, &right, 8, 500);
    }
}

#[test]
fn no_more_files_are_open_than_the_options_and_the_reading_threads_allow() {
    const THREADS: usize = 16;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (db, right) = six();
    for (access, kept) in [
        (Access::POSITIONED, 2),
        (Access::POSITIONED, 20),
        (MAPPED, 2),
    ] {
        let database = opened(db.path(), access, kept);
        let before = open_files();
        let most = thread::scope(|scope| {
            let asking = scope.spawn(|| ask(&database, &right, THREADS as u64, 200));
            let mut most = 0;
            while !asking.is_finished() {
                most = most.max(open_files());
            }
            asking.join().unwrap();
            most
        });
        let most = most.saturating_sub(before);
        assert!(most <= kept + 2 * THREADS, "{access:?}: {most} files");
        assert!(open_files() <= before + kept, "{access:?}");
    }
}
