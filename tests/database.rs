//! End to end: a database is built, reported, verified, damaged, interrupted and rebuilt.

mod halted;
mod program;

use std::fs;
use std::path::Path;

use program::{build, complaint, endmill, files, json, printed, program};
use serde_json::Value;
use tempfile::TempDir;

/// Counts of all small tables of nine men's morris, computed independently.
const MORRIS: &str = include_str!("../games/tests/reference/morris.json");
/// The same for draughts.
const DRAUGHTS: &str = include_str!("../games/tests/reference/draughts.json");

/// The printed examples really are the longest win and the longest loss.
fn examples_hold(ruleset: &str, stats: &Value, db: &Path) {
    for table in stats["tables"].as_array().unwrap() {
        for (outcome, longest) in [("win", "longest_win"), ("loss", "longest_loss")] {
            let position = &table[format!("{longest}_position")];
            assert_eq!(position.is_string(), table[outcome] != 0, "{table}");
            if let Some(position) = position.as_str() {
                let answer = json(&["probe", ruleset, position], db);
                assert_eq!(answer["table"], table["table"]);
                assert_eq!(answer["outcome"], outcome);
                assert_eq!(answer["plies"], table[longest], "{position}");
            }
        }
    }
}

#[test]
fn nine_up_to_8_pieces_has_the_counts_of_the_reference() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--pieces", "8"]);
    let stats = json(&["stats", "nine"], db.path());
    let reference: Value = serde_json::from_str(MORRIS).unwrap();
    let expected = reference["tables"].as_object().unwrap();
    let tables = stats["tables"].as_array().unwrap();
    assert_eq!(tables.len(), expected.len());
    for table in tables {
        let expected = &expected[table["table"].as_str().unwrap()];
        for count in [
            "win",
            "loss",
            "draw",
            "longest_win",
            "longest_loss",
            "plies",
        ] {
            assert_eq!(table[count], expected[count], "{} {count}", table["table"]);
        }
    }
    examples_hold("nine", &stats, db.path());
    let db = db.path().to_str().unwrap();
    let verified = printed(&["verify", "nine", "--db", db]);
    assert!(verified.contains("10076799 positions"), "{verified}");
}

#[test]
fn draughts_up_to_4_pieces_has_the_counts_of_the_reference() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["draughts", "--pieces", "4"]);
    let stats = json(&["stats", "draughts"], db.path());
    let reference: Value = serde_json::from_str(DRAUGHTS).unwrap();
    let expected = reference["tables"].as_object().unwrap();
    let tables = stats["tables"].as_array().unwrap();
    let mut four = [0; 4];
    for table in tables {
        let name = table["table"].as_str().unwrap();
        let counts = ["positions", "win", "loss", "draw"];
        match expected.get(name) {
            Some(expected) => {
                for count in counts.into_iter().chain(["longest_win", "longest_loss"]) {
                    assert_eq!(table[count], expected[count], "{name} {count}");
                }
                let plies = table["plies"].as_object().unwrap().iter();
                let plies =
                    plies.map(|(ply, n)| (ply.parse::<u64>().unwrap(), n.as_u64().unwrap()));
                let (wins, losses): (Vec<_>, Vec<_>) = plies.partition(|(ply, _)| ply % 2 == 1);
                let sum = |of: Vec<(u64, u64)>| of.iter().map(|(ply, n)| ply * n).sum::<u64>();
                assert_eq!(expected["sum_win"], sum(wins), "{name}");
                assert_eq!(expected["sum_loss"], sum(losses), "{name}");
            }
            None => {
                for (sum, count) in four.iter_mut().zip(counts) {
                    *sum += table[count].as_u64().unwrap();
                }
            }
        }
    }
    let of_four = &reference["totals"]["4"];
    let expected =
        ["positions", "win", "loss", "draw"].map(|count| of_four[count].as_u64().unwrap());
    assert_eq!(four, expected);
    examples_hold("draughts", &stats, db.path());
    printed(&["verify", "draughts", "--db", db.path().to_str().unwrap()]);
}

/// The same commands for every other ruleset.
#[test]
fn every_ruleset_builds_and_is_verified() {
    let db = TempDir::new().unwrap();
    for args in [
        &["three"][..],
        &["six"],
        &["nine-nofly", "--pieces", "8"],
        &["twelve", "--pieces", "8"],
        &["lasker", "--pieces", "8"],
    ] {
        build(db.path(), args);
        printed(&["verify", args[0], "--db", db.path().to_str().unwrap()]);
    }
}

#[test]
fn threads_and_processors_do_not_change_a_byte() {
    let expected = TempDir::new().unwrap();
    build(expected.path(), &["nine", "--pieces", "7"]);
    let expected = files(&expected.path().join("nine"));
    for (threads, portable) in [("1", "0"), ("7", "0"), ("2", "1")] {
        let db = TempDir::new().unwrap();
        let mut build = program();
        build.env("ENDMILL_PORTABLE", portable);
        build.args([
            "build",
            "nine",
            "--pieces",
            "7",
            "--threads",
            threads,
            "--db",
        ]);
        assert!(build.arg(db.path()).output().unwrap().status.success());
        assert!(
            files(&db.path().join("nine")) == expected,
            "{threads} threads"
        );
    }
}

/// Kills a build at every third step that changes something on disk.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_build_resumes_to_identical_files() {
    let args = ["nine", "--pieces", "7"];
    let expected = files(&program::built(&args).path().join("nine"));
    let halting = halted::Halting::new();
    let mut killed = 0;
    for step in (1..).step_by(3) {
        let db = TempDir::new().unwrap();
        let mut first = program();
        first.arg("build").args(args).arg("--db").arg(db.path());
        if !halting.kills(step, &mut first) {
            break;
        }
        killed += 1;
        build(db.path(), &args);
        assert!(
            files(&db.path().join("nine")) == expected,
            "killed at step {step}"
        );
    }
    // Each of the nine files takes at least a sync and a rename.
    assert!(killed >= 9, "{killed}");
}

#[test]
fn damage_is_reported_with_its_place() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let directory = db.path().join("three");
    let verify = [
        "verify",
        "three",
        "--quick",
        "--db",
        db.path().to_str().unwrap(),
    ];
    printed(&verify);
    for name in ["3v3.wld", "3v3.dtw", "3v3.record", "manifest.json"] {
        let path = directory.join(name);
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 16 + 1) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            fs::write(&path, damaged).unwrap();
            let run = endmill(&verify);
            assert_eq!(run.status.code(), Some(1), "{name} byte {at}");
            let answer = String::from_utf8(run.stderr).unwrap();
            assert!(answer.contains(name), "{name} byte {at}: {answer}");
        }
        fs::write(&path, whole).unwrap();
    }
    printed(&verify);
}

#[test]
fn a_table_with_wrong_values_is_found() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    build(db.path(), &["six", "--pieces", "7"]);
    // The valid files of six's 4v3 under the name of 3v4.
    let directory = db.path().join("six");
    fs::copy(directory.join("4v3.wld"), directory.join("3v4.wld")).unwrap();
    let run = endmill(&[
        "verify",
        "six",
        "--quick",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    assert_eq!(run.status.code(), Some(1));
}

/// With very little memory, larger tables (here two of three) are solved in scratch files.
#[test]
fn memory_does_not_change_a_byte() {
    let [plenty, little] = ["64G", "1M"].map(|memory| {
        let db = TempDir::new().unwrap();
        build(db.path(), &["nine", "--pieces", "7", "--memory", memory]);
        files(&db.path().join("nine"))
    });
    assert!(plenty == little);
}

#[test]
fn outcomes_without_plies_are_consistent_only() {
    let [with, without] = [&[][..], &["--no-plies"]].map(|args: &[&str]| {
        let db = TempDir::new().unwrap();
        build(db.path(), &[&["six", "--pieces", "7"], args].concat());
        db
    });
    let names = files(&without.path().join("six")).into_keys();
    assert!(names.into_iter().all(|name| !name.ends_with(".dtw")));
    // Plies that were not stored are derived again for the tables that depend on them.
    build(without.path(), &["six", "--pieces", "8", "--no-plies"]);
    let db = without.path().to_str().unwrap();
    let run = endmill(&["verify", "six", "--db", db]);
    assert_eq!(run.status.code(), Some(4));
    let [with, without] = [with, without].map(|db| json(&["stats", "six"], db.path()));
    for table in with["tables"].as_array().unwrap() {
        let same = |other: &&Value| other["table"] == table["table"];
        let other = without["tables"]
            .as_array()
            .unwrap()
            .iter()
            .find(same)
            .unwrap();
        for count in ["win", "draw", "loss"] {
            assert_eq!(table[count], other[count], "{}", table["table"]);
        }
    }
}

#[test]
fn a_probe_prints_who_wins_and_by_which_move() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--pieces", "7"]);
    let db = db.path().to_str().unwrap();
    let position = "W:Wa1,d1,g4:Bb2,b4,d6";
    let answer = printed(&["probe", "nine", position, "--db", db, "--json"]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    // White closes a1 d1 g1 and takes one of three men.
    assert_eq!(answer["outcome"], "win");
    assert_eq!(answer["plies"], 1);
    assert_eq!(answer["table"], "3v3");
    let turns = answer["moves"].as_array().unwrap();
    assert_eq!(turns.len(), 3 * 18 - 1 + 3);
    assert_eq!(turns[0]["move"], "g4-g1xb2");
    let words = printed(&["probe", "nine", position, "--db", db]);
    assert!(words.contains("White wins in 1 ply"), "{words}");
    let line = printed(&["line", "nine", position, "--db", db]);
    assert!(line.contains("g4-g1xb2"), "{line}");

    let missing = endmill(&[
        "probe",
        "nine",
        "W:Wa1,d1,g4,g7,a7:Bb2,b4,d6,f2,f4",
        "--db",
        db,
    ]);
    assert_eq!(missing.status.code(), Some(3));
    let bad = complaint(&["probe", "nine", "W:Wa2:B", "--db", db]);
    assert!(bad.contains("a2 is not a point"), "{bad}");
}

#[test]
fn draughts_needs_a_number_of_pieces() {
    let answer = complaint(&["build", "draughts"]);
    assert!(answer.contains("--pieces"), "{answer}");
}

#[test]
fn a_plan_lists_tables_after_what_they_depend_on() {
    let plan = printed(&["plan", "nine", "--pieces", "8", "--json"]);
    let plan: Value = serde_json::from_str(&plan).unwrap();
    assert_eq!(plan["ruleset"], "nine");
    let mut seen = Vec::new();
    for table in plan["tables"].as_array().unwrap() {
        for needed in table["depends_on"].as_array().unwrap() {
            assert!(seen.contains(&needed), "{table}");
        }
        seen.push(&table["table"]);
    }
    assert_eq!(seen.len(), 6);
    assert_eq!(plan["total"]["positions"], 10_076_799);
    assert!(printed(&["plan", "six", "--dot"]).starts_with("digraph"));
}

#[test]
fn a_second_build_does_not_wait() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let again = build(db.path(), &["three"]);
    assert!(again.contains("7 tables"), "{again}");
}
