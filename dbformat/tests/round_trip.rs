//! What is written is read back.

#![allow(unsafe_code, reason = "maps files")]

mod sample;

use std::fs;
use std::ops::Range;
use std::sync::Arc;

use endmill_dbformat::codec::model::{LONG_UNIT, OutcomeModel, PliesModel, UNIT};
use endmill_dbformat::{
    DecodeContext, EncodeContext, FileCodec, Kind, OutcomeCodec, PlyCodec, Source, Statistics,
    Table, TableFile, TableWriter, blake3_of_file, codec,
};
use endmill_games::{Outcome, Value};
use endmill_testkit::{Sample, made_up_features};
use sample::{in_memory, made_up, read, read_all, values};

#[test]
fn every_value_comes_back_whatever_the_sizes() {
    for count in [0, 1, 4, 5, 63, 64, 65, 128, 1000] {
        for positions_per_block in [1, 5, 64, 1 << 20] {
            let sample = made_up(values(count as u64, count), positions_per_block);
            let [wld, dtw] = sample.bytes();
            let read = read(
                &sample,
                in_memory(Kind::Outcomes, &wld),
                in_memory(Kind::Plies, &dtw),
            );
            assert_eq!(read.unwrap(), sample.values);
        }
    }
}

#[test]
fn the_longest_plies_of_the_format_come_back() {
    let extremes = [Value::Win(16_383), Value::Loss(16_382), Value::LOST];
    let edges = [
        Value::Win(507),
        Value::Win(509),
        Value::Win(511),
        Value::Loss(510),
    ];
    let sample = made_up([&extremes[..], &edges].concat(), 4);
    let [wld, dtw] = sample.bytes();
    let read = read(
        &sample,
        in_memory(Kind::Outcomes, &wld),
        in_memory(Kind::Plies, &dtw),
    );
    assert_eq!(read.unwrap(), sample.values);
}

#[test]
fn all_sources_give_the_same_values() {
    let directory = tempfile::tempdir().unwrap();
    let sample = made_up(values(1, 1000), 64);
    sample.write(directory.path());
    let [wld, dtw] = Kind::VALUES.map(|kind| sample.path(directory.path(), kind));
    let positioned = read(
        &sample,
        Source::open(&wld).unwrap(),
        Source::open(&dtw).unwrap(),
    );
    assert_eq!(positioned.unwrap(), sample.values);
    // SAFETY: no other process knows the directory.
    let mapped = unsafe { [Source::map(&wld).unwrap(), Source::map(&dtw).unwrap()] };
    let [wld, dtw] = mapped;
    assert_eq!(read(&sample, wld, dtw).unwrap(), sample.values);
}

#[test]
fn the_header_tells_the_counts_without_reading_a_block() {
    let sample = made_up(values(2, 1000), 64);
    fn check<C: FileCodec + PartialEq>(sample: &Sample, bytes: &[u8], codec: &C) {
        let file = TableFile::<C>::open(in_memory(C::KIND, bytes)).unwrap();
        assert_eq!(*file.statistics(), sample.statistics);
        assert_eq!(file.header().kind, C::KIND);
        assert_eq!(file.header().rules, sample.spec.rules);
        assert_eq!(file.codec(), codec);
        assert_eq!(file.blocks(), 16);
        assert_eq!(file.cut().block(15), 15 * 64..1000);
        assert_eq!(file.cut().block_of(999), 15);
        file.verify_blocks().unwrap();
    }
    let [wld, dtw] = sample.bytes();
    check(&sample, &wld, &sample.outcomes);
    check(&sample, &dtw, &sample.plies);
}

/// A table whose outcomes are coded by a model with units of this length, if any, and its plies too
/// if `plies_by_model`; otherwise by zstd.
fn coded_by(
    all: &[Value],
    positions_per_block: u32,
    unit: Option<usize>,
    plies_by_model: bool,
) -> Table {
    let mut features = Vec::new();
    made_up_features(0..all.len() as u64, &mut features);
    let outcomes: Vec<Outcome> = all.iter().map(|value| value.outcome()).collect();
    let mut sample = made_up(all.to_vec(), positions_per_block);
    if let Some(unit) = unit {
        let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
        let model = OutcomeModel::train(unit, &features, &entries);
        sample.outcomes = OutcomeCodec::Model(Arc::new(model));
    }
    if plies_by_model {
        let wanted: Vec<_> = all.iter().copied().map(Some).collect();
        let model = PliesModel::train(&features, &outcomes, &wanted);
        sample.plies = PlyCodec::Model(Arc::new(model));
    }
    let [wld, dtw] = sample.bytes();
    let wld = in_memory(Kind::Outcomes, &wld);
    let dtw = in_memory(Kind::Plies, &dtw);
    sample.open(wld, dtw).unwrap()
}

/// Every choice of codecs for the two files, and blocks that are not whole units.
#[test]
fn every_pair_of_codecs_is_read_right_around_every_position() {
    let all = values(12, 1500);
    for positions_per_block in [100, 256, 300, 512, 1000, 1024] {
        for unit in [None, Some(UNIT), Some(LONG_UNIT)] {
            for plies_by_model in [false, true] {
                let table = coded_by(&all, positions_per_block, unit, plies_by_model);
                assert_eq!(read_all(&table).unwrap(), all);
                let context = &mut DecodeContext::default();
                for (i, &value) in (0..).zip(&all) {
                    let range = table.outcome_cut().unit_of(i).start..i + 1;
                    let read = table.read_outcomes(&range, made_up_features, context);
                    assert_eq!(read.unwrap().last(), Some(&value.outcome()));
                    let range = table.ply_cut().unwrap().unit_of(i).start..i + 1;
                    let read = table.read_values(&range, made_up_features, context);
                    assert_eq!(read.unwrap().last(), Some(&value));
                }
            }
        }
    }
}

/// The first and the end of the positions whose features are asked for when some values are read.
fn asked_for(table: &Table, range: Range<u64>, all: &[Value]) -> Vec<(u64, u64)> {
    let mut asked = Vec::new();
    let give = |range: Range<u64>, features: &mut Vec<_>| {
        asked.push((range.start, range.end));
        made_up_features(range, features);
    };
    let context = &mut DecodeContext::default();
    let expected = &all[range.start as usize..range.end as usize];
    assert_eq!(table.read_values(&range, give, context).unwrap(), expected);
    asked
}

#[test]
fn features_are_asked_for_only_where_they_count() {
    // Four units: all drawn, all won, mixed, all drawn.
    let mut all = vec![Value::Draw; 1024];
    all[256..512].fill(Value::Win(3));
    all[512..768].copy_from_slice(&values(12, 256));
    let table = coded_by(&all, 1024, Some(UNIT), true);
    assert_eq!(asked_for(&table, 0..1024, &all), [(256, 768)]);
    // In long units, all won, the most common outcome, which takes no byte; and mixed.
    let mut all = vec![Value::Win(3); 1024];
    all[512..].copy_from_slice(&values(12, 512));
    let table = coded_by(&all, 1024, Some(LONG_UNIT), true);
    assert_eq!(asked_for(&table, 256..400, &all), [(256, 400)]);
    assert_eq!(asked_for(&table, 768..800, &all), [(512, 800)]);
}

#[test]
fn plies_may_be_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.wld");
    let Sample { spec, outcomes, .. } = made_up(vec![Value::Win(1)], 64);
    let mut writer = TableWriter::create(&path, spec, &outcomes).unwrap();
    let entry = [Some(Outcome::Win)];
    let block = outcomes.encode(&entry, &[], &mut EncodeContext::default());
    writer.push_block(&block).unwrap();
    let counts = Statistics {
        wins: 1,
        ..Statistics::default()
    };
    writer.finish_outcomes(&counts).unwrap().publish().unwrap();
    let file = TableFile::<OutcomeCodec>::open(Source::open(&path).unwrap()).unwrap();
    assert_eq!(*file.statistics(), counts);
    assert_eq!(file.statistics().longest_win(), None);
}

fn whole(bytes: &[u8], count: usize) -> codec::Coded<'_> {
    codec::Coded {
        bytes,
        count,
        start: 0,
        end: count,
    }
}

#[test]
fn a_dont_care_changes_no_other_entry() {
    let codec = OutcomeCodec::Zstd(codec::Zstd::default());
    let outcomes: Vec<_> = values(3, 997).iter().map(|value| value.outcome()).collect();
    let entry = |(i, &outcome)| (i % 3 != 0).then_some(outcome);
    let entries: Vec<Option<Outcome>> = outcomes.iter().enumerate().map(entry).collect();
    let bytes = codec.encode(&entries, &[], &mut EncodeContext::default());
    let coded = whole(&bytes, entries.len());
    let mut decoded = Vec::new();
    let mut workspace = codec::Workspace::default();
    let done = codec.decode(coded, &[], &mut workspace, &mut decoded);
    done.unwrap();
    let mut yielded = Vec::new();
    codec.yields(&entries, &[], &mut yielded);
    assert_eq!(decoded, yielded);
    let kept = entries
        .iter()
        .zip(&decoded)
        .all(|(entry, got)| entry.is_none_or(|e| e == *got));
    assert!(kept);
}

#[test]
fn a_value_nobody_asks_for_changes_no_other() {
    let codec = PlyCodec::Zstd(codec::Zstd::default());
    let values = values(4, 997);
    let outcomes: Vec<_> = values.iter().map(|value| value.outcome()).collect();
    let asked = |i: usize| !i.is_multiple_of(3);
    let entry = |(i, &value)| asked(i).then_some(value);
    let entries: Vec<Option<Value>> = values.iter().enumerate().map(entry).collect();
    let bytes = codec.encode(&outcomes, &entries, &[], &mut EncodeContext::default());
    let coded = whole(&bytes, outcomes.len());
    let mut decoded = Vec::new();
    let mut workspace = codec::Workspace::default();
    let done = codec.decode(coded, &outcomes, &[], &mut workspace, &mut decoded);
    done.unwrap();
    for (i, value) in values.iter().enumerate().filter(|(i, _)| asked(*i)) {
        assert_eq!(decoded[i], *value);
    }
}

#[test]
fn a_block_that_zstd_cannot_shrink_costs_one_byte() {
    let codec = OutcomeCodec::Zstd(codec::Zstd::default());
    let coded = codec.encode(&[Some(Outcome::Win); 5], &[], &mut EncodeContext::default());
    assert_eq!(coded, [0, 242]);
}

#[test]
fn the_same_values_give_the_same_bytes() {
    let sample = made_up(values(5, 1000), 64);
    assert_eq!(sample.bytes(), sample.bytes());
}

#[test]
fn the_summary_is_that_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let sample = made_up(values(6, 1000), 64);
    let summaries = sample.write(directory.path());
    for (kind, summary) in Kind::VALUES.into_iter().zip(summaries) {
        let path = sample.path(directory.path(), kind);
        assert_eq!(summary.blake3, blake3_of_file(&path).unwrap());
        assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
    }
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.wld");
    let Sample { spec, outcomes, .. } = made_up(values(7, 1000), 64);
    let mut writer = TableWriter::create(&path, spec, &outcomes).unwrap();
    writer.push_block(&[0; 1 << 20]).unwrap();
    let files = || fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(files(), 1);
    assert!(!path.exists());
    drop(writer);
    assert_eq!(files(), 0);
}
