//! What is written is read back.

mod sample;

use std::fs;

use dbformat::{
    Codec, EncodeContext, Kind, Source, Statistics, TableFile, TableWriter, blake3_of_file, codec,
};
use games::{Outcome, Value};
use sample::{Sample, in_memory, statistics, values};

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
    let extremes = [Value::Win(65533), Value::Loss(65534), Value::LOST];
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
    for (kind, bytes) in Kind::ALL.into_iter().zip(sample.bytes()) {
        let file = TableFile::open(in_memory(kind, &bytes)).unwrap();
        assert_eq!(*file.statistics(), statistics(&sample.values));
        assert_eq!(file.header().kind, kind);
        assert_eq!(file.header().rules, sample.spec.rules);
        assert_eq!(*file.codec(), sample.spec.codec);
        assert_eq!(file.blocks(), 16);
        assert_eq!(file.positions_in(15), 1000 - 15 * 64);
        assert_eq!(file.locate(999), (15, 39));
        file.verify_blocks().unwrap();
    }
}

#[test]
fn plies_may_be_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.wld");
    let spec = Sample::new(vec![Value::Win(1)], 64).spec;
    let mut writer = TableWriter::create(&path, spec.clone()).unwrap();
    let entry = [Some(Outcome::Win)];
    let block = spec
        .codec
        .encode_outcomes(&entry, &[], &mut EncodeContext::default());
    writer.push_block(&block).unwrap();
    let counts = Statistics {
        wins: 1,
        ..Statistics::default()
    };
    writer.finish_outcomes(&counts).unwrap();
    let file = TableFile::open(Source::open(&path).unwrap()).unwrap();
    assert_eq!(*file.statistics(), counts);
    assert_eq!(file.statistics().longest_win(), None);
}

#[test]
fn a_dont_care_changes_no_other_entry() {
    let codec = Codec::Zstd(codec::Zstd::default());
    let outcomes: Vec<_> = values(3, 997).iter().map(|value| value.outcome()).collect();
    let entry = |(i, &outcome)| (i % 3 != 0).then_some(outcome);
    let entries: Vec<Option<Outcome>> = outcomes.iter().enumerate().map(entry).collect();
    let coded = codec.encode_outcomes(&entries, &[], &mut EncodeContext::default());
    let mut decoded = Vec::new();
    codec
        .decode_outcomes(
            &coded,
            entries.len(),
            &(0..entries.len()),
            &[],
            &mut codec::Workspace::default(),
            &mut decoded,
        )
        .unwrap();
    assert_eq!(decoded.len(), entries.len());
    let kept = entries
        .iter()
        .zip(&decoded)
        .all(|(entry, got)| entry.is_none_or(|e| e == *got));
    assert!(kept);
}

#[test]
fn a_value_nobody_asks_for_changes_no_other() {
    let codec = Codec::Zstd(codec::Zstd::default());
    let values = values(4, 997);
    let outcomes: Vec<_> = values.iter().map(|value| value.outcome()).collect();
    let asked = |i: usize| !i.is_multiple_of(3);
    let entry = |(i, &value)| asked(i).then_some(value);
    let entries: Vec<Option<Value>> = values.iter().enumerate().map(entry).collect();
    let coded = codec.encode_plies(&outcomes, &entries, &[], &mut EncodeContext::default());
    let mut decoded = Vec::new();
    codec
        .decode_plies(
            &coded,
            outcomes.len(),
            &(0..outcomes.len()),
            &outcomes,
            &[],
            &mut codec::Workspace::default(),
            &mut decoded,
        )
        .unwrap();
    for (i, value) in values.iter().enumerate().filter(|(i, _)| asked(*i)) {
        assert_eq!(decoded[i], *value);
    }
}

#[test]
fn a_block_that_zstd_cannot_shrink_costs_one_byte() {
    let codec = Codec::Zstd(codec::Zstd::default());
    let coded = codec.encode_outcomes(&[Some(Outcome::Win); 5], &[], &mut EncodeContext::default());
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
    let spec = Sample::new(values(7, 1000), 64).spec;
    let mut writer = TableWriter::create(&path, spec).unwrap();
    writer.push_block(&[0; 1 << 20]).unwrap();
    let files = || fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(files(), 1);
    assert!(!path.exists());
    drop(writer);
    assert_eq!(files(), 0);
}
