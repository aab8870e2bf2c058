//! Running the program.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::process::{Command, Output};

pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_endmill"))
}

pub fn endmill(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// What a run that must succeed prints.
pub fn printed(args: &[&str]) -> String {
    let run = endmill(args);
    assert!(run.status.success(), "{args:?}: {}", text(run.stderr));
    text(run.stdout)
}

/// The complaint of a run that must fail for its input, with nothing on stdout.
pub fn complaint(args: &[&str]) -> String {
    let run = endmill(args);
    assert_eq!(run.status.code(), Some(2), "{args:?}");
    assert!(run.stdout.is_empty(), "{args:?}");
    text(run.stderr)
}
