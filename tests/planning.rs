//! `plan` states the peak of a build's resident memory, within a tenth or 16 MiB, whichever is more.

#![cfg(target_os = "linux")]

mod program;

use std::fs;
use std::path::Path;

use program::{build, printed};
use serde_json::Value;
use tempfile::TempDir;

const MEBIBYTE: u64 = 1 << 20;

fn plan(args: &[&str]) -> Value {
    let plan = printed(&[&["plan"], args, &["--json"]].concat());
    serde_json::from_str(&plan).unwrap()
}

/// The totals of a plan.
fn planned(args: &[&str]) -> u64 {
    plan(args)["total"]["peak_memory_bytes"].as_u64().unwrap()
}

fn assert_close(planned: u64, taken: u64, what: &str) {
    let most = (taken / 10).max(16 * MEBIBYTE);
    assert!(
        planned.abs_diff(taken) <= most,
        "{what}: {planned} bytes planned, {taken} taken"
    );
}

/// Runs a build and returns its peak memory.
fn peak_of_build(db: &Path, args: &[&str]) -> u64 {
    let report = db.join("report.json");
    build(
        db,
        &[args, &["--report", report.to_str().unwrap()]].concat(),
    );
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    report["build"]["peak_memory_bytes"].as_u64().unwrap()
}

#[test]
fn a_plan_states_the_memory_of_a_build() {
    for scope in [
        &["nine", "--pieces", "8"][..],
        &["six"],
        &["lasker", "--men", "7"],
        &["draughts", "--pieces", "4"],
    ] {
        for threads in ["1", "2"] {
            let args = [scope, &["--threads", threads]].concat();
            let db = TempDir::new().unwrap();
            let taken = peak_of_build(db.path(), &args);
            assert_close(planned(&args), taken, &format!("{args:?}"));
        }
    }
}

/// Tables that leave memory and come back are not in memory twice.
#[test]
fn a_plan_states_the_memory_of_a_build_that_spills() {
    let args = ["draughts", "--pieces", "4", "--memory", "5M"];
    let db = TempDir::new().unwrap();
    let taken = peak_of_build(db.path(), &args);
    assert_close(planned(&args), taken, "with 5 MiB");
}

/// A job of the workflow builds one group and reads the tables it leads to.
#[test]
fn a_plan_states_the_memory_of_a_job() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--tables", "5v4"]);
    let directory = db.path().join("nine");
    let plan = plan(&["nine", "--tables", "5v4", "--threads", "2"]);
    let tables = plan["tables"].as_array().unwrap();
    let job = tables.iter().find(|table| table["table"] == "5v4").unwrap();
    let planned = job["memory_bytes"].as_u64().unwrap();

    let only = ["nine", "--only", "5v4", "--threads", "2"];
    let verify = [&["verify"], &only[..]].concat();
    let verified = program::json(&verify, db.path());
    let taken = verified["taken"]["peak_memory_bytes"].as_u64().unwrap();
    assert!(taken <= planned + planned / 10, "{planned}, {taken}");

    fs::remove_file(directory.join("manifest.json")).unwrap();
    // Only the next run is reported.
    fs::remove_dir_all(directory.join(".log")).unwrap();
    for table in ["5v4", "4v5"] {
        for kind in ["wld", "dtw", "record"] {
            fs::remove_file(directory.join(format!("{table}.{kind}"))).unwrap();
        }
    }
    assert_close(planned, peak_of_build(db.path(), &only), "--only 5v4");
}

/// Builds of several hours, by their reports.
#[test]
fn a_plan_states_the_memory_of_recorded_builds() {
    for ruleset in ["nine", "nine-nofly"] {
        let path = format!("data/results/{ruleset}.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let report: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let taken = report["build"]["peak_memory_bytes"].as_u64().unwrap();
        let threads = report["build"]["threads"].to_string();
        assert_close(planned(&[ruleset, "--threads", &threads]), taken, ruleset);
    }
    // From docs/results.md, with two threads.
    let gibibytes = |tenths: f64| (tenths * 1024.0) as u64 * MEBIBYTE;
    for (args, taken) in [
        (&["draughts", "--pieces", "6"][..], gibibytes(1.93)),
        (&["morabaraba-nine", "--men", "11"], 847 * MEBIBYTE),
    ] {
        let args = [args, &["--threads", "2"]].concat();
        assert_close(planned(&args), taken, &format!("{args:?}"));
    }
}

/// With one thread, two groups are never in memory at once; with a small `--memory` the plan states
/// that.
#[test]
fn a_plan_heeds_threads_and_memory() {
    let nine = |options: &[&str]| planned(&[&["nine"], options].concat());
    assert!(nine(&["--threads", "1"]) < nine(&["--threads", "2"]));
    let little = nine(&["--threads", "2", "--memory", "1G"]);
    assert!(little < 3 * nine(&["--threads", "2"]) / 4, "{little}");
    assert!(little > 1 << 30, "{little}");
}
