//! Running the program.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

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

/// Builds a database; gives what that prints.
pub fn build(db: &Path, args: &[&str]) -> String {
    let mut all = vec!["build"];
    all.extend(args);
    all.extend(["--db", db.to_str().unwrap()]);
    printed(&all)
}

/// The JSON that a question to a database is answered with.
pub fn json(args: &[&str], db: &Path) -> Value {
    let mut all = args.to_vec();
    all.extend(["--json", "--db", db.to_str().unwrap()]);
    serde_json::from_str(&printed(&all)).unwrap()
}

/// Every file of a directory with its bytes; but for the lock, which is empty, and the logs, which
/// tell of times, and the claims, which killed builders leave.
pub fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let named = entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    let named = named.filter(|(name, _)| name != ".lock" && name != ".log" && name != ".claims");
    named
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}
