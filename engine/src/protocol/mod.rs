//! Line protocols for programs that show a board: [`run`] answers a client until it quits.
//!
//! [`Protocol`] parses and formats lines, in UCI or in Hub; what the engine does is the same for
//! both. One thread reads lines, one searches, and the calling thread waits for either, so that a
//! search never delays `stop`, `isready` or `quit`. `docs/engine.md` describes both protocols.

mod command;
mod hub;
mod searcher;
mod session;
mod uci;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread;

use endmill_games::{Game, Problem, Ruleset};

use self::command::{Command, Go, Read};
pub use self::session::PlaySettings;
use self::session::{Input, PositionState, Session, Settings};
use self::uci::{Board, TurnPart};
use crate::engine::Report;

/// The largest transposition table, in MiB.
pub const MAX_HASH: usize = 4096;

/// UCI's notation of an empty text.
const EMPTY: &str = "<empty>";

/// A line protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The protocol of chess engines.
    Uci,
    /// Hub version 2, the protocol of draughts engines.
    Hub,
}

/// The initial state of a session. A client can change all but the protocol and the access.
pub struct SessionOptions {
    /// The protocol.
    pub protocol: Protocol,
    /// The directory of the database; `None` for none.
    pub database: Option<PathBuf>,
    /// How databases are read.
    pub reading: endmill_probe::Options,
    /// How to play.
    pub play: PlaySettings,
}

/// Builds a table that is missing in a database directory. Returns `None` if the table takes too
/// long, or why the build failed.
pub type BuildTable<'a> = dyn Fn(&Path, &str) -> Option<Result<(), String>> + 'a;

/// Answers the lines of a client until `quit` or the end of the input. With `build`, tables that the
/// current position needs are built.
pub fn run(
    ruleset: Ruleset,
    options: SessionOptions,
    build: Option<&BuildTable<'_>>,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let to_reader = sender.clone();
    // Not joined: in the end it may still wait for a line.
    spawn(thread::Builder::new().spawn(move || read_lines(input, &to_reader)))?;
    let mut settings = Settings {
        protocol: options.protocol,
        reading: options.reading,
        database: options.database,
        considered: BTreeSet::new(),
        play: options.play,
        one_action: false,
        position: PositionState::Start,
        level: Go::default(),
        waiting: VecDeque::new(),
        input: Input::Open,
    };
    // Every session has one database.
    while let Some(next) = ruleset.visit(Session {
        settings,
        build,
        events: &events,
        sender: &sender,
        out,
    })? {
        settings = next;
    }
    Ok(())
}

/// What the calling thread waits for.
enum Event {
    /// A line of the input.
    Line(String),
    /// The end of the input.
    End,
    /// A line about a running search.
    Info(String),
    /// The result of a search.
    Done(String),
}

/// Sends the lines of the input. Bytes that are not UTF-8 make a bad line, not the end.
fn read_lines(mut input: impl BufRead, to: &Sender<Event>) {
    let mut line = Vec::new();
    while let Ok(1..) = input.read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if to.send(Event::Line(text)).is_err() {
            return;
        }
        line.clear();
    }
    // Fails only if the session has ended.
    let _ = to.send(Event::End);
}

/// Says what failed if a thread cannot start.
fn spawn<T>(thread: io::Result<T>) -> io::Result<T> {
    thread.map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))
}

impl Protocol {
    /// Refuses a game that the protocol cannot express.
    pub fn check<G: Game>(self, game: &G) -> Result<(), Problem> {
        match self {
            Protocol::Uci => Ok(()),
            Protocol::Hub => hub::check(game),
        }
    }

    fn parse(self, line: &str) -> Read<Command> {
        match self {
            Protocol::Uci => uci::parse(line),
            Protocol::Hub => hub::parse(line),
        }
    }

    /// Parses the position of a line that sets one up, with the moves after it.
    fn parse_board<G: Game>(self, game: &G, text: &str) -> Read<Board<G>> {
        match self {
            Protocol::Uci => uci::parse_board(game, text),
            Protocol::Hub => hub::parse_board(game, text),
        }
    }

    fn introduction(self, ruleset: &str, settings: &Settings) -> String {
        match self {
            Protocol::Uci => uci::introduction(ruleset, settings),
            Protocol::Hub => hub::introduction(settings),
        }
    }

    fn ready(self) -> &'static str {
        match self {
            Protocol::Uci => "readyok",
            Protocol::Hub => "pong",
        }
    }

    fn error(self, why: &str) -> String {
        match self {
            Protocol::Uci => format!("info string error: {why}"),
            Protocol::Hub => format!("error message={}", hub::quoted(why)),
        }
    }

    fn ignored(self, what: &str) -> String {
        match self {
            Protocol::Uci => format!("info string ignored: {what}"),
            Protocol::Hub => format!("error message={}", hub::quoted(&format!("ignored: {what}"))),
        }
    }

    /// The progress of a search.
    fn info<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        report: &Report<G>,
        part: &TurnPart,
    ) -> String {
        match self {
            Protocol::Uci => uci::info(game, position, report, part),
            Protocol::Hub => hub::info(game, position, report),
        }
    }

    /// The result of a search, with the line that it expects.
    fn best<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        line: &[G::Turn],
        part: &TurnPart,
    ) -> String {
        match self {
            Protocol::Uci => uci::best(game, position, line.first(), part),
            Protocol::Hub => hub::best(game, position, line),
        }
    }

    /// The result if the game is over, or there is no position.
    fn no_turn(self) -> &'static str {
        match self {
            Protocol::Uci => uci::NO_TURN,
            Protocol::Hub => hub::NO_TURN,
        }
    }
}
