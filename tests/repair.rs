//! Damaged databases: every command prints how to repair them, and `build --repair` restores the
//! bytes of a fresh build.

mod halted;
mod program;

use std::fs;
use std::path::Path;

use program::{build, endmill, files, printed, program, text};
use tempfile::TempDir;

fn flip_a_byte(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

/// The output of a repair.
fn repaired(db: &Path, args: &[&str]) -> String {
    let mut all = vec!["build"];
    all.extend(args);
    all.extend(["--repair", "--db", db.to_str().unwrap()]);
    let run = endmill(&all);
    let stderr = text(run.stderr);
    assert!(run.status.success(), "{stderr}");
    stderr
}

#[test]
fn a_repaired_database_has_the_bytes_of_a_fresh_one() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["six", "--pieces", "8"]);
    let directory = db.path().join("six");
    let fresh = files(&directory);
    for damaged in [
        &["4v3.wld"][..],
        &["3v3.dtw"],
        &["manifest.json"],
        &["3v3.wld", "3v5.dtw"],
        &["manifest.json", "4v4.dtw", "5v3.wld"],
        &["4v3.record"],
        &["4v3.record", "3v4.dtw"],
    ] {
        for name in damaged {
            flip_a_byte(&directory.join(name));
        }
        let stderr = repaired(db.path(), &["six"]);
        for name in damaged {
            assert!(
                stderr.contains(&format!("{name}: damaged")),
                "{name}: {stderr}"
            );
        }
        assert!(files(&directory) == fresh, "{damaged:?}");
    }
    // Without a manifest, and with one file replaced by that of another table.
    fs::remove_file(directory.join("manifest.json")).unwrap();
    repaired(db.path(), &["six"]);
    assert!(files(&directory) == fresh);
    fs::copy(directory.join("4v3.wld"), directory.join("3v4.wld")).unwrap();
    repaired(db.path(), &["six"]);
    assert!(files(&directory) == fresh);
    // Nothing is wrong, and nothing is printed.
    let stderr = repaired(db.path(), &["six"]);
    assert!(!stderr.contains("rebuilt"), "{stderr}");
}

/// A repair builds no tables and stores no plies that were never built.
#[test]
fn a_repair_adds_nothing() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["six", "--pieces", "7", "--no-plies"]);
    let directory = db.path().join("six");
    let fresh = files(&directory);
    flip_a_byte(&directory.join("3v4.wld"));
    repaired(db.path(), &["six"]);
    assert!(files(&directory) == fresh);
    build(db.path(), &["draughts", "--pieces", "3"]);
    let directory = db.path().join("draughts");
    let fresh = files(&directory);
    flip_a_byte(&directory.join("02v01.dtw"));
    repaired(db.path(), &["draughts"]);
    assert!(files(&directory) == fresh);
}

/// Only an unreadable manifest exists: it is rewritten, and nothing is built.
#[test]
fn a_repair_of_nothing_builds_nothing() {
    let db = TempDir::new().unwrap();
    let directory = db.path().join("six");
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("manifest.json"), "{").unwrap();
    let path = db.path().to_str().unwrap();
    let run = endmill(&["build", "six", "--pieces", "6", "--db", path]);
    assert_eq!(run.status.code(), Some(1));
    let advice = format!("endmill build six --repair --db {path}");
    assert!(text(run.stderr).contains(&advice));
    repaired(db.path(), &["six"]);
    let names: Vec<String> = files(&directory).into_keys().collect();
    assert_eq!(names, ["manifest.json"]);
    build(db.path(), &["six", "--pieces", "6"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_repair_ends_in_the_same_bytes_when_it_is_run_again() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["six"]);
    let directory = db.path().join("six");
    let fresh = files(&directory);
    let damage = || {
        for name in ["3v3.wld", "4v4.dtw", "2+3v3+3.wld"] {
            fs::write(directory.join(name), &fresh[name]).unwrap();
            flip_a_byte(&directory.join(name));
        }
    };
    let halting = halted::Halting::new();
    let mut killed = 0;
    for step in (1..).step_by(9) {
        damage();
        let mut repair = program();
        repair.args(["build", "six", "--repair", "--db"]);
        let ended = !halting.kills(step, repair.arg(db.path()));
        if ended {
            break;
        }
        killed += 1;
        repaired(db.path(), &["six"]);
        assert!(files(&directory) == fresh, "killed at step {step}");
    }
    assert!(killed > 3, "{killed}");
}

/// In a database of one table only its own files show what was stored.
#[cfg(target_os = "linux")]
#[test]
fn a_repair_that_is_killed_at_any_step_is_resumed_by_either_build() {
    let halting = halted::Halting::new();
    for (args, damaged) in [
        (&["three", "--tables", "3v3"][..], &["3v3.dtw"][..]),
        (&["three", "--tables", "3v3"], &["3v3.wld"]),
        (&["three", "--tables", "3v3"], &["3v3.record", "3v3.dtw"]),
        (&["three", "--tables", "3v3", "--no-plies"], &["3v3.wld"]),
        (
            &["three", "--compact"],
            &["3v3.dtw", "2+1v3+0.wld", "2+1v2+1.wld"],
        ),
        (
            &["three", "--no-placing-plies"],
            &["3v3.wld", "1+2v2+1.wld"],
        ),
    ] {
        let fresh = files(&program::built(args).path().join("three"));
        let mut killed = 0;
        for step in 1.. {
            let db = TempDir::new().unwrap();
            let directory = db.path().join("three");
            fs::create_dir(&directory).unwrap();
            for (name, bytes) in &fresh {
                fs::write(directory.join(name), bytes).unwrap();
            }
            damaged
                .iter()
                .for_each(|name| flip_a_byte(&directory.join(name)));
            let mut repair = program();
            repair.args(["build", "three", "--repair", "--db"]);
            if !halting.kills(step, repair.arg(db.path())) {
                break;
            }
            killed += 1;
            repaired(db.path(), &["three"]);
            assert!(
                files(&directory) == fresh,
                "{args:?}, {damaged:?}: killed at step {step}"
            );
        }
        assert!(killed > 3, "{args:?}: {killed}");
    }
}

#[test]
fn every_command_that_finds_damage_prints_how_to_repair_it() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let path = db.path().to_str().unwrap();
    let advice = format!("endmill build three --repair --db {path}");
    let advises = |args: &[&str]| {
        let run = endmill(&[args, &["--db", path]].concat());
        assert_eq!(run.status.code(), Some(1), "{args:?}");
        let stderr = text(run.stderr);
        assert!(stderr.trim_end().ends_with(&advice), "{args:?}: {stderr}");
    };
    let position = printed(&["sample", "three", "--table", "3v3", "-n", "1", "--db", path]);
    let position = position.trim();
    flip_a_byte(&db.path().join("three/3v3.dtw"));
    for args in [
        &["probe", "three", position][..],
        &["line", "three", position],
        &["sample", "three", "--table", "3v3", "--plies", "1"],
        &["verify", "three"],
    ] {
        advises(args);
    }
    // The tables that depend on the damaged one are missing.
    fs::remove_file(db.path().join("three/2+1v3+0.wld")).unwrap();
    advises(&["build", "three"]);
    flip_a_byte(&db.path().join("three/manifest.json"));
    advises(&["build", "three"]);
    advises(&["verify", "three"]);
    repaired(db.path(), &["three"]);
    printed(&["verify", "three", "--db", path]);
    // A missing table is not damage.
    let run = endmill(&["probe", "nine", "start", "--db", path]);
    assert!(!text(run.stderr).contains("--repair"));
}
