//! Games from other programs, and for them.

use std::fs;

use tempfile::TempDir;

use crate::program::text;
use crate::{piped, read, transcript};

#[test]
fn a_game_is_saved_as_pdn_and_goes_on_from_there() {
    let directory = TempDir::new().unwrap();
    let args = ["draughts", "--seed", "1"];
    let first = transcript(&directory, &args, &["11-15", "23-19", "save game.pdn"]);
    assert!(first.contains("Saved to game.pdn\n"), "{first}");
    let head = "[White \"human\"]\n[Black \"human\"]\n";
    let seed = "[GameType \"21\"]\n[Seed \"1\"]\n\n";
    let saved = format!("{head}[Result \"*\"]\n{seed}1. 11-15 23-19 *\n\n");
    assert_eq!(read(&directory, "game.pdn"), saved);

    // What follows is added to it, and its end too.
    let load = ["draughts", "--load", "game.pdn"];
    let second = transcript(&directory, &load, &["history", "8-11", "resign"]);
    assert!(second.contains("Black began: 1. 11-15 23-19"), "{second}");
    assert!(second.contains("The game is in game.pdn: endmill play draughts --load game.pdn"));
    let longer = format!("{head}[Result \"0-1\"]\n{seed}1. 11-15 23-19 2. 8-11 0-1\n\n");
    assert_eq!(read(&directory, "game.pdn"), longer);
    let third = transcript(&directory, &load, &[]);
    assert!(
        third.contains("Game over: White resigns, Black wins"),
        "{third}"
    );
    assert_eq!(read(&directory, "game.pdn"), longer);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);

    // Morris the same way.
    let nine = ["nine", "--seed", "2", "--save", "nine.pdn"];
    transcript(&directory, &nine, &["d6", "f4", "draw", "yes"]);
    let drawn = read(&directory, "nine.pdn");
    assert!(drawn.contains("[Ruleset \"nine\"]\n"), "{drawn}");
    assert!(drawn.ends_with("\n1. d6 f4 1/2-1/2\n\n"), "{drawn}");
}

/// Names, comments, variations and further games are not ours to write over.
#[test]
fn files_of_others_are_read_and_left_alone() {
    let directory = TempDir::new().unwrap();
    let others = "[Event \"Match\"]\n[White \"Doe, J.\"]\n\n1. 11-15 {good} 23-19 *\n\n1. 9-13 *\n";
    fs::write(directory.path().join("match.pdn"), others).unwrap();
    let load = ["draughts", "--load", "match.pdn"];
    let lines = ["8-11", "save match.pdn", "position"];
    let played = transcript(&directory, &load, &lines);
    assert!(
        played.starts_with("match.pdn has 2 games: this is the first\n"),
        "{played}"
    );
    assert!(
        played.contains("match.pdn is there and is not a saved game\n"),
        "{played}"
    );
    assert!(
        played.contains("The game is in draughts-1.game"),
        "{played}"
    );
    let inside = transcript(&directory, &["draughts"], &["load match.pdn", "discard"]);
    assert!(
        inside.contains("match.pdn has 2 games: this is the first\n"),
        "{inside}"
    );
    let refused = piped(&directory, &["draughts", "--save", "match.pdn"], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        text(refused.stderr),
        "endmill: match.pdn is there and is not a saved game\n"
    );
    assert_eq!(read(&directory, "match.pdn"), others);
}

/// What the clipboard of another program holds, at every door.
#[test]
fn positions_from_elsewhere_are_begun_from() {
    let directory = TempDir::new().unwrap();
    for (ruleset, from, position) in [
        ("draughts", "[FEN \"W:W18,K31:B12,K5\"]", "W:W18,K31:BK5,12"),
        ("draughts", "W:W18,K31:B12,K5:H0:F1", "W:W18,K31:BK5,12"),
        (
            "draughts",
            "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"W:WK31,18:BK5,12.\"]\n\n1. 18-14 *",
            "W:W18,K31:BK5,12",
        ),
        (
            "nine",
            "[FEN \"O@O*****/********/******** w p p 2 7 1 7 0 0 0 0 0 0 0 0 1\"]",
            "W:We4,d5:Be5:H7,7",
        ),
    ] {
        let played = transcript(
            &directory,
            &[ruleset, "--from", from],
            &["position", "discard"],
        );
        assert!(
            played.contains(&format!("> position\n{position}\n")),
            "{from}: {played}"
        );
    }
}
