//! Incomplete databases and interrupted work.

mod program;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use program::{build, endmill, json, printed, program, text};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Nine with 6 and 7 men: 3v3, and 4v3 with 3v4.
fn nine() -> TempDir {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--pieces", "7"]);
    db
}

/// The output and errors of `verify`, with its exit status.
fn verified(db: &Path, ways: &[&str]) -> (Option<i32>, String, String) {
    let path = db.to_str().unwrap();
    let run = endmill(&[&["verify", "nine", "--db", path], ways].concat());
    (run.status.code(), text(run.stdout), text(run.stderr))
}

#[test]
fn a_database_that_does_not_exist_is_missing() {
    let nowhere = TempDir::new().unwrap();
    let path = nowhere.path().to_str().unwrap();
    for command in [
        &["stats", "nine"][..],
        &["verify", "nine"],
        &["verify", "nine", "--quick"],
        &["verify", "nine", "--by-turns", "--tables", "4v3"],
    ] {
        let run = endmill(&[command, &["--db", path]].concat());
        assert_eq!(run.status.code(), Some(3), "{command:?}");
        let stderr = text(run.stderr);
        assert!(stderr.contains("has no tables of nine"), "{stderr}");
    }
}

#[test]
fn missing_tables_are_listed_with_the_command_that_builds_them() {
    let db = nine();
    let path = db.path().to_str().unwrap();
    for ways in [&["--tables", "5v4"][..], &["--only", "5v4", "--quick"]] {
        let (status, stdout, stderr) = verified(db.path(), ways);
        assert_eq!(status, Some(3), "{stderr}");
        let missing = "missing: 3v5.wld, 4v4.wld, 4v5.wld, 5v4.wld";
        assert!(stdout.ends_with(&format!("{missing}\n")), "{stdout}");
        assert_eq!(
            stderr,
            format!(
                "endmill: {missing}; build with: endmill build nine --tables 4v5,5v4 --db {path}\n"
            )
        );
    }
    let run = endmill(&["verify", "nine", "--tables", "5v5", "--json", "--db", path]);
    assert_eq!(run.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(
        report["missing"].as_array().unwrap().last().unwrap(),
        "5v5.wld"
    );
    // One of them is present and verified.
    let (status, stdout, stderr) = verified(db.path(), &["--tables", "3v3,4v4"]);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stdout.contains(" positions and all counts: "), "{stdout}");
    let advice = format!("; build with: endmill build nine --tables 4v4 --db {path}\n");
    assert!(stderr.ends_with(&advice), "{stderr}");
    // The suggested command helps.
    build(db.path(), &["nine", "--tables", "4v4"]);
    let (status, _, stderr) = verified(db.path(), &["--tables", "3v3,4v4"]);
    assert_eq!(status, Some(0), "{stderr}");
}

#[test]
fn a_file_that_is_not_a_table_is_named() {
    let db = nine();
    let stray = db.path().join("nine/foo.wld");
    fs::write(&stray, "").unwrap();
    for ways in [&[][..], &["--quick"], &["--tables", "3v3"]] {
        let (status, _, stderr) = verified(db.path(), ways);
        assert_eq!(status, Some(1), "{stderr}");
        let stray = stray.display();
        let expected = format!("endmill: {stray} is not a table of nine, move it elsewhere: ");
        assert!(stderr.starts_with(&expected), "{stderr}");
    }
}

/// The manifest and the records it is derived from.
fn remove_records(db: &Path) {
    for entry in fs::read_dir(db.join("nine")).unwrap() {
        let path = entry.unwrap().path();
        let end = path.extension().unwrap_or_default();
        if end == "record" || end == "json" {
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn tables_that_do_not_need_a_missing_one_are_verified() {
    let db = nine();
    for name in ["3v4.wld", "3v4.dtw"] {
        fs::remove_file(db.path().join("nine").join(name)).unwrap();
    }
    for ways in [&[][..], &["--by-turns"]] {
        let (status, stdout, stderr) = verified(db.path(), ways);
        assert_eq!(status, Some(3), "{stderr}");
        assert!(stdout.contains("missing: 3v4.dtw, 3v4.wld"), "{stdout}");
        assert!(stdout.contains("not verified: 3v4, 4v3\n"), "{stdout}");
        assert!(stdout.contains(" positions and all counts: "), "{stdout}");
        assert!(stderr.contains("3v3: "), "{stderr}");
    }
    // Not recorded either, but still needed.
    remove_records(db.path());
    fs::remove_file(db.path().join("nine/3v3.wld")).unwrap();
    let (status, stdout, _) = verified(db.path(), &[]);
    assert_eq!(status, Some(3));
    assert!(stdout.contains("missing: 3v3.wld, 3v4.wld"), "{stdout}");
}

#[test]
fn missing_plies_are_named_and_the_outcomes_verified() {
    let db = nine();
    fs::remove_file(db.path().join("nine/4v3.dtw")).unwrap();
    let (status, stdout, _) = verified(db.path(), &[]);
    assert_eq!(status, Some(3));
    assert!(stdout.contains("missing: 4v3.dtw\n"), "{stdout}");
    assert!(
        stdout.contains("positions are consistent (swept by rows"),
        "{stdout}"
    );
}

#[test]
fn files_without_a_record_are_named_and_verified() {
    let db = nine();
    remove_records(db.path());
    let (status, stdout, _) = verified(db.path(), &[]);
    assert_eq!(status, Some(1));
    let names = "3v3.dtw, 3v3.wld, 3v4.dtw, 3v4.wld, 4v3.dtw, 4v3.wld";
    assert!(
        stdout.contains(&format!("not recorded: {names}\n")),
        "{stdout}"
    );
    assert!(
        stdout.contains("positions and all counts: swept by rows"),
        "{stdout}"
    );
}

/// Starts the program and interrupts it when it prints a line that contains a word.
fn interrupted(args: &[&str], db: &Path, word: &str) -> Option<i32> {
    let mut started = program();
    started.args(args).arg("--db").arg(db);
    started.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child: Child = started.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(word)), "{args:?}");
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let last = rest.last().unwrap();
    assert!(last.contains("stopped"), "{args:?}: {last}");
    child.wait().unwrap().code()
}

#[test]
fn ctrl_c_ends_build_and_verify_with_status_130() {
    let db = TempDir::new().unwrap();
    let build_six = ["build", "six"];
    assert_eq!(interrupted(&build_six, db.path(), "3v3: "), Some(130));
    build(db.path(), &["six"]);
    let verify = ["verify", "six", "--sample", "1000000"];
    assert_eq!(interrupted(&verify, db.path(), "3v3: "), Some(130));
    let by_turns = ["verify", "six", "--by-turns"];
    assert_eq!(
        interrupted(&by_turns, db.path(), "to prove by turns"),
        Some(130)
    );
}

/// All 8,100 tables of draughts have more positions than 64 bits can count.
#[test]
fn whole_of_draughts_is_planned_but_not_solved() {
    let plan = printed(&["plan", "draughts", "--pieces", "24", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    assert_eq!(plan["total"]["tables"], 8_100);
    assert!(plan["total"]["positions"].as_f64().unwrap() > 5e20);
    printed(&["plan", "draughts", "--pieces", "24"]);
    // Some numbers of men configurations exceed 32 bits.
    let run = endmill(&["bench", "solve", "draughts", "--pieces", "24"]);
    assert_eq!(run.status.code(), Some(1));
    let stderr = text(run.stderr);
    assert!(stderr.contains(" is too large to be solved"), "{stderr}");
}

#[test]
fn stats_cover_the_tables_that_exist() {
    let db = nine();
    fs::remove_file(db.path().join("nine/3v4.wld")).unwrap();
    let stats = json(&["stats", "nine"], db.path());
    assert_eq!(stats["tables"].as_array().unwrap().len(), 2);
}
