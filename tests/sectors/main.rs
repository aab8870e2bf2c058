//! Sector files of Malom and Sanmill: written, read by an independent reader written from their
//! description (`reader.py`), and compared.

#[path = "../program/mod.rs"]
mod program;
mod refusing;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use program::{build, complaint, endmill, files, printed, text};
use serde_json::Value;
use tempfile::TempDir;

/// All tables of nine men's morris with up to eight men, on the board and in hand: six with none in
/// hand and 34 placing ones. Every run builds it again.
static DATABASE: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("database-of-sectors");
    let _ = fs::remove_dir_all(&directory);
    build(&directory, &["nine", "--men", "8"]);
    directory
});

/// The moving tables with up to eight men, and placing tables of three kinds: both have men in
/// hand, the mover has, and nothing of the mover's is on the board.
const TABLES: &str = "3v3,3v4,4v3,4v4,3v5,5v3,2+2v3+1,3+1v4+0,0+3v2+2";

fn database() -> &'static str {
    DATABASE.to_str().unwrap()
}

/// The arguments of an export.
fn export_args<'a>(ruleset: &'a str, out: &'a str, db: &'a str) -> [&'a str; 8] {
    ["export", ruleset, "--to", "malom", "--out", out, "--db", db]
}

fn export(out: &Path, more: &[&str]) -> Value {
    let args = export_args("nine", out.to_str().unwrap(), database());
    let more = [more, &["--json"]].concat();
    serde_json::from_str(&printed(&[&args[..], &more].concat())).unwrap()
}

/// The comparison of a directory, with the exit status.
fn compare(ruleset: &str, sectors: &Path, db: &str) -> (Option<i32>, Value) {
    let sectors = sectors.to_str().unwrap();
    let run = endmill(&[
        "compare", ruleset, "--with", "malom", sectors, "--json", "--db", db,
    ]);
    let answer = serde_json::from_slice(&run.stdout);
    (
        run.status.code(),
        answer.unwrap_or_else(|_| panic!("{}", text(run.stderr))),
    )
}

/// Runs the reader, with lines on its standard input.
fn reader(args: &[&str], lines: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sectors/reader.py");
    let mut running = Command::new("python3")
        .arg(script)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("this test needs python3: {error}"));
    let mut to = running.stdin.take().unwrap();
    let lines = lines.to_owned();
    let writer = std::thread::spawn(move || to.write_all(lines.as_bytes()));
    let run = running.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(run.status.success(), "the reader failed: {args:?}");
    text(run.stdout)
}

/// The answers of `probe`, in the format of the reader.
fn probed(ruleset: &str, positions: &str, db: &str) -> Vec<String> {
    let mut running = program::program()
        .args(["probe", ruleset, "--stdin", "--db", db])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = running.stdin.take().unwrap();
    let lines = positions.to_owned();
    let writer = std::thread::spawn(move || to.write_all(lines.as_bytes()));
    let run = running.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let answers = text(run.stdout);
    let answers = answers.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).unwrap();
        let outcome = answer["outcome"]
            .as_str()
            .unwrap_or_else(|| panic!("{line}"));
        match answer["plies"].as_u64() {
            Some(plies) => format!("{outcome} {plies}"),
            None => outcome.to_owned(),
        }
    });
    answers.collect()
}

/// The numbers in the name of a sector's file.
fn numbers(file: &str) -> Vec<String> {
    let numbers = file.strip_suffix(".sec2").unwrap().split('_').skip(1);
    numbers.map(str::to_owned).collect()
}

/// The slots of a sector agree with the probe's answers for their positions, and vice versa.
fn reader_agrees(ruleset: &str, name: &str, sectors: &Path, db: &str, file: &str, count: &str) {
    let directory = sectors.to_str().unwrap();
    let sector = numbers(file);
    let mut args = vec!["slots", directory, name];
    args.extend(sector.iter().map(String::as_str));
    args.push(count);
    let read = reader(&args, "");
    let (mut positions, mut values) = (String::new(), Vec::new());
    for line in read.lines() {
        let (position, value) = line.split_once('\t').unwrap();
        positions += &format!("{position}\n");
        values.push(value.to_owned());
    }
    assert!(!values.is_empty(), "{file}");
    assert!(
        values == probed(ruleset, &positions, db),
        "{file}: slots differ from the probe"
    );
    let again: Vec<String> = reader(&["values", directory, name], &positions)
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(values == again, "{file}: positions have other slots");
}

#[test]
fn exported_sectors_are_equal_and_a_reader_of_the_description_agrees() {
    let out = TempDir::new().unwrap();
    let output = export(out.path(), &["--tables", TABLES]);
    assert_eq!(output["sectors"], 9);
    let bytes: u64 = (files(out.path()).iter())
        .filter(|(name, _)| !name.ends_with(".json"))
        .map(|(_, bytes)| bytes.len() as u64)
        .sum();
    assert_eq!(output["bytes"], bytes);
    let (status, compared) = compare("nine", out.path(), database());
    assert_eq!(
        (status, &compared["equal"]),
        (Some(0), &Value::Bool(true)),
        "{compared}"
    );
    assert_eq!(compared["slots"], output["slots"]);
    assert_eq!(compared["sectors"].as_array().unwrap().len(), 9);
    for sector in output["files"].as_array().unwrap() {
        let file = sector["file"].as_str().unwrap();
        reader_agrees("nine", "std", out.path(), database(), file, "400");
    }
}

#[test]
fn bytes_do_not_depend_on_threads_and_an_export_resumes() {
    let [one, three, stopped] = [(); 3].map(|()| TempDir::new().unwrap());
    let tables = "3v3,4v3,2+2v3+1";
    export(one.path(), &["--tables", tables, "--threads", "1"]);
    export(three.path(), &["--tables", tables, "--threads", "3"]);
    assert!(files(one.path()) == files(three.path()));
    // The state after a kill within the second sector.
    export(stopped.path(), &["--tables", "3v3"]);
    fs::write(stopped.path().join(".std_4_3_0_0.sec2.tmp-1"), [2, 0, 0]).unwrap();
    let output = export(stopped.path(), &["--tables", tables]);
    let there = |i: usize| output["files"][i]["there_already"].as_bool().unwrap();
    assert_eq!([there(0), there(1), there(2)], [true, false, false]);
    assert!(files(stopped.path()) == files(one.path()));
    // Nothing is left to do.
    let output = export(stopped.path(), &["--tables", tables, "--dry-run"]);
    assert_eq!(output["missing_bytes"], 0);
}

/// An export recognises a sector that it has just renamed as its own, whenever the process dies.
#[test]
fn an_export_killed_as_a_sector_appears_resumes() {
    let tables = "2+1v2+1,1+2v1+2,3v3";
    let whole = TempDir::new().unwrap();
    export(whole.path(), &["--tables", tables]);
    for _ in 0..12 {
        let out = TempDir::new().unwrap();
        let mut running = program::program()
            .args(["export", "nine", "--to", "malom", "--tables", tables])
            .args(["--db", database(), "--out"])
            .arg(out.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let first = out.path().join("std_2_2_1_1.sec2");
        while !first.exists() && running.try_wait().unwrap().is_none() {}
        let _ = running.kill();
        running.wait().unwrap();
        export(out.path(), &["--tables", tables]);
        assert!(files(out.path()) == files(whole.path()));
    }
    // Killed after recording and before renaming: the sector is written.
    fs::remove_file(whole.path().join("std_3_3_0_0.sec2")).unwrap();
    let output = export(whole.path(), &["--tables", tables]);
    assert_eq!(output["files"][2]["there_already"], false);
}

#[test]
fn values_of_sectors_are_taken_from_a_file_and_mean_the_same() {
    let [plain, other] = [(); 2].map(|()| TempDir::new().unwrap());
    export(plain.path(), &["--tables", "3v3"]);
    let list = fs::read_to_string(plain.path().join("std.secval")).unwrap();
    let list = list.replace("\n3 3 0 0  0\n", "\n3 3 0 0  -123\n");
    let file = other.path().join("official.secval");
    fs::write(&file, &list).unwrap();
    let out = other.path().join("out");
    export(
        &out,
        &["--tables", "3v3", "--secval", file.to_str().unwrap()],
    );
    assert_eq!(fs::read_to_string(out.join("std.secval")).unwrap(), list);
    let sector = |directory: &Path| fs::read(directory.join("std_3_3_0_0.sec2")).unwrap();
    assert!(sector(&out) != sector(plain.path()));
    assert_eq!(compare("nine", &out, database()).0, Some(0));
    reader_agrees("nine", "std", &out, database(), "std_3_3_0_0.sec2", "300");
    // Existing files with other values are not overwritten.
    let refused = |out: &str, more: &[&str]| {
        let args = export_args("nine", out, database());
        complaint(&[&args[..], &["--tables", "3v3"], more].concat())
    };
    let error = refused(out.to_str().unwrap(), &[]);
    assert!(
        error.contains("std.secval was not written by an export of nine"),
        "{error}"
    );
    // The error for an unreadable list names the line.
    fs::write(&file, "virt_loss_val: -299\nvirt_win_val: many\n").unwrap();
    let error = refused("nowhere", &["--secval", file.to_str().unwrap()]);
    assert!(
        error.contains("official.secval:2: expected `virt_win_val: 299`"),
        "{error}"
    );
}

#[test]
fn redirections_and_exceptions_are_followed() {
    let out = TempDir::new().unwrap();
    export(out.path(), &["--tables", "2+1v2+1"]);
    let directory = out.path().to_str().unwrap();
    let sector = ["std", "2", "2", "1", "1"];
    let change =
        |what: &str, more: &[&str]| reader(&[&[what, directory], &sector[..], more].concat(), "");
    let written = change("redirect", &[]);
    let written: Vec<u64> = written
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    let [redirected, exceptions] = written[..] else {
        panic!("{written:?}");
    };
    assert!(redirected > 100 && exceptions > 100, "{written:?}");
    let (status, compared) = compare("nine", out.path(), database());
    assert_eq!(status, Some(0), "{compared}");
    assert_eq!(compared["sectors"][0]["redirections"], redirected);
    reader_agrees(
        "nine",
        "std",
        out.path(),
        database(),
        "std_2_2_1_1.sec2",
        "5000",
    );

    // A wrong outcome, wrong plies, and a redirection to itself.
    let whole = fs::read(out.path().join("std_2_2_1_1.sec2")).unwrap();
    let spoilt = |slot: &str, first: &str, second: &str| {
        fs::write(out.path().join("std_2_2_1_1.sec2"), &whole).unwrap();
        let position = change("spoil", &[slot, first, second]);
        let (status, compared) = compare("nine", out.path(), database());
        assert_eq!(
            (status, &compared["equal"]),
            (Some(1), &Value::Bool(false)),
            "{compared}"
        );
        let found = compared["sectors"][0].clone();
        let positions: Vec<&str> = (found["differences"].as_array().unwrap().iter())
            .map(|difference| difference["position"].as_str().unwrap())
            .collect();
        assert!(
            positions.contains(&position.trim()),
            "{positions:?} {position}"
        );
        found
    };
    let other = spoilt("1", "299", "77");
    assert!(other["other_outcome"].as_u64() > Some(0) || other["other_plies"].as_u64() > Some(0));
    let run = endmill(&[
        "compare",
        "nine",
        "--with",
        "malom",
        directory,
        "--db",
        database(),
    ]);
    let slots = other["other_outcome"].as_u64().unwrap() + other["other_plies"].as_u64().unwrap();
    let count = match slots {
        1 => "compared: 1 slot differs\n".to_owned(),
        slots => format!("compared: {slots} slots differ\n"),
    };
    assert!(text(run.stdout).ends_with(&count));
    assert!(text(run.stderr).contains("1 of 1 sector differs"));
    let nowhere = spoilt("1", "0", "-3");
    assert!(nowhere["bad_redirections"].as_u64() > Some(0), "{nowhere}");
}

#[test]
fn files_that_are_not_sectors_are_reported_and_the_others_compared() {
    let out = TempDir::new().unwrap();
    export(out.path(), &["--tables", "3v3,2+1v2+1,1+2v1+2"]);
    let path = out.path().join("std_2_2_1_1.sec2");
    let whole = fs::read(&path).unwrap();
    let mut version = whole.clone();
    version[0] = 3;
    let mut exceptions = whole.clone();
    let end = exceptions.len() - 4;
    exceptions[end] = 1;
    for (bytes, why) in [
        (&whole[..whole.len() - 1], "cells need at least"),
        (&[][..], "it has 0 bytes"),
        (&version, "its version is 3 instead of 2"),
        (&exceptions, "it claims 1 exceptions in 0 bytes"),
    ] {
        fs::write(&path, bytes).unwrap();
        let (status, compared) = compare("nine", out.path(), database());
        assert_eq!(status, Some(1), "{compared}");
        assert_eq!(compared["sectors"].as_array().unwrap().len(), 2);
        let output = compared["not_compared"][0]["why"].as_str().unwrap();
        assert!(output.contains(why), "{output}");
    }
    // A sector without a table is reported but does not count as a difference.
    fs::write(&path, &whole).unwrap();
    fs::write(out.path().join("std_9_9_0_0.sec2"), []).unwrap();
    let (status, compared) = compare("nine", out.path(), database());
    assert_eq!(status, Some(0), "{compared}");
    assert_eq!(compared["not_compared"][0]["file"], "std_9_9_0_0.sec2");
    let nothing = TempDir::new().unwrap();
    let args = [
        "compare",
        "nine",
        "--with",
        "malom",
        nothing.path().to_str().unwrap(),
    ];
    let refused = complaint(&[&args[..], &["--db", database()]].concat());
    assert!(refused.contains("std.secval"), "{refused}");
}

#[test]
fn lasker_and_twelve_have_their_own_sectors() {
    for (ruleset, name, built, tables) in [
        ("lasker", "lask", ["--men", "6"], "3v3,2+1v2+1,3+0v2+1"),
        ("twelve", "mora", ["--pieces", "7"], "3v3,3v4"),
    ] {
        let (db, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        build(db.path(), &[ruleset, built[0], built[1]]);
        let (db, directory) = (db.path().to_str().unwrap(), out.path().to_str().unwrap());
        let args = export_args(ruleset, directory, db);
        let output = printed(&[&args[..], &["--json", "--tables", tables]].concat());
        let output: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(output["variant"], name);
        let (status, compared) = compare(ruleset, out.path(), db);
        assert_eq!(status, Some(0), "{compared}");
        for sector in output["files"].as_array().unwrap() {
            let file = sector["file"].as_str().unwrap();
            assert!(file.starts_with(name), "{file}");
            reader_agrees(ruleset, name, out.path(), db, file, "200");
        }
    }
    for ruleset in ["six", "nine-nofly", "draughts"] {
        let refused = complaint(&export_args(ruleset, "nowhere", database()));
        assert!(refused.contains("no sector files of"), "{refused}");
    }
    assert!(!Path::new("nowhere").exists());
}
