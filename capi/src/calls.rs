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
use crate::pointers::{
    answer, call, given, hand_over, null, open, path, questions, setup, text, utf8,
};
use crate::status::{Error, Failure, STATUS_TEXTS, Status, fill};
use crate::types::{
    BLACK, Coverage, DatabaseOptions, LineEnd, Outcome, Path, Position, Turn, Value, WHITE,
};

/// The version of the library, "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn endmill_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero bytes"),
        };
    VERSION.as_ptr()
}

/// A few words for a status, "table missing"; for people, and for any number.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_status_text(status: c_int) -> *const c_char {
    let known = usize::try_from(status).ok();
    let known = known.and_then(|number| STATUS_TEXTS.get(number));
    known.map_or(c"unknown status", |(_, text)| text).as_ptr()
}

/// Mapped files, a cache of 64 MiB, 768 open files.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_default_options() -> DatabaseOptions {
    Options::default().into()
}

/// Opens the tables of a ruleset ("nine", "draughts", ...) in a database directory. Cheap: only
/// file names are listed. A directory that holds no table of the ruleset, or does not exist, is
/// refused with ENDMILL_STATUS_NO_TABLES. Options may be null.
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

/// The rules of a ruleset without any table: for programs that play on where endmill_open()
/// answers ENDMILL_STATUS_NO_TABLES. Positions are read, written and played; what they are worth is
/// not known unless the game is over.
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

/// Closes a database and frees all that belongs to it. Nobody may use it at the same time or
/// afterwards. Null is let pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_close(database: *mut Database) {
    if !database.is_null() {
        // SAFETY: the caller's promise: it comes from `endmill_open`, and this is its last use.
        let database = unsafe { Box::from_raw(database) };
        // What would a caller do with a panic here?
        let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
    }
}

/// A morris position by the men of the side to move, those of its opponent, and the men in their
/// hands. Colours do not matter in morris, but in placing White comes first: the side to move is
/// Black if it has more men in hand, otherwise White.
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

/// A draughts position by all pieces of Black, who moves towards higher squares, and of White; the
/// kings among both; and ENDMILL_WHITE or ENDMILL_BLACK to move.
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
            questions(database)?.setup(text.into())?.try_into()
        })
    }
}

/// The position in which a game starts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_start(
    database: *const Database,
    position: *mut Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, position, "position", || {
            questions(database)?.setup("start".into())?.try_into()
        })
    }
}

/// Plays a turn that is given by its places: from, to and taken must be those of a legal turn,
/// via is not looked at. Position and after may be the same. Needs no table.
///
/// ENDMILL_STATUS_BAD_TURN if there is no such turn.
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
            let played = questions(database)?.play((&setup).into(), (&turn).into())?;
            played.try_into()
        })
    }
}

/// The same for a turn that is given as a text, "a1-a4xg7" or "22x15x8".
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
            let played = questions(database)?.play((&setup).into(), turn.into())?;
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
            let text = questions(database)?.text((&setup(position)?).into())?;
            // Written before it is borrowed: C need not have filled it.
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

/// ENDMILL_STATUS_OK if the table of the position is there, ENDMILL_STATUS_TABLE_MISSING if not. Reads no file:
/// what a search asks before endmill_probe_outcome().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_covers(
    database: *const Database,
    position: *const Position,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        call(error, || {
            let covered = questions(database)?.covers((&setup(position)?).into())?;
            covered.then_some(()).ok_or(Failure::NotKnown)
        })
    }
}

/// Who wins, for searches: reads outcomes only. ENDMILL_STATUS_TABLE_MISSING if it is not known.
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
            let known = questions(database)?.outcome((&setup(position)?).into())?;
            Ok(known.ok_or(Failure::NotKnown)?.into())
        })
    }
}

/// Who wins, if the cache of decoded blocks knows it: reads no file and decodes nothing.
/// ENDMILL_STATUS_NOT_CACHED if it does not know: endmill_probe_outcome() may, and fills the
/// cache. ENDMILL_STATUS_TABLE_MISSING if that would not know either.
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
            match questions(database)?.cached_outcome((&setup(position)?).into())? {
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
            let verdict = questions(database)?.verdict((&setup(position)?).into())?;
            Ok(verdict.into())
        })
    }
}

/// Every legal turn, best first: wins, the shortest first; draws; turns into missing tables, which
/// may be anything; losses, the longest first. A finished game has none.
///
/// *count becomes the number of turns. If capacity is less, only the best that fit are written and the
/// answer is ENDMILL_STATUS_BUFFER_TOO_SMALL. Turns may be null if capacity is 0.
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
            let moves = questions(database)?.moves((&setup(position)?).into())?;
            let known: Vec<Turn> = moves.iter().map(Turn::from).collect();
            hand_over(&known, turns, capacity, count)
        })
    }
}

/// The rest of the game under best play of both sides: exactly the plies that endmill_probe()
/// says, or a drawn game until a position comes back. Each turn's value is that of the side that
/// makes it. Turns, capacity and count are as for endmill_moves(); end may be null.
///
/// Refuses where a best turn cannot be proved, with ENDMILL_STATUS_PLIES_MISSING or
/// ENDMILL_STATUS_TABLE_MISSING.
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
            let line = questions(database)?.line((&setup(position)?).into())?;
            if let Some(end) = NonNull::new(end) {
                end.write(line.end.into());
            }
            hand_over(&Turn::of_line(&line), turns, capacity, count)
        })
    }
}

/// What the database has, from the names of its files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_coverage(
    database: *const Database,
    coverage: *mut Coverage,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller's promise about every pointer.
    unsafe {
        answer(error, coverage, "coverage", || {
            let counted = questions(database)?.ruleset().coverage;
            Ok(counted.unwrap_or_default().into())
        })
    }
}
