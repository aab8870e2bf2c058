//! `endmill engine`: the engine behind a line protocol, for programs that show a board.
//!
//! The protocol is that of chess engines (UCI) with turns, positions and scores of these games;
//! `docs/engine.md` describes it. One thread reads lines, one searches, and the main thread waits
//! for what either has to say; so a search is never in the way of `stop`, `isready` or `quit`.

mod command;
mod searcher;
mod session;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};

use ::engine::Level;
use games::Ruleset;

use session::{MOST_HASH, Session, Settings};

/// Play by a line protocol like that of chess engines.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// low, medium, high or perfect; only perfect asks the database
    #[arg(long, default_value_t = Level::Perfect)]
    level: Level,
    /// The same seed and the same lines give the same answers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory for positions that were searched, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = hash)]
    hash: usize,
}

/// What the main thread waits for.
pub enum Event {
    /// A line of the input.
    Line(String),
    /// The input is at its end.
    End,
    /// A line that the searching thread has to say.
    Info(String),
    /// The search is over: the line that says with what.
    Done(String),
}

impl Args {
    /// Answers lines until `quit` or the end of the input.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let ruleset = Ruleset::find(&self.ruleset)?;
        let (sender, events) = mpsc::channel();
        let to_reader = sender.clone();
        // Not joined: at the end it may still wait for a line.
        std::thread::spawn(move || read_lines(&to_reader));
        let mut settings = Settings {
            database: Some(self.db),
            level: self.level,
            seed: self.seed,
            hash: self.hash,
            position: None,
        };
        // A database lives as long as a session.
        while let Some(next) = ruleset.visit(Session {
            settings,
            events: &events,
            sender: &sender,
            out,
        })? {
            settings = next;
        }
        Ok(())
    }
}

/// Reads `--hash` with the bounds of the option of that name.
fn hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(hash @ 1..=MOST_HASH) => Ok(hash),
        _ => Err(format!("expected 1 to {MOST_HASH}")),
    }
}

/// Hands lines on. Bytes that are not UTF-8 make a bad line, not the end.
fn read_lines(to: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while let Ok(1..) = input.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if to.send(Event::Line(text)).is_err() {
            return;
        }
        line.clear();
    }
    // Nobody listens only if the program is about to end.
    let _ = to.send(Event::End);
}
