//! Tests that cannot run on this machine.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::thread;

/// Reports the running test as skipped: on standard error, which the test harness does not capture
/// here, and in the file that `tests/run` lists at its end. The caller returns afterwards.
pub fn skip(reason: &str) {
    let thread = thread::current();
    let line = format!("{}: {reason}\n", thread.name().unwrap_or("a test"));
    let _ = write!(io::stderr(), "SKIPPED {line}");
    if let Some(list) = env::var_os("ENDMILL_SKIPPED") {
        let mut list = OpenOptions::new().append(true).open(list).unwrap();
        list.write_all(line.as_bytes()).unwrap();
    }
}
