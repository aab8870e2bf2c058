//! Files with correct checksums and false contents.

mod small;

use endmill_dbformat::{Error as FileError, Part, Rules, Statistics, Store};
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_probe::{Database, ProbeError, SampleFilter};
use endmill_testkit::Sample;
use small::three;

/// 3v3 of `three` with these values, under a header that states these counts.
fn forged(value: Value, stated: impl Fn(u64) -> Statistics) -> tempfile::TempDir {
    let game = three();
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path(), Rules::of(&game));
    let positions = game.size(game.parse_table("3v3").unwrap());
    let values = vec![value; positions as usize];
    let mut sample = Sample::of(store.rules(), "3v3", values, 1);
    sample.statistics = stated(positions);
    sample.write(store.directory());
    directory
}

#[test]
fn a_sample_from_a_table_with_false_counts_ends_with_an_error() {
    let all_drawn = |positions| Statistics {
        draws: positions,
        ..Statistics::default()
    };
    let directory = forged(Value::LOST, all_drawn);
    let database = Database::open(directory.path(), three()).unwrap();
    let table = three().parse_table("3v3").unwrap();
    // Small samples draw positions at random, large ones scan the table.
    for count in [1, 10, 1_000_000] {
        let wanted = SampleFilter {
            outcome: Some(Outcome::Draw),
            plies: None,
        };
        let error = database.sample(table, &wanted, count, 7).unwrap_err();
        let counts = |error: &ProbeError| matches!(error, ProbeError::File(FileError::Damaged { part: Part::Counts, file }) if file.ends_with("3v3.wld"));
        assert!(counts(&error), "{error}");
    }
}

#[test]
fn plies_above_the_longest_stated_are_damage_for_a_probe() {
    let drawn_but_one = |positions| Statistics {
        draws: positions - 1,
        losses: 1,
        histogram: vec![0, 0, 0, 0, 1],
        ..Statistics::default()
    };
    for (plies, sound) in [(4, true), (6, false), (16_384, false), (65_534, false)] {
        let directory = forged(Value::Loss(plies), drawn_but_one);
        let database = Database::open(directory.path(), three()).unwrap();
        let position = three().unrank(three().parse_table("3v3").unwrap(), 0);
        match database.probe(&position) {
            Ok(verdict) => assert!(sound && verdict.plies() == Some(plies), "{plies}"),
            Err(error) => assert!(!sound && error.code() == "file_damaged", "{error}"),
        }
    }
}
