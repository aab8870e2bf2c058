//! Games through a pipe, and games in files.

use std::fs;

use tempfile::TempDir;

use crate::program::text;
use crate::{game, piped, read, transcript};

#[test]
fn the_printed_command_resumes_a_saved_game_with_its_players() {
    let directory = TempDir::new().unwrap();
    let db = directory.path().join("my db");
    let args = [
        "six",
        "--black",
        "low",
        "--seed",
        "1",
        "--db",
        db.to_str().unwrap(),
    ];
    let first = transcript(&directory, &args, &["a1"]);
    let last = first.lines().last().unwrap();
    let expected = format!(
        "The game is in six-1.game: endmill play six --load six-1.game --db '{}'",
        db.display()
    );
    assert_eq!(last, expected);
    let load = ["six", "--load", "six-1.game"];
    let second = transcript(&directory, &load, &["history", "level human"]);
    assert!(second.starts_with("White ○ human, Black ● low"), "{second}");
    assert!(second.contains("White began: 1. a1 "), "{second}");
    let third = transcript(&directory, &load, &[]);
    assert!(third.starts_with("White ○ human, Black ● human"), "{third}");
}

#[test]
fn a_pipe_gets_the_whole_game_without_colours() {
    let directory = TempDir::new().unwrap();
    let turns = ["b2", "a1", "b3", "a2", "b1xa1", "quit"];
    let game = transcript(&directory, &["three", "--ascii"], &turns);
    assert!(game.is_ascii() && !game.contains('\x1b'), "{game}");
    let (before, last) = game.split_once("White> b1xa1\n").unwrap();
    let begin = "White w human, Black b human; type help for the commands\n\n    A   B   C\n\n\
                 1   .---.---.\n";
    assert!(before.starts_with(begin), "{game}");
    let end = "White plays b1xa1

    A   B   C

1  [.]-[w]--.
    | \\ | / |
2   b---w---.
    | / | \\ |
3   .---w---.

In hand: White 0, Black 1
Game over: White wins, Black has two men left
Game over> quit
The game is in three-1.game: endmill play three --load three-1.game
";
    assert_eq!(last, end);
}

#[test]
fn a_saved_game_resumes() {
    let directory = TempDir::new().unwrap();
    let head = "start W:W:B:H9,9\n";
    let first = transcript(&directory, &["nine"], &["d2", "f4", "save my game.txt"]);
    assert!(first.contains("Saved to my game.txt\n"), "{first}");
    assert_eq!(game(&directory, "my game.txt"), format!("{head}d2\nf4\n"));

    let load = ["nine", "--load", "my game.txt"];
    let second = transcript(&directory, &load, &["position", "d6", "undo", "d7"]);
    assert!(second.contains("W:Wd2:Bf4:H8,8\n"), "{second}");
    assert_eq!(
        game(&directory, "my game.txt"),
        format!("{head}d2\nf4\nd7\n")
    );

    // Nothing that was saved is lost by taking turns back: the shorter game gets a new file.
    let third = transcript(&directory, &load, &["undo", "undo", "g1", "save", "undo"]);
    assert!(third.contains("The game is in nine-1.game"), "{third}");
    assert_eq!(game(&directory, "nine-1.game"), format!("{head}d2\n"));
    assert_eq!(game(&directory, "my game.txt"), format!("{head}d2\ng1\n"));

    // Loading another game does not change the file of the current one.
    let lines = ["a1", "load nine-1.game", "position", "resign"];
    let fourth = transcript(&directory, &["nine"], &lines);
    assert!(fourth.contains("B:Wd2:B:H8,9\n"), "{fourth}");
    assert!(
        fourth.contains("Game over: Black resigns, White wins\n"),
        "{fourth}"
    );
    assert_eq!(game(&directory, "nine-2.game"), format!("{head}a1\n"));
    let resigned = format!("{head}d2\nresigned black\n");
    assert_eq!(game(&directory, "nine-1.game"), resigned);

    let args = ["nine", "--load", "nine-1.game", "--save", "taken-back.game"];
    let fifth = transcript(&directory, &args, &["f4", "undo", "f4"]);
    assert!(
        fifth.contains("The game is over; try undo, save, load, new or quit\n"),
        "{fifth}"
    );
    assert_eq!(
        game(&directory, "taken-back.game"),
        format!("{head}d2\nf4\n")
    );
    assert_eq!(game(&directory, "nine-1.game"), resigned);

    // Loading the same file again loses nothing.
    let load = ["nine", "--load", "taken-back.game"];
    let again = transcript(&directory, &load, &["a1", "load taken-back.game", "undo"]);
    assert!(again.contains("The game is in nine-3.game"), "{again}");
    assert_eq!(game(&directory, "nine-3.game"), format!("{head}d2\nf4\n"));
    let longer = game(&directory, "taken-back.game");
    assert_eq!(longer, format!("{head}d2\nf4\na1\n"));

    // --save does not overwrite one game with another.
    let sixth = transcript(&directory, &["nine", "--save", "nine-2.game"], &["g7"]);
    assert!(sixth.contains("The game is in nine-4.game"), "{sixth}");
    assert_eq!(game(&directory, "nine-4.game"), format!("{head}g7\n"));
    assert_eq!(game(&directory, "nine-2.game"), format!("{head}a1\n"));
}

/// Turns that were added to a loaded game and taken back do not remain in its file.
#[test]
fn discard_after_undo_restores_the_loaded_file() {
    let directory = TempDir::new().unwrap();
    transcript(&directory, &["nine"], &["d2", "f4", "save own.game"]);
    let before = read(&directory, "own.game");
    let load = ["nine", "--load", "own.game"];
    for lines in [
        &["d6", "undo", "undo", "discard"][..],
        &["d6", "f6", "undo", "undo", "undo", "b4", "discard"],
        &["d6", "undo", "undo", "undo", "discard"],
        &["d6", "discard"],
        &["resign", "undo", "undo", "g7", "undo", "discard"],
    ] {
        transcript(&directory, &load, lines);
        assert_eq!(read(&directory, "own.game"), before, "{lines:?}");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "{lines:?}");
    }
    // Without discard the other game gets a new file, and this one is unchanged.
    transcript(&directory, &load, &["d6", "undo", "undo", "b4"]);
    assert_eq!(read(&directory, "own.game"), before);
    assert_eq!(
        game(&directory, "nine-1.game"),
        "start W:W:B:H9,9\nd2\nb4\n"
    );
}

#[test]
fn a_game_without_turns_or_discarded_is_not_saved() {
    let directory = TempDir::new().unwrap();
    transcript(&directory, &["six"], &["help", "board", "moves"]);
    transcript(&directory, &["six"], &["a1", "a3", "discard"]);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn a_file_without_a_game_is_refused_with_the_place_of_the_error() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("bad.game");
    for (game, complaint) in [
        (
            "endmill game 1\nruleset six\nstart start\n",
            "line 2, column 9: this is a game of six, not of nine",
        ),
        (
            "endmill game 1\nruleset nine\nstart start\nd2\n\na2\n",
            "line 6, column 1: a2 is not a point",
        ),
        (
            "endmill game 1\nruleset nine\nstart start\nd2\nd2\n",
            "line 5, column 1: d2 is not legal: d2 is occupied",
        ),
    ] {
        fs::write(&file, game).unwrap();
        let run = piped(&directory, &["nine", "--load", "bad.game"], &[]);
        assert_eq!(run.status.code(), Some(2));
        assert_eq!(text(run.stdout), "");
        assert_eq!(
            text(run.stderr),
            format!("endmill: bad.game, {complaint}\n")
        );
    }
}

#[test]
fn a_game_that_cannot_be_saved_is_printed() {
    let directory = TempDir::new().unwrap();
    let run = piped(&directory, &["six", "--save", "no/such/place"], &["a1"]);
    assert_eq!(run.status.code(), Some(1));
    let shown = text(run.stdout);
    assert!(shown.ends_with("\nstart W:W:B:H6,6\na1\n"), "{shown}");
    let complaint = text(run.stderr);
    assert!(
        complaint.starts_with("endmill: cannot save to no/such/place: "),
        "{complaint}"
    );
}

#[test]
fn a_named_file_remains_when_the_game_is_saved_to_another() {
    let directory = TempDir::new().unwrap();
    let lines = ["b2", "save second.game", "a1"];
    transcript(&directory, &["three", "--save", "first.game"], &lines);
    let head = "start W:W:B:H3,3\n";
    assert_eq!(game(&directory, "first.game"), format!("{head}b2\n"));
    assert_eq!(game(&directory, "second.game"), format!("{head}b2\na1\n"));
}

#[test]
fn other_files_are_not_overwritten() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("txt"), "to do: milk\n").unwrap();
    let run = piped(&directory, &["three", "--save", "txt"], &["b2"]);
    assert_eq!(run.status.code(), Some(1));
    let message = text(run.stderr);
    assert_eq!(message, "endmill: txt exists and is not a saved game\n");
    assert_eq!(read(&directory, "txt"), "to do: milk\n");
}
