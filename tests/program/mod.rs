//! Running the program.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Far longer than anything takes even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Waits for a condition.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "timed out: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a program exits, and kills it if it hangs.
pub fn ended(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("a program hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_endmill"))
}

pub fn endmill(args: &[&str]) -> Output {
    program().args(args).output().expect("the program starts")
}

pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// The output of a run that must succeed.
pub fn printed(args: &[&str]) -> String {
    let run = endmill(args);
    assert!(run.status.success(), "{args:?}: {}", text(run.stderr));
    text(run.stdout)
}

/// The error of a run that must fail because of its input, with nothing on stdout.
pub fn complaint(args: &[&str]) -> String {
    let run = endmill(args);
    assert_eq!(run.status.code(), Some(2), "{args:?}");
    assert!(run.stdout.is_empty(), "{args:?}");
    text(run.stderr)
}

/// Builds a database and returns the output.
pub fn build(db: &Path, args: &[&str]) -> String {
    let mut all = vec!["build"];
    all.extend(args);
    all.extend(["--db", db.to_str().unwrap()]);
    printed(&all)
}

/// A database built with these arguments, free to be changed. Each program builds it once, in the
/// target directory, and the tests get copies.
pub fn built(args: &[&str]) -> TempDir {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = of_this_program().join(args.join("_"));
    if !kept.exists() {
        let fresh = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        build(fresh.path(), args);
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        // Atomic; if another process was faster, its database is the same.
        let _ = fs::rename(fresh.path().join(args[0]), &kept);
    }
    let copy = TempDir::new().unwrap();
    let ruleset = copy.path().join(args[0]);
    fs::create_dir(&ruleset).unwrap();
    for (name, bytes) in files(&kept) {
        fs::write(ruleset.join(name), bytes).unwrap();
    }
    copy
}

/// The directory for databases of the current program. Removes those of older programs.
fn of_this_program() -> PathBuf {
    let program = fs::metadata(env!("CARGO_BIN_EXE_endmill")).unwrap();
    let changed = program.modified().unwrap();
    let changed = changed.duration_since(std::time::UNIX_EPOCH).unwrap();
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built");
    let own = all.join(format!("{}-{}", program.len(), changed.as_nanos()));
    if !own.exists() && all.exists() {
        fs::remove_dir_all(&all).unwrap();
    }
    own
}

/// The JSON answer of a command on a database.
pub fn json(args: &[&str], db: &Path) -> Value {
    let mut all = args.to_vec();
    all.extend(["--json", "--db", db.to_str().unwrap()]);
    serde_json::from_str(&printed(&all)).unwrap()
}

/// Every file of a directory with its bytes, except the lock (empty), the logs (with times) and the
/// claims (left by killed builders).
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
