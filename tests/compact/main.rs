//! Compact databases leave out the plies that can be derived one turn ahead; answers stay the same.

#[path = "../halted/mod.rs"]
mod halted;
#[path = "../lies/mod.rs"]
mod lies;
#[path = "../program/mod.rs"]
mod program;

mod converting;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use endmill_dbformat::{Kind, Rules, Store};
use endmill_games::Outcome;
use endmill_games::prelude::*;
use endmill_probe::{Database, Options, SampleFilter};
use endmill_testkit::morris;
use program::{built, endmill, files, json, printed, text};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// The number of questions per table.
const QUESTIONS: u64 = 150;

/// The databases that the program builds with these arguments, full and compact.
fn both(args: &[&str]) -> [tempfile::TempDir; 2] {
    [built(args), built(&[args, &["--compact"]].concat())]
}

/// The tables without plies in a compact database.
fn left_out<G: Game>(db: &Path, game: &G) -> BTreeSet<String> {
    let store = Store::new(db, Rules::of(game));
    let names = store.files().unwrap().into_iter().map(|(name, ..)| name);
    names
        .filter(|name| store.leaves_plies_out(name).unwrap())
        .collect()
}

/// Compares values and turns of random positions of every table.
fn answers_are_the_same(id: &str, args: &[&str]) {
    let [full, compact] = both(&[&[id], args].concat());
    let game = morris(id);
    let left_out = left_out(compact.path(), &game);
    assert!(!left_out.is_empty(), "{id}");
    for name in &left_out {
        let store = Store::new(compact.path(), Rules::of(&game));
        assert!(!store.path(name, Kind::Plies).exists(), "{name}");
    }
    let full = Database::open(full.path(), morris(id)).unwrap();
    let options = [0, 1 << 20].map(|cache_bytes| Options {
        cache_bytes,
        ..Options::default()
    });
    let mut rng = StdRng::seed_from_u64(7);
    for options in options {
        let compact = Database::open_with(compact.path(), morris(id), &options).unwrap();
        let (all, some) = (full.coverage(), compact.coverage());
        assert_eq!(all.tables.len(), some.tables.len());
        for (one, other) in all.tables.iter().zip(&some.tables) {
            assert_eq!((one.table, one.has_plies), (other.table, other.has_plies));
            let size = game.size(one.table);
            for _ in 0..QUESTIONS.min(size) {
                let position = game.unrank(one.table, rng.random_range(0..size));
                let value = full.probe(&position).unwrap();
                assert_eq!(compact.probe(&position).unwrap(), value, "{position:?}");
                let turns = |database: &Database<_>| -> Vec<_> {
                    let turns = database.moves(&position).unwrap().into_iter();
                    turns.map(|ranked| (ranked.turn, ranked.value)).collect()
                };
                assert_eq!(turns(&compact), turns(&full), "{position:?}");
            }
        }
    }
}

#[test]
fn three_answers_the_same() {
    answers_are_the_same("three", &[]);
}

#[test]
fn six_answers_the_same() {
    answers_are_the_same("six", &[]);
}

#[test]
fn nine_answers_the_same() {
    answers_are_the_same("nine", &["--pieces", "8"]);
}

/// With counts of quiet plies; all tables in which mills may be banned are stored.
#[test]
fn morabaraba_answers_the_same() {
    answers_are_the_same("morabaraba", &["--pieces", "7"]);
}

#[test]
fn every_value_of_a_table_without_plies_is_read_and_sampled() {
    let [full, compact] = both(&["six"]);
    let [full, compact] = [full, compact].map(|db| (Database::open(db.path(), morris("six")), db));
    let [full_database, compact_database] = [&full.0, &compact.0].map(|db| db.as_ref().unwrap());
    for name in ["5v4", "5+1v5+0"] {
        let table = full_database.game().parse_table(name).unwrap();
        let values = |database: &Database<_>| {
            let mut values = Vec::new();
            let visit = |_: &_, verdict| {
                values.push(verdict);
                ControlFlow::Continue(())
            };
            database.for_each(table, visit).unwrap();
            values
        };
        assert_eq!(values(full_database), values(compact_database), "{name}");
        for plies in [3, 4, 9] {
            let wanted = SampleFilter {
                plies: Some(plies),
                ..SampleFilter::default()
            };
            let sample = |database: &Database<_>| database.sample(table, &wanted, 5, 1).unwrap();
            assert_eq!(sample(full_database), sample(compact_database), "{name}");
        }
    }
}

#[test]
fn the_program_answers_the_same() {
    let [full, compact] = both(&["six"]);
    let game = morris("six");
    let position = game.unrank(game.parse_table("5v4").unwrap(), 1234);
    let position = game.format_position(&position);
    for args in [
        &["probe", "six", "start"][..],
        &["probe", "six", &position],
        &["line", "six", &position],
        &["tree", "six", &position, "--depth", "2"],
    ] {
        assert_eq!(json(args, full.path()), json(args, compact.path()));
    }
    let sample = |db: &Path| {
        let path = db.to_str().unwrap();
        printed(&[
            "sample", "six", "--table", "5v4", "--plies", "11", "--db", path,
        ])
    };
    assert_eq!(sample(full.path()), sample(compact.path()));
    let [mut one, mut other] =
        [&full, &compact].map(|db| json(&["stats", "six"], db.path())["tables"].take());
    for tables in [&mut one, &mut other] {
        for table in tables.as_array_mut().unwrap() {
            table.as_object_mut().unwrap().remove("dtw_bytes");
        }
    }
    assert_eq!(one, other, "counts are those of the full table");
}

#[test]
fn memory_and_threads_do_not_change_a_byte() {
    let expected = files(&built(&["six", "--compact"]).path().join("six"));
    for options in [
        &["--threads", "1"][..],
        &["--threads", "2"],
        &["--threads", "7"],
        // A table that was dropped from memory is derived again.
        &["--memory", "1M"],
    ] {
        let db = tempfile::TempDir::new().unwrap();
        program::build(db.path(), &[&["six", "--compact"], options].concat());
        assert!(files(&db.path().join("six")) == expected, "{options:?}");
    }
}

#[test]
fn a_compact_database_is_verified_by_rows_and_by_turns() {
    for args in [&["six"][..], &["nine", "--pieces", "7"]] {
        let [_, compact] = both(args);
        let path = compact.path().to_str().unwrap();
        printed(&["verify", args[0], "--db", path]);
        printed(&["verify", args[0], "--memory", "1M", "--db", path]);
        printed(&["verify", args[0], "--by-turns", "--db", path]);
    }
}

/// A wrong ply in a table with plies, and a wrong outcome in one without.
#[test]
fn a_wrong_value_is_found() {
    for (table, kinds) in [
        ("4v5", [Outcome::Win; 2]),
        ("4+1v4+1", [Outcome::Win; 2]),
        ("5v4", [Outcome::Win, Outcome::Loss]),
        ("5+1v5+0", [Outcome::Loss, Outcome::Win]),
    ] {
        let db = built(&["six"]);
        let path = db.path().to_str().unwrap();
        lies::exchange(db.path(), table, kinds);
        printed(&["convert", "six", "--to", "compact", "--db", path]);
        printed(&["verify", "six", "--quick", "--db", path]);
        for way in [&["--sample", "0"][..], &["--by-turns"]] {
            let run = endmill(&[&["verify", "six", "--db", path], way].concat());
            let complaint = text(run.stderr);
            assert_eq!(run.status.code(), Some(1), "{table}: {complaint}");
            let last = complaint.lines().last().unwrap();
            assert!(
                last.contains("is stored as") || last.contains("counts"),
                "{last}"
            );
        }
    }
}

#[test]
fn a_damaged_compact_database_is_repaired_to_the_same_bytes() {
    let db = built(&["six", "--compact"]);
    let directory = db.path().join("six");
    let expected = files(&directory);
    for name in ["5v4.wld", "4v5.dtw", "5v4.record", "5+1v5+0.wld"] {
        let path = directory.join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        program::build(db.path(), &["six", "--repair"]);
        assert!(files(&directory) == expected, "{name}");
    }
}

/// Without an option a database keeps its form; tables of the two forms may be mixed.
#[test]
fn a_build_prints_the_form_and_keeps_it() {
    let compact = built(&["nine", "--pieces", "7", "--compact"]);
    let path = compact.path().to_str().unwrap();
    let run = endmill(&["build", "nine", "--pieces", "8", "--db", path]);
    assert!(run.status.success());
    let stderr = text(run.stderr);
    assert!(stderr.contains("this database is compact"), "{stderr}");
    let whole = built(&["nine", "--pieces", "8", "--compact"]);
    let nine = |db: &Path| files(&db.join("nine"));
    assert!(nine(compact.path()) == nine(whole.path()));

    let full = built(&["nine", "--pieces", "7"]);
    let path = full.path().to_str().unwrap();
    let run = endmill(&["build", "nine", "--pieces", "8", "--compact", "--db", path]);
    assert!(run.status.success());
    let stderr = text(run.stderr);
    assert!(stderr.contains("remain full"), "{stderr}");
    printed(&["verify", "nine", "--db", path]);
    printed(&["convert", "nine", "--to", "compact", "--db", path]);
    assert!(nine(full.path()) == nine(whole.path()));
}
