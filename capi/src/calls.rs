//! The functions of the library.

#![allow(
    clippy::missing_safety_doc,
    reason = "the contract is that of every C function: pointers are null or point to what their type says"
)]

use std::any::Any;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::NonNull;
use std::slice;

use games::Setup;
use probe::Options;

use crate::database::{Database, Questions};
use crate::status::{Error, Failure, Status, fill};
use crate::types::{
    BLACK, Coverage, DatabaseOptions, LineEnd, Outcome, Position, Turn, Value, WHITE,
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
    let mut all = Status::ALL.into_iter();
    let known = all.find(|&known| known as c_int == status);
    known.map_or(c"unknown status", Status::text).as_ptr()
}

/// Mapped files, a cache of 64 MiB, 768 open files.
#[unsafe(no_mangle)]
pub extern "C" fn endmill_default_options() -> DatabaseOptions {
    Options::default().into()
}

/// Opens the tables of a ruleset ("nine", "draughts", ...) in a database directory. Cheap: only
/// file names are listed; a directory that does not exist has no tables. Options may be null.
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
        call(error, || {
            let database = given(database, "database")?;
            database.write(std::ptr::null_mut());
            let directory = path(text(directory, "directory")?)?;
            let ruleset = utf8(text(ruleset, "ruleset")?)?;
            let options = match options.as_ref() {
                Some(options) => (*options).try_into()?,
                None => Options::default(),
            };
            let opened = Database::open(directory, ruleset, &options)?;
            database.write(Box::into_raw(Box::new(opened)));
            Ok(())
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
            kings: 0,
            white_hand: opponent_hand,
            black_hand: own_hand,
            to_move: BLACK,
        }
    } else {
        Position {
            white: own,
            black: opponent,
            kings: 0,
            white_hand: own_hand,
            black_hand: opponent_hand,
            to_move: WHITE,
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
        white_hand: 0,
        black_hand: 0,
        to_move,
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
        call(error, || {
            let position = given(position, "position")?;
            let text = utf8(self::text(text, "text")?)?;
            position.write(questions(database)?.read(text)?.into());
            Ok(())
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
            let text = questions(database)?.write(&setup(position)?)?;
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
            let covered = questions(database)?.covers(&setup(position)?)?;
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
        call(error, || {
            let outcome = given(outcome, "outcome")?;
            let known = questions(database)?.outcome(&setup(position)?)?;
            outcome.write(known.into());
            Ok(())
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
        call(error, || {
            let value = given(value, "value")?;
            let verdict = questions(database)?.verdict(&setup(position)?)?;
            value.write(verdict.into());
            Ok(())
        })
    }
}

/// Every legal turn, best first: wins, the shortest first; draws; losses, the longest first; at
/// the end turns into missing tables. A finished game has none.
///
/// *count becomes the number of turns. If capacity is less, the best so many are written and the
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
            let known = questions(database)?.turns(&setup(position)?)?;
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
            let (line, ending) = questions(database)?.line(&setup(position)?)?;
            if let Some(end) = NonNull::new(end) {
                end.write(ending);
            }
            hand_over(&line, turns, capacity, count)
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
        call(error, || {
            let coverage = given(coverage, "coverage")?;
            coverage.write(questions(database)?.coverage());
            Ok(())
        })
    }
}

/// Does the work of a function: no panic leaves it, and every failure is written down.
///
/// # Safety
/// `error` is null or may be written.
unsafe fn call(error: *mut Error, work: impl FnOnce() -> Result<(), Failure>) -> Status {
    // A database stays sound when a question panics: its locks outlive poisoning.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::Internal(message(&*panic)),
    };
    if let Some(error) = NonNull::new(error) {
        // SAFETY: the caller's promise.
        unsafe { error.write(failure.error()) };
    }
    failure.status()
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("panic").to_owned()
}

fn given<T>(pointer: *mut T, name: &str) -> Result<NonNull<T>, Failure> {
    NonNull::new(pointer).ok_or_else(|| null(name))
}

fn null(name: &str) -> Failure {
    Failure::argument(format!("{name} is null"))
}

/// # Safety
/// The pointer is null or comes from `endmill_open`, and stays open for `'a`.
unsafe fn questions<'a>(database: *const Database) -> Result<&'a dyn Questions, Failure> {
    // SAFETY: the caller's promise.
    let database = unsafe { database.as_ref() };
    Ok(&*database.ok_or_else(|| null("database"))?.0)
}

/// # Safety
/// The pointer is null or points to a position.
unsafe fn setup(position: *const Position) -> Result<Setup, Failure> {
    // SAFETY: the caller's promise.
    let position = unsafe { position.as_ref() };
    (*position.ok_or_else(|| null("position"))?).try_into()
}

/// # Safety
/// The pointer is null or points to a text with a final 0, which stays for `'a`.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

fn utf8(text: &CStr) -> Result<&str, Failure> {
    let read = text.to_str();
    read.map_err(|_| Failure::argument(format!("{text:?} is not UTF-8")))
}

/// On Unix a path is any bytes.
#[cfg(unix)]
fn path(text: &CStr) -> Result<&Path, Failure> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(OsStr::from_bytes(text.to_bytes())))
}

#[cfg(not(unix))]
fn path(text: &CStr) -> Result<&Path, Failure> {
    utf8(text).map(Path::new)
}

/// Copies as many turns as there is room for.
///
/// # Safety
/// `turns` is null or has room for `capacity`; `count` may be written.
unsafe fn hand_over(
    known: &[Turn],
    turns: *mut Turn,
    capacity: usize,
    count: NonNull<usize>,
) -> Result<(), Failure> {
    if turns.is_null() && capacity > 0 {
        return Err(null("turns"));
    }
    // SAFETY: the caller's promise.
    unsafe { count.write(known.len()) };
    for (i, turn) in known.iter().take(capacity).enumerate() {
        // SAFETY: within the capacity.
        unsafe { turns.add(i).write(*turn) };
    }
    if known.len() > capacity {
        let needed = known.len();
        return Err(Failure::TooSmall { capacity, needed });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let mut error = Failure::NotKnown.error();
        // SAFETY: it is there.
        let status = unsafe { call(&mut error, || panic!("the board fell off the table")) };
        assert_eq!(status, Status::Internal);
        // SAFETY: every error has a final 0.
        let text = unsafe { CStr::from_ptr(error.text.as_ptr()) };
        assert_eq!(
            text.to_str(),
            Ok("internal error: the board fell off the table")
        );
    }

    #[test]
    fn a_handle_is_shared_by_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Database>();
    }
}
