//! Checks and reads the pointers of a call, and writes its results.

#![allow(unsafe_code, reason = "the callers are written in C")]

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::NonNull;

use endmill_games::Setup;
use endmill_probe::AnyDatabase;

use crate::database::Database;
use crate::status::{Error, Failure, Status};
use crate::types::{Position, Turn};

/// Does the work of a function. Catches panics and writes errors.
///
/// # Safety
/// `error` is null or may be written.
pub(crate) unsafe fn call(error: *mut Error, work: impl FnOnce() -> Result<(), Failure>) -> Status {
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

/// Does the work of a function that writes one answer.
///
/// # Safety
/// `error` and `answer` are null or may be written.
pub(crate) unsafe fn answer<T>(
    error: *mut Error,
    answer: *mut T,
    name: &str,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Status {
    let write = || {
        let answer = given(answer, name)?;
        let found = work()?;
        // SAFETY: the caller's promise.
        unsafe { answer.write(found) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(error, write) }
}

/// Writes a handle, or null if `opened` fails.
///
/// # Safety
/// `error` and `database` are null or may be written.
pub(crate) unsafe fn open(
    error: *mut Error,
    database: *mut *mut Database,
    opened: impl FnOnce() -> Result<Box<dyn AnyDatabase>, Failure>,
) -> Status {
    if let Some(database) = NonNull::new(database) {
        // SAFETY: the caller's promise.
        unsafe { database.write(std::ptr::null_mut()) };
    }
    let handle = || Ok(Box::into_raw(Box::new(Database(opened()?))));
    // SAFETY: the caller's promise.
    unsafe { answer(error, database, "database", handle) }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("panic").to_owned()
}

pub(crate) fn given<T>(pointer: *mut T, name: &str) -> Result<NonNull<T>, Failure> {
    NonNull::new(pointer).ok_or_else(|| null(name))
}

pub(crate) fn null(name: &str) -> Failure {
    Failure::argument(format!("{name} is null"))
}

/// # Safety
/// The pointer is null or a handle that stays open for `'a`.
pub(crate) unsafe fn probe<'a>(database: *const Database) -> Result<&'a dyn AnyDatabase, Failure> {
    // SAFETY: the caller's promise.
    let database = unsafe { database.as_ref() };
    Ok(&*database.ok_or_else(|| null("database"))?.0)
}

/// # Safety
/// The pointer is null or points to a position.
pub(crate) unsafe fn setup(position: *const Position) -> Result<Setup, Failure> {
    // SAFETY: the caller's promise.
    let position = unsafe { position.as_ref() };
    (*position.ok_or_else(|| null("position"))?).try_into()
}

/// # Safety
/// The pointer is null or points to a text with a final 0, which stays for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

pub(crate) fn utf8(text: &CStr) -> Result<&str, Failure> {
    let read = text.to_str();
    read.map_err(|_| Failure::argument(format!("{text:?} is not UTF-8")))
}

/// On Unix a path is any sequence of bytes.
#[cfg(unix)]
pub(crate) fn path(text: &CStr) -> Result<&Path, Failure> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(OsStr::from_bytes(text.to_bytes())))
}

#[cfg(not(unix))]
pub(crate) fn path(text: &CStr) -> Result<&Path, Failure> {
    utf8(text).map(Path::new)
}

/// Copies as many moves as fit.
///
/// # Safety
/// `turns` is null or has room for `capacity`; `count` may be written.
pub(crate) unsafe fn hand_over(
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
    fn threads_can_share_a_handle() {
        fn shared<T: Send + Sync>() {}
        shared::<Database>();
    }
}
