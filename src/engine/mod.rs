//! `endmill engine`: the engine behind a line protocol, for programs that show a board.
//!
//! The protocol is that of chess engines (UCI) with turns, positions and scores of these games, or
//! that of draughts engines (Hub); `docs/engine.md` describes both. One thread reads lines, one searches, and the main thread waits
//! for what either has to say; so a search is never in the way of `stop`, `isready` or `quit`.

mod board;
mod command;
mod hub;
mod limits;
mod protocol;
mod searcher;
mod session;
mod uci;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};

use anyhow::Context;
use endmill_engine::Level;
use endmill_games::{Game, ParseError, Ruleset, Visitor};

use crate::db::Db;
use crate::missing::{self, Policy};

use command::Go;
use protocol::Protocol;
use session::{Asked, Lines, MOST_HASH, Session, Settings};

/// Play by a line protocol: like that of chess engines, or Hub for draughts.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Which line protocol is spoken
    #[arg(long, value_enum, default_value_t = Protocol::Uci)]
    protocol: Protocol,
    #[command(flatten)]
    db: Db,
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
        let ruleset = Ruleset::open(&self.ruleset)?;
        ruleset.visit(Beginning {
            db: &self.db,
            ruleset: &self.ruleset,
            protocol: self.protocol,
        })?;
        let (sender, events) = mpsc::channel();
        let to_reader = sender.clone();
        // Not joined: at the end it may still wait for a line.
        std::thread::Builder::new()
            .spawn(move || read_lines(&to_reader))
            .context("cannot start a thread")?;
        let mut settings = Settings {
            protocol: self.protocol,
            read: self.db.read,
            builds: self.db.build == Policy::Yes,
            database: Some(self.db.directory),
            ruleset: self.ruleset,
            considered: BTreeSet::new(),
            level: self.level,
            seed: self.seed,
            hash: self.hash,
            one_action: false,
            position: Asked::Start,
            within: Go::default(),
            waiting: VecDeque::new(),
            lines: Lines::Come,
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

/// Refuses a game that the protocol is not for, and offers to build a database where there is none.
struct Beginning<'a> {
    db: &'a Db,
    /// As it was typed.
    ruleset: &'a str,
    protocol: Protocol,
}

impl Visitor for Beginning<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        self.protocol.check(&game).map_err(ParseError::from)?;
        // What is wrong with a database is told by the session.
        if let Ok(database) = self.db.open(game) {
            missing::build_beginning(self.db, self.ruleset, &database)?;
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
