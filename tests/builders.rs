//! Several builders of one database: nothing is built twice or lost, whichever of them is killed.

mod halted;
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use program::{build, ended, endmill, files, json, printed, program, text, until};
use serde_json::Value;
use tempfile::TempDir;

fn builder(db: &Path, args: &[&str]) -> Command {
    let mut command = program();
    command.arg("build").args(args).arg("--db").arg(db);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Waits until all builders have exited successfully.
fn end(builders: Vec<Child>) {
    for mut child in builders {
        assert!(ended(&mut child).success());
    }
}

/// The number of times each group was completed, by the logs of all builders.
fn built(ruleset: &Path) -> BTreeMap<String, usize> {
    let mut groups = BTreeMap::new();
    for log in fs::read_dir(ruleset.join(".log")).unwrap() {
        let text = fs::read_to_string(log.unwrap().path()).unwrap();
        // A killed builder may leave half a line.
        let events = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        for event in events.filter(|event: &Value| event["event"] == "done") {
            let group = event["group"].as_str().unwrap().to_owned();
            *groups.entry(group).or_default() += 1;
        }
    }
    groups
}

/// Returns whether no claim is left. If a builder is killed while it tries out locks, its hidden
/// file remains for a minute.
fn is_free(ruleset: &Path) -> bool {
    let entries = fs::read_dir(ruleset.join(".claims")).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name());
    names.all(|name| name.as_encoded_bytes().starts_with(b"."))
}

#[test]
fn three_builders_share_the_work_and_make_the_same_bytes() {
    let alone = program::built(&["six"]);
    let expected = files(&alone.path().join("six"));
    for claims in ["locks", "leases"] {
        let db = TempDir::new().unwrap();
        let args = ["six", "--threads", "1", "--claims", claims];
        let builders = (0..3).map(|_| builder(db.path(), &args).spawn().unwrap());
        end(builders.collect());
        let ruleset = db.path().join("six");
        assert!(files(&ruleset) == expected, "{claims}");
        assert!(is_free(&ruleset), "{claims}");
        let built = built(&ruleset);
        assert!(
            built.values().all(|&times| times == 1),
            "{claims}: {built:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn killed_and_restarted_builders_lose_only_their_current_groups() {
    let alone = TempDir::new().unwrap();
    // With two threads a builder stores one group while it solves the next.
    let args = ["nine", "--pieces", "8", "--threads", "2"];
    build(alone.path(), &args);
    let expected = files(&alone.path().join("nine"));

    let db = TempDir::new().unwrap();
    let halting = halted::Halting::new();
    let start = |step: u32| {
        let mut builder = builder(db.path(), &args);
        halting.kill_at(step, &mut builder).spawn().unwrap()
    };
    // Together they have fewer steps than the build needs, so at least one is killed.
    let mut builders = [5, 8, 13].map(start);
    let mut killed = 0;
    for moment in 0..9 {
        let child = &mut builders[moment * 7 % 3];
        // A builder that was not killed is started again too, and finds everything complete.
        killed += usize::from(halted::was_killed(ended(child)));
        *child = start(3 + 5 * moment as u32);
        // A manifest lists only complete tables.
        let manifest = db.path().join("nine/manifest.json");
        if let Ok(text) = fs::read_to_string(&manifest) {
            let manifest: Value = serde_json::from_str(&text).unwrap();
            for (name, record) in manifest["files"].as_object().unwrap() {
                let size = fs::metadata(db.path().join("nine").join(name)).unwrap();
                assert_eq!(record["bytes"], size.len(), "{name}");
            }
        }
    }
    assert!(killed > 0);
    for mut child in builders {
        halted::was_killed(ended(&mut child));
    }
    end((0..3)
        .map(|_| builder(db.path(), &args).spawn().unwrap())
        .collect());
    assert!(files(&db.path().join("nine")) == expected);
    assert!(is_free(&db.path().join("nine")));
    let built = built(&db.path().join("nine"));
    assert!(built.values().all(|&times| times == 1), "{built:?}");
}

/// A library under which no file can be locked, as on some network file systems.
#[cfg(target_os = "linux")]
const NO_LOCKS: &str =
    "#include <errno.h>\nint flock(int fd, int how) { errno = ENOSYS; return -1; }\n";

#[cfg(target_os = "linux")]
#[test]
fn where_no_file_can_be_locked_groups_are_claimed_by_leases() {
    let expected = files(&program::built(&["six"]).path().join("six"));
    let (db, library) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let library = halted::preloadable(NO_LOCKS, library.path());
    let run = |mut command: Command| {
        let command = command.env("LD_PRELOAD", &library);
        let run = command.stderr(Stdio::piped()).output().unwrap();
        let stderr = text(run.stderr);
        assert!(run.status.success(), "{}: {stderr}", run.status);
        stderr
    };
    let stderr = run(builder(db.path(), &["six"]));
    let leases = "using leases that expire after 60 seconds";
    assert!(stderr.contains(leases), "{stderr}");
    let ruleset = db.path().join("six");
    assert!(files(&ruleset) == expected);
    assert!(is_free(&ruleset));
    let mut seal = program();
    seal.args(["seal", "six", "--db"]).arg(db.path());
    run(seal);
    assert!(files(&ruleset) == expected);
}

#[test]
fn a_single_group_is_built_unless_the_tables_it_leads_to_are_missing() {
    let whole = TempDir::new().unwrap();
    build(whole.path(), &["nine", "--pieces", "7"]);
    let db = TempDir::new().unwrap();
    let path = db.path().to_str().unwrap();
    let refused = endmill(&["build", "nine", "--only", "3v4", "--db", path]);
    assert_eq!(refused.status.code(), Some(3));
    let stderr = text(refused.stderr);
    assert!(
        stderr.contains("needs tables that are missing: 3v3"),
        "{stderr}"
    );
    assert!(!db.path().join("nine/3v4.wld").exists());
    for table in ["3v3", "4v3"] {
        build(db.path(), &["nine", "--only", table]);
    }
    assert!(files(&db.path().join("nine")) == files(&whole.path().join("nine")));
    let verified = printed(&["verify", "nine", "--only", "3v4", "--db", path]);
    assert!(verified.contains("swept by rows"), "{verified}");
    fs::remove_file(db.path().join("nine/3v3.wld")).unwrap();
    let verified = endmill(&["verify", "nine", "--only", "3v4", "--db", path]);
    assert_eq!(verified.status.code(), Some(3));
}

#[test]
fn a_manifest_is_rebuilt_from_the_records() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let manifest = db.path().join("three/manifest.json");
    let whole = fs::read(&manifest).unwrap();
    fs::remove_file(&manifest).unwrap();
    let path = db.path().to_str().unwrap();
    // It is ignored.
    printed(&["verify", "three", "--db", path]);
    printed(&["probe", "three", "start", "--db", path]);
    printed(&["seal", "three", "--db", path]);
    assert_eq!(fs::read(&manifest).unwrap(), whole);
    let nothing = endmill(&["seal", "six", "--db", path]);
    assert_eq!(nothing.status.code(), Some(3));
}

#[test]
fn status_shows_builders_and_their_progress() {
    let db = TempDir::new().unwrap();
    let path = db.path().to_str().unwrap();
    let none = endmill(&["status", &format!("{path}/nowhere")]);
    assert_eq!(none.status.code(), Some(3));
    let mut child = builder(db.path(), &["nine", "--pieces", "9"])
        .spawn()
        .unwrap();
    let mut seen = Value::Null;
    until("status shows a builder", || {
        let answer = endmill(&["status", path, "--json"]);
        let states: Value = serde_json::from_slice(&answer.stdout).unwrap();
        seen = states[0]["builders"][0].clone();
        seen.is_object()
    });
    assert!(
        seen["group"].is_string() && seen["seconds"].is_u64(),
        "{seen}"
    );
    let id = format!("process {}", child.id());
    assert!(seen["holder"].as_str().unwrap().contains(&id), "{seen}");
    child.kill().unwrap();
    child.wait().unwrap();
    // The claim of a dead process does not count.
    let states: Value = serde_json::from_str(&printed(&["status", path, "--json"])).unwrap();
    assert_eq!(states[0]["builders"].as_array().unwrap().len(), 0);
    assert!(printed(&["status", path]).contains("no build is running"));
}

#[test]
fn the_report_of_a_resumed_build_sums_all_its_runs() {
    let db = TempDir::new().unwrap();
    let reports = TempDir::new().unwrap();
    let report = reports.path().join("report.json");
    let report = report.to_str().unwrap();
    build(db.path(), &["nine", "--pieces", "7"]);
    build(db.path(), &["nine", "--pieces", "8", "--report", report]);
    // A run with nothing to do is not counted.
    build(db.path(), &["nine", "--pieces", "8", "--report", report]);
    let written: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let taken = &written["build"];
    assert_eq!(taken["runs"], 2);
    let steps = taken["steps"].as_object().unwrap();
    let by_steps = steps
        .values()
        .map(|step| step["wall_seconds"].as_f64().unwrap());
    let all = taken["wall_seconds"].as_f64().unwrap();
    assert!(by_steps.sum::<f64>() <= all + 0.1, "{taken}");
    assert_eq!(
        json(&["stats", "nine"], db.path())["tables"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
}
