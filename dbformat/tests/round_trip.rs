//! What is written is read back.

mod sample;

use std::fs;

use std::sync::Arc;

use endmill_dbformat::codec::model::{LONG_UNIT, OutcomeModel, PliesModel, UNIT};
use endmill_dbformat::{
    DecodeContext, EncodeContext, EveryOneStored, FileCodec, Kind, OutcomeCodec, PlyCodec, Source,
    Statistics, TableFile, TableWriter, blake3_of_file, codec,
};
use endmill_games::{Outcome, Value};
use sample::{Sample, in_memory, made_up_features, read_all, statistics, values};

#[test]
fn every_value_comes_back_whatever_the_sizes() {
    for count in [0, 1, 4, 5, 63, 64, 65, 128, 1000] {
        for positions_per_block in [1, 5, 64, 1 << 20] {
            let sample = Sample::new(values(count as u64, count), positions_per_block);
            let [wld, dtw] = sample.bytes();
            let read = sample.read(
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
    let sample = Sample::new([&extremes[..], &edges].concat(), 4);
    let [wld, dtw] = sample.bytes();
    let read = sample.read(
        in_memory(Kind::Outcomes, &wld),
        in_memory(Kind::Plies, &dtw),
    );
    assert_eq!(read.unwrap(), sample.values);
}

#[test]
fn all_sources_give_the_same_values() {
    let directory = tempfile::tempdir().unwrap();
    let sample = Sample::new(values(1, 1000), 64);
    sample.write(directory.path());
    let [wld, dtw] = Kind::ALL.map(|kind| sample.path(directory.path(), kind));
    let read = sample.read(Source::open(&wld).unwrap(), Source::open(&dtw).unwrap());
    assert_eq!(read.unwrap(), sample.values);
    // SAFETY: nobody else knows the directory.
    let mapped = unsafe { [Source::map(&wld).unwrap(), Source::map(&dtw).unwrap()] };
    let [wld, dtw] = mapped;
    assert_eq!(sample.read(wld, dtw).unwrap(), sample.values);
}

#[test]
fn the_header_tells_the_counts_without_reading_a_block() {
    let sample = Sample::new(values(2, 1000), 64);
    fn check<C: FileCodec + PartialEq>(sample: &Sample, bytes: &[u8], codec: &C) {
        let file = TableFile::<C>::open(in_memory(C::KIND, bytes)).unwrap();
        assert_eq!(*file.statistics(), statistics(&sample.values));
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

/// Every choice of codecs for the two files, and blocks that are not whole units.
#[test]
fn every_pair_of_codecs_is_read_right_around_every_position() {
    for positions_per_block in [100, 256, 300, 512, 1000, 1024] {
        let all = values(12, 1500);
        let mut features = Vec::new();
        made_up_features(0..1500, &mut features);
        let outcomes: Vec<Outcome> = all.iter().map(|value| value.outcome()).collect();
        let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
        let wanted: Vec<_> = all.iter().copied().map(Some).collect();
        let plies_model = PliesModel::train(&features, &outcomes, &wanted);
        let units = [None, Some(UNIT), Some(LONG_UNIT)];
        for (unit, plies_by_model) in units
            .into_iter()
            .flat_map(|unit| [(unit, false), (unit, true)])
        {
            let mut sample = Sample::new(all.clone(), positions_per_block);
            if let Some(unit) = unit {
                let model = OutcomeModel::train(unit, &features, &entries);
                sample.outcomes = OutcomeCodec::Model(Arc::new(model));
            }
            if plies_by_model {
                sample.plies = PlyCodec::Model(Arc::new(plies_model.clone()));
            }
            let [wld, dtw] = sample.bytes();
            let (wld, dtw) = (
                in_memory(Kind::Outcomes, &wld),
                in_memory(Kind::Plies, &dtw),
            );
            let table = sample.open(wld, dtw).unwrap();
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

#[test]
fn features_are_asked_for_only_where_they_count() {
    // Four units: all drawn, all won, mixed, all drawn.
    let mixed = values(12, 256);
    let mut all = vec![Value::Draw; 1024];
    all[256..512].fill(Value::Win(3));
    all[512..768].copy_from_slice(&mixed);
    let mut features = Vec::new();
    made_up_features(0..1024, &mut features);
    let outcomes: Vec<Outcome> = all.iter().map(|value| value.outcome()).collect();
    let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
    let wanted: Vec<_> = all.iter().copied().map(Some).collect();
    let mut sample = Sample::new(all.clone(), 1024);
    let outcome_model = OutcomeModel::train(UNIT, &features, &entries);
    sample.outcomes = OutcomeCodec::Model(Arc::new(outcome_model));
    let plies_model = PliesModel::train(&features, &outcomes, &wanted);
    sample.plies = PlyCodec::Model(Arc::new(plies_model));
    let [wld, dtw] = sample.bytes();
    let (wld, dtw) = (
        in_memory(Kind::Outcomes, &wld),
        in_memory(Kind::Plies, &dtw),
    );
    let table = sample.open(wld, dtw).unwrap();
    let context = &mut DecodeContext::default();
    let mut asked = Vec::new();
    let give = EveryOneStored(|range: std::ops::Range<u64>, features: &mut Vec<_>| {
        asked.push((range.start, range.end));
        made_up_features(range, features);
    });
    assert_eq!(table.read_values(&(0..1024), give, context).unwrap(), all);
    assert_eq!(asked, [(256, 768)]);
}

#[test]
fn plies_may_be_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.wld");
    let Sample { spec, outcomes, .. } = Sample::new(vec![Value::Win(1)], 64);
    let mut writer = TableWriter::create(&path, spec, &outcomes).unwrap();
    let entry = [Some(Outcome::Win)];
    let block = outcomes.encode(&entry, &[], &mut EncodeContext::default());
    writer.push_block(&block).unwrap();
    let counts = Statistics {
        wins: 1,
        ..Statistics::default()
    };
    writer.finish_outcomes(&counts).unwrap();
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
    let sample = Sample::new(values(5, 1000), 64);
    assert_eq!(sample.bytes(), sample.bytes());
}

#[test]
fn the_summary_is_that_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let sample = Sample::new(values(6, 1000), 64);
    let summaries = sample.write(directory.path());
    for (kind, summary) in Kind::ALL.into_iter().zip(summaries) {
        let path = sample.path(directory.path(), kind);
        assert_eq!(summary.blake3, blake3_of_file(&path).unwrap());
        assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
    }
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.wld");
    let Sample { spec, outcomes, .. } = Sample::new(values(7, 1000), 64);
    let mut writer = TableWriter::create(&path, spec, &outcomes).unwrap();
    writer.push_block(&[0; 1 << 20]).unwrap();
    let files = || fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(files(), 1);
    assert!(!path.exists());
    drop(writer);
    assert_eq!(files(), 0);
}
