//! `verify --by-turns`: every position by the plain rules.

mod program;

use program::{build, built, endmill, json, printed, text};
use tempfile::TempDir;

/// Builds with these options and proves every table.
fn built_is_proved(args: &[&str]) {
    let db = built(args);
    let all = json(&["stats", args[0]], db.path());
    let report = json(&["verify", args[0], "--by-turns"], db.path());
    assert_eq!(report["shown"], serde_json::json!(["proved by turns"]));
    assert_eq!(report["consistent_only"], false);
    assert_eq!(report["positions"], all["total"]["positions"]);
}

#[test]
fn small_tables_of_nine_are_proved_by_turns() {
    built_is_proved(&["nine", "--pieces", "7"]);
}

#[test]
fn small_tables_of_draughts_are_proved_by_turns() {
    built_is_proved(&["draughts", "--pieces", "3"]);
}

#[test]
fn whole_games_of_three_and_six_are_proved_by_turns() {
    built_is_proved(&["three"]);
    built_is_proved(&["six"]);
}

/// `cargo test --release --features long-tests --test proving -- --nocapture long_`
#[cfg(feature = "long-tests")]
#[test]
fn long_nine_to_9_men_and_draughts_to_4_pieces_are_proved_by_turns() {
    for args in [["nine", "--pieces", "9"], ["draughts", "--pieces", "4"]] {
        let started = std::time::Instant::now();
        built_is_proved(&args);
        println!(
            "{args:?}: {:.0} s with the build",
            started.elapsed().as_secs_f64()
        );
    }
}

/// With the tables that are assumed and the expected time.
#[test]
fn chosen_tables_are_proved_given_those_they_lead_to() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--pieces", "7"]);
    let path = db.path().to_str().unwrap();
    let run = endmill(&[
        "verify",
        "nine",
        "--by-turns",
        "--tables",
        "4v3",
        "--db",
        path,
    ]);
    assert!(run.status.success());
    let (stdout, stderr) = (text(run.stdout), text(run.stderr));
    assert!(
        stdout.contains("positions and all counts: proved by turns\n"),
        "{stdout}"
    );
    assert!(stdout.contains("trusted: 3v3\n"), "{stdout}");
    assert!(
        stderr.contains("positions to prove by turns: about "),
        "{stderr}"
    );
    assert!(stderr.contains("3v4 & 4v3: proved by turns"), "{stderr}");
}

#[test]
fn outcomes_without_plies_are_not_called_proved() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["six", "--pieces", "7", "--no-plies"]);
    let path = db.path().to_str().unwrap();
    let run = endmill(&["verify", "six", "--by-turns", "--db", path]);
    assert_eq!(run.status.code(), Some(4));
    let stdout = text(run.stdout);
    assert!(
        stdout.contains("are consistent (consistent by turns)"),
        "{stdout}"
    );
    assert!(!stdout.contains("proved"), "{stdout}");
}

#[test]
fn little_memory_proves_the_same() {
    let db = TempDir::new().unwrap();
    // Its largest group needs three times as much.
    build(db.path(), &["nine", "--pieces", "7"]);
    let path = db.path().to_str().unwrap();
    for way in [&["--by-turns"][..], &[]] {
        let args = [&["verify", "nine", "--memory", "1M", "--db", path], way].concat();
        assert!(printed(&args).contains(" positions and all counts: "));
    }
}
