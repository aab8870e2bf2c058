//! Reviews of games with mistakes that can be checked by hand, and of unreadable games.

mod program;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::LazyLock;

use program::{build, program, text};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Draughts with up to three pieces, nine with up to seven men, all of three.
static DB: LazyLock<TempDir> = LazyLock::new(|| {
    let db = TempDir::new().unwrap();
    build(db.path(), &["draughts", "--pieces", "3"]);
    build(db.path(), &["nine", "--pieces", "7"]);
    build(db.path(), &["three"]);
    db
});

/// Reviews games from standard input.
fn review(games: &str, options: &[&str]) -> Output {
    let mut review = program();
    review.args(["review", "-"]).args(options);
    review.arg("--db").arg(DB.path());
    review.stdin(Stdio::piped());
    review.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = review.spawn().expect("the program starts");
    let sent = run.stdin.take().unwrap().write_all(games.as_bytes());
    sent.expect("the program reads");
    run.wait_with_output().unwrap()
}

/// The output of a review of valid games.
fn reviewed(games: &str, options: &[&str]) -> String {
    let run = review(games, options);
    assert_eq!(text(run.stderr), "");
    assert!(run.status.success());
    text(run.stdout)
}

/// Five short games. By hand:
///
/// 1. Black's king on 9 is attacked and must move: 32-27 lets White take it, 5x14, and one king
///    against one is a draw.
/// 2. Nothing happens until White moves its king next to Black's, which takes it: White has no
///    pieces, two plies after the mistake.
/// 3. 14-9 lets White take both kings at once, 5x14x7.
/// 4. 10-6 wins in 15 plies; 10-15 wins too, in 19, four plies later. White delays as long as it can.
/// 5. Three men's morris. White could close the line b with b1 and leave Black two men; c3 lets
///    Black close the line a instead.
const MISTAKES: &str = "\
[Event \"Win to draw\"]
[GameType \"21\"]
[FEN \"B:WK5:BK9,K32\"]

1. 32-27 5x14 1/2-1/2

[Event \"Draw to loss\"]
[GameType \"21\"]
[FEN \"B:WK15:BK1\"]

1. 1-6 15-10 {oh!} 2. 6x15 1-0

[Event \"Win to loss\"]
[GameType \"21\"]
[FEN \"B:WK5:BK10,K14\"]

1. 14-9 5x14x7 0-1

[Event \"Too slow\"]
[FEN \"B:WK5:BK10,K14\"]

1. 10-15 5-1 *

[Event \"Three\"]
[Ruleset \"three\"]
[FEN \"W:Wb2,b3:Ba1,a2:H1,1\"]

1. c3 a3xb2
";

/// Game and turn: value before, value after, mistake, plies lost.
const CLASSES: &str = "\
0, 0: win 27, draw, win_to_draw, null
0, 1: draw, draw, null, 0
1, 0: draw, draw, null, 0
1, 1: draw, loss 2, draw_to_loss, null
1, 2: win 1, win 1, null, 0
2, 0: win 15, loss 2, win_to_loss, null
2, 1: win 1, win 1, null, 0
3, 0: win 15, win 19, null, 4
3, 1: loss 18, loss 18, null, 0
4, 0: win 1, loss 2, win_to_loss, null
4, 1: win 1, win 1, null, 0";

#[test]
fn mistakes_are_found_and_classed() {
    let answer: Value = serde_json::from_str(&reviewed(MISTAKES, &["--json"])).unwrap();
    let games = answer["games"].as_array().unwrap();
    let rulesets: Vec<&str> = games
        .iter()
        .map(|game| game["ruleset"].as_str().unwrap())
        .collect();
    assert_eq!(
        rulesets,
        ["draughts", "draughts", "draughts", "draughts", "three"]
    );
    let turn = |game: usize, turn: usize| &games[game]["turns"][turn];
    for class in CLASSES.lines() {
        let (at, expected) = class.split_once(": ").unwrap();
        let (game, number) = at.split_once(", ").unwrap();
        let turn = turn(game.parse().unwrap(), number.parse().unwrap());
        let value = |value: &Value| match (value["outcome"].as_str().unwrap(), &value["plies"]) {
            (outcome, Value::Null) => outcome.to_owned(),
            (outcome, plies) => format!("{outcome} {plies}"),
        };
        let (before, after) = (value(&turn["before"]), value(&turn["after"]));
        let mistake = turn["mistake"].as_str().unwrap_or("null");
        let found = format!("{before}, {after}, {mistake}, {}", turn["plies_lost"]);
        assert_eq!(found, expected, "{at}");
    }
    assert_eq!(turn(0, 0)["best"], json!(["9-13", "9-14", "9-6"]));
    assert_eq!(turn(2, 0)["best"], json!(["10-6"]));
    assert_eq!(turn(4, 0)["best"], json!(["b1xa1", "b1xa2"]));
    assert_eq!(games[0]["tags"]["Event"], "Win to draw");
    assert_eq!(
        games[0]["result"],
        json!({ "winner": null, "reason": "agreement" })
    );
    assert_eq!(
        games[1]["result"],
        json!({ "winner": "black", "reason": "no pieces" })
    );
    assert_eq!(games[3]["result"], Value::Null);
    assert_eq!(
        games[4]["result"],
        json!({ "winner": "black", "reason": "too few men" })
    );
    assert_eq!(games[1]["summary"]["white"]["draw_to_loss"], 1);
    assert_eq!(games[3]["summary"]["black"]["plies_lost"], 4);
}

#[test]
fn a_review_is_printed_in_words() {
    let output = reviewed(MISTAKES, &[]);
    let games: Vec<&str> = output.split("\n\n").collect();
    assert_eq!(
        games[0],
        "Game 1 of 5: draughts, Win to draw\n  from B:WK5:BK9,K32\n    \
         1  B  32-27  draw  mistake, win to draw; best 9-13, 9-14, 9-6 (win in 27)\n    \
         2  W  5x14   draw\n2 moves, draw: agreement\nWhite: 1 move, 0 mistakes\n\
         Black: 1 move, 1 mistake (1 win to draw)"
    );
    let slow = "    1  B  10-15  win in 19   4 plies lost; best 10-6 (win in 15)\n";
    assert!(games[3].contains(slow), "{output}");
    assert!(
        games[4].contains("mistake, win to loss; best b1xa1, b1xa2 (win in 1)"),
        "{output}"
    );
}

#[test]
fn a_review_is_written_as_pdn_that_reads_back() {
    let pdn = reviewed(MISTAKES, &["--pdn"]);
    let drawn = "[Event \"Win to draw\"]\n[Result \"1/2-1/2\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n\
                 [FEN \"B:WK5:BK9,K32\"]\n\n\
                 1. 32-27 $2 {endmill: draw; mistake, win to draw; best 9-13, 9-14, 9-6 (win in\n\
                 27)} 1... 5x14 {endmill: draw} 1/2-1/2\n\n";
    assert!(pdn.starts_with(drawn), "{pdn}");
    let words = pdn.replace('\n', " ");
    assert!(
        words.contains("15-10 $4 {oh!} {endmill: loss in 2; mistake, draw to loss;"),
        "{pdn}"
    );
    assert!(
        words.contains("1. 10-15 $6 {endmill: win in 19; 4 plies lost; best 10-6"),
        "{pdn}"
    );
    // The written games get the same review.
    assert_eq!(reviewed(&pdn, &["--pdn"]), pdn);
    let again: Value = serde_json::from_str(&reviewed(&pdn, &["--json"])).unwrap();
    let first: Value = serde_json::from_str(&reviewed(MISTAKES, &["--json"])).unwrap();
    assert_eq!(again["games"][2]["turns"], first["games"][2]["turns"]);
}

/// Only one move of this position wins, as the README says: found, and missed.
#[test]
fn only_moves_are_marked() {
    let start = "start W:Wd1,b2,d2:Ba1,f2,a4,e4\n";
    let found = reviewed(&format!("{start}b2-a7"), &[]);
    assert!(
        found.contains("    1  W  b2-a7  win in 33  only move\n"),
        "{found}"
    );
    assert!(found.contains("1 only move found"), "{found}");
    let pdn = reviewed(&format!("{start}b2-a7"), &["--pdn"]);
    assert!(
        pdn.contains("1. b2-a7 $7 {endmill: win in 33; only move} *"),
        "{pdn}"
    );
    let flag = |turn: &str| {
        let answer = reviewed(&format!("{start}{turn}"), &["--json"]);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        answer["games"][0]["turns"][0]["only_move"].clone()
    };
    assert_eq!([flag("b2-a7"), flag("d1-g1")], [true, false]);
    let missed = reviewed(&format!("{start}d1-g1"), &[]);
    let line = "draw  mistake, win to draw; only b2-a7 keeps it (win in 33)\n";
    assert!(missed.contains(line), "{missed}");
}

/// A missing table is reported; search estimates are marked as such.
#[test]
fn missing_tables_are_reported() {
    let game = "1. 11-15 23-19 *";
    let none = reviewed(game, &["--nodes", "0"]);
    assert!(
        none.contains("    1  B  11-15  no table 12.0v12.0\n"),
        "{none}"
    );
    assert!(
        none.contains("2 of 2 moves lead into tables that are not in "),
        "{none}"
    );
    let searched = reviewed(game, &["--nodes", "500"]);
    assert!(
        searched.contains("    1  B  11-15  estimate "),
        "{searched}"
    );
    let json: Value = serde_json::from_str(&reviewed(game, &["--json", "--nodes", "500"])).unwrap();
    let turn = &json["games"][0]["turns"][0];
    assert_eq!(
        (&turn["before"], &turn["after"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(turn["missing"], "12.0v12.0");
    assert!(turn["estimate"]["score"].is_i64() && turn["estimated_best"]["move"].is_string());
    let json: Value = serde_json::from_str(&reviewed(game, &["--json", "--nodes", "0"])).unwrap();
    assert!(json["games"][0]["turns"][0].get("estimate").is_none());
}

#[test]
fn bad_games_are_reported_with_line_and_column_and_good_ones_reviewed() {
    let games = "1. 11-15 23-19 1-0\n\n[Event \"2\"]\n1. 11-15 8-11 0-1\n\n1. 9-13 22-18 *\n";
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("bad.pdn");
    fs::write(&file, games).unwrap();
    let run = program()
        .args(["review", "bad.pdn", "--nodes", "0", "--json", "--db"])
        .arg(DB.path())
        .current_dir(&directory)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    let problem = "8-11 is not legal: white has no piece on 8";
    assert_eq!(
        text(run.stderr),
        format!("endmill: bad.pdn, line 4, column 10: {problem}\n")
    );
    let answer: Value = serde_json::from_str(&text(run.stdout)).unwrap();
    let turns = |game: usize| answer["games"][game]["turns"].as_array().unwrap().len();
    assert_eq!([turns(0), turns(1), turns(2)], [2, 1, 2]);
    let expected = json!({ "line": 4, "column": 10, "message": problem });
    assert_eq!(answer["games"][1]["error"], expected);
    assert_eq!(answer["games"][0]["error"], Value::Null);

    let nothing = review("{nothing}", &[]);
    assert_eq!(nothing.status.code(), Some(2));
    let complaint = "endmill: standard input, line 1, column 1: this text contains no game\n";
    assert_eq!(text(nothing.stderr), complaint);
    let foreign = review("[GameType \"20\"]\n1. 32-28 *", &[]);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(text(foreign.stderr).contains("line 1, column 12: GameType \"20\" is not one of our"));
    let other = review("[GameType \"21\"]\n1. 11-15 *", &["--ruleset", "nine"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(other.stderr).contains("this is a game of draughts, not of nine"));
    let missing: PathBuf = directory.path().join("none.pdn");
    let run = program().arg("review").arg(missing).output().unwrap();
    assert_eq!(run.status.code(), Some(1));
}

/// A game of other rules is neither named nor written as one of the built-in rulesets.
#[test]
fn games_of_other_rules_keep_their_name() {
    let games = "[GameType \"20\"]\n1. 32-28 *\n\n[Ruleset \"chess\"]\n1. e4 *\n\n\
                 [Event \"ours\"]\n[GameType \"21\"]\n1. 11-15 *\n";
    let answer = review(games, &["--json", "--nodes", "0"]);
    assert_eq!(answer.status.code(), Some(2));
    let answer: Value = serde_json::from_str(&text(answer.stdout)).unwrap();
    let rulesets = [0, 1, 2].map(|game: usize| answer["games"][game]["ruleset"].clone());
    assert_eq!(rulesets, [Value::Null, Value::Null, json!("draughts")]);
    assert_eq!(answer["games"][0]["start"], Value::Null);
    let pdn = text(review(games, &["--pdn", "--nodes", "0"]).stdout);
    let left_out = "% endmill: game 1 is left out: line 1, column 12: GameType \"20\" is not one of \
                    our games: it is international draughts\n\n\
                    % endmill: game 2 is left out: line 4, column 11: Ruleset \"chess\" is not one \
                    of our games\n\n[Event \"ours\"]\n";
    assert!(pdn.starts_with(left_out), "{pdn}");
    assert_eq!(pdn.matches("[GameType").count(), 1, "{pdn}");
    let output = text(review(games, &["--nodes", "0"]).stdout);
    assert!(
        output.starts_with("Game 1 of 3: another game\n"),
        "{output}"
    );
}

/// White's only man faces Black's on 1.
#[test]
fn who_cannot_move_is_told() {
    let output = reviewed("[FEN \"B:W5:B1,K32\"]\n1. 32-28 1-0\n", &[]);
    assert!(
        output.contains("1 move, Black wins: White cannot move\n"),
        "{output}"
    );
}

/// Games of both kinds with the winner by colour, see `tests/fixtures/results`.
#[test]
fn results_are_those_of_the_first_player() {
    for (corpus, games) in [
        (include_str!("fixtures/results/english.pdn"), 23),
        (include_str!("fixtures/results/morris.pdn"), 9),
    ] {
        let winners = |text: &str| {
            let answer = reviewed(text, &["--json", "--nodes", "0"]);
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let games = answer["games"].as_array().unwrap();
            let winners = games.iter().map(|game| {
                let winner = game["result"]["winner"].as_str().unwrap_or("draw");
                assert_eq!(winner, game["tags"]["Winner"], "{game}");
                assert_eq!(game["result"]["reason"], game["tags"]["Ended"], "{game}");
                winner.to_owned()
            });
            winners.collect::<Vec<_>>()
        };
        let first = winners(corpus);
        assert_eq!(first.len(), games);
        // Written and read back.
        let pdn = reviewed(corpus, &["--pdn", "--nodes", "0"]);
        assert_eq!(winners(&pdn), first);
        let results = |text: &str| {
            let tags = text.split("[Event ").skip(1);
            let last = tags.map(|game| game.split_whitespace().last().unwrap().to_owned());
            last.collect::<Vec<_>>()
        };
        assert_eq!(results(&pdn), results(corpus));
    }
}

/// Black has no pieces left: White has won, whatever the recorded result.
#[test]
fn a_result_that_the_board_contradicts_is_reported() {
    let game = "[FEN \"W:W22,30:B18,11\"]\n1. 22x8 1-0\n";
    let run = review(game, &["--json", "--nodes", "0"]);
    assert_eq!(run.status.code(), Some(2));
    let output = text(run.stderr);
    assert!(
        output.contains("line 2, column 9: the result is 1-0, but on the board white has won"),
        "{output}"
    );
    let answer: Value = serde_json::from_str(&text(run.stdout)).unwrap();
    assert_eq!(answer["games"][0]["result"]["winner"], "white");
    let pdn = text(review(game, &["--pdn", "--nodes", "0"]).stdout);
    assert!(
        pdn.contains("[Result \"*\"]") && !pdn.contains(" 1-0\n"),
        "{pdn}"
    );
}

#[test]
fn a_line_is_written_as_pdn() {
    let run = program()
        .args(["line", "draughts", "B:WK5:BK10,K14", "--pdn", "--db"])
        .arg(DB.path())
        .output()
        .unwrap();
    let pdn = text(run.stdout);
    assert!(pdn.contains("{Black wins in 15 plies} 1. 10-6 "), "{pdn}");
    assert!(pdn.trim_end().ends_with(" 1-0"), "{pdn}");
    assert!(pdn.starts_with("[Result \"1-0\"]\n[GameType \"21\"]\n[SetUp"));
    let output = reviewed(&pdn, &[]);
    assert!(
        output.contains("15 moves, Black wins: no pieces\n"),
        "{output}"
    );
    assert!(output.contains("Black: 8 moves, 0 mistakes"), "{output}");
    let drawn = program()
        .args(["line", "draughts", "B:WK15:BK1", "--pdn", "--db"])
        .arg(DB.path())
        .output()
        .unwrap();
    assert!(text(drawn.stdout).trim_end().ends_with(" 1/2-1/2"));
    let lost = program()
        .args(["line", "draughts", "W:WK23,K28:BK32", "--pdn", "--db"])
        .arg(DB.path())
        .output()
        .unwrap();
    let pdn = text(lost.stdout);
    assert!(pdn.contains("{White wins in 9 plies} "), "{pdn}");
    assert!(pdn.trim_end().ends_with(" 0-1"), "{pdn}");
    assert!(reviewed(&pdn, &[]).contains("9 moves, White wins: no pieces\n"));
}
