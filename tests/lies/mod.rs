//! Wrong values behind right checksums and counts.

use std::ops::ControlFlow;
use std::path::Path;

use endmill_dbformat::codec::Zstd;
use endmill_dbformat::{
    EncodeContext, FileRecord, Kind, OutcomeCodec, PlyCodec, Rules, Store, TableSpec, TableWriter,
};
use endmill_games::prelude::*;
use endmill_games::{Feature, Outcome, Value};
use endmill_probe::Database;

use crate::solved::morris;

const POSITIONS_PER_BLOCK: u32 = 1 << 14;

/// Exchanges the values of two positions of a table of `six`, the first of one kind and the last of
/// another that differs; gives them as texts. Neither is among the longest: the header says where these are.
pub fn exchange(db: &Path, name: &str, kinds: [Outcome; 2]) -> [String; 2] {
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
    let longest = [statistics.longest_win(), statistics.longest_loss()];
    let fits = |value: Value, kind| value.outcome() == kind && !longest.contains(&value.plies());
    let [one, other] = kinds;
    let first = values.iter().position(|&value| fits(value, one)).unwrap();
    let differs = |&value: &Value| fits(value, other) && value != values[first];
    let second = values.iter().rposition(differs).unwrap();
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
    let outcomes = outcome_file
        .finish_outcomes(&statistics)
        .unwrap()
        .publish()
        .unwrap();
    let plies = ply_file
        .finish_plies(&statistics, outcomes.pair)
        .unwrap()
        .publish()
        .unwrap();
    let record = [outcomes, plies].map(FileRecord::from);
    let record = Kind::ALL.into_iter().zip(record).collect();
    store.write_record(name, &record).unwrap();
    [first, second].map(|index| game.format_position(&game.unrank(table, index as u64)))
}
