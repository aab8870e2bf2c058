//! Whole games from the empty board: built, resumed, verified, probed and played.

mod halted;
mod program;

use std::path::Path;

use program::{build, built, endmill, files, json, printed, program};
use serde_json::Value;
use tempfile::TempDir;

/// The values of the games, from the literature.
const MORRIS: &str = include_str!("../games/tests/reference/morris.json");

/// The moves of an answer that have an outcome.
fn moves_of<'a>(answer: &'a Value, outcome: &str) -> Vec<&'a str> {
    let moves = answer["moves"].as_array().unwrap().iter();
    let moves = moves.filter(|turn| turn["outcome"] == outcome);
    moves.map(|turn| turn["move"].as_str().unwrap()).collect()
}

#[test]
fn three_and_six_have_the_values_of_the_literature() {
    let values: Value = serde_json::from_str(MORRIS).unwrap();
    let stated = |ruleset: &str| values["values"][ruleset].as_str().unwrap().to_owned();

    let db = built(&["three"]);
    let answer = json(&["probe", "three", "start"], db.path());
    assert_eq!(
        stated("three"),
        "win for the first player, by the centre only"
    );
    assert_eq!(answer["outcome"], "win");
    assert_eq!(answer["plies"], 9);
    assert_eq!(moves_of(&answer, "win"), ["b2"]);

    let db = built(&["six"]);
    let answer = json(&["probe", "six", "W:W:B:H6,6"], db.path());
    assert_eq!(stated("six"), "draw");
    assert_eq!(answer["outcome"], "draw");
    assert_eq!(moves_of(&answer, "draw").len(), 16);
}

/// Each of the three kinds of points of `three` appears once.
#[test]
fn a_tree_shows_symmetric_turns_once() {
    let db = built(&["three"]);
    let tree = json(&["tree", "three", "start", "--depth", "2"], db.path());
    let moves = tree["moves"].as_array().unwrap();
    let shown = |branch: &Value| {
        (
            branch["move"].to_string(),
            branch["alike"].as_u64().unwrap(),
        )
    };
    let shown: Vec<(String, u64)> = moves.iter().map(shown).collect();
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[0], ("\"b2\"".to_owned(), 1));
    assert_eq!(shown.iter().map(|(_, alike)| alike).sum::<u64>(), 9);
    for branch in moves {
        // The best reply decides the value of the turn.
        let best = &branch["replies"][0];
        let turned = match branch["outcome"].as_str().unwrap() {
            "win" => "loss",
            "loss" => "win",
            _ => "draw",
        };
        assert_eq!(best["outcome"], turned);
        let plies = best["plies"].as_u64().map(|plies| plies + 1);
        assert_eq!(branch["plies"].as_u64(), plies);
        let replies = branch["replies"].as_array().unwrap().iter();
        let alike = replies.map(|reply| reply["alike"].as_u64().unwrap());
        assert_eq!(alike.sum::<u64>(), 8);
    }
    let text = printed(&[
        "tree",
        "three",
        "start",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    assert!(text.contains("\n  a1  draw  ×4\n    b1  draw"), "{text}");
}

#[test]
fn stats_add_up_by_men_in_hand() {
    let db = built(&["six"]);
    let stats = json(&["stats", "six"], db.path());
    let layers = stats["by_hand"].as_array().unwrap();
    assert_eq!(layers.len(), 13);
    for count in ["positions", "win", "draw", "loss"] {
        let sum: u64 = layers
            .iter()
            .map(|layer| layer[count].as_u64().unwrap())
            .sum();
        assert_eq!(stats["total"][count], sum);
    }
    assert_eq!(layers[12]["in_hand"], 12);
    assert_eq!(layers[12]["positions"], 1);
    let tables: u64 = layers
        .iter()
        .map(|layer| layer["tables"].as_u64().unwrap())
        .sum();
    assert_eq!(tables, 131);
}

/// Kills a build repeatedly, the last times in the placing phase.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_build_of_a_whole_game_resumes_to_identical_files() {
    let expected = files(&built(&["six"]).path().join("six"));
    let db = TempDir::new().unwrap();
    let halting = halted::Halting::new();
    let (mut early, mut while_placing) = (0, 0);
    // Each run resumes and gets further, until the build is complete.
    for step in (100..).step_by(27) {
        let mut build = program();
        build.args(["build", "six", "--db"]).arg(db.path());
        if !halting.kills(step, &mut build) {
            break;
        }
        let mut stored = files(&db.path().join("six")).into_keys();
        match stored.any(|name| name.contains("+1v") && name.ends_with(".record")) {
            true => while_placing += 1,
            false => early += 1,
        }
    }
    assert!(early > 0 && while_placing > 2, "{early} {while_placing}");
    assert!(files(&db.path().join("six")) == expected);
}

/// Scratch files, one thread and portable instructions give the same bytes.
#[test]
fn memory_threads_and_processors_do_not_change_a_byte_of_a_whole_game() {
    let expected = files(&built(&["six"]).path().join("six"));
    for (options, portable) in [
        (&["--memory", "1M"][..], "0"),
        (&["--threads", "1"], "0"),
        (&["--threads", "7"], "1"),
    ] {
        let db = TempDir::new().unwrap();
        let mut build = program();
        build.env("ENDMILL_PORTABLE", portable);
        build.args(["build", "six"]).args(options);
        let run = build.arg("--db").arg(db.path()).output().unwrap();
        assert!(run.status.success());
        assert!(
            files(&db.path().join("six")) == expected,
            "{options:?} {portable}"
        );
    }
}

/// Returns the number of decided positions.
fn both_databases_agree(with: &Path, without: &Path, table: &str) -> usize {
    let mut decided = 0;
    let args = ["sample", "six", "--table", table, "-n", "50", "--db"];
    let sample = printed(&[&args[..], &[with.to_str().unwrap()]].concat());
    for position in sample.lines() {
        let [exact, bare] = [with, without].map(|db| json(&["probe", "six", position], db));
        assert_eq!(exact["outcome"], bare["outcome"], "{position}");
        if exact["outcome"] != "draw" {
            assert!(exact["plies"].is_u64(), "{position}");
            assert_eq!(bare["plies_known"], false, "{position}");
            let directory = without.to_str().unwrap();
            let text = printed(&["probe", "six", position, "--db", directory]);
            assert!(text.contains(" wins (distance unknown)\n"));
            decided += 1;
        }
    }
    decided
}

/// Outcomes of positions with men in hand can be derived without plies; their distances are reported
/// as unknown.
#[test]
fn outcomes_alone_give_the_same_answers_without_distances() {
    let with = built(&["six"]);
    let without = built(&["six", "--no-placing-plies"]);
    for table in ["4+1v4+0", "3+2v4+2", "5+1v5+1"] {
        assert!(both_databases_agree(with.path(), without.path(), table) > 0);
    }
    let directory = without.path().join("six");
    assert!(directory.join("6v6.dtw").exists());
    assert!(!directory.join("5+1v5+1.dtw").exists());
    let run = endmill(&["verify", "six", "--db", without.path().to_str().unwrap()]);
    assert_eq!(
        run.status.code(),
        Some(0),
        "they follow from the moving phase"
    );
    // The same command without the option adds the distances.
    build(without.path(), &["six"]);
    let [with, without] = [with, without].map(|db| files(&db.path().join("six")));
    assert!(with == without);
}

/// With a large sample every position of a small table is derived by turns.
#[test]
fn verify_reports_what_it_has_proved_of_a_whole_game() {
    let db = built(&["six"]);
    let db = db.path().to_str().unwrap();
    let args = ["verify", "six", "--sample", "1000000", "--seed", "5"];
    let text = printed(&[&args[..], &["--db", db]].concat());
    let shown = "swept by rows, sampled by turns (1000000 per table)";
    let shown = format!("3141931 positions and all counts: {shown}\n");
    assert!(text.contains(&shown), "{text}");
    assert!(!text.contains("proved"), "{text}");
    // 2,000 positions per table, or all of them.
    assert!(text.contains("168367 positions probed across tables"));
}

/// In Lasker's game men move while others are in hand: its tables are solved, not swept.
#[test]
fn lasker_is_built_up_to_a_number_of_men_on_the_board_and_in_hand() {
    let db = built(&["lasker", "--men", "7"]);
    let stats = json(&["stats", "lasker"], db.path());
    let layers = stats["by_hand"].as_array().unwrap();
    assert!(layers.len() > 3);
    let db = db.path().to_str().unwrap();
    let sampled = ["verify", "lasker", "--sample", "1000000", "--db", db];
    assert!(printed(&sampled).contains("swept by rows, sampled by turns (1000000 per table)"));
    let position = "W:Wa1,d1:Bb2,b4:H1,2";
    let answer = printed(&["probe", "lasker", position, "--db", db]);
    assert!(answer.contains("a1-a4"), "{answer}");
}

/// Up to seven men of both sides, on the board and in hand.
#[test]
fn placing_is_verified_in_the_other_rulesets() {
    let db = TempDir::new().unwrap();
    for ruleset in ["nine", "nine-nofly", "twelve"] {
        build(db.path(), &[ruleset, "--men", "7", "--placing-plies"]);
        let path = db.path().to_str().unwrap();
        let sampled = ["verify", ruleset, "--sample", "1000000", "--db", path];
        assert!(printed(&sampled).contains("swept by rows, sampled by turns (1000000 per table)"));
    }
}

#[test]
fn the_probe_plays_whole_games_as_it_promises() {
    let db = built(&["six"]);
    build(db.path(), &["three"]);
    for (ruleset, worth) in [("three", "win in 9"), ("six", "draw")] {
        let path = db.path().to_str().unwrap();
        let args = ["bench", "engine", "random", ruleset, "--games", "200"];
        let text = printed(&[&args[..], &["--db", path]].concat());
        assert!(ruleset == "three" || text.contains(" 0 lost of 200;"));
        assert!(
            text.contains(&format!(
                "10 of 10 ended with the value of the start: {worth}"
            )),
            "{text}"
        );
    }
    let args = ["bench", "probe", "six", "--by-hand", "-n", "50"];
    let parts = json(&[&args[..], &["--cache", "1M"]].concat(), db.path());
    assert_eq!(parts.as_array().unwrap().len(), 13);
    let missing = TempDir::new().unwrap();
    let directory = missing.path().to_str().unwrap();
    let run = endmill(&["bench", "engine", "random", "six", "--db", directory]);
    assert_eq!(run.status.code(), Some(3));
}
