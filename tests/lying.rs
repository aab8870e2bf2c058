//! A database that is sound in every checksum and count but has two values exchanged: `verify`
//! finds one of them.

mod program;
mod solved;

use std::ops::ControlFlow;
use std::path::Path;

use endmill_dbformat::codec::Zstd;
use endmill_dbformat::{
    EncodeContext, FileRecord, Kind, OutcomeCodec, PlyCodec, Rules, Store, TableSpec, TableWriter,
};
use endmill_games::prelude::*;
use endmill_games::{Feature, Outcome, Value};
use endmill_probe::Database;
use program::{built, endmill, printed, text};
use solved::morris;

const POSITIONS_PER_BLOCK: u32 = 1 << 14;

/// Exchanges the values of two won positions of a table; gives them as texts.
fn exchange_two_wins(db: &Path, name: &str) -> [String; 2] {
    let game = morris("six");
    let table = game.parse_table(name).unwrap();
    let mut values = Vec::new();
    let database = Database::open(db, morris("six")).unwrap();
    let all = database.for_each(table, |_, verdict| {
        values.push(verdict.value().unwrap());
        ControlFlow::Continue(())
    });
    all.unwrap();
    let store = Store::new(db, Rules::of(&game));
    let stored = store.open(name, game.size(table)).unwrap();
    let statistics = stored.statistics().clone();
    // Not the longest: the header says where that is.
    let longest = statistics.longest_win().unwrap();
    let shorter = |value: Value| matches!(value, Value::Win(plies) if plies < longest);
    let first = values.iter().position(|&value| shorter(value)).unwrap();
    let second = values.iter().rposition(|&value| shorter(value)).unwrap();
    assert_ne!(values[first], values[second]);
    values.swap(first, second);

    let outcome_codec = OutcomeCodec::Zstd(Zstd::default());
    let ply_codec = PlyCodec::Zstd(Zstd::default());
    let spec = TableSpec {
        rules: store.rules().clone(),
        table: name.to_owned(),
        positions: values.len() as u64,
        positions_per_block: POSITIONS_PER_BLOCK,
    };
    let path = |kind| store.path(name, kind);
    let wld = TableWriter::create(&path(Kind::Outcomes), spec.clone(), &outcome_codec);
    let dtw = TableWriter::create(&path(Kind::Plies), spec, &ply_codec);
    let (mut outcome_file, mut ply_file) = (wld.unwrap(), dtw.unwrap());
    let mut context = EncodeContext::default();
    for values in values.chunks(POSITIONS_PER_BLOCK as usize) {
        let features = vec![Feature::default(); values.len()];
        let outcomes: Vec<Outcome> = values.iter().map(|value| value.outcome()).collect();
        let entries: Vec<Option<Outcome>> = outcomes.iter().copied().map(Some).collect();
        let values: Vec<Option<Value>> = values.iter().copied().map(Some).collect();
        let coded = outcome_codec.encode(&entries, &features, &mut context);
        outcome_file.push_block(&coded).unwrap();
        let coded = ply_codec.encode(&outcomes, &values, &features, &mut context);
        ply_file.push_block(&coded).unwrap();
    }
    let outcomes = outcome_file.finish_outcomes(&statistics).unwrap();
    let plies = ply_file.finish_plies(&statistics, outcomes.pair).unwrap();
    let record = [outcomes, plies].map(FileRecord::from);
    let record = Kind::ALL.into_iter().zip(record).collect();
    store.write_record(name, &record).unwrap();
    [first, second].map(|index| game.format_position(&game.unrank(table, index as u64)))
}

/// In the moving phase and while men are in hand; by the sweep alone, with every position derived
/// by turns too, and by turns alone.
#[test]
fn a_wrong_value_behind_right_checksums_is_found() {
    for table in ["5v4", "4+1v4+0"] {
        let db = built(&["six"]);
        let path = db.path().to_str().unwrap();
        printed(&["verify", "six", "--sample", "0", "--db", path]);
        let positions = exchange_two_wins(db.path(), table);
        printed(&["verify", "six", "--quick", "--db", path]);
        for way in [
            &["--sample", "0"][..],
            &["--sample", "1000000"],
            &["--by-turns"],
            &["--by-turns", "--tables", table],
        ] {
            let args = [&["verify", "six", "--db", path], way].concat();
            let run = endmill(&args);
            assert_eq!(run.status.code(), Some(1));
            let complaint = text(run.stderr);
            let complaint = complaint.lines().last().unwrap();
            let found = positions
                .iter()
                .any(|position| complaint.contains(&format!("{table}: {position} is stored as")));
            assert!(found, "{complaint}");
        }
    }
}
