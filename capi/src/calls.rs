//! The functions of the library.

#![allow(unsafe_code, reason = "the callers are written in C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the contract is that of every C function: pointers are null or point to what their type says"
)]

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::slice;

use endmill_probe::{Cached, Options, open_any, rules_only};

use crate::database::Database;
use crate::pointers::{answer, call, given, hand_over, null, open, path, probe, setup, text, utf8};
use crate::status::{Error, Failure, STATUS_TEXTS, Status, fill};
use crate::types::{
    BLACK, Coverage, DatabaseOptions, DrawRank, LineEnd, Outcome, Path, Position, Turn, Value,
    WHITE,
};

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn endmill_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero bytes"),
        };
    VERSION.as_ptr()
}

/// A short text for a status, such as "table missing". Accepts any number.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_status_text(status: c_int) -> *const c_char {
    let known = usize::try_from(status).ok();
    let known = known.and_then(|number| STATUS_TEXTS.get(number));
    known.map_or(c"unknown status", |(_, text)| text).as_ptr()
}

/// The default options: mapped files, a cache of 64 MiB, 768 open files.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_default_options() -> DatabaseOptions {
    Options::default().into()
}

/// Opens the tables of a ruleset ("nine", "draughts", ...) in a database directory. Cheap: this only
/// lists file names. Fails with ENDMILL_STATUS_NO_TABLES if the directory holds no table of the
/// ruleset, or does not exist. Options may be null.
///
/// On success *database is a handle for endmill_close(); otherwise it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_open(
    directory: *const c_char,
    ruleset: *const c_char,
    options: *const DatabaseOptions,
    database: *mut *mut Database,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        open(error, database, || {
            let directory = path(text(directory, "directory")?)?;
            let ruleset = utf8(text(ruleset, "ruleset")?)?;
            let options = match options.as_ref() {
                Some(options) => (*options).try_into()?,
                None => Options::default(),
            };
            Ok(open_any(directory, ruleset, &options)?)
        })
    }
}

/// Opens the rules of a ruleset without any table, for programs that continue if endmill_open()
/// returns ENDMILL_STATUS_NO_TABLES. Positions can be read, written and played; their values are not
/// known unless the game is over.
///
/// On success *database is a handle for endmill_close(); otherwise it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_open_rules(
    ruleset: *const c_char,
    database: *mut *mut Database,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        open(error, database, || {
            Ok(rules_only(utf8(text(ruleset, "ruleset")?)?)?)
        })
    }
}

/// Closes a database and frees its memory. No other thread may use it at the same time or
/// afterwards. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_close(database: *mut Database) {
    if !database.is_null() {
        // SAFETY: the caller's promise: it comes from `endmill_open`, and this is its last use.
        let database = unsafe { Box::from_raw(database) };
        // A caller could do nothing about a panic.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
    }
}

/// A morris position, given by the men of the side to move, the men of its opponent, and the men in
/// their hands. Colours do not matter in morris, but White places first: the side to move is Black if
/// it has more men in hand, otherwise White.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_morris(
    own: u32,
    opponent: u32,
    own_hand: u8,
    opponent_hand: u8,
) -> Position {
    if own_hand > opponent_hand {
        Position {
            white: opponent,
            black: own,
            white_hand: opponent_hand,
            black_hand: own_hand,
            to_move: BLACK,
            ..Position::default()
        }
    } else {
        Position {
            white: own,
            black: opponent,
            white_hand: own_hand,
            black_hand: opponent_hand,
            to_move: WHITE,
            ..Position::default()
        }
    }
}

/// A draughts position, given by all pieces of Black, who moves towards higher squares, and of White,
/// the kings among both, and the side to move, ENDMILL_WHITE or ENDMILL_BLACK.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_draughts(black: u32, white: u32, kings: u32, to_move: u8) -> Position {
    Position {
        white,
        black,
        kings,
        to_move,
        ..Position::default()
    }
}

/// Reads a position in any notation of the game: "W:Wa1,d1,g7:Bb2,b4,d6", "W:W18,K31:B12,K5".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_read_position(
    database: *const Database,
    text: *const c_char,
    position: *mut Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, position, "position", || {
            let text = utf8(self::text(text, "text")?)?;
            probe(database)?.setup(text.into())?.try_into()
        })
    }
}

/// The starting position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_start(
    database: *const Database,
    position: *mut Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, position, "position", || {
            probe(database)?.setup("start".into())?.try_into()
        })
    }
}

/// Plays a move that is given by its places: from, to and taken must be those of a legal move, and
/// via is ignored. Position and after may be the same. Needs no table.
///
/// Fails with ENDMILL_STATUS_BAD_TURN if there is no such move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_play(
    database: *const Database,
    position: *const Position,
    turn: *const Path,
    after: *mut Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, after, "after", || {
            let turn = turn.as_ref().ok_or_else(|| null("turn"))?;
            let turn: endmill_games::Path = (*turn).into();
            let setup = setup(position)?;
            let played = probe(database)?.play((&setup).into(), (&turn).into())?;
            played.try_into()
        })
    }
}

/// Plays a move that is given as a text, such as "a1-a4xg7" or "22x15x8".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_play_text(
    database: *const Database,
    position: *const Position,
    turn: *const c_char,
    after: *mut Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, after, "after", || {
            let turn = utf8(text(turn, "turn")?)?;
            let setup = setup(position)?;
            let played = probe(database)?.play((&setup).into(), turn.into())?;
            played.try_into()
        })
    }
}

/// Writes a position in the first notation of the game, with a final 0; ENDMILL_POSITION_TEXT
/// bytes are always enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_write_position(
    database: *const Database,
    position: *const Position,
    buffer: *mut c_char,
    size: usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        call(error, || {
            let buffer = given(buffer, "buffer")?;
            let text = probe(database)?.text((&setup(position)?).into())?;
            // The buffer may be uninitialised, so write it before borrowing it.
            buffer.write_bytes(0, size);
            if fill(slice::from_raw_parts_mut(buffer.as_ptr(), size), &text) {
                return Ok(());
            }
            Err(Failure::TooSmall {
                capacity: size,
                needed: text.len() + 1,
            })
        })
    }
}

/// Returns ENDMILL_STATUS_OK if the table of the position is there, ENDMILL_STATUS_TABLE_MISSING if not.
/// Reads no file. A search calls this before endmill_probe_outcome().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_covers(
    database: *const Database,
    position: *const Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        call(error, || {
            let covered = probe(database)?.covers((&setup(position)?).into())?;
            covered.then_some(()).ok_or(Failure::NotKnown)
        })
    }
}

/// Who wins, for searches: reads outcomes only. Fails with ENDMILL_STATUS_TABLE_MISSING if the outcome
/// is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_probe_outcome(
    database: *const Database,
    position: *const Position,
    outcome: *mut Outcome,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, outcome, "outcome", || {
            let known = probe(database)?.outcome((&setup(position)?).into())?;
            Ok(known.ok_or(Failure::NotKnown)?.into())
        })
    }
}

/// Who wins, if the answer is in the cache of decoded blocks: reads no file and decodes nothing.
/// Fails with ENDMILL_STATUS_NOT_CACHED if endmill_probe_outcome(), which also fills the cache, may
/// know the answer, and with ENDMILL_STATUS_TABLE_MISSING if it does not know it either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_cached_outcome(
    database: *const Database,
    position: *const Position,
    outcome: *mut Outcome,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, outcome, "outcome", || {
            match probe(database)?.cached_outcome((&setup(position)?).into())? {
                Cached::Known(known) => Ok(known.into()),
                Cached::NotNow => Err(Failure::NotCached),
                Cached::Missing => Err(Failure::NotKnown),
            }
        })
    }
}

/// Who wins, and in how many plies if that is known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_probe(
    database: *const Database,
    position: *const Position,
    value: *mut Value,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, value, "value", || {
            let verdict = probe(database)?.verdict((&setup(position)?).into())?;
            Ok(verdict.into())
        })
    }
}

/// How good a draw is. If the position is not a draw, or its rank is not stored, the call succeeds and
/// sets rank->known to false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_draw_rank(
    database: *const Database,
    position: *const Position,
    rank: *mut DrawRank,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, rank, "rank", || {
            let rank = probe(database)?.draw_rank((&setup(position)?).into())?;
            Ok(rank.as_ref().into())
        })
    }
}

/// Every legal move, best first: wins, the shortest first; draws, by their ranks where these are
/// stored; moves into missing tables, whose
/// values are unknown; losses, the longest first. A finished game has none.
///
/// *count becomes the number of moves. If capacity is less, only the best moves that fit are written
/// and the call returns ENDMILL_STATUS_BUFFER_TOO_SMALL. Turns may be null if capacity is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_moves(
    database: *const Database,
    position: *const Position,
    turns: *mut Turn,
    capacity: usize,
    count: *mut usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        call(error, || {
            let count = given(count, "count")?;
            count.write(0);
            let moves = probe(database)?.moves((&setup(position)?).into())?;
            let known: Vec<Turn> = moves.iter().map(Turn::from).collect();
            hand_over(&known, turns, capacity, count)
        })
    }
}

/// The rest of the game under best play of both sides: exactly as many plies as endmill_probe()
/// returns, or a drawn game until a position is repeated. The value of each move is for the side that
/// makes it. Turns, capacity and count are as for endmill_moves(); end may be null.
///
/// Fails with ENDMILL_STATUS_PLIES_MISSING or ENDMILL_STATUS_TABLE_MISSING if a best move cannot be
/// proved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_best_line(
    database: *const Database,
    position: *const Position,
    turns: *mut Turn,
    capacity: usize,
    count: *mut usize,
    end: *mut LineEnd,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        call(error, || {
            let count = given(count, "count")?;
            count.write(0);
            let line = probe(database)?.line((&setup(position)?).into())?;
            if let Some(end) = NonNull::new(end) {
                end.write(line.end.into());
            }
            hand_over(&Turn::of_line(&line), turns, capacity, count)
        })
    }
}

/// The contents of the database, from the names of its files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_coverage(
    database: *const Database,
    coverage: *mut Coverage,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, coverage, "coverage", || {
            let counted = probe(database)?.ruleset().coverage;
            Ok(counted.unwrap_or_default().into())
        })
    }
}
