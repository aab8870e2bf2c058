//! Files damaged in every way: the probe reports what is wrong and never gives a wrong value.

mod program;
mod solved;

use std::fs;
use std::path::Path;

use endmill_games::draughts::Draughts;
use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_probe::{Database, Options};
use endmill_testkit::{all_ways, morris, table_bytes};
use rand::Rng;
use solved::{Solved, seeded};

const HEADER: usize = 256;
const CHECKSUM: usize = HEADER - 4;

/// One damaged file among valid ones, read in every way: questions that need it fail with this code,
/// and all answers are right.
fn refused<G: Game + Layout>(
    solved: &Solved<G>,
    game: &impl Fn() -> G,
    file: &Path,
    code: &str,
    what: &str,
) {
    let what = format!("{} {what}", file.display());
    let name = file.file_stem().unwrap().to_str().unwrap();
    let table = solved.game.parse_table(name).unwrap();
    let outcomes = file.extension().unwrap() == "wld";
    let size = solved.game.size(table);
    for (way, database) in all_ways(solved.path(), game) {
        let database = match database {
            Ok(database) => database,
            Err(error) => {
                assert_eq!(error.code(), code, "{way} {what}");
                continue;
            }
        };
        for index in [0, size / 2, size - 1] {
            let position = solved.game.unrank(table, index);
            let error = database.probe(&position).expect_err(&what);
            assert_eq!(error.code(), code, "{way} {what}: {error}");
            match database.probe_outcome(&position) {
                Err(error) => assert!(outcomes && error.code() == code, "{way} {what}: {error}"),
                Ok(outcome) => {
                    let right = solved.value(&position).outcome();
                    assert!(!outcomes && outcome == Some(right), "{way} {what}");
                }
            }
        }
    }
}

/// Damages every file in turn, in all ways that `spoil` gives.
fn with_every_file<G: Game + Layout>(
    solved: &Solved<G>,
    game: impl Fn() -> G,
    code: &str,
    mut spoil: impl FnMut(&str, &[u8]) -> Vec<(String, Vec<u8>)>,
) {
    let id = solved.game.description().id;
    for (name, sound) in table_bytes(solved.path(), &id) {
        let file = solved.path().join(&id).join(&name);
        for (what, spoilt) in spoil(&name, &sound) {
            fs::write(&file, spoilt).unwrap();
            refused(solved, &game, &file, code, &what);
        }
        fs::write(&file, sound).unwrap();
    }
}

fn six() -> Solved<Morris> {
    Solved::new(morris("six"), 7)
}

fn draughts() -> Solved<Draughts> {
    Solved::new(Draughts::new(), 2)
}

/// Within the header, at its end, and spread over the rest; a length of 0 empties the file.
fn cut<G: Game + Layout>(solved: &Solved<G>, game: impl Fn() -> G) {
    with_every_file(solved, game, "file_damaged", |_, sound| {
        let early = [0, 1, 7, 8, 9, 100, HEADER - 1, HEADER, HEADER + 1];
        let spread = (1..24).map(|part| sound.len() * part / 24);
        let late = [1, 2, 5].map(|less| sound.len() - less);
        let ends = early.into_iter().chain(spread).chain(late);
        ends.map(|end| (format!("cut to {end}"), sound[..end].into()))
            .collect()
    });
}

#[test]
fn a_file_cut_off_anywhere_is_damaged() {
    cut(&six(), || morris("six"));
    cut(&draughts(), Draughts::new);
}

#[test]
fn random_bytes_are_damaged() {
    let mut rng = seeded();
    with_every_file(
        &six(),
        || morris("six"),
        "file_damaged",
        |_, sound| {
            let mut random = || (0..sound.len()).map(|_| rng.random()).collect();
            vec![
                ("random".to_owned(), random()),
                ("random".to_owned(), random()),
            ]
        },
    );
}

#[test]
fn the_file_of_another_table_is_a_wrong_file() {
    let solved = six();
    let all = table_bytes(solved.path(), "six");
    with_every_file(
        &solved,
        || morris("six"),
        "wrong_file",
        |name, _| {
            all.iter()
                .filter(|(other, _)| other != name)
                .map(|(other, bytes)| (format!("is {other}"), bytes.clone()))
                .collect()
        },
    );
}

#[test]
fn the_file_of_another_ruleset_is_made_for_other_rules() {
    let (nine, draughts) = (Solved::new(morris("nine"), 6), draughts());
    let others = [
        table_bytes(nine.path(), "nine"),
        table_bytes(draughts.path(), "draughts"),
    ];
    with_every_file(
        &six(),
        || morris("six"),
        "rules_differ",
        |name, _| {
            let end = &name[name.len() - 4..];
            let same_kind = others
                .iter()
                .flatten()
                .filter(|(other, _)| other.ends_with(end));
            same_kind
                .map(|(other, bytes)| (format!("is {other}"), bytes.clone()))
                .collect()
        },
    );
}

/// Changes some bytes of a header at random; at least one differs.
fn mutate(bytes: &mut [u8], rng: &mut impl Rng) {
    let sound = bytes[..HEADER].to_vec();
    while bytes[..HEADER] == sound {
        for _ in 0..rng.random_range(1..=4) {
            bytes[rng.random_range(0..HEADER)] = match rng.random_range(0..4) {
                0 => 0,
                1 => 0xff,
                _ => rng.random(),
            };
        }
    }
}

/// The two files of the first table.
fn pair(solved: &Solved<Morris>) -> Vec<(String, Vec<u8>)> {
    let mut files = table_bytes(solved.path(), "six");
    let table = format!("{}.", solved.tables[0]);
    files.retain(|(name, _)| name.starts_with(&table));
    assert_eq!(files.len(), 2);
    files
}

#[test]
fn every_mutated_header_is_damaged() {
    let solved = six();
    let sound = pair(&solved);
    let mut rng = seeded();
    for round in 0..5_000 {
        let mut files = sound.clone();
        mutate(&mut files[round % 2].1, &mut rng);
        let opened = Database::from_bytes(files, morris("six"), &Options::default());
        let error = opened.err().expect("a checksum protects the header");
        assert_eq!(error.code(), "file_damaged", "{error}");
    }
}

/// A header with a valid checksum may contain anything. The answers do not matter, but nothing
/// crashes or allocates more memory than the file can fill.
#[test]
fn no_forged_header_crashes_a_probe() {
    let solved = six();
    let sound = pair(&solved);
    let table = solved.tables[0];
    let (mut rng, mut opened, mut refused) = (seeded(), 0, 0);
    for round in 0..5_000 {
        let mut files = sound.clone();
        let forged = &mut files[round % 2].1;
        mutate(forged, &mut rng);
        let checksum = crc32c::crc32c(&forged[..CHECKSUM]);
        forged[CHECKSUM..HEADER].copy_from_slice(&checksum.to_le_bytes());
        match Database::from_bytes(files, morris("six"), &Options::default()) {
            Err(error) => {
                assert_ne!(error.code(), "io", "{error}");
                refused += 1;
            }
            Ok(database) => {
                let index = rng.random_range(0..solved.game.size(table));
                let position = solved.game.unrank(table, index);
                let _ = database.probe(&position);
                let _ = database.probe_outcome(&position);
                opened += 1;
            }
        }
    }
    // Changed reserved bytes are accepted, so both happen.
    assert!(opened > 0 && refused > 0, "{opened} {refused}");
}

#[test]
fn the_rule_that_differs_is_named() {
    let fly = Solved::new(morris("nine"), 6);
    let directory = fly.path().join("nine-nofly");
    fs::rename(fly.path().join("nine"), &directory).unwrap();
    let database = Database::open(fly.path(), morris("nine-nofly")).unwrap();
    let position = fly.game.unrank(fly.tables[0], 0);
    let error = database.probe(&position).unwrap_err().to_string();
    assert!(error.contains("made for nine (rules "), "{error}");
    assert!(error.ends_with("(flying: yes instead of no)"), "{error}");
}
