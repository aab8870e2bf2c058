//! Bad input is answered, and costs nothing.

use std::fs;

use tempfile::TempDir;

use crate::terminal::Terminal;
use crate::{play, read};

/// White to place: g1 closes a mill; then f4 and a7, which are not in a mill, can be removed.
const MILL: &str = "W:Wa1,d1,b2:Bc3,d3,e3,f4,a7:H1,1";
/// Black to capture, in five ways.
const FORK: &str = "B:W6,7,14,15,16:B2,3";

/// Each is answered with an error, and the position does not change.
#[test]
fn invalid_inputs_are_answered_and_cost_nothing() {
    let example = "Type a move, such as g1xf4, or help";
    let placing = [
        ("a2", "a2 is not a point (character 1)"),
        ("A2", "A2 is not a point (character 1)"),
        ("d4", "d4 is not a point (character 1)"),
        ("h1", "h1 is not a point (character 1)"),
        ("a0", "a0 is not a point (character 1)"),
        ("a8", "a8 is not a point (character 1)"),
        ("a1", "a1 is not legal: a1 is occupied"),
        ("c3", "c3 is not legal: c3 is occupied"),
        (
            "a1-a4",
            "a1-a4 is not legal: men in hand must be placed first",
        ),
        (
            "A1A4",
            "a1-a4 is not legal: men in hand must be placed first",
        ),
        (
            "g4xf4",
            "g4xf4 is not legal: it closes no mill, so it removes no man",
        ),
        (
            "g1xc3",
            "g1xc3 is not legal: c3 stands in a mill and others do not",
        ),
        ("g1xb2", "g1xb2 is not legal: black has no man on b2"),
        ("g1xg7", "g1xg7 is not legal: black has no man on g7"),
        ("g1x", r#"expected a point, found the end (character 4)"#),
        ("x", r#"expected a point, found "x" (character 1)"#),
        ("11-15", r#"expected a point, found "1" (character 1)"#),
        ("a1-a4-a7", r#"expected the end, found "-" (character 6)"#),
        ("é1", r#"expected a point, found "é" (character 1)"#),
        ("", example),
        ("    ", example),
        ("castle", r#"unknown command "castle": try help"#),
        ("undo", "There is nothing to take back"),
        ("undo 3", r#"undo takes no argument, found "3""#),
        ("load", "expected a file: load FILE"),
        (
            "load nowhere.game",
            "cannot read nowhere.game: No such file or directory (os error 2)",
        ),
        (
            "load notes.txt",
            r#"notes.txt, line 1, column 1: expected a point, found "n""#,
        ),
        ("save notes.txt", "notes.txt exists and is not a saved game"),
    ];
    let removing = [
        (
            "c3",
            "g1xc3 is not legal: c3 stands in a mill and others do not",
        ),
        ("b2", "g1xb2 is not legal: black has no man on b2"),
        ("g4", "g1xg4 is not legal: black has no man on g4"),
        ("a2", "a2 is not a point (character 1)"),
        ("a7f4", r#"expected the end, found "f" (character 3)"#),
    ];
    let capturing = [
        (
            "3-8",
            "a capture is mandatory: 2x9x18, 2x11x18, 2x11x20, 3x10x17, 3x10x19",
        ),
        ("2x12", "2x12 is not legal: no jump leads from 2 to 12"),
        ("2x33", "33 is not a square (character 3)"),
        ("4x11", "4x11 is not legal: black has no piece on 4"),
        ("2", r#"expected - or x, found the end (character 2)"#),
        ("a1", r#"expected a square, found "a" (character 1)"#),
    ];
    for (ruleset, from, begun, inputs) in [
        ("nine", MILL, None, &placing[..]),
        ("nine", MILL, Some("g1"), &removing),
        ("draughts", FORK, None, &capturing),
    ] {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join("notes.txt"), "not a game").unwrap();
        let mut terminal = Terminal::start(play(&directory, &[ruleset, "--from", from]));
        let shown = terminal.prompt();
        let mut prompt = shown.rsplit('\n').next().unwrap().to_owned();
        if let Some(begun) = begun {
            let asked = terminal.answer(begun);
            prompt = asked.rsplit('\n').next().unwrap().to_owned();
        }
        for (input, complaint) in inputs {
            let answer = terminal.answer(input);
            assert_eq!(answer, format!("{complaint}\n{prompt}"), "{input:?}");
            let position = terminal.answer("position");
            assert_eq!(position, format!("{from}\n{prompt}"), "after {input:?}");
        }
        terminal.press("discard\n");
        let (_, status) = terminal.end();
        assert!(status.success());
        assert_eq!(read(&directory, "notes.txt"), "not a game");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    }
}
