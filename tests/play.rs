//! End-to-end: games at a real terminal, by a pipe, and between levels.

#![cfg(unix)]

mod program;
mod terminal;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use program::{complaint, printed, program, text};
use tempfile::TempDir;
use terminal::{CTRL_C, CTRL_D, Terminal};

/// `endmill play` in a directory of its own, so that games are kept there.
fn play(directory: &TempDir, args: &[&str]) -> Command {
    let mut play = program();
    play.current_dir(directory).arg("play").args(args);
    play.env("TERM", "xterm").env("NO_COLOR", "1");
    play
}

/// Sends all lines by a pipe and waits for the end.
fn piped(directory: &TempDir, args: &[&str], lines: &[&str]) -> Output {
    let mut play = play(directory, args);
    play.stdin(Stdio::piped());
    play.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = play.spawn().expect("the program starts");
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let sent = run.stdin.take().unwrap().write_all(input.as_bytes());
    sent.expect("the program reads");
    run.wait_with_output().unwrap()
}

/// What a game by a pipe prints; it must end well.
fn transcript(directory: &TempDir, args: &[&str], lines: &[&str]) -> String {
    let run = piped(directory, args, lines);
    assert_eq!(text(run.stderr), "");
    assert!(run.status.success());
    text(run.stdout)
}

fn read(directory: &TempDir, file: &str) -> String {
    fs::read_to_string(directory.path().join(file)).expect(file)
}

// Sessions at a terminal

/// One test for each file of `tests/sessions`: the screen of a whole game, with what is typed
/// after the prompts (`^D` and `^C` are keys). The first line has the arguments.
macro_rules! sessions {
    ($($test:ident: $file:literal;)*) => {
        $(#[test]
        fn $test() {
            session(include_str!(concat!("sessions/", $file)));
        })*

        /// No session is forgotten here, and every ruleset has one.
        #[test]
        fn every_ruleset_has_a_session() {
            let mut listed = vec![$($file),*];
            listed.sort();
            let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
            let files = fs::read_dir(sessions).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            assert_eq!(listed, names);
            for rule in printed(&["rules"]).lines().skip(1).take_while(|line| !line.is_empty()) {
                let file = format!("{}.txt", rule.split(' ').next().unwrap());
                assert!(names.contains(&file), "{file}");
            }
        }
    };
}

sessions! {
    three_is_played_to_the_end: "three.txt";
    six_is_resigned_and_taken_back: "six.txt";
    nine_is_played_from_the_start: "nine.txt";
    nine_nofly_is_won_by_a_mill: "nine-nofly.txt";
    lasker_moves_while_placing: "lasker.txt";
    twelve_ends_with_a_full_board: "twelve.txt";
    draughts_is_kept_by_ctrl_d: "draughts.txt";
    draughts_asks_which_capture: "draughts-captures.txt";
    draughts_repeated_is_a_draw: "draughts-repetition.txt";
}

fn session(expected: &str) {
    let directory = TempDir::new().unwrap();
    let (command, screen) = expected.split_once('\n').unwrap();
    let args = command.strip_prefix("$ endmill play ").expect("a command");
    let args: Vec<&str> = args.split(' ').collect();
    let mut terminal = Terminal::start(play(&directory, &args));
    let mut seen = String::new();
    for line in screen.lines() {
        let Some((_, typed)) = line.split_once("> ") else {
            continue;
        };
        seen += &terminal.prompt();
        match typed {
            "^D" => terminal.press(CTRL_D),
            "^C" => terminal.press(CTRL_C),
            line => terminal.press(&format!("{line}\n")),
        }
        if typed == "^D" {
            // The only key that a terminal does not show.
            seen += "^D";
        }
    }
    let (rest, status) = terminal.end();
    seen += &rest;
    assert!(
        seen == screen,
        "the screen shows:\n{seen}\nexpected:\n{screen}"
    );
    assert!(status.success());
}

// Input that is wrong

/// White to place: g1 closes a mill, then f4 and a7 may be taken, which stand in no mill.
const MILL: &str = "W:Wa1,d1,b2:Bc3,d3,e3,f4,a7:H1,1";
/// Black to capture, in five ways.
const FORK: &str = "B:W6,7,14,15,16:B2,3";

/// Each is answered with what is wrong, and the position stays as it is.
#[test]
fn invalid_inputs_are_answered_and_cost_nothing() {
    let example = "Type a turn, such as g1xf4, or help";
    let placing = [
        ("a2", "a2 is not a point (character 1)"),
        ("A2", "A2 is not a point (character 1)"),
        ("d4", "d4 is not a point (character 1)"),
        ("h1", "h1 is not a point (character 1)"),
        ("a0", "a0 is not a point (character 1)"),
        ("a8", "a8 is not a point (character 1)"),
        ("a1", "a1 is not legal: a1 is not free"),
        ("c3", "c3 is not legal: c3 is not free"),
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
            "g4xf4 is not legal: it closes no mill, nothing may be removed",
        ),
        (
            "g1xc3",
            "g1xc3 is not legal: c3 stands in a mill and others do not",
        ),
        ("g1xb2", "g1xb2 is not legal: black has no man on b2"),
        ("g1xg7", "g1xg7 is not legal: black has no man on g7"),
        ("g1x", r#"expected a point, found "the end" (character 4)"#),
        ("x", r#"expected a point, found "x" (character 1)"#),
        ("11-15", r#"expected a point, found "1" (character 1)"#),
        ("a1-a4-a7", r#"expected the end, found "-" (character 6)"#),
        ("é1", r#"expected a point, found "é" (character 1)"#),
        ("", example),
        ("    ", example),
        ("castle", r#"there is no command "castle": try help"#),
        ("undo", "There is nothing to take back"),
        ("undo 3", r#"undo takes nothing after it, found "3""#),
        ("load", "load which file? load FILE"),
        (
            "load nowhere.game",
            "cannot read nowhere.game: No such file or directory (os error 2)",
        ),
        (
            "load notes.txt",
            r#"notes.txt, line 1: expected "endmill game 1", found "not a game""#,
        ),
        (
            "save notes.txt",
            "notes.txt is there and is not a saved game",
        ),
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
        ("2", r#"expected - or x, found "the end" (character 2)"#),
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

// Keys and colours

#[test]
fn ctrl_c_keeps_the_game_at_a_prompt_and_while_a_level_thinks() {
    let directory = TempDir::new().unwrap();
    let mut terminal = Terminal::start(play(&directory, &["nine"]));
    terminal.prompt();
    terminal.answer("d2");
    terminal.press(CTRL_C);
    let (shown, status) = terminal.end();
    let kept = "The game is in nine-1.game: endmill play nine --load nine-1.game\n";
    assert!(shown.ends_with(kept), "{shown}");
    assert_eq!(status.code(), Some(0));
    assert!(read(&directory, "nine-1.game").ends_with("\nd2\n"));

    let thinkers = ["draughts", "--black", "perfect", "--white", "perfect"];
    let mut terminal = Terminal::start(play(&directory, &thinkers));
    terminal.until("White (perfect) plays ");
    terminal.press(CTRL_C);
    let (shown, status) = terminal.end();
    assert!(shown.contains("The game is in draughts-1.game"), "{shown}");
    assert_eq!(status.code(), Some(0));
}

/// White bold yellow, Black bold magenta, lines faint: on a terminal, and unless it is refused.
#[test]
fn men_have_colours_where_the_terminal_has() {
    let directory = TempDir::new().unwrap();
    let screen = |setting: Option<(&str, &str)>, args: &[&str]| {
        let mut play = play(&directory, args);
        play.env_remove("NO_COLOR").envs(setting);
        let mut terminal = Terminal::start(play);
        let screen = terminal.prompt();
        terminal.press("discard\n");
        terminal.end();
        screen
    };
    let args = ["three", "--from", "W:Wa1:Bb2:H2,2"];
    let coloured = screen(None, &args);
    let row = "\x1b[2m1   \x1b[0m\x1b[1;33m○\x1b[0m\x1b[2m---\x1b[0m\x1b[0m·\x1b[0m";
    assert!(coloured.contains(row), "{coloured:?}");
    assert!(coloured.contains("\x1b[1;35m●\x1b[0m"), "{coloured:?}");
    for refused in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = screen(Some(refused), &args);
        assert!(plain.contains("1   ○---·---·\n"), "{plain:?}");
        assert!(!plain.contains('\x1b'), "{plain:?}");
    }
    let ascii = screen(None, &[&args[..], &["--ascii"]].concat());
    assert!(ascii.contains("1   w---.---.\n"), "{ascii:?}");
    assert!(ascii.is_ascii() && !ascii.contains('\x1b'), "{ascii:?}");
}

// Pipes and files

#[test]
fn a_pipe_gets_the_whole_game_without_colours() {
    let directory = TempDir::new().unwrap();
    let turns = ["b2", "a1", "b3", "a2", "b1xa1", "quit"];
    let game = transcript(&directory, &["three", "--ascii"], &turns);
    assert!(game.is_ascii() && !game.contains('\x1b'), "{game}");
    let (before, last) = game.split_once("White> b1xa1\n").unwrap();
    let begin = "White w human, Black b human\n\n    A   B   C\n\n1   .---.---.\n";
    assert!(before.starts_with(begin), "{game}");
    let end = "White plays b1xa1

    A   B   C

1   .---w---.
    | \\ | / |
2   b---w---.
    | / | \\ |
3   .---w---.

In hand: White 0, Black 1
Game over: White wins
Game over> quit
The game is in three-1.game: endmill play three --load three-1.game
";
    assert_eq!(last, end);
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let directory = TempDir::new().unwrap();
    let head = "endmill game 1\nruleset nine\nstart W:W:B:H9,9\n";
    let first = transcript(&directory, &["nine"], &["d2", "f4", "save my game.txt"]);
    assert!(first.contains("Saved to my game.txt\n"), "{first}");
    assert_eq!(read(&directory, "my game.txt"), format!("{head}d2\nf4\n"));

    let load = ["nine", "--load", "my game.txt"];
    let second = transcript(&directory, &load, &["position", "d6", "undo", "d7"]);
    assert!(second.contains("W:Wd2:Bf4:H8,8\n"), "{second}");
    assert_eq!(
        read(&directory, "my game.txt"),
        format!("{head}d2\nf4\nd7\n")
    );

    // Nothing that was saved is lost by taking turns back: the shorter game gets a new file.
    let third = transcript(&directory, &load, &["undo", "undo", "g1", "save", "undo"]);
    assert!(third.contains("The game is in nine-1.game"), "{third}");
    assert_eq!(read(&directory, "nine-1.game"), format!("{head}d2\n"));
    assert_eq!(read(&directory, "my game.txt"), format!("{head}d2\ng1\n"));

    // Another game that is loaded takes no file from the one at hand.
    let lines = ["a1", "load nine-1.game", "position", "resign"];
    let fourth = transcript(&directory, &["nine"], &lines);
    assert!(fourth.contains("B:Wd2:B:H8,9\n"), "{fourth}");
    assert!(
        fourth.contains("Game over: Black resigns, White wins\n"),
        "{fourth}"
    );
    assert_eq!(read(&directory, "nine-2.game"), format!("{head}a1\n"));
    let resigned = format!("{head}d2\nresigned black\n");
    assert_eq!(read(&directory, "nine-1.game"), resigned);

    let args = ["nine", "--load", "nine-1.game", "--save", "taken-back.game"];
    let fifth = transcript(&directory, &args, &["f4", "undo", "f4"]);
    assert!(
        fifth.contains("The game is over: undo, save, load or quit\n"),
        "{fifth}"
    );
    assert_eq!(
        read(&directory, "taken-back.game"),
        format!("{head}d2\nf4\n")
    );
    assert_eq!(read(&directory, "nine-1.game"), resigned);

    // To load the own file again loses nothing either.
    let load = ["nine", "--load", "taken-back.game"];
    let again = transcript(&directory, &load, &["a1", "load taken-back.game", "undo"]);
    assert!(again.contains("The game is in nine-3.game"), "{again}");
    assert_eq!(read(&directory, "nine-3.game"), format!("{head}d2\nf4\n"));
    let longer = read(&directory, "taken-back.game");
    assert_eq!(longer, format!("{head}d2\nf4\na1\n"));

    // Nor does --save write one game over another.
    let sixth = transcript(&directory, &["nine", "--save", "nine-2.game"], &["g7"]);
    assert!(sixth.contains("The game is in nine-4.game"), "{sixth}");
    assert_eq!(read(&directory, "nine-4.game"), format!("{head}g7\n"));
    assert_eq!(read(&directory, "nine-2.game"), format!("{head}a1\n"));
}

#[test]
fn nothing_is_kept_of_a_game_that_has_not_begun_or_is_discarded() {
    let directory = TempDir::new().unwrap();
    transcript(&directory, &["six"], &["help", "board", "moves"]);
    transcript(&directory, &["six"], &["a1", "a3", "discard"]);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_no_game_is_refused_with_its_line() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("bad.game");
    for (game, complaint) in [
        (
            "endmill game 1\nruleset six\n",
            "line 2: this is a game of six, not of nine",
        ),
        (
            "endmill game 1\nruleset nine\nstart start\nd2\n\na2\n",
            "line 6: a2 is not a point (character 1)",
        ),
        (
            "endmill game 1\nruleset nine\nstart start\nd2\nd2\n",
            "line 5: d2 is not legal: d2 is not free",
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
fn a_game_that_cannot_be_kept_is_shown() {
    let directory = TempDir::new().unwrap();
    let run = piped(&directory, &["six", "--save", "no/such/place"], &["a1"]);
    assert_eq!(run.status.code(), Some(1));
    let shown = text(run.stdout);
    assert!(
        shown.ends_with("endmill game 1\nruleset six\nstart W:W:B:H6,6\na1\n"),
        "{shown}"
    );
    let complaint = text(run.stderr);
    assert!(
        complaint.starts_with("endmill: cannot save to no/such/place: "),
        "{complaint}"
    );
}

// Levels and hints

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
    // They ended by themselves: there is nothing to keep.
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[test]
fn undo_takes_back_the_answer_of_a_level_too() {
    let directory = TempDir::new().unwrap();
    let mut terminal = Terminal::start(play(&directory, &["nine", "--white", "low"]));
    terminal.prompt();
    let first_turn = |terminal: &mut Terminal| {
        let turns = terminal.answer("moves");
        let turn = turns.strip_prefix("Turns: ").unwrap().split(',').next();
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
    // The first turn of the game was the level's.
    let refused = "There is nothing to take back\nBlack> ";
    assert_eq!(terminal.answer("undo"), refused);
    assert_eq!(terminal.answer("position"), positions[0]);
}

#[test]
fn an_unknown_player_is_answered_with_the_known_ones() {
    let answer = complaint(&["play", "nine", "--white", "hard"]);
    assert!(
        answer.contains("there are: human, low, medium, high, perfect"),
        "{answer}"
    );
    let answer = complaint(&["play", "nine", "--from", "W:Wa2:B"]);
    assert_eq!(answer, "endmill: a2 is not a point (character 4)\n");
}

#[test]
fn hints_are_what_the_database_knows() {
    let directory = TempDir::new().unwrap();
    let without = transcript(&directory, &["three"], &["hint"]);
    let there_is_none = "There is no database of three: endmill build three makes one";
    assert!(without.contains(there_is_none), "{without}");

    let db = directory.path().join("db");
    let db = db.to_str().unwrap();
    printed(&["build", "three", "--db", db]);
    // White closes the column b at once; the other turns lose, or win later.
    let args = ["three", "--db", db, "--from", "W:Wb2,b3:Ba1,a2:H1,1"];
    let hints = transcript(&directory, &args, &["hint", "discard"]);
    let told = hints.split_once("White> hint\n").unwrap().1;
    let probed = printed(&["probe", "three", args[4], "--db", db]);
    let words = "White wins in 1 ply\n  win in 1: b1xa1, b1xa2\n";
    assert!(told.starts_with(words), "{told}");
    assert!(probed.contains("White wins in 1 ply\n"), "{probed}");

    // A draughts player far from the two kings that are stored.
    printed(&["build", "draughts", "--pieces", "2", "--db", db]);
    let far = transcript(&directory, &["draughts", "--db", db], &["hint", "discard"]);
    assert!(far.contains("The database does not know: "), "{far}");
    let taking = ["draughts", "--db", db, "--from", "B:WK10,28:BK6"];
    let near = transcript(&directory, &taking, &["hint", "discard"]);
    let drawn = "Black> hint\nDraw: neither side can win\n  draw: 6x15\n";
    assert!(near.contains(drawn), "{near}");

    // The same at every prompt, for the side that is asked.
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
