//! Keys, signals, clocks and colours on a terminal.

use std::fs;

use tempfile::TempDir;

use crate::program::{printed, text};
use crate::terminal::{CTRL_C, CTRL_D, Terminal};
use crate::{game, piped, play, read};

#[test]
fn ctrl_c_saves_the_game_at_a_prompt_and_while_a_level_thinks() {
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

    let thinkers = "draughts --black perfect --white perfect --build no";
    let thinkers: Vec<&str> = thinkers.split(' ').collect();
    let mut terminal = Terminal::start(play(&directory, &thinkers));
    terminal.until("White (perfect) plays ");
    terminal.press(CTRL_C);
    let (shown, status) = terminal.end();
    assert!(shown.contains("The game is in draughts-1.game"), "{shown}");
    assert_eq!(status.code(), Some(0));
}

/// Signals that end a program: the terminal is closed, or SIGTERM.
#[test]
fn a_signal_loses_nothing_whatever_the_terminal() {
    let signals = [rustix::process::Signal::HUP, rustix::process::Signal::TERM];
    for (signal, term) in signals.into_iter().zip(["dumb", "xterm"]) {
        let directory = TempDir::new().unwrap();
        let mut play = play(&directory, &["nine"]);
        play.env("TERM", term);
        let mut terminal = Terminal::start(play);
        terminal.until_shown("White> ");
        terminal.press("d2\n");
        terminal.until_shown("Black> ");
        assert_eq!(game(&directory, "nine-1.game"), "start W:W:B:H9,9\nd2\n");
        terminal.kill(signal);
        let (shown, status) = terminal.end();
        let kept = "The game is in nine-1.game: endmill play nine --load nine-1.game\n";
        assert!(shown.ends_with(kept), "{shown}");
        assert_eq!(status.code(), Some(0));
        assert_eq!(game(&directory, "nine-1.game"), "start W:W:B:H9,9\nd2\n");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    }
}

/// Plays a game against a level, always with the first turn of the list. With `hang_up` the terminal
/// is closed after every turn, and the game resumes from its file.
fn game_against_a_level(directory: &TempDir, hang_up: bool) -> String {
    let begin = [
        "three", "--black", "low", "--seed", "5", "--save", "one.game",
    ];
    let mut terminal = Terminal::start(play(directory, &begin));
    terminal.prompt();
    for _ in 0..60 {
        let turns = terminal.answer("moves");
        let Some(turns) = turns.strip_prefix("Moves: ") else {
            break;
        };
        let turn = turns.split([',', '\n']).next().unwrap();
        // `b1 (xa1 xa2)` stands for two turns: take the first.
        let turn = turn.replace(" (", "").replace(')', "");
        let turn = turn.split(' ').next().unwrap().to_owned();
        terminal.answer(&turn);
        if hang_up {
            terminal.kill(rustix::process::Signal::HUP);
            let (_, status) = terminal.end();
            assert_eq!(status.code(), Some(0));
            let again = ["three", "--load", "one.game"];
            terminal = Terminal::start(play(directory, &again));
            terminal.prompt();
        }
    }
    terminal.press("quit\n");
    terminal.end();
    read(directory, "one.game")
}

#[test]
fn a_game_interrupted_after_every_turn_ends_like_an_uninterrupted_one() {
    let (whole, cut) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let undisturbed = game_against_a_level(&whole, false);
    assert!(undisturbed.lines().count() > 10, "{undisturbed}");
    assert_eq!(game_against_a_level(&cut, true), undisturbed);
    assert_eq!(fs::read_dir(&cut).unwrap().count(), 1);
}

#[test]
fn lines_can_be_edited_and_recalled_on_a_terminal() {
    let directory = TempDir::new().unwrap();
    let mut play = play(&directory, &["nine"]);
    play.env("TERM", "xterm");
    let mut terminal = Terminal::start(play);
    terminal.until_shown("White> ");
    // Ctrl-A and Ctrl-K delete the line.
    terminal.press("castle\x01\x0bd2\r");
    let played = terminal.until_shown("Black> ");
    assert!(played.contains("White plays d2"), "{played}");
    // The key that recalls the last line.
    terminal.press("\x1b[A\r");
    terminal.until_shown("d2 is not legal: d2 is occupied");
    // A key pressed before the prompt is ignored.
    terminal.until_shown("Black> ");
    terminal.press(CTRL_D);
    let (_, status) = terminal.end();
    assert!(status.success());
    assert_eq!(game(&directory, "nine-1.game"), "start W:W:B:H9,9\nd2\n");
}

#[test]
fn running_out_of_time_loses() {
    let directory = TempDir::new().unwrap();
    // White has enough time even on a busy machine.
    let saved = "endmill game 2\nruleset nine\nclock 10+0\nleft 600 1\nstart W:W:B:H9,9\n";
    fs::write(directory.path().join("nine-1.game"), saved).unwrap();
    let args = ["nine", "--load", "nine-1.game"];
    let mut terminal = Terminal::start(play(&directory, &args));
    assert!(terminal.prompt().contains("Clocks: White "));
    // The end may follow the prompt for Black immediately.
    terminal.press("d2\n");
    let late = terminal.until("Game over> ");
    assert!(
        late.contains("Game over: Black has no time left, White wins\n"),
        "{late}"
    );
    terminal.press("quit\n");
    terminal.end();
    assert!(read(&directory, "nine-1.game").ends_with("\nd2\nlate black\n"));
}

/// White is bold yellow, Black bold magenta, lines are faint: on a terminal, unless switched off.
#[test]
fn men_have_colours_on_a_capable_terminal() {
    let directory = TempDir::new().unwrap();
    let screen = |setting: Option<(&str, &str)>, args: &[&str]| {
        let mut play = play(&directory, args);
        play.env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .envs(setting);
        let mut terminal = Terminal::start(play);
        let screen = terminal.until_shown("White> ");
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
        assert!(!plain.contains("\x1b[1;3"), "{plain:?}");
    }
    let ascii = screen(None, &[&args[..], &["--ascii"]].concat());
    assert!(ascii.contains("1   w---.---.\n"), "{ascii:?}");
    assert!(ascii.is_ascii(), "{ascii:?}");
    // A locale without Unicode gets ASCII.
    for locale in [("LANG", "C"), ("LC_ALL", "de_DE.ISO-8859-1")] {
        let ascii = screen(Some(locale), &args);
        assert!(ascii.contains("1   w---.---.\n"), "{ascii:?}");
    }
    let utf8 = screen(Some(("LANG", "de_DE.UTF-8")), &args);
    assert!(utf8.contains('○'), "{utf8:?}");
}

/// A database of three men's morris without tables of men in hand.
fn without_placing(directory: &TempDir) -> String {
    let db = directory.path().join("db").to_str().unwrap().to_owned();
    printed(&["build", "three", "--tables", "3v3", "--db", &db]);
    db
}

const PLACING: &str = "W:Wa1:Bb2:H2,2";

#[test]
fn a_missing_table_is_offered_once_and_built_on_a_yes() {
    let directory = TempDir::new().unwrap();
    let db = without_placing(&directory);
    let args = ["three", "--from", PLACING, "--db", &db];
    let mut terminal = Terminal::start(play(&directory, &args));
    terminal.prompt();
    terminal.press("hint\n");
    let question = "Table 1+2v1+2 is not in ";
    let asked = terminal.until("? [Y/n] ");
    assert!(asked.contains(question), "{asked}");
    // Neither yes nor no.
    terminal.press("quit\n");
    terminal.until("? [Y/n] ");
    terminal.press("n\n");
    let shown = terminal.prompt();
    assert!(shown.contains("There is no table 1+2v1+2"), "{shown}");
    let again = terminal.answer("hint");
    assert!(again.contains("There is no table 1+2v1+2"), "{again}");
    terminal.press("quit\n");
    terminal.end();

    let mut terminal = Terminal::start(play(&directory, &args));
    terminal.prompt();
    terminal.press("c1\n");
    terminal.prompt();
    terminal.press("hint\n");
    terminal.until("? [Y/n] ");
    terminal.press("\n");
    let shown = terminal.until("\nBlack> ");
    assert!(shown.contains("tables, "), "{shown}");
    let last = shown.rsplit_once(" of memory\n").unwrap().1;
    assert!(
        last.contains(" in ") && !last.contains("estimate"),
        "{last}"
    );
    // The game has not changed.
    let position = terminal.answer("position");
    assert!(position.starts_with("B:Wa1,c1:Bb2:H1,2\n"), "{position}");
    terminal.press("discard\n");
    terminal.end();
}

#[test]
fn a_missing_table_is_built_on_request_without_a_terminal() {
    for build in ["yes", "ask"] {
        let directory = TempDir::new().unwrap();
        let db = without_placing(&directory);
        let mut args = vec!["three", "--from", PLACING, "--db", &db, "--build", build];
        args.extend(["--black", "perfect", "--seed", "1"]);
        let run = piped(&directory, &args, &["c1", "history", "discard"]);
        assert!(run.status.success(), "{}", text(run.stderr));
        let shown = text(run.stdout);
        assert!(shown.contains("White began: 1. c1 "), "{shown}");
        let built = directory.path().join("db/three/1+2v2+1.wld").is_file();
        assert_eq!(built, build == "yes", "{shown}");
    }
}
