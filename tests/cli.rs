//! End-to-end tests of the program: its output and its errors.

mod program;

use std::process::Stdio;

use program::{complaint, printed, program, text};
use serde_json::Value;

const RULESETS: [&str; 14] = [
    "nine",
    "nine-nofly",
    "twelve",
    "lasker",
    "six",
    "three",
    "nine-any",
    "nine-each",
    "eleven",
    "twelve-plain",
    "twelve-loss",
    "morabaraba",
    "morabaraba-nine",
    "draughts",
];

#[test]
fn rules_lists_every_ruleset_on_a_screen() {
    let rules = printed(&["rules"]);
    let table = rules.lines().skip(1).take(RULESETS.len());
    let ids: Vec<_> = table.map(|line| line.split(' ').next()).collect();
    assert_eq!(ids, RULESETS.map(Some));
    let widest = rules.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{rules}");
}

#[test]
fn rules_are_json_for_programs() {
    let all: Vec<Value> = serde_json::from_str(&printed(&["rules", "--json"])).unwrap();
    let ids: Vec<_> = all.iter().map(|entry| &entry["id"]).collect();
    assert_eq!(ids, RULESETS);
    let board = |id: usize| {
        let board = &all[id]["board"];
        ["points", "edges", "lines", "symmetries"].map(|count| board[count].as_u64().unwrap())
    };
    assert_eq!(board(0), [24, 32, 16, 16]);
    assert_eq!(board(2), [24, 40, 20, 16]);
    assert_eq!(board(4), [16, 20, 8, 16]);
    assert_eq!(board(5), [9, 16, 8, 8]);
    assert_eq!(all[3]["men"], 10);
    assert!(all[13]["options"].is_object());
}

#[test]
fn perft_counts_from_the_start() {
    assert_eq!(printed(&["perft", "draughts", "--depth", "6"]), "36768\n");
    assert_eq!(printed(&["perft", "nine", "--depth", "3"]), "12144\n");
    assert_eq!(printed(&["perft", "three", "--depth", "0"]), "1\n");
}

/// Three men fly to 18 free points; b2-a7 closes a mill, after which any of three men may be taken.
#[test]
fn perft_counts_from_a_position() {
    let from = "W:Wa1,a4,b2:Bd1,d2,g7";
    let count = printed(&["perft", "nine", "--depth", "1", "--from", from]);
    assert_eq!(count, format!("{}\n", 3 * 18 - 1 + 3));
}

#[test]
fn divide_splits_the_count_by_the_first_turn() {
    let parts = printed(&["perft", "draughts", "--depth", "4", "--divide"]);
    let (parts, total) = parts.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(total, "1469");
    let parts = parts.lines().map(|line| line.split_once(' ').unwrap());
    let (turns, counts): (Vec<_>, Vec<_>) = parts.unzip();
    assert_eq!(turns.len(), 7);
    assert!(turns.contains(&"11-15"), "{turns:?}");
    let counts = counts.iter().map(|count| count.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), 1469);
}

#[test]
fn a_finished_game_is_one_leaf() {
    let from = "W:Wa1,d1:Ba7,d7,g7";
    let args = ["perft", "nine", "--depth", "3", "--divide", "--from", from];
    assert_eq!(printed(&args), "1\n");
}

#[test]
fn the_error_for_an_unknown_ruleset_lists_the_known_ones() {
    let answer = complaint(&["perft", "thirteen", "--depth", "1"]);
    let expected = "endmill: unknown ruleset \"thirteen\"; known rulesets: ";
    assert_eq!(answer, format!("{expected}{}\n", RULESETS.join(", ")));
}

#[test]
fn the_error_for_a_bad_position_names_the_place() {
    let perft = |ruleset, from| complaint(&["perft", ruleset, "--depth", "1", "--from", from]);
    let answer = perft("nine", "W:Wa2,d1,g7:Bb2,b4,d6");
    assert_eq!(answer, "endmill: a2 is not a point (character 4)\n");
    let answer = perft("draughts", "W:W33:B1");
    assert_eq!(answer, "endmill: 33 is not a square (character 4)\n");
}

/// For every command with a number of pieces, with built-in rules and with a rules file.
#[test]
fn more_pieces_than_the_game_has_are_refused() {
    let directory = tempfile::TempDir::new().unwrap();
    let (db, rules) = (
        directory.path().join("db"),
        directory.path().join("own.toml"),
    );
    std::fs::write(&rules, "id = \"own\"\nboard = \"six\"\nmen = 5\n").unwrap();
    let (db_name, rules) = (db.to_str().unwrap(), rules.to_str().unwrap());
    for (args, ruleset, most, asked) in [
        (&["build", "nine", "--pieces", "99"][..], "nine", 18, 99),
        (&["build", "nine", "--men", "19"], "nine", 18, 19),
        (&["plan", "draughts", "--pieces", "25"], "draughts", 24, 25),
        (
            &["plan", "draughts", "--men", "4294967295"],
            "draughts",
            24,
            u32::MAX,
        ),
        (&["plan", "twelve", "--pieces", "25"], "twelve", 24, 25),
        (&["bench", "solve", "three", "--pieces", "7"], "three", 6, 7),
        (&["build", rules, "--pieces", "11"], "own", 10, 11),
        (
            &[
                "export", "nine", "--to", "malom", "--out", db_name, "--pieces", "19",
            ],
            "nine",
            18,
            19,
        ),
    ] {
        let with_db: &[&str] = match args[0] {
            "build" | "export" => &["--db", db_name],
            _ => &[],
        };
        let expected =
            format!("endmill: {ruleset} has no more than {most} pieces: {asked} are too many\n");
        assert_eq!(complaint(&[args, with_db].concat()), expected);
    }
    assert!(!db.exists());
    for args in [
        ["plan", "nine", "--pieces", "18"],
        ["plan", "nine", "--men", "18"],
        ["plan", rules, "--pieces", "10"],
    ] {
        printed(&args);
    }
}

#[test]
fn usage_errors_have_the_exit_code_of_bad_input() {
    for usage in ["mill", "perft nine", "perft nine --depth x"] {
        let args: Vec<_> = usage.split(' ').collect();
        assert!(complaint(&args).starts_with("error: "), "{usage}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut program = program();
    program
        .arg("rules")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut run = program.spawn().expect("the program starts");
    drop(run.stdout.take());
    let run = run.wait_with_output().unwrap();
    assert!(run.status.success());
    assert_eq!(text(run.stderr), "");
}

#[test]
fn version_and_help_are_printed() {
    let version = printed(&["--version"]);
    let expected = concat!("endmill ", env!("CARGO_PKG_VERSION"), " (file format 4");
    assert!(version.starts_with(expected), "{version}");
    assert!(printed(&["--help"]).contains("Examples:"));
    assert!(printed(&["perft", "--help"]).contains("--divide"));
}
