//! Tables with valid checksums and impossible plies: `verify` and `build` report them and never
//! panic.

mod program;

use std::fs;
use std::path::Path;

use endmill_dbformat::{Rules, Statistics, Store};
use endmill_games::Value;
use endmill_games::prelude::*;
use endmill_testkit::{Sample, morris};
use program::{build, endmill, text};
use tempfile::TempDir;

const TABLE: &str = "3v3";

/// Makes every position of 3v3 of `three` a loss in `plies` plies, under a header whose longest loss
/// is `stated`.
fn forge(db: &Path, plies: u16, stated: u16) {
    let game = morris("three");
    let store = Store::new(db, Rules::of(&game));
    let positions = game.size(game.parse_table(TABLE).unwrap());
    let mut histogram = vec![0; usize::from(stated) + 1];
    histogram[usize::from(stated)] = positions;
    let values = vec![Value::Loss(plies); positions as usize];
    let mut sample = Sample::of(store.rules(), TABLE, values, positions as u32);
    sample.statistics = Statistics {
        losses: positions,
        histogram,
        longest_loss_at: Some(0),
        ..Statistics::default()
    };
    sample.record(&store);
}

#[test]
fn impossible_plies_are_an_error_of_verify_and_build() {
    for (plies, stated, complaints) in [
        (20_000, 10, ["3v3.dtw: damaged (block 0)"; 2]),
        (65_534, 16_382, ["3v3.dtw: damaged (block 0)"; 2]),
        // These just fit; values solved from them do not.
        (16_382, 16_382, ["is stored as", "more than 16383 plies"]),
    ] {
        let db = TempDir::new().unwrap();
        build(db.path(), &["three"]);
        forge(db.path(), plies, stated);
        let fails = |command, complaint| {
            let run = endmill(&[command, "three", "--db", db.path().to_str().unwrap()]);
            let stderr = text(run.stderr);
            assert_eq!(run.status.code(), Some(1), "{command} {plies}: {stderr}");
            assert!(stderr.contains(complaint), "{command} {plies}: {stderr}");
        };
        let [of_verify, of_build] = complaints;
        fails("verify", of_verify);
        for entry in fs::read_dir(db.path().join("three")).unwrap() {
            let path = entry.unwrap().path();
            if path.to_str().unwrap().contains('+') {
                fs::remove_file(path).unwrap();
            }
        }
        fails("build", of_build);
    }
}
