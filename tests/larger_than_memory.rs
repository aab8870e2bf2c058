//! `--memory` is a promise: a group that needs more is solved in scratch files, with the same bytes.

mod program;

use program::{build, built, files};
use tempfile::TempDir;

/// Morris groups of more than a mebibyte are solved row by row, draughts groups in mapped files,
/// with any number of threads.
#[test]
fn a_mebibyte_of_memory_does_not_change_a_byte() {
    for args in [
        &["nine", "--pieces", "8"][..],
        &["nine-nofly", "--pieces", "7"],
        &["twelve", "--pieces", "7"],
        &["draughts", "--pieces", "4"],
    ] {
        let expected = files(&built(args).path().join(args[0]));
        for threads in ["1", "2", "7"] {
            let db = TempDir::new().unwrap();
            let little = ["--memory", "1M", "--threads", threads];
            build(db.path(), &[args, &little].concat());
            assert!(
                files(&db.path().join(args[0])) == expected,
                "{args:?} with {threads} threads"
            );
        }
    }
}

/// `cargo test --release --features long-tests --test larger_than_memory -- --nocapture long::`
#[cfg(feature = "long-tests")]
mod long {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;
    use tempfile::TempDir;

    use super::program::{build, files, printed};

    /// The cost of building one group, without the tables it leads to.
    #[derive(Debug)]
    struct Taken {
        seconds: f64,
        peak_bytes: u64,
    }

    /// Builds one group of a database that has all other tables.
    fn build_only(db: &Path, ruleset: &str, group: &[&str], memory: u64) -> Taken {
        let directory = db.join(ruleset);
        let _ = fs::remove_file(directory.join("manifest.json"));
        // Only this run is reported.
        fs::remove_dir_all(directory.join(".log")).unwrap();
        for table in group {
            for kind in ["wld", "dtw", "record"] {
                let _ = fs::remove_file(directory.join(format!("{table}.{kind}")));
            }
        }
        let report = db.join("report.json");
        let memory = format!("{}K", memory >> 10);
        let report_to = report.to_str().unwrap();
        let options = [
            "--only", group[0], "--memory", &memory, "--report", report_to,
        ];
        build(db, &[&[ruleset], &options[..]].concat());
        let report: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
        let taken = &report["build"];
        Taken {
            seconds: taken["wall_seconds"].as_f64().unwrap(),
            peak_bytes: taken["peak_memory_bytes"].as_u64().unwrap(),
        }
    }

    /// A group of more than a hundred million positions, built with a tenth of the memory that `plan`
    /// states, takes at most three times as long and gives the same bytes. All resident memory counts,
    /// including mapped files; the program's own memory comes on top of the tenth.
    #[test]
    fn a_tenth_of_the_memory_takes_at_most_three_times_as_long() {
        /// The program, buffers, and the mapped samples that models learn from.
        const FOR_ITSELF: u64 = 80 << 20;
        for (ruleset, group) in [("nine", &["6v5", "5v6"][..]), ("draughts", &["12v12"])] {
            let db = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            build(db.path(), &[ruleset, "--tables", group[0]]);
            let expected = files(&db.path().join(ruleset));
            let plan = printed(&["plan", ruleset, "--tables", group[0], "--json"]);
            let plan: Value = serde_json::from_str(&plan).unwrap();
            let planned = plan["tables"].as_array().unwrap().iter();
            let mut planned = planned.filter(|planned| planned["table"] == group[0]);
            let needed = planned.next().unwrap()["memory_bytes"].as_u64().unwrap();

            let plenty = build_only(db.path(), ruleset, group, 4 * needed);
            assert!(files(&db.path().join(ruleset)) == expected);
            let little = build_only(db.path(), ruleset, group, needed / 10);
            assert!(files(&db.path().join(ruleset)) == expected);
            println!("{group:?}, which takes {needed} bytes: {plenty:?}; with a tenth {little:?}");
            assert!(little.seconds <= 3.0 * plenty.seconds);
            assert!(little.peak_bytes <= needed / 10 + FOR_ITSELF);
        }
    }
}
