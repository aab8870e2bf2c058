//! Every function of the C interface, called as C calls it: the answers are those of the Rust
//! probe, and bad calls are refused with a status and a text.

mod small;

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use endmill::*;
use games::Game;
use games::draughts::Draughts;
use small::{database, nine};

/// A handle that is closed at the end.
struct Handle(*mut Database);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: it comes from `endmill_open`.
        unsafe { endmill_close(self.0) }
    }
}

// SAFETY: what the header promises.
unsafe impl Sync for Handle {}

fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

fn text_of(buffer: &[c_char]) -> String {
    // SAFETY: every text ends with a 0.
    let text = unsafe { CStr::from_ptr(buffer.as_ptr()) };
    text.to_str().unwrap().to_owned()
}

/// What a call writes, or status, place and text of its error.
fn answer<T>(call: impl FnOnce(*mut T, *mut Error) -> Status) -> Result<T, (Status, i32, String)> {
    let (mut out, mut error) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    match call(out.as_mut_ptr(), error.as_mut_ptr()) {
        // SAFETY: results are written with `Ok`.
        Status::Ok => Ok(unsafe { out.assume_init() }),
        status => {
            // SAFETY: errors are written with everything else.
            let error = unsafe { error.assume_init() };
            assert_eq!(error.status, status);
            Err((status, error.at, text_of(&error.text)))
        }
    }
}

fn open_with(
    ruleset: &str,
    options: *const DatabaseOptions,
) -> Result<Handle, (Status, i32, String)> {
    let directory = c(database().to_str().unwrap());
    let ruleset = c(ruleset);
    // SAFETY: all pointers are good.
    let opened = answer(|out, error| unsafe {
        endmill_open(directory.as_ptr(), ruleset.as_ptr(), options, out, error)
    });
    opened.map(Handle)
}

fn open(ruleset: &str) -> Handle {
    open_with(ruleset, null()).unwrap()
}

fn read(handle: &Handle, text: &str) -> Result<Position, (Status, i32, String)> {
    let text = c(text);
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_read_position(handle.0, text.as_ptr(), out, error) })
}

fn probe(handle: &Handle, position: &Position) -> Result<Value, (Status, i32, String)> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_probe(handle.0, position, out, error) })
}

fn outcome(handle: &Handle, position: &Position) -> Result<Outcome, (Status, i32, String)> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_probe_outcome(handle.0, position, out, error) })
}

fn write(handle: &Handle, position: &Position) -> String {
    let mut buffer = [7; POSITION_TEXT];
    // SAFETY: all pointers are good.
    let status = unsafe {
        endmill_write_position(
            handle.0,
            position,
            buffer.as_mut_ptr(),
            buffer.len(),
            null_mut(),
        )
    };
    assert_eq!(status, Status::Ok);
    text_of(&buffer)
}

/// Calls `endmill_moves` or `endmill_best_line` with a buffer of this capacity.
fn list(
    capacity: usize,
    call: impl FnOnce(*mut Turn, usize, *mut usize, *mut Error) -> Status,
) -> (Status, Vec<Turn>, usize) {
    let mut turns: Vec<Turn> = Vec::with_capacity(capacity);
    let mut count = usize::MAX;
    let status = call(turns.as_mut_ptr(), capacity, &mut count, null_mut());
    // SAFETY: so many were written.
    unsafe { turns.set_len(count.min(capacity)) };
    (status, turns, count)
}

fn moves(handle: &Handle, position: &Position, capacity: usize) -> (Status, Vec<Turn>, usize) {
    // SAFETY: all pointers are good.
    list(capacity, |turns, capacity, count, error| unsafe {
        endmill_moves(handle.0, position, turns, capacity, count, error)
    })
}

fn value_of(verdict: probe::Verdict) -> Value {
    Value {
        outcome: verdict.outcome().into(),
        plies: verdict.plies().unwrap_or(0),
        plies_known: verdict.plies().is_some(),
    }
}

/// Asks everything about positions spread over all tables that are there.
fn answers_as_the_probe_does<G: Game>(game: G, id: &str) {
    let rust = probe::Database::open(&database(), game).unwrap();
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
                let known = expected.answer.verdict().unwrap();
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
fn a_small_buffer_gets_the_best_turns_and_is_told() {
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
fn missing_tables_are_told_turn_by_turn() {
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
    let none = coverage(&open("six")).unwrap();
    assert_eq!((none.tables, none.most_pieces, none.complete_to), (0, 0, 0));
}

#[test]
fn options_choose_how_files_are_read() {
    let mut options = endmill_default_options();
    assert_eq!((options.cache_bytes, options.access), (64 << 20, MAPPED));
    options.access = POSITIONED;
    options.cache_bytes = 0;
    options.open_files = 2;
    let handle = open_with("nine", &options).unwrap();
    let position = read(&handle, "W:Wa1,d1,g4:Bb2,b4,d6").unwrap();
    assert_eq!(probe(&handle, &position), probe(&open("nine"), &position));
    options.access = 2;
    let (status, _, text) = open_with("nine", &options).err().unwrap();
    assert_eq!(
        (status, text.as_str()),
        (Status::BadArgument, "there is no access 2")
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
        Err((Status::BadArgument, -1, "there is no colour 7".to_owned()))
    );
}

#[test]
fn null_pointers_are_refused_by_name() {
    let handle = open("nine");
    let position = endmill_morris(0b111, 0b111000, 0, 0);
    let (good, text) = (&raw const position, c("start"));
    let (path, mut room) = (c("."), [0; 8]);
    let (mut value, mut out, mut count) = (MaybeUninit::uninit(), MaybeUninit::uninit(), 0);
    let (mut end, mut coverage) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let (value, out) = (value.as_mut_ptr(), out.as_mut_ptr());
    let (end, coverage): (_, *mut Coverage) = (end.as_mut_ptr(), coverage.as_mut_ptr());
    let mut opened = null_mut();
    let refused = |name: &str, call: &mut dyn FnMut(*mut Error) -> Status| {
        let (status, _, text) = answer(|_: *mut (), error| call(error)).unwrap_err();
        assert_eq!(status, Status::BadArgument, "{name}");
        assert_eq!(text, format!("{name} is null"));
        assert_eq!(call(null_mut()), Status::BadArgument, "{name}");
    };
    // SAFETY: all pointers are good or null.
    unsafe {
        let db: *const Database = handle.0;
        let none: *const Database = null();
        refused("directory", &mut |e| {
            endmill_open(null(), text.as_ptr(), null(), &mut opened, e)
        });
        refused("ruleset", &mut |e| {
            endmill_open(path.as_ptr(), null(), null(), &mut opened, e)
        });
        refused("database", &mut |e| {
            endmill_open(path.as_ptr(), text.as_ptr(), null(), null_mut(), e)
        });
        let position = &mut position.clone();
        refused("database", &mut |e| {
            endmill_read_position(none, text.as_ptr(), position, e)
        });
        refused("text", &mut |e| {
            endmill_read_position(db, null(), position, e)
        });
        refused("position", &mut |e| {
            endmill_read_position(db, text.as_ptr(), null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_write_position(none, good, room.as_mut_ptr(), 8, e)
        });
        refused("position", &mut |e| {
            endmill_write_position(db, null(), room.as_mut_ptr(), 8, e)
        });
        refused("buffer", &mut |e| {
            endmill_write_position(db, good, null_mut(), 0, e)
        });
        refused("database", &mut |e| endmill_covers(none, good, e));
        refused("position", &mut |e| endmill_covers(db, null(), e));
        refused("database", &mut |e| endmill_probe(none, good, value, e));
        refused("position", &mut |e| endmill_probe(db, null(), value, e));
        refused("value", &mut |e| endmill_probe(db, good, null_mut(), e));
        refused("database", &mut |e| {
            endmill_probe_outcome(none, good, out, e)
        });
        refused("position", &mut |e| {
            endmill_probe_outcome(db, null(), out, e)
        });
        refused("outcome", &mut |e| {
            endmill_probe_outcome(db, good, null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_moves(none, good, null_mut(), 0, &mut count, e)
        });
        refused("position", &mut |e| {
            endmill_moves(db, null(), null_mut(), 0, &mut count, e)
        });
        refused("turns", &mut |e| {
            endmill_moves(db, good, null_mut(), 1, &mut count, e)
        });
        refused("count", &mut |e| {
            endmill_moves(db, good, null_mut(), 0, null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_best_line(none, good, null_mut(), 0, &mut count, end, e)
        });
        refused("position", &mut |e| {
            endmill_best_line(db, null(), null_mut(), 0, &mut count, end, e)
        });
        refused("turns", &mut |e| {
            endmill_best_line(db, good, null_mut(), 1, &mut count, null_mut(), e)
        });
        refused("count", &mut |e| {
            endmill_best_line(db, good, null_mut(), 0, null_mut(), end, e)
        });
        refused("database", &mut |e| endmill_coverage(none, coverage, e));
        refused("coverage", &mut |e| endmill_coverage(db, null_mut(), e));
        endmill_close(null_mut());
    }
}

#[test]
fn opening_fails_with_a_reason_and_no_handle() {
    let (status, _, text) = open_with("eleven", null()).err().unwrap();
    assert_eq!(status, Status::UnknownRuleset);
    assert!(
        text.starts_with("there is no ruleset \"eleven\"; there are: nine, "),
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
    assert_eq!(words(15), "unknown status");
    // SAFETY: a constant text.
    let version = unsafe { CStr::from_ptr(endmill_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}
