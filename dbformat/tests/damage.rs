//! Whatever happens to a file, it never gives a wrong value, and says which part is damaged.

mod sample;

use endmill_dbformat::{
    Error, FORMAT_VERSION, Kind, OutcomeCodec, Part, Result, Source, TableFile,
};
use endmill_games::Value;
use endmill_testkit::Sample;
use rand::{Rng, SeedableRng, rngs::StdRng};
use sample::{in_memory, made_up, read, rules, values};

const HEADER: usize = 256;
const CHECKSUM: usize = HEADER - 4;

/// Reads a pair of which one file has been replaced.
fn read_with(
    sample: &Sample,
    files: &[Vec<u8>; 2],
    kind: Kind,
    bytes: &[u8],
) -> Result<Vec<Value>> {
    let of = |of: Kind| match of == kind {
        true => in_memory(of, bytes),
        false => in_memory(of, &files[of as usize]),
    };
    read(sample, of(Kind::Outcomes), of(Kind::Plies))
}

/// Makes the header's checksum fit again, as a forger or a faulty writer would.
fn reseal(bytes: &mut [u8]) {
    let checksum = crc32c::crc32c(&bytes[..CHECKSUM]);
    bytes[CHECKSUM..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// The end of each block and of the index, as `docs/format.md` says where to find them.
fn ends_of_parts(bytes: &[u8]) -> Vec<(usize, Part)> {
    let index = u64::from_le_bytes(bytes[176..184].try_into().unwrap()) as usize;
    let width = usize::from(bytes[156]);
    let positions = u64::from_le_bytes(bytes[112..120].try_into().unwrap());
    let per_block = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    let blocks = positions.div_ceil(per_block.into()) as usize;
    let lengths = &bytes[bytes.len() - width * blocks..];
    let mut ends = vec![(HEADER, Part::Header)];
    let mut end = HEADER;
    for (block, length) in lengths.chunks(width).enumerate() {
        end += length
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        ends.push((end, Part::Block(block)));
    }
    assert_eq!(end, index);
    ends.push((bytes.len(), Part::Index));
    ends
}

#[test]
fn every_flipped_bit_is_reported_in_its_part() {
    let sample = made_up(values(1, 200), 64);
    let files = sample.bytes();
    for kind in Kind::VALUES {
        let mut bytes = files[kind as usize].clone();
        let parts = ends_of_parts(&bytes);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = read_with(&sample, &files, kind, &bytes).unwrap_err();
            let &(_, part) = parts.iter().find(|(end, _)| bit / 8 < *end).unwrap();
            match error {
                Error::NotATable { .. } => assert!(bit / 8 < 8, "bit {bit}"),
                Error::Damaged { part: found, .. } => assert_eq!(found, part, "bit {bit}"),
                other => panic!("bit {bit}: {other}"),
            }
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_too_short() {
    let sample = made_up(values(2, 200), 64);
    let files = sample.bytes();
    for kind in Kind::VALUES {
        let bytes = &files[kind as usize];
        for length in 0..bytes.len() {
            let error = read_with(&sample, &files, kind, &bytes[..length]).unwrap_err();
            let part = Part::Length;
            assert!(
                matches!(error, Error::Damaged { part: p, .. } if p == part),
                "{error}"
            );
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = read_with(&sample, &files, kind, &longer).unwrap_err();
        assert!(matches!(
            error,
            Error::Damaged {
                part: Part::Length,
                ..
            }
        ));
    }
}

#[test]
fn a_file_shortened_after_opening_is_too_short() {
    let directory = tempfile::tempdir().unwrap();
    let sample = made_up(values(3, 200), 64);
    sample.write(directory.path());
    let path = sample.path(directory.path(), Kind::Outcomes);
    let file = TableFile::<OutcomeCodec>::open(Source::open(&path).unwrap()).unwrap();
    std::fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(300)
        .unwrap();
    let error = file.verify_blocks().unwrap_err();
    assert!(matches!(
        error,
        Error::Damaged {
            part: Part::Length,
            ..
        }
    ));
}

#[test]
fn two_blocks_that_changed_places_are_damaged() {
    // Two equal-length blocks: one all won, one all lost.
    let values = [[Value::Win(1); 5], [Value::LOST; 5]].concat();
    let sample = made_up(values, 5);
    let files = sample.bytes();
    let mut bytes = files[0].clone();
    let length = 2 + 4;
    let (first, second) = bytes[HEADER..].split_at_mut(length);
    first.swap_with_slice(&mut second[..length]);
    let error = read_with(&sample, &files, Kind::Outcomes, &bytes).unwrap_err();
    assert!(matches!(
        error,
        Error::Damaged {
            part: Part::Block(0),
            ..
        }
    ));
}

#[test]
fn a_mutated_header_with_a_fitting_checksum_never_panics() {
    let sample = made_up(values(4, 200), 64);
    let files = sample.bytes();
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..100_000 {
        let kind = Kind::VALUES[random.random_range(0..2)];
        let mut bytes = files[kind as usize].clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(8..CHECKSUM);
            bytes[at] = [0, 1, 0xff, random.random()][random.random_range(0..4)];
        }
        reseal(&mut bytes);
        // A changed fingerprint or reserved byte contradicts nothing: what is read is right.
        if let Ok(read) = read_with(&sample, &files, kind, &bytes) {
            assert_eq!(read, sample.values);
        }
    }
}

#[test]
fn a_mutated_index_with_fitting_checksums_never_panics() {
    let sample = made_up(values(12, 200), 64);
    let files = sample.bytes();
    let mut random = StdRng::seed_from_u64(12);
    for _ in 0..20_000 {
        let kind = Kind::VALUES[random.random_range(0..2)];
        let mut bytes = files[kind as usize].clone();
        let index = u64::from_le_bytes(bytes[176..184].try_into().unwrap()) as usize;
        // Half of the changes go to the few bytes behind the long histogram.
        let from = [index, bytes.len() - 16][random.random_range(0..2)];
        let at = random.random_range(from..bytes.len());
        bytes[at] = [0, 1, 0xff, random.random()][random.random_range(0..4)];
        let checksum = crc32c::crc32c(&bytes[index..]);
        bytes[184..188].copy_from_slice(&checksum.to_le_bytes());
        reseal(&mut bytes);
        if let Ok(read) = read_with(&sample, &files, kind, &bytes) {
            assert_eq!(read, sample.values);
        }
    }
}

#[test]
fn random_bytes_are_not_a_table() {
    let mut random = StdRng::seed_from_u64(5);
    for length in 0..2000 {
        let mut bytes = vec![0; length];
        random.fill(&mut bytes[..]);
        assert!(TableFile::<OutcomeCodec>::open(in_memory(Kind::Outcomes, &bytes)).is_err());
    }
}

#[test]
fn random_blocks_with_a_fitting_checksum_never_panic() {
    use endmill_dbformat::{PlyCodec, codec};
    let outcome_codec = OutcomeCodec::Zstd(codec::Zstd::default());
    let ply_codec = PlyCodec::Zstd(codec::Zstd::default());
    let workspace = &mut codec::Workspace::default();
    let outcomes: Vec<_> = values(6, 200).iter().map(|value| value.outcome()).collect();
    let mut random = StdRng::seed_from_u64(6);
    for _ in 0..20_000 {
        let mut block = vec![0; random.random_range(0..300)];
        random.fill(&mut block[..]);
        if let Some(method) = block.first_mut() {
            *method &= 1;
        }
        let coded = codec::Coded {
            bytes: &block,
            count: 200,
            start: 0,
            end: 200,
        };
        let _ = outcome_codec.decode(coded, &[], workspace, &mut Vec::new());
        let _ = ply_codec.decode(coded, &outcomes, &[], workspace, &mut Vec::new());
    }
}

#[test]
fn a_text_mode_transfer_is_recognised() {
    let [wld, _] = made_up(values(7, 200), 64).bytes();
    let replace = |from: &[u8], to: &[u8]| {
        let at = wld
            .windows(from.len())
            .position(|window| window == from)
            .unwrap();
        [&wld[..at], to, &wld[at + from.len()..]].concat()
    };
    for (mangled, trace) in [
        (replace(b"\r\n", b"\n"), "CR LF became LF"),
        (replace(b"\r\n", b"\r\r\n"), "LF became CR LF"),
        (wld.iter().map(|byte| byte & 0x7f).collect(), "eighth bit"),
        (replace(b"\x89", "\u{89}".as_bytes()), "UTF-8"),
        (
            String::from_utf8_lossy(&wld).into_owned().into_bytes(),
            "UTF-8",
        ),
    ] {
        let error =
            TableFile::<OutcomeCodec>::open(in_memory(Kind::Outcomes, &mangled)).unwrap_err();
        assert!(matches!(error, Error::NotATable { hint: Some(hint), .. } if hint.contains(trace)));
    }
}

#[test]
fn a_newer_format_is_named_as_such() {
    let [mut wld, _] = made_up(values(8, 200), 64).bytes();
    wld[8..10].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    reseal(&mut wld);
    let error = TableFile::<OutcomeCodec>::open(in_memory(Kind::Outcomes, &wld)).unwrap_err();
    assert!(matches!(
        error,
        Error::FormatTooNew {
            found,
            supported: FORMAT_VERSION,
            ..
        } if found == FORMAT_VERSION + 1
    ));
}

#[test]
fn a_codec_that_is_not_known_is_too_new_or_too_old_and_not_damaged() {
    let [wld, _] = made_up(values(8, 200), 64).bytes();
    let with_codec = |codec: u8| {
        let mut wld = wld.clone();
        wld[11] = codec;
        reseal(&mut wld);
        TableFile::<OutcomeCodec>::open(in_memory(Kind::Outcomes, &wld)).unwrap_err()
    };
    assert!(matches!(with_codec(9), Error::CodecTooNew { codec: 9, .. }));
    assert!(matches!(with_codec(2), Error::CodecTooOld { codec: 2, .. }));
    // A codec of plies in a file of outcomes.
    assert!(matches!(with_codec(5), Error::Damaged { .. }));
}

/// Constant outcomes give the same blocks whatever the table.
#[test]
fn tables_with_the_same_blocks_are_different_pairs() {
    let sample = |change: fn(&mut Sample)| {
        let mut sample = made_up(vec![Value::Win(1); 200], 64);
        change(&mut sample);
        let directory = tempfile::tempdir().unwrap();
        sample.write(directory.path())[0].pair
    };
    let pairs = [
        sample(|_| ()),
        sample(|s| s.spec.table = "4v5".into()),
        sample(|s| s.spec.rules.id = "twelve".into()),
        sample(|s| s.spec.rules.fingerprint[0] ^= 1),
    ];
    for (i, pair) in pairs.iter().enumerate() {
        assert!(!pairs[..i].contains(pair));
    }
}

#[test]
fn files_that_belong_elsewhere_are_not_opened() {
    let sample = made_up(values(9, 200), 64);
    let files = sample.bytes();
    let other = |change: fn(&mut Sample)| {
        let mut other = made_up(values(9, 200), 64);
        change(&mut other);
        read_with(&sample, &files, Kind::Outcomes, &other.bytes()[0]).unwrap_err()
    };
    assert!(matches!(
        other(|s| s.spec.rules.id = "twelve".into()),
        Error::RulesDiffer { .. }
    ));
    assert!(matches!(
        other(|s| s.spec.rules.fingerprint[31] ^= 1),
        Error::RulesDiffer { .. }
    ));
    assert!(matches!(
        other(|s| s.spec.table = "4v5".into()),
        Error::WrongTable { .. }
    ));
    let larger = made_up(values(9, 201), 64).bytes();
    let error = read_with(&sample, &files, Kind::Outcomes, &larger[0]).unwrap_err();
    assert!(matches!(error, Error::WrongTable { .. }));
    let error = read_with(&sample, &files, Kind::Outcomes, &files[1]).unwrap_err();
    assert!(matches!(error, Error::WrongKind { .. }));
    assert_eq!(rules(), sample.spec.rules);
}

#[test]
fn plies_of_another_build_are_not_opened() {
    let sample = made_up(values(10, 200), 64);
    let files = sample.bytes();
    for mixed in [made_up(values(11, 200), 64), made_up(values(10, 200), 32)] {
        let error = read_with(&sample, &files, Kind::Plies, &mixed.bytes()[1]).unwrap_err();
        assert!(matches!(error, Error::NotAPair { .. }), "{error}");
    }
}
