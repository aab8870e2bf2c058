//! Missing, damaged and swapped files give the right error, and never a wrong value.

mod small;

use std::fs;
use std::path::Path;

use endmill_dbformat::{Error as FileError, Kind, Part, Rules};
use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_probe::{Access, Database, Options, ProbeError, TurnValue, Verdict};
use endmill_testkit::{MAPPED, SlowSolution, frugal, table_bytes, table_files};
use small::{solved_three, three};

const ID: &str = "three";

fn opened(directory: &Path) -> [Database<Morris>; 2] {
    let open = |access| {
        let options = Options {
            allow_empty: true,
            ..frugal(access)
        };
        Database::open_with(directory, three(), &options).unwrap()
    };
    [open(MAPPED), open(Access::POSITIONED)]
}

/// Asks every question about every position. Answers must be right, and errors have one of these
/// codes. At least one question must fail.
fn only_refuses(
    solved: &SlowSolution<Morris>,
    database: &Database<Morris>,
    codes: &[&str],
    what: &str,
) {
    let mut refused = 0;
    for position in solved.positions() {
        let value = solved.value(&position);
        match database.probe(&position) {
            Ok(verdict) => assert_eq!(verdict.value(), Some(value), "{what}"),
            Err(error) => {
                assert!(codes.contains(&error.code()), "{what}: {error}");
                refused += 1;
            }
        }
        match database.probe_outcome(&position) {
            Ok(outcome) => assert_eq!(outcome, Some(value.outcome()), "{what}"),
            Err(error) => assert!(codes.contains(&error.code()), "{what}: {error}"),
        }
        if let Err(error) = database.moves(&position) {
            assert!(codes.contains(&error.code()), "{what}: {error}");
        }
    }
    assert!(refused > 0, "{what}");
}

/// Replaces each file in turn by `spoilt`.
fn with_every_file(codes: &[&str], mut spoilt: impl FnMut(&Path, &[u8]) -> Option<Vec<u8>>) {
    let solved = solved_three();
    let directory = solved.written();
    for file in table_files(directory.path(), ID) {
        let sound = fs::read(&file).unwrap();
        let Some(spoilt) = spoilt(&file, &sound) else {
            continue;
        };
        // Replace the file, since a mapped file must keep its bytes.
        fs::remove_file(&file).unwrap();
        fs::write(&file, &spoilt).unwrap();
        let what = file.display().to_string();
        for database in opened(directory.path()) {
            only_refuses(&solved, &database, codes, &what);
        }
        let embedded =
            Database::from_bytes(table_bytes(directory.path(), ID), three(), &frugal(MAPPED));
        match embedded {
            Ok(database) => only_refuses(&solved, &database, codes, &what),
            Err(error) => assert!(codes.contains(&error.code()), "{what}: {error}"),
        }
        fs::remove_file(&file).unwrap();
        fs::write(&file, &sound).unwrap();
    }
}

#[test]
fn truncated_files_are_damaged() {
    with_every_file(&["file_damaged"], |_, sound| {
        Some(sound[..sound.len() - 1].into())
    });
    with_every_file(&["file_damaged"], |_, sound| Some(sound[..100].into()));
}

#[test]
fn empty_files_are_damaged() {
    with_every_file(&["file_damaged"], |_, _| Some(Vec::new()));
}

#[test]
fn random_bytes_are_damaged() {
    with_every_file(&["file_damaged"], |_, sound| {
        let random =
            (0..sound.len() as u64).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8);
        Some(random.collect())
    });
}

#[test]
fn every_changed_byte_is_damage_or_harmless() {
    let solved = solved_three();
    let directory = solved.written();
    let sound = table_bytes(directory.path(), ID);
    let table = solved.game.parse_table("3v3").unwrap();
    for (at, _) in sound
        .iter()
        .enumerate()
        .filter(|(_, (name, _))| name.starts_with("3v3."))
    {
        for place in 0..sound[at].1.len() {
            let mut files = sound.clone();
            files[at].1[place] ^= 0x10;
            let database = match Database::from_bytes(files, three(), &frugal(MAPPED)) {
                Ok(database) => database,
                Err(error) => {
                    assert_eq!(error.code(), "file_damaged", "byte {place}");
                    continue;
                }
            };
            let mut damaged = 0;
            for index in 0..solved.game.size(table) {
                let position = solved.game.unrank(table, index);
                match database.probe(&position) {
                    Ok(verdict) => assert_eq!(verdict.value(), Some(solved.value(&position))),
                    Err(ProbeError::File(FileError::Damaged {
                        part: Part::Block(_),
                        ..
                    })) => damaged += 1,
                    Err(error) => panic!("byte {place}: {error}"),
                }
            }
            assert!(damaged > 0, "byte {place}");
        }
    }
}

#[test]
fn a_file_of_another_table_is_in_the_wrong_place() {
    let solved = solved_three();
    let directory = solved.written();
    with_every_file(&["wrong_file"], |file, _| {
        let name = file.file_name().unwrap().to_str().unwrap();
        let other = if name.starts_with("3v3.") {
            "2+1v2+1"
        } else {
            "3v3"
        };
        let (_, extension) = name.rsplit_once('.').unwrap();
        Some(
            fs::read(
                directory
                    .path()
                    .join(ID)
                    .join(format!("{other}.{extension}")),
            )
            .unwrap(),
        )
    });
}

#[test]
fn outcomes_in_the_place_of_plies_are_wrong() {
    with_every_file(&["wrong_file"], |file, _| {
        let other = match file.extension().unwrap().to_str().unwrap() {
            "wld" => "dtw",
            _ => "wld",
        };
        Some(fs::read(file.with_extension(other)).unwrap())
    });
}

#[test]
fn files_of_other_rules_are_refused() {
    let solved = solved_three();
    let mut rules = Rules::of(&solved.game);
    rules.fingerprint[0] ^= 1;
    let elsewhere = tempfile::tempdir().unwrap();
    solved.write(elsewhere.path(), &rules);
    with_every_file(&["rules_differ"], |file, _| {
        Some(fs::read(elsewhere.path().join(ID).join(file.file_name().unwrap())).unwrap())
    });
}

#[test]
fn a_newer_format_is_not_taken_for_damage() {
    with_every_file(&["format_too_new"], |_, sound| {
        let mut newer = sound.to_vec();
        newer[8..10].copy_from_slice(&99_u16.to_le_bytes());
        let checksum = crc32c::crc32c(&newer[..252]);
        newer[252..256].copy_from_slice(&checksum.to_le_bytes());
        Some(newer)
    });
}

#[test]
fn a_file_replaced_under_an_open_database_is_noticed() {
    let solved = solved_three();
    let directory = solved.written();
    let table = solved.game.parse_table("3v3").unwrap();
    let position = solved.game.unrank(table, 0);
    let start = solved.game.start();
    for database in opened(directory.path()) {
        database.probe_outcome(&position).unwrap();
        // This closes the first table: only one is open at a time.
        database.probe_outcome(&start).unwrap();
        let mut other = solved_three();
        other.values.retain(|&of, _| of == table);
        let values = other.values.get_mut(&table).unwrap();
        values.iter_mut().for_each(|value| *value = Value::Draw);
        other.write(directory.path(), &Rules::of(&solved.game));
        let error = database.probe_outcome(&position).unwrap_err();
        assert_eq!(error.code(), "file_replaced", "{error}");
        solved.write(directory.path(), &Rules::of(&solved.game));
    }
}

/// The value that the turns of a position prove without the tables in `missing`.
fn proved(
    solved: &SlowSolution<Morris>,
    position: &endmill_games::morris::Position,
    missing: &str,
) -> Option<Outcome> {
    let mut turns = Vec::new();
    solved.game.turns(position, &mut turns);
    let after = turns.iter().map(|turn| {
        let after = solved.game.play(position, turn);
        let table = solved.game.table_of(&after);
        let here = table.is_none_or(|table| table.to_string() != missing);
        here.then(|| -solved.value(&after).outcome())
    });
    let after: Vec<Option<Outcome>> = after.collect();
    if after.contains(&Some(Outcome::Win)) {
        return Some(Outcome::Win);
    }
    after
        .into_iter()
        .try_fold(Outcome::Loss, |best, outcome| Some(best.max(outcome?)))
}

#[test]
fn without_its_table_a_position_has_the_value_that_its_turns_prove() {
    let solved = solved_three();
    let directory = solved.written();
    let (mut wins, mut unknown) = (0, 0);
    for missing in solved.values.keys().map(ToString::to_string) {
        let files = Kind::VALUES.map(|kind| {
            directory
                .path()
                .join(ID)
                .join(format!("{missing}.{}", kind.extension()))
        });
        let kept = files.each_ref().map(|file| fs::read(file).unwrap());
        files.iter().for_each(|file| fs::remove_file(file).unwrap());
        let [database, _] = opened(directory.path());
        for position in solved.positions() {
            let value = solved.value(&position);
            let own = solved.game.table_of(&position).unwrap().to_string();
            if own != missing {
                assert!(database.covers(&position));
                assert_eq!(database.probe(&position).unwrap().value(), Some(value));
                moves_into_missing_tables_say_so(&solved, &database, &position, &missing);
                continue;
            }
            assert!(!database.covers(&position));
            // A finished game needs no table.
            let expected = match solved.game.finished(&position) {
                Some(_) => Some(Outcome::Loss),
                None => proved(&solved, &position, &missing),
            };
            assert_eq!(database.probe_outcome(&position).unwrap(), expected);
            match (database.probe(&position), expected) {
                (Ok(verdict), Some(outcome)) => {
                    assert_eq!(verdict.outcome(), outcome);
                    assert_eq!(value.outcome(), outcome);
                    assert!(verdict.value().is_none_or(|exact| exact == value));
                    wins += u32::from(outcome == Outcome::Win);
                }
                (Err(ProbeError::TableMissing { table }), None) => {
                    assert_eq!(table, missing);
                    unknown += 1;
                }
                (answer, _) => panic!("{answer:?}"),
            }
        }
        for (file, bytes) in files.iter().zip(kept) {
            fs::write(file, bytes).unwrap();
        }
    }
    assert!(wins > 0 && unknown > 0, "{wins} {unknown}");
}

fn moves_into_missing_tables_say_so(
    solved: &SlowSolution<Morris>,
    database: &Database<Morris>,
    position: &endmill_games::morris::Position,
    missing: &str,
) {
    for ranked in database.moves(position).unwrap() {
        let exact = solved.value(&ranked.after);
        let table = solved
            .game
            .table_of(&ranked.after)
            .map(|table| table.to_string());
        match ranked.value {
            TurnValue::Known(verdict) => assert_eq!(verdict, exact.one_turn_earlier().into()),
            TurnValue::Missing(name) => {
                assert_eq!(name.as_deref(), Some(missing));
                assert_eq!(name, table);
            }
        }
    }
    // A best turn is returned only if it is proved.
    match database.best(position) {
        Ok(Some(best)) => {
            assert_eq!(
                solved.value(&best.after).one_turn_earlier(),
                solved.value(position)
            );
        }
        Ok(None) => assert!(solved.game.finished(position).is_some()),
        Err(error) => assert!(error.is_missing(), "{error}"),
    }
}

#[test]
fn without_plies_outcomes_are_answered_and_best_refuses() {
    let solved = solved_three();
    let directory = solved.written();
    for file in table_files(directory.path(), ID) {
        if file.extension().unwrap() == "dtw" {
            fs::remove_file(file).unwrap();
        }
    }
    for database in opened(directory.path()) {
        let mut refused = 0;
        for position in solved.positions() {
            let value = solved.value(&position);
            let verdict = database.probe(&position).unwrap();
            assert_eq!(verdict, Verdict::from(value.outcome()));
            match database.best(&position) {
                Ok(Some(best)) => assert_eq!(
                    solved.value(&best.after).one_turn_earlier().outcome(),
                    value.outcome()
                ),
                Ok(None) => assert!(solved.game.finished(&position).is_some()),
                Err(error) => {
                    assert_eq!(error.code(), "plies_missing");
                    assert_ne!(value, Value::Draw);
                    refused += 1;
                }
            }
        }
        assert!(refused > 0);
    }
}

#[test]
fn an_empty_database_has_no_table() {
    let directory = tempfile::tempdir().unwrap();
    let game = three();
    let position = game.parse_position("W:Wa1,b1,c3:Ba2,b2,c1").unwrap();
    for database in opened(directory.path()) {
        assert!(matches!(
            database.probe(&position),
            Err(ProbeError::TableMissing { table }) if table == "3v3"
        ));
        assert_eq!(database.probe_outcome(&position).unwrap(), None);
    }
}

/// Intact files with wrong values: no best turn is invented, and every line ends.
#[test]
fn tables_that_contradict_each_other_are_noticed() {
    let mut wrong = solved_three();
    let table = wrong.game.parse_table("3v3").unwrap();
    let is_won = |value: &&mut Value| matches!(value, Value::Win(_));
    let values = wrong.values.get_mut(&table).unwrap();
    values
        .iter_mut()
        .filter(is_won)
        .for_each(|value| *value = Value::Win(77));
    let directory = wrong.written();
    let [database, _] = opened(directory.path());
    let mut noticed = 0;
    for position in wrong.positions() {
        if let Err(error) = database.line(&position) {
            assert_eq!(error.code(), "contradiction");
            noticed += 1;
        }
    }
    assert!(noticed > 0);
}
