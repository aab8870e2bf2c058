//! Calls every function of the C interface as C does: the answers agree with the Rust probe, and bad
//! calls return a status and an error text.

#![allow(unsafe_code, reason = "calls the library as C does")]

mod called;
mod small;

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use called::{
    Handle, answer, c, list, moves, open, open_with, outcome, probe, read, rules_alone, text_of,
    value_of, write,
};
use endmill::*;
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use small::{database, nine};

/// Asks every question about positions from all tables of the database.
fn answers_as_the_probe_does<G: Game>(game: G, id: &str) {
    let rust = endmill_probe::Database::open(database(), game).unwrap();
    let handle = open(id);
    let game = rust.game();
    for covered in rust.coverage().tables {
        let size = game.size(covered.table);
        for index in (0..size).step_by((size / 50).max(1) as usize) {
            let position = game.unrank(covered.table, index);
            let text = game.format_position(&position);
            let asked = read(&handle, &text).unwrap();
            assert_eq!(write(&handle, &asked), text);
            let verdict = rust.probe(&position).unwrap();
            assert_eq!(probe(&handle, &asked), Ok(value_of(verdict)), "{text}");
            assert_eq!(
                outcome(&handle, &asked),
                Ok(verdict.outcome().into()),
                "{text}"
            );

            let expected = rust.moves(&position).unwrap();
            let (status, turns, count) = moves(&handle, &asked, 256);
            assert_eq!((status, count), (Status::Ok, expected.len()), "{text}");
            for (turn, expected) in turns.iter().zip(&expected) {
                let name = game.format_turn(&position, &expected.turn);
                assert_eq!(text_of(&turn.text), name, "{text}");
                let known = expected.value.verdict().unwrap();
                assert_eq!(
                    (turn.status, turn.value),
                    (Status::Ok, value_of(known)),
                    "{text}"
                );
            }

            let expected = rust.line(&position).unwrap();
            let mut end = MaybeUninit::uninit();
            // SAFETY: all pointers are good.
            let (status, turns, count) = list(256, |turns, capacity, count, error| unsafe {
                let end = end.as_mut_ptr();
                endmill_best_line(handle.0, &asked, turns, capacity, count, end, error)
            });
            assert_eq!(
                (status, count),
                (Status::Ok, expected.steps.len()),
                "{text}"
            );
            // SAFETY: written with `Ok`.
            let end = unsafe { end.assume_init() };
            assert_eq!(end as usize, expected.end as usize, "{text}");
            for (turn, step) in turns.iter().zip(&expected.steps) {
                let name = game.format_turn(&step.position, &step.turn);
                assert_eq!(text_of(&turn.text), name, "{text}");
                assert_eq!(turn.value, value_of(step.verdict), "{text}");
            }
        }
    }
}

#[test]
fn morris_is_answered_as_by_the_probe() {
    answers_as_the_probe_does(nine(), "nine");
}

#[test]
fn draughts_are_answered_as_by_the_probe() {
    answers_as_the_probe_does(Draughts::new(), "draughts");
}

#[test]
fn morris_bitboards_are_points_in_reading_order() {
    let handle = open("nine");
    let names = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7";
    let names: Vec<&str> = names.split(' ').collect();
    for first in 0..24 {
        let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|i| (first + 5 * i) % 24);
        let set = |points: [usize; 3]| points.iter().map(|&point| 1u32 << point).sum();
        let position = endmill_morris(set([a, b, c]), set([d, e, f]), 0, 0);
        let n = |point: usize| names[point];
        let text = format!("W:W{},{},{}:B{},{},{}", n(a), n(b), n(c), n(d), n(e), n(f));
        assert_eq!(read(&handle, &text), Ok(position), "{text}");
        probe(&handle, &position).unwrap();
    }
}

#[test]
fn the_side_with_more_men_in_hand_is_black() {
    let handle = open("nine");
    let white = endmill_morris(0b001, 0b010, 8, 8);
    assert_eq!(write(&handle, &white), "W:Wa1:Bd1:H8,8");
    let black = endmill_morris(0b001, 0b110, 8, 7);
    assert_eq!(write(&handle, &black), "B:Wd1,g1:Ba1:H7,8");
}

#[test]
fn draughts_bitboards_are_squares_less_one() {
    let handle = open("draughts");
    for square in 1..=32u32 {
        let other = if square == 17 { 18 } else { 17 };
        for (to_move, letter) in [(WHITE, 'W'), (BLACK, 'B')] {
            let (bit, other_bit) = (1 << (square - 1), 1 << (other - 1));
            let position = endmill_draughts(bit, other_bit, bit, to_move);
            let text = format!("{letter}:W{other}:BK{square}");
            assert_eq!(read(&handle, &text), Ok(position), "{text}");
            probe(&handle, &position).unwrap();
        }
    }
}

#[test]
fn the_longest_position_has_room() {
    let handle = open("draughts");
    let position = endmill_draughts(0xfff0_0000, 0x000f_ff00, 0xffff_ff00, WHITE);
    assert_eq!(read(&handle, &write(&handle, &position)), Ok(position));
    let mut buffer = [7; 10];
    // SAFETY: all pointers are good.
    let cut = answer(|_: *mut (), error| unsafe {
        endmill_write_position(handle.0, &position, buffer.as_mut_ptr(), 10, error)
    });
    assert_eq!(cut.unwrap_err().0, Status::BufferTooSmall);
    assert_eq!(text_of(&buffer), "W:WK9,K10");
}

#[test]
fn a_small_buffer_gets_the_best_turns_and_a_status() {
    let handle = open("nine");
    let position = read(&handle, "W:Wa1,d1,g4:Bb2,b4,d6").unwrap();
    let (_, all, count) = moves(&handle, &position, 256);
    assert_eq!(count, 3 * 18 - 1 + 3);
    for capacity in [0, 1, count - 1] {
        let (status, some, needed) = moves(&handle, &position, capacity);
        assert_eq!((status, needed), (Status::BufferTooSmall, count));
        let texts = |turns: &[Turn]| -> Vec<String> {
            turns.iter().map(|turn| text_of(&turn.text)).collect()
        };
        assert_eq!(texts(&some), texts(&all[..capacity]));
    }
    let (status, _, _) = moves(&handle, &position, count);
    assert_eq!(status, Status::Ok);
}

#[test]
fn missing_tables_are_reported_turn_by_turn() {
    let handle = open("draughts");
    // Four pieces: only the captures lead into tables that are there.
    let position = read(&handle, "B:WK18,K32:BK14,K1").unwrap();
    let (status, turns, _) = moves(&handle, &position, 256);
    assert_eq!(status, Status::Ok);
    assert!(turns.iter().all(|turn| turn.status == Status::Ok));
    let position = read(&handle, "B:WK29,K32:BK1,K14").unwrap();
    let (_, turns, _) = moves(&handle, &position, 256);
    assert!(!turns.is_empty());
    for turn in &turns {
        assert_eq!(turn.status, Status::TableMissing);
        assert_eq!(text_of(&turn.missing), "02v02");
    }
    let missing = |refused: (Status, i32, String)| assert_eq!(refused.0, Status::TableMissing);
    missing(probe(&handle, &position).unwrap_err());
    missing(outcome(&handle, &position).unwrap_err());
    // SAFETY: all pointers are good.
    missing(
        answer(|_: *mut (), error| unsafe { endmill_covers(handle.0, &position, error) })
            .unwrap_err(),
    );
    let known = read(&handle, "B:WK29:BK1,K14").unwrap();
    // SAFETY: all pointers are good.
    assert_eq!(
        unsafe { endmill_covers(handle.0, &known, null_mut()) },
        Status::Ok
    );
}

/// Three men against four: a move that closes a mill leads to 3v3, which is there, any other move
/// into a missing table. Its value may be better than a known loss, but does not replace a draw.
#[test]
fn known_losses_stand_below_turns_of_unknown_value() {
    let (handle, game) = (open("nine"), nine());
    let table = game.parse_table("3v4").unwrap();
    let mut seen = BTreeSet::new();
    for index in (0..game.size(table)).step_by(97) {
        let text = game.format_position(&game.unrank(table, index));
        let position = read(&handle, &text).unwrap();
        let (status, turns, _) = moves(&handle, &position, 256);
        assert_eq!(status, Status::Ok, "{text}");
        let rank = |turn: &Turn| match (turn.status, turn.value.outcome) {
            (Status::Ok, Outcome::Win) => 0,
            (Status::Ok, Outcome::Draw) => 1,
            (Status::TableMissing, _) => 2,
            (Status::Ok, Outcome::Loss) => 3,
            other => panic!("{text}: {other:?}"),
        };
        let ranks: Vec<u8> = turns.iter().map(rank).collect();
        assert!(ranks.is_sorted(), "{text}: {ranks:?}");
        seen.insert(ranks.into_iter().collect::<BTreeSet<_>>());
    }
    for both in [[1, 2], [2, 3]] {
        let together = |ranks: &&BTreeSet<u8>| both.iter().all(|rank| ranks.contains(rank));
        assert!(
            seen.iter().any(|ranks| together(&ranks)),
            "{both:?}: {seen:?}"
        );
    }
}

#[test]
fn coverage_counts_what_is_there() {
    // SAFETY: all pointers are good.
    let coverage =
        |handle: &Handle| answer(|out, error| unsafe { endmill_coverage(handle.0, out, error) });
    let expected = Coverage {
        tables: 1,
        tables_with_plies: 1,
        most_pieces: 6,
        complete_to: 6,
        whole_game: false,
    };
    assert_eq!(coverage(&open("nine")), Ok(expected));
    // Two kinds of piece: 4 tables of one against one, 6 + 6 of two against one.
    let expected = Coverage {
        tables: 16,
        tables_with_plies: 16,
        most_pieces: 3,
        complete_to: 3,
        whole_game: false,
    };
    assert_eq!(coverage(&open("draughts")), Ok(expected));
}

/// A program that wants only the rules must ask for them.
#[test]
fn a_directory_without_tables_is_refused() {
    let (status, _, text) = open_with("six", null()).err().unwrap();
    assert_eq!(status, Status::NoTables);
    let place = database();
    assert_eq!(text, format!("{} has no tables of six", place.display()));
    let rules = rules_alone("six").unwrap();
    // SAFETY: all pointers are good.
    let coverage: Coverage =
        answer(|out, error| unsafe { endmill_coverage(rules.0, out, error) }).unwrap();
    assert_eq!((coverage.tables, coverage.complete_to), (0, 0));
    let start = read(&rules, "start").unwrap();
    let (status, turns, _) = moves(&rules, &start, 256);
    assert_eq!((status, turns.len()), (Status::Ok, 16));
    let (status, _, _) = rules_alone("thirteen").err().unwrap();
    assert_eq!(status, Status::UnknownRuleset);
}

#[test]
fn options_choose_how_files_are_read() {
    let mut options = endmill_default_options();
    assert_eq!(
        (options.cache_bytes, options.access),
        (64 << 20, POSITIONED)
    );
    options.access = MAPPED;
    options.cache_bytes = 0;
    options.open_files = 2;
    let handle = open_with("nine", &options).unwrap();
    let position = read(&handle, "W:Wa1,d1,g4:Bb2,b4,d6").unwrap();
    assert_eq!(probe(&handle, &position), probe(&open("nine"), &position));
    options.access = 2;
    let (status, _, text) = open_with("nine", &options).err().unwrap();
    assert_eq!(
        (status, text.as_str()),
        (Status::BadArgument, "2 is not an access mode")
    );
}

#[test]
fn bad_positions_are_refused_with_the_place() {
    let handle = open("nine");
    let refused = |at, text: &str| Err((Status::BadPosition, at, text.to_owned()));
    let bad = read(&handle, "W:Wa2,d1,g7:Bb2,b4,d6");
    assert_eq!(bad, refused(3, "a2 is not a point (character 4)"));
    let bad = probe(&handle, &endmill_morris(1 << 24, 0b111, 0, 0));
    assert_eq!(
        bad,
        Err((Status::BadPosition, -1, "bit 24 is not a point".to_owned()))
    );
    let bad = outcome(&handle, &endmill_morris(0b100, 0b111, 0, 0));
    assert_eq!(
        bad,
        Err((Status::BadPosition, -1, "point g1 is used twice".to_owned()))
    );
    let bad = outcome(&handle, &endmill_draughts(1, 2, 0, 7));
    assert_eq!(
        bad,
        Err((Status::BadArgument, -1, "7 is not a colour".to_owned()))
    );
}

#[test]
fn opening_fails_with_a_reason_and_no_handle() {
    let (status, _, text) = open_with("thirteen", null()).err().unwrap();
    assert_eq!(status, Status::UnknownRuleset);
    assert!(
        text.starts_with("unknown ruleset \"thirteen\"; known rulesets: nine, "),
        "{text}"
    );
    // A file where the ruleset's directory should be.
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("nine"), "").unwrap();
    let (directory, ruleset) = (c(directory.path().to_str().unwrap()), c("nine"));
    let mut handle = std::ptr::dangling_mut();
    // SAFETY: all pointers are good.
    let (status, _, text) = answer(|_: *mut (), error| unsafe {
        endmill_open(
            directory.as_ptr(),
            ruleset.as_ptr(),
            null(),
            &mut handle,
            error,
        )
    })
    .unwrap_err();
    assert_eq!(status, Status::Io);
    assert!(text.contains("nine"), "{text}");
    assert!(handle.is_null());
    let bytes = CString::new([b'n', 0xff]).unwrap();
    // SAFETY: all pointers are good.
    let (status, _, _) = answer(|out, error| unsafe {
        endmill_open(directory.as_ptr(), bytes.as_ptr(), null(), out, error)
    })
    .unwrap_err();
    assert_eq!(status, Status::BadArgument);
}

#[test]
fn files_in_the_wrong_state_have_a_status_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let files = directory.path().join("nine");
    std::fs::create_dir(&files).unwrap();
    let sound = std::fs::read(database().join("nine/3v3.wld")).unwrap();
    let draughts = std::fs::read(database().join("draughts/11v10.wld")).unwrap();
    let newer = {
        let mut newer = sound.clone();
        newer[8..10].copy_from_slice(&99_u16.to_le_bytes());
        let checksum = crc32c::crc32c(&newer[..252]);
        newer[252..256].copy_from_slice(&checksum.to_le_bytes());
        newer
    };
    let path = c(directory.path().to_str().unwrap());
    for (bytes, expected) in [
        (&sound[..sound.len() - 1], Status::FileDamaged),
        (&[], Status::FileDamaged),
        (&draughts, Status::RulesDiffer),
        (&newer, Status::FormatTooNew),
    ] {
        std::fs::write(files.join("3v3.wld"), bytes).unwrap();
        let ruleset = c("nine");
        // SAFETY: all pointers are good.
        let opened = answer(|out, error| unsafe {
            endmill_open(path.as_ptr(), ruleset.as_ptr(), null(), out, error)
        });
        let handle = Handle(opened.unwrap());
        let position = endmill_morris(0b111, 0b111000, 0, 0);
        let (status, _, text) = probe(&handle, &position).unwrap_err();
        assert_eq!(status, expected, "{text}");
        assert!(text.contains("3v3.wld"), "{text}");
        assert_eq!(outcome(&handle, &position).unwrap_err().0, expected);
        assert_eq!(moves(&handle, &position, 0).0, expected);
    }
}

#[test]
fn one_handle_serves_eight_threads() {
    let handle = open("nine");
    let game = nine();
    let table = game.parse_table("3v3").unwrap();
    let positions: Vec<Position> = (0..game.size(table))
        .step_by(97)
        .map(|index| read(&handle, &game.format_position(&game.unrank(table, index))).unwrap())
        .collect();
    let alone: Vec<Value> = positions
        .iter()
        .map(|asked| probe(&handle, asked).unwrap())
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (handle, positions, alone) = (&handle, &positions, &alone);
            scope.spawn(move || {
                for i in 0..positions.len() {
                    let i = (i * 31 + thread * 101) % positions.len();
                    assert_eq!(probe(handle, &positions[i]), Ok(alone[i]));
                    assert_eq!(outcome(handle, &positions[i]), Ok(alone[i].outcome));
                }
            });
        }
    });
}

#[test]
fn every_status_has_words_and_so_have_other_numbers() {
    let words = |status| {
        // SAFETY: a constant text.
        let text = unsafe { CStr::from_ptr(endmill_status_text(status)) };
        text.to_str().unwrap()
    };
    assert_eq!(words(0), "ok");
    assert_eq!(words(Status::Internal as i32), "internal error");
    assert_eq!(words(-1), "unknown status");
    assert_eq!(words(Status::FormatTooOld as i32), "format too old");
    assert_eq!(words(Status::NoTables as i32), "no tables");
    assert_eq!(words(19), "unknown status");
    // SAFETY: a constant text.
    let version = unsafe { CStr::from_ptr(endmill_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}
