//! Levels and hints.

use std::fs;

use tempfile::TempDir;

use crate::program::{complaint, printed};
use crate::terminal::Terminal;
use crate::{play, transcript};

#[test]
fn levels_play_the_same_game_for_the_same_seed() {
    let directory = TempDir::new().unwrap();
    let game = |seed: &str| {
        let levels = ["--white", "low", "--black", "medium", "--seed", seed];
        transcript(&directory, &[&["six"], &levels[..]].concat(), &[])
    };
    let first = game("1");
    assert!(first.contains("White (low) plays "), "{first}");
    assert!(
        first.lines().last().unwrap().starts_with("Game over: "),
        "{first}"
    );
    assert_eq!(first, game("1"));
    let others = ["2", "3", "4", "5"].map(game);
    assert!(others.iter().any(|other| *other != first));
    // A finished game of levels is not saved.
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn undo_takes_back_the_reply_of_a_level_too() {
    let directory = TempDir::new().unwrap();
    let mut terminal = Terminal::start(play(&directory, &["nine", "--white", "low"]));
    terminal.prompt();
    let first_turn = |terminal: &mut Terminal| {
        let turns = terminal.answer("moves");
        let turn = turns.strip_prefix("Moves: ").unwrap().split(',').next();
        turn.unwrap().to_owned()
    };
    let mut positions = vec![terminal.answer("position")];
    for _ in 0..2 {
        let turn = first_turn(&mut terminal);
        assert!(terminal.answer(&turn).contains("White (low) plays "));
        positions.push(terminal.answer("position"));
    }
    assert!(positions[2].contains(":H6,7\n"), "{}", positions[2]);
    for position in positions[..2].iter().rev() {
        terminal.answer("undo");
        assert_eq!(terminal.answer("position"), *position);
    }
    // The level made the first turn of the game.
    let refused = "There is nothing to take back\nBlack> ";
    assert_eq!(terminal.answer("undo"), refused);
    assert_eq!(terminal.answer("position"), positions[0]);
}

#[test]
fn an_unknown_player_is_answered_with_the_known_ones() {
    let answer = complaint(&["play", "nine", "--white", "hard"]);
    assert!(
        answer.contains("expected human, low, medium, high, perfect"),
        "{answer}"
    );
    let answer = complaint(&["play", "nine", "--from", "W:Wa2:B"]);
    assert_eq!(answer, "endmill: a2 is not a point (character 4)\n");
}

#[test]
fn hints_are_the_values_of_the_database() {
    let directory = TempDir::new().unwrap();
    let without = transcript(&directory, &["three"], &["hint"]);
    let there_is_none =
        "There is no table 0+3v0+3 in the database. White wins in 9 plies (search).\n";
    assert!(without.contains(there_is_none), "{without}");
    assert!(without.contains("\n  estimate "), "{without}");

    let db = directory.path().join("db");
    let db = db.to_str().unwrap();
    printed(&["build", "three", "--db", db]);
    // White closes the column b at once; the other turns lose, or win later.
    let args = ["three", "--db", db, "--from", "W:Wb2,b3:Ba1,a2:H1,1"];
    let hints = transcript(&directory, &args, &["hint", "discard"]);
    let shown = hints.split_once("White> hint\n").unwrap().1;
    let probed = printed(&["probe", "three", args[4], "--db", db]);
    let words = "White wins in 1 ply\n  win in 1: b1xa1, b1xa2\n";
    assert!(shown.starts_with(words), "{shown}");
    assert!(probed.contains("White wins in 1 ply\n"), "{probed}");

    // A draughts player far from the two kings that are stored.
    printed(&["build", "draughts", "--pieces", "2", "--db", db]);
    let far = transcript(&directory, &["draughts", "--db", db], &["hint", "discard"]);
    let filled = far.replace('\n', " ");
    assert!(
        filled.contains("These are search estimates, in men, not proven"),
        "{far}"
    );
    assert!(far.contains("\n  estimate "), "{far}");
    let taking = ["draughts", "--db", db, "--from", "B:WK10,28:BK6"];
    let near = transcript(&directory, &taking, &["hint", "discard"]);
    let drawn = "Black> hint\nDraw: neither side can force a win\n  draw: 6x15\n";
    assert!(near.contains(drawn), "{near}");

    // The same at every prompt, for the side to move.
    let lines = ["b1", "a1", "discard"];
    let always = transcript(&directory, &[&args[..], &["--hints"]].concat(), &lines);
    assert!(
        always.contains(&format!("In hand: White 1, Black 1\n{words}")),
        "{always}"
    );
    assert!(
        !hints.split("White> hint").next().unwrap().contains("wins"),
        "{hints}"
    );
}
