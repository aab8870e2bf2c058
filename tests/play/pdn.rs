//! Games from other programs, and for them.

use std::fs;

use tempfile::TempDir;

use crate::program::text;
use crate::{piped, read, transcript};

#[test]
fn a_game_is_saved_as_pdn_and_resumed() {
    let directory = TempDir::new().unwrap();
    let args = ["draughts", "--seed", "1"];
    let first = transcript(&directory, &args, &["11-15", "23-19", "save game.pdn"]);
    assert!(first.contains("Saved to game.pdn\n"), "{first}");
    let head = "[White \"human\"]\n[Black \"human\"]\n";
    let seed = "[GameType \"21\"]\n[Seed \"1\"]\n\n";
    let saved = format!("{head}[Result \"*\"]\n{seed}1. 11-15 23-19 *\n\n");
    assert_eq!(read(&directory, "game.pdn"), saved);

    // Later turns and the end are added to it.
    let load = ["draughts", "--load", "game.pdn"];
    let second = transcript(&directory, &load, &["history", "8-11", "resign"]);
    assert!(second.contains("Black began: 1. 11-15 23-19"), "{second}");
    assert!(second.contains("The game is in game.pdn: endmill play draughts --load game.pdn"));
    let tags = "[GameType \"21\"]\n[ResultOrder \"first player\"]\n[Seed \"1\"]\n\n";
    let longer = format!("{head}[Result \"1-0\"]\n{tags}1. 11-15 23-19 2. 8-11 1-0\n\n");
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

/// The announced end of a game.
fn announced(played: &str) -> &str {
    let mut lines = played.lines();
    let over = lines.find(|line| line.starts_with("Game over: "));
    let over = over.unwrap_or_else(|| panic!("{played}"));
    match (over.contains("White wins"), over.contains("Black wins")) {
        (true, false) => "white",
        (false, true) => "black",
        (false, false) if over.contains("draw") => "draw",
        _ => panic!("{over}"),
    }
}

/// Every game of the corpus is loaded, its winner announced, and saved again in both forms.
#[test]
fn finished_games_have_their_winner() {
    let mut loaded = 0;
    for (corpus, decided) in [
        (
            include_str!("../fixtures/results/english.pdn"),
            ["1-0", "0-1"],
        ),
        (
            include_str!("../fixtures/results/morris.pdn"),
            ["0-1", "1-0"],
        ),
    ] {
        for game in corpus.split("[Event ").skip(1) {
            let game = format!("[Event {game}");
            let tag = |name: &str| {
                let (_, rest) = game.split_once(&format!("[{name} \""))?;
                rest.split('"').next()
            };
            let ruleset = tag("Ruleset").unwrap_or("draughts");
            let winner = tag("Winner").unwrap();
            let directory = TempDir::new().unwrap();
            fs::write(directory.path().join("game.pdn"), &game).unwrap();
            let save = ["save again.pdn", "save again.game", "discard"];
            let played = transcript(&directory, &[ruleset, "--load", "game.pdn"], &save);
            assert_eq!(announced(&played), winner, "{game}");
            let pdn = read(&directory, "again.pdn");
            let result = match winner {
                "black" => decided[0],
                "white" => decided[1],
                _ => "1/2-1/2",
            };
            assert!(pdn.contains(&format!("[Result \"{result}\"]\n")), "{pdn}");
            assert!(pdn.ends_with(&format!(" {result}\n\n")), "{pdn}");
            for again in ["again.pdn", "again.game"] {
                let played = transcript(&directory, &[ruleset, "--load", again], &["discard"]);
                assert_eq!(announced(&played), winner, "{game}");
            }
            loaded += 1;
        }
    }
    assert_eq!(loaded, 32);
}

/// Games won at the console, with either side to begin.
#[test]
fn games_that_are_won_are_written_by_the_first_player() {
    let directory = TempDir::new().unwrap();
    for (from, turn, winner, result) in [
        ("B:WK10:BK6", "6x15", "black", "1-0"),
        ("W:W22,30:B18,11", "22x8", "white", "0-1"),
        ("B:W5:B1,K32", "32-28", "black", "1-0"),
        ("W:W32,K1:B28", "1-5", "white", "0-1"),
    ] {
        let args = ["draughts", "--from", from, "--save", "won.pdn"];
        let played = transcript(&directory, &args, &[turn]);
        assert_eq!(announced(&played), winner);
        let pdn = read(&directory, "won.pdn");
        assert!(pdn.contains(&format!("[Result \"{result}\"]\n")), "{pdn}");
        assert!(pdn.contains("[ResultOrder \"first player\"]\n"), "{pdn}");
        assert!(pdn.ends_with(&format!(" {turn} {result}\n\n")), "{pdn}");
        let loaded = transcript(&directory, &["draughts", "--load", "won.pdn"], &[]);
        assert_eq!(announced(&loaded), winner);
        assert_eq!(read(&directory, "won.pdn"), pdn);
        fs::remove_file(directory.path().join("won.pdn")).unwrap();
    }
}

/// Files of the version that put White's points first in every game, named after their winners: they
/// keep the winners, and files of `play` may be overwritten.
#[test]
fn games_of_an_older_version_keep_their_winners() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/results/before");
    let mut loaded = 0;
    for entry in fs::read_dir(fixtures).unwrap() {
        let (path, directory) = (entry.unwrap().path(), TempDir::new().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        let (kind, winner) = name.split('.').next().unwrap().split_once('-').unwrap();
        let ruleset = if kind == "nine" { kind } else { "draughts" };
        fs::copy(&path, directory.path().join(name)).unwrap();
        let load = [ruleset, "--load", name];
        let played = transcript(&directory, &load, &[]);
        assert_eq!(announced(&played), winner, "{name}");
        // The loaded game is saved and loaded again.
        let own = !matches!(kind, "line" | "reviewed");
        let here = format!("The game is in {name}: ");
        assert_eq!(played.contains(&here), own, "{name}: {played}");
        let again = transcript(&directory, &load, &[]);
        assert_eq!(announced(&again), winner, "{name}");
        // Turns are taken back and others made: another game.
        if kind == "resigned" {
            let played = transcript(&directory, &load, &["undo", "draw", "yes", "save"]);
            assert!(
                played.contains("Game over: draw, both sides agree"),
                "{played}"
            );
        }
        loaded += 1;
    }
    assert_eq!(loaded, 14);
}

/// Files with names, comments, variations or several games are not overwritten.
#[test]
fn files_of_other_programs_are_only_read() {
    let directory = TempDir::new().unwrap();
    let others = "[Event \"Match\"]\n[White \"Doe, J.\"]\n\n1. 11-15 {good} 23-19 *\n\n1. 9-13 *\n";
    fs::write(directory.path().join("match.pdn"), others).unwrap();
    let load = ["draughts", "--load", "match.pdn"];
    let lines = ["8-11", "save match.pdn", "position"];
    let played = transcript(&directory, &load, &lines);
    assert!(
        played.starts_with("match.pdn has 2 games; loading the first\n"),
        "{played}"
    );
    assert!(
        played.contains("match.pdn exists and is not a saved game\n"),
        "{played}"
    );
    assert!(
        played.contains("The game is in draughts-1.game"),
        "{played}"
    );
    let inside = transcript(&directory, &["draughts"], &["load match.pdn", "discard"]);
    assert!(
        inside.contains("match.pdn has 2 games; loading the first\n"),
        "{inside}"
    );
    let refused = piped(&directory, &["draughts", "--save", "match.pdn"], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        text(refused.stderr),
        "endmill: match.pdn exists and is not a saved game\n"
    );
    assert_eq!(read(&directory, "match.pdn"), others);
}

/// Positions as other programs copy them, in every command.
#[test]
fn positions_of_other_programs_are_accepted() {
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
