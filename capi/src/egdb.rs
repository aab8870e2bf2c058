//! An interface in the style of the well-known drivers of checkers databases, for engines that
//! already support one: `include/endmill_egdb.h`.
//!
//! The header is written by hand (`cbindgen:ignore` keeps this out of `endmill.h`): its numbers are
//! those that such engines expect, not ours. `tests/egdb.rs` checks that the two agree.

#![allow(unsafe_code, reason = "the callers are written in C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the contract is that of every C function: pointers are null or point to what their type says"
)]

use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Colour, Outcome, Setup};
use endmill_probe::{Cached, Database, Options};

use crate::pointers::{path, text};

/// The results of a look-up, with the numbers of the header.
const UNAVAILABLE: c_int = -2;
const NOT_CACHED: c_int = -1;
const UNKNOWN: c_int = 0;
const WIN: c_int = 1;
const LOSS: c_int = 2;
const DRAW: c_int = 3;

/// The order of the squares in a bitboard.
const NORMAL: c_int = 0;
const ROW_REVERSED: c_int = 1;

/// cbindgen:ignore
type Message = Option<unsafe extern "C" fn(*const c_char)>;

/// An open database.
/// cbindgen:ignore
pub struct EgdbDriver {
    database: Database<Draughts>,
    /// Positions with more pieces are not looked up.
    pieces: u32,
    reversed: bool,
    message: Message,
}

/// cbindgen:ignore
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EgdbPosition {
    /// All pieces of Black.
    pub black: u32,
    /// All pieces of White.
    pub white: u32,
    /// The kings among both.
    pub king: u32,
}

/// cbindgen:ignore
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_egdb_open(
    bitboards: c_int,
    pieces: c_int,
    cache_mb: c_int,
    directory: *const c_char,
    message: Message,
) -> *mut EgdbDriver {
    let open = || -> Result<EgdbDriver, String> {
        if ![NORMAL, ROW_REVERSED].contains(&bitboards) {
            return Err(format!("{bitboards} is not a type of bitboards"));
        }
        let most = u32::try_from(pieces).ok().filter(|&pieces| pieces > 0);
        let most = most.ok_or_else(|| format!("pieces is {pieces}"))?;
        let game = Draughts::new();
        let largest = game
            .tables(None)
            .into_iter()
            .map(|table| game.pieces(table).on_board);
        if let Some(largest) = largest.max().filter(|&largest| most > largest) {
            return Err(format!(
                "pieces is {pieces}, but draughts has at most {largest}"
            ));
        }
        let cache = usize::try_from(cache_mb).map_err(|_| format!("cache_mb is {cache_mb}"))?;
        // SAFETY: the caller's promise about the pointer.
        let directory = unsafe { text(directory, "directory") };
        let directory = directory.and_then(|directory| path(directory));
        let directory = directory.map_err(|_| "directory is null or not a text".to_owned())?;
        let options = Options {
            cache_bytes: cache.saturating_mul(1 << 20),
            // Checked below, with the number of pieces.
            allow_empty: true,
            ..Options::default()
        };
        let database = Database::open_with(directory, game, &options);
        let database = database.map_err(|error| error.to_string())?;
        let coverage = database.coverage();
        let there = coverage.tables.iter().map(|covered| covered.pieces);
        let Some(pieces) = there.filter(|&pieces| pieces <= most).max() else {
            let directory = directory.display();
            return Err(format!(
                "no draughts table with up to {most} pieces in {directory}"
            ));
        };
        Ok(EgdbDriver {
            database,
            pieces,
            reversed: bitboards == ROW_REVERSED,
            message,
        })
    };
    let opened = catch_unwind(AssertUnwindSafe(open));
    match opened.unwrap_or_else(|_| Err("internal error".to_owned())) {
        Ok(driver) => {
            let pieces = driver.pieces;
            let coverage = driver.database.coverage();
            let there = coverage.tables.iter();
            let tables = there.filter(|covered| covered.pieces <= pieces).count();
            report(message, &format!("{tables} tables, up to {pieces} pieces"));
            Box::into_raw(Box::new(driver))
        }
        Err(why) => {
            report(message, &why);
            std::ptr::null_mut()
        }
    }
}

/// cbindgen:ignore
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_egdb_lookup(
    driver: *const EgdbDriver,
    position: *const EgdbPosition,
    colour: c_int,
    conditional: c_int,
) -> c_int {
    // SAFETY: the caller's promise about the pointers.
    let (driver, position) = unsafe { (driver.as_ref(), position.as_ref()) };
    let (Some(driver), Some(position)) = (driver, position) else {
        return UNKNOWN;
    };
    let answer = || driver.lookup(position, colour, conditional != 0);
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or(UNKNOWN)
}

/// cbindgen:ignore
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_egdb_pieces(driver: *const EgdbDriver) -> c_int {
    // SAFETY: the caller's promise about the pointer.
    let driver = unsafe { driver.as_ref() };
    driver.map_or(0, |driver| driver.pieces as c_int)
}

/// cbindgen:ignore
#[unsafe(no_mangle)]
pub unsafe extern "C" fn endmill_egdb_close(driver: *mut EgdbDriver) {
    if !driver.is_null() {
        // SAFETY: the caller's promise: it comes from `endmill_egdb_open`, and this is its last use.
        let driver = unsafe { Box::from_raw(driver) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(driver)));
    }
}

impl EgdbDriver {
    fn lookup(&self, position: &EgdbPosition, colour: c_int, conditional: bool) -> c_int {
        let EgdbPosition { black, white, king } = *position;
        if (black | white).count_ones() > self.pieces {
            return UNAVAILABLE;
        }
        let to_move = match colour {
            0 => Colour::Black,
            1 => Colour::White,
            _ => return UNKNOWN,
        };
        let squares = |set: u32| u64::from(if self.reversed { in_order(set) } else { set });
        let mut setup = Setup::empty(to_move);
        for (side, set) in [(Colour::White, white), (Colour::Black, black)] {
            setup.pieces[0][side as usize] = squares(set & !king);
            setup.pieces[1][side as usize] = squares(set & king);
        }
        if king & !(black | white) != 0 {
            return UNKNOWN;
        }
        let Ok(position) = self.database.game().legal(&setup) else {
            return UNKNOWN;
        };
        if conditional {
            return match self.database.cached_outcome(&position) {
                Cached::Known(outcome) => number(outcome),
                Cached::NotNow => NOT_CACHED,
                Cached::Missing => UNAVAILABLE,
            };
        }
        match self.database.probe_outcome(&position) {
            Ok(Some(outcome)) => number(outcome),
            Ok(None) => UNAVAILABLE,
            Err(error) => {
                report(self.message, &error.to_string());
                UNKNOWN
            }
        }
    }
}

fn number(outcome: Outcome) -> c_int {
    match outcome {
        Outcome::Win => WIN,
        Outcome::Loss => LOSS,
        Outcome::Draw => DRAW,
    }
}

/// Reverses the squares of every row of four.
fn in_order(set: u32) -> u32 {
    let neighbours = (set & 0x5555_5555) << 1 | set >> 1 & 0x5555_5555;
    (neighbours & 0x3333_3333) << 2 | neighbours >> 2 & 0x3333_3333
}

fn report(message: Message, text: &str) {
    let Some(message) = message else {
        return;
    };
    if let Ok(text) = CString::new(text.replace('\0', " ")) {
        // SAFETY: the caller's promise: a function that takes a text.
        unsafe { message(text.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::in_order;

    /// Square 1 is bit 3 there, square 4 bit 0, square 32 bit 28.
    #[test]
    fn rows_are_reversed() {
        assert_eq!(in_order(1 << 3), 1);
        assert_eq!(in_order(1), 1 << 3);
        assert_eq!(in_order(1 << 28), 1 << 31);
        for square in 0..32 {
            assert_eq!(in_order(in_order(1 << square)), 1 << square);
            assert_eq!(in_order(1 << square), 1 << (square ^ 3));
        }
    }
}
