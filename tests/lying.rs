//! A database that is sound in every checksum and count but has two values exchanged: `verify`
//! finds one of them.

mod program;
mod solved;

use std::ops::ControlFlow;
use std::path::Path;

use dbformat::codec::Zstd;
use dbformat::{Codec, EncodeContext, FileSummary, Kind, Rules, Store, TableSpec, TableWriter};
use games::{Clue, Game, Outcome, Value};
use probe::Database;
use program::{build, endmill, printed, text};
use solved::morris;
use tempfile::TempDir;

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
    let statistics = store.outcomes(name, game.size(table)).unwrap();
    let statistics = statistics.file().statistics().clone();
    // Not the longest: the header says where that is.
    let longest = statistics.longest_win().unwrap();
    let shorter = |value: Value| matches!(value, Value::Win(plies) if plies < longest);
    let first = values.iter().position(|&value| shorter(value)).unwrap();
    let second = values.iter().rposition(|&value| shorter(value)).unwrap();
    assert_ne!(values[first], values[second]);
    values.swap(first, second);

    let codec = Codec::Zstd(Zstd::default());
    let create = |kind| {
        let spec = TableSpec {
            rules: store.rules().clone(),
            table: name.to_owned(),
            positions: values.len() as u64,
            positions_per_block: POSITIONS_PER_BLOCK,
            codec: codec.clone(),
        };
        TableWriter::create(&store.path(name, kind), spec).unwrap()
    };
    let mut outcome_file = create(Kind::Outcomes);
    let mut ply_file = create(Kind::Plies);
    let mut context = EncodeContext::default();
    for values in values.chunks(POSITIONS_PER_BLOCK as usize) {
        let clues = vec![Clue::default(); values.len()];
        let outcomes: Vec<Outcome> = values.iter().map(|value| value.outcome()).collect();
        let entries: Vec<Option<Outcome>> = outcomes.iter().copied().map(Some).collect();
        let values: Vec<Option<Value>> = values.iter().copied().map(Some).collect();
        let coded = codec.encode_outcomes(&entries, &clues, &mut context);
        outcome_file.push_block(&coded).unwrap();
        let coded = codec.encode_plies(&outcomes, &values, &clues, &mut context);
        ply_file.push_block(&coded).unwrap();
    }
    let outcomes = outcome_file.finish_outcomes(&statistics).unwrap();
    let plies = ply_file.finish_plies(&statistics, outcomes.pair).unwrap();
    let mut lock = store.lock().unwrap();
    let mut record = |kind, summary: FileSummary| {
        store.record(&mut lock, name, kind, summary.into()).unwrap();
    };
    record(Kind::Outcomes, outcomes);
    record(Kind::Plies, plies);
    [first, second].map(|index| game.format_position(&game.unrank(table, index as u64)))
}

/// In the moving phase and while men are in hand; by the sweep alone, and with every position
/// derived turn by turn too.
#[test]
fn a_wrong_value_behind_right_checksums_is_found() {
    for table in ["5v4", "4+1v4+0"] {
        let db = TempDir::new().unwrap();
        build(db.path(), &["six"]);
        let path = db.path().to_str().unwrap();
        printed(&["verify", "six", "--sample", "0", "--db", path]);
        let positions = exchange_two_wins(db.path(), table);
        printed(&["verify", "six", "--quick", "--db", path]);
        for sample in ["0", "1000000"] {
            let run = endmill(&["verify", "six", "--sample", sample, "--db", path]);
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
