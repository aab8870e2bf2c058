//! The functions of the C interface, called as C calls them.

#![allow(unsafe_code, reason = "calls the library as C does")]
#![allow(dead_code, reason = "each test file uses its own part")]

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use endmill::*;

use crate::small::database;

/// A handle that is closed when it is dropped.
pub struct Handle(pub *mut Database);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: it comes from `endmill_open`.
        unsafe { endmill_close(self.0) }
    }
}

// SAFETY: what the header promises.
unsafe impl Sync for Handle {}

pub fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

pub fn text_of(buffer: &[c_char]) -> String {
    // SAFETY: every text ends with a 0.
    let text = unsafe { CStr::from_ptr(buffer.as_ptr()) };
    text.to_str().unwrap().to_owned()
}

/// The result of a call, or the status, place and text of its error.
pub fn answer<T>(
    call: impl FnOnce(*mut T, *mut Error) -> Status,
) -> Result<T, (Status, i32, String)> {
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

pub fn open_with(
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

pub fn open(ruleset: &str) -> Handle {
    open_with(ruleset, null()).unwrap()
}

/// Opens the rules of a ruleset without any table.
pub fn rules_alone(ruleset: &str) -> Result<Handle, (Status, i32, String)> {
    let ruleset = c(ruleset);
    // SAFETY: all pointers are good.
    let opened = answer(|out, error| unsafe { endmill_open_rules(ruleset.as_ptr(), out, error) });
    opened.map(Handle)
}

pub fn read(handle: &Handle, text: &str) -> Result<Position, (Status, i32, String)> {
    let text = c(text);
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_read_position(handle.0, text.as_ptr(), out, error) })
}

pub fn probe(handle: &Handle, position: &Position) -> Result<Value, (Status, i32, String)> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_probe(handle.0, position, out, error) })
}

pub fn outcome(handle: &Handle, position: &Position) -> Result<Outcome, (Status, i32, String)> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_probe_outcome(handle.0, position, out, error) })
}

pub fn write(handle: &Handle, position: &Position) -> String {
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
pub fn list(
    capacity: usize,
    call: impl FnOnce(*mut Turn, usize, *mut usize, *mut Error) -> Status,
) -> (Status, Vec<Turn>, usize) {
    let mut turns: Vec<Turn> = Vec::with_capacity(capacity);
    let mut count = usize::MAX;
    let status = call(turns.as_mut_ptr(), capacity, &mut count, null_mut());
    // SAFETY: that number were written.
    unsafe { turns.set_len(count.min(capacity)) };
    (status, turns, count)
}

pub fn moves(handle: &Handle, position: &Position, capacity: usize) -> (Status, Vec<Turn>, usize) {
    // SAFETY: all pointers are good.
    list(capacity, |turns, capacity, count, error| unsafe {
        endmill_moves(handle.0, position, turns, capacity, count, error)
    })
}

pub fn value_of(verdict: endmill_probe::Verdict) -> Value {
    Value {
        outcome: verdict.outcome().into(),
        plies: verdict.plies().unwrap_or(0),
        plies_known: verdict.plies().is_some(),
    }
}
