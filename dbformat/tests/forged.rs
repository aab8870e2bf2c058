//! Files whose checksums fit and whose contents no writer would write: refused before they cost
//! anything.

mod sample;

use std::fs::File;
use std::io::Write;

use endmill_dbformat::{
    Error, Expected, Kind, OutcomeCodec, Part, Source, Table, TableFile, codec,
};
use endmill_games::{Outcome, Value};
use sample::{TABLE, in_memory, made_up, rules, values};

const INDEX: usize = 176;
const HISTOGRAM: usize = 148;
const CODEC_PARAMETERS: usize = 152;
const CHECKSUM: usize = 252;

fn reseal(bytes: &mut [u8]) {
    let checksum = crc32c::crc32c(&bytes[..CHECKSUM]);
    bytes[CHECKSUM..256].copy_from_slice(&checksum.to_le_bytes());
}

/// A file of holes is as long as its header says, and takes no room on the disk.
#[test]
fn an_index_too_large_to_be_true_is_refused_before_it_is_read() {
    let [wld, _] = made_up(values(1, 200), 64).bytes();
    let index = u64::from_le_bytes(wld[INDEX..INDEX + 8].try_into().unwrap());
    for (field, entry, count) in [
        (HISTOGRAM, 8, 16_385),
        (HISTOGRAM, 8, u32::MAX),
        (CODEC_PARAMETERS, 1, 64 << 20),
        (CODEC_PARAMETERS, 1, u32::MAX),
    ] {
        let mut bytes = wld.clone();
        let was = u32::from_le_bytes(bytes[field..field + 4].try_into().unwrap());
        bytes[field..field + 4].copy_from_slice(&count.to_le_bytes());
        reseal(&mut bytes);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("5v4.wld");
        let mut file = File::create(&path).unwrap();
        file.write_all(&bytes).unwrap();
        let length = bytes.len() as u64 + entry * u64::from(count - was);
        assert!(length > index);
        file.set_len(length).unwrap();
        let error = TableFile::<OutcomeCodec>::open(Source::open(&path).unwrap()).unwrap_err();
        let header = |error: &Error| {
            matches!(
                error,
                Error::Damaged {
                    part: Part::Header,
                    ..
                }
            )
        };
        assert!(header(&error), "{count}: {error}");
    }
}

#[test]
fn what_a_file_is_about_is_asked_before_its_index_is_read() {
    let [mut wld, _] = made_up(values(2, 200), 64).bytes();
    *wld.last_mut().unwrap() ^= 1;
    let rules = rules();
    for (table, wrong) in [("4v5", true), (TABLE, false)] {
        let expected = Expected {
            rules: &rules,
            table,
            positions: 200,
        };
        let opened = Table::open(in_memory(Kind::Outcomes, &wld), &expected);
        match opened.unwrap_err() {
            Error::WrongTable { .. } => assert!(wrong),
            Error::Damaged { part, .. } => assert!(!wrong && part == Part::Index),
            error => panic!("{error}"),
        }
    }
}

#[test]
fn plies_above_the_longest_stated_are_damage() {
    let sample = made_up(vec![Value::Win(9); 200], 64);
    let [wld, _] = sample.bytes();
    let [long_wld, dtw] = made_up(vec![Value::Win(16_383); 200], 64).bytes();
    // The plies of the one under the header and the index of the other: outcomes are the same.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("5v4.dtw");
    let mut writer =
        endmill_dbformat::TableWriter::create(&path, sample.spec.clone(), &sample.plies).unwrap();
    let context = &mut endmill_dbformat::EncodeContext::default();
    for block in sample.values.chunks(64) {
        let long = vec![Some(Value::Win(16_383)); block.len()];
        let outcomes = vec![Outcome::Win; block.len()];
        let coded = sample.plies.encode(&outcomes, &long, &[], context);
        writer.push_block(&coded).unwrap();
    }
    let pair = TableFile::<OutcomeCodec>::open(in_memory(Kind::Outcomes, &wld)).unwrap();
    let pair = pair.header().pair;
    writer
        .finish_plies(&sample.statistics, pair)
        .unwrap()
        .publish()
        .unwrap();
    let forged = std::fs::read(&path).unwrap();
    let read = |wld: &[u8], dtw: &[u8]| {
        sample::read(
            &sample,
            in_memory(Kind::Outcomes, wld),
            in_memory(Kind::Plies, dtw),
        )
    };
    let error = read(&wld, &forged).unwrap_err();
    let block = |error: &Error| {
        matches!(
            error,
            Error::Damaged {
                part: Part::Block(0),
                ..
            }
        )
    };
    assert!(block(&error), "{error}");
    // Where both headers state them they are read.
    let read_long = read(&long_wld, &dtw);
    assert_eq!(read_long.unwrap(), [Value::Win(16_383); 200]);
    assert!(matches!(read(&wld, &dtw), Err(Error::NotAPair { .. })));
}

/// Neither read nor decoded: reading a block of 4 GiB alone would take seconds.
#[test]
fn a_block_longer_than_any_codec_makes_is_refused_at_opening() {
    let sample = made_up(values(3, 200), 64);
    let open = |length| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("5v4.wld");
        let mut writer =
            endmill_dbformat::TableWriter::create(&path, sample.spec.clone(), &sample.outcomes)
                .unwrap();
        for _ in 0..4 {
            writer.push_block(&vec![0; length]).unwrap();
        }
        writer
            .finish_outcomes(&sample.statistics)
            .unwrap()
            .publish()
            .unwrap();
        TableFile::<OutcomeCodec>::open(Source::open(&path).unwrap())
    };
    assert!(open(64 * 65).is_ok());
    let error = open(64 * 65 + 1).unwrap_err();
    let index = |error: &Error| {
        matches!(
            error,
            Error::Damaged {
                part: Part::Index,
                ..
            }
        )
    };
    assert!(index(&error), "{error}");
}

/// zstd passes over any number of empty frames before one that holds the block.
#[test]
fn a_block_of_empty_frames_is_refused_before_it_is_decompressed() {
    const EMPTY_FRAME: [u8; 9] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00];
    let codec = OutcomeCodec::Zstd(codec::Zstd::default());
    let entries = vec![Some(Outcome::Win); 200];
    let sound = codec.encode(
        &entries,
        &[],
        &mut endmill_dbformat::EncodeContext::default(),
    );
    assert_eq!(sound[0], 1, "compressed");
    let decode = |frames: usize| {
        let bytes = [&[1], EMPTY_FRAME.repeat(frames).as_slice(), &sound[1..]].concat();
        let coded = codec::Coded {
            bytes: &bytes,
            count: 200,
            start: 0,
            end: 200,
        };
        let workspace = &mut codec::Workspace::default();
        let mut outcomes = Vec::new();
        let decoded = codec.decode(coded, &[], workspace, &mut outcomes);
        decoded.map(|()| outcomes)
    };
    assert_eq!(decode(0), Ok(vec![Outcome::Win; 200]));
    // As many as fit into the 40 bytes of the packed block.
    assert_eq!(decode(1), Ok(vec![Outcome::Win; 200]));
    assert_eq!(decode(100), Err(codec::Malformed));
    assert_eq!(decode(1_000_000), Err(codec::Malformed));
}
