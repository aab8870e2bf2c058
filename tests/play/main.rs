//! End-to-end: games on a real terminal, through a pipe, and between levels.

#![cfg(unix)]

mod files;
mod invalid;
mod keys;
mod levels;
mod pdn;
#[path = "../program/mod.rs"]
mod program;
mod sessions;
#[path = "../terminal/mod.rs"]
mod terminal;

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use program::{program, text};
use tempfile::TempDir;

/// `endmill play` in a separate directory, where games are saved.
fn play(directory: &TempDir, args: &[&str]) -> Command {
    let mut play = program();
    play.current_dir(directory).arg("play").args(args);
    // A terminal without editing shows only what is typed.
    play.env("TERM", "dumb").env("NO_COLOR", "1");
    play.env_remove("ENDMILL_DB").env("HOME", directory.path());
    for locale in ["LC_ALL", "LC_CTYPE", "LANG", "XDG_DATA_HOME"] {
        play.env_remove(locale);
    }
    play
}

/// Sends all lines through a pipe and waits for the end.
fn piped(directory: &TempDir, args: &[&str], lines: &[&str]) -> Output {
    let mut play = play(directory, args);
    play.stdin(Stdio::piped());
    play.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = play.spawn().expect("the program starts");
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A program that refuses its arguments may end before it reads.
    let _ = run.stdin.take().unwrap().write_all(input.as_bytes());
    run.wait_with_output().unwrap()
}

/// The output of a game through a pipe, which must succeed.
fn transcript(directory: &TempDir, args: &[&str], lines: &[&str]) -> String {
    let run = piped(directory, args, lines);
    assert_eq!(text(run.stderr), "");
    assert!(run.status.success());
    text(run.stdout)
}

fn read(directory: &TempDir, file: &str) -> String {
    fs::read_to_string(directory.path().join(file)).expect(file)
}

/// A saved game without its players: the start, the turns, and the end.
fn game(directory: &TempDir, file: &str) -> String {
    let text = read(directory, file);
    let start = text.find("start ").expect("a start");
    text[start..].to_owned()
}
