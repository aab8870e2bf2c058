//! What is answered to each line, as long as the database stays the same.

use std::collections::{BTreeSet, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use anyhow::Context;
use endmill_engine::{Level, Limits};
use endmill_games::{Game, Visitor};
use endmill_probe::{Database, ProbeError};

use super::Event;
use crate::db::Read;
use crate::mend::chain;
use crate::missing;

use super::board::{Board, read_turns};
use super::command::{Command, Go, Setting};
use super::limits::limits;
use super::protocol::Protocol;
use super::searcher::{self, Job, Manner, Order};
use super::uci::Wording;

/// The most memory that can be asked for, in MiB.
pub const MOST_HASH: usize = 4096;

/// How UCI writes an empty text.
pub const EMPTY: &str = "<empty>";

/// What can be set, and the position that was.
#[derive(Clone)]
pub struct Settings {
    /// What is spoken.
    pub protocol: Protocol,
    /// How any database is read.
    pub read: Read,
    /// `None` = play without.
    pub database: Option<PathBuf>,
    /// As a command names it: by its id, or by its file.
    pub ruleset: String,
    /// Whether tables that are missing and take seconds are built on the way.
    pub builds: bool,
    /// Tables that were built, or are not to be.
    pub considered: BTreeSet<String>,
    pub level: Level,
    pub seed: u64,
    /// In MiB.
    pub hash: usize,
    /// Whether a move is given as one action at a time.
    pub one_action: bool,
    pub position: Asked,
    /// The limits that were set apart from a search.
    pub within: Go,
    /// Lines that wait to be answered.
    pub waiting: VecDeque<String>,
    /// Whether more will come.
    pub lines: Lines,
}

/// What position was set up last.
#[derive(Clone)]
pub enum Asked {
    /// None: it is the start of the game.
    Start,
    /// By these words.
    Given(String),
    /// One that was refused: there is nothing to search.
    Refused,
}

/// Whether more lines will come after those that wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    Come,
    /// The input is at its end: searches that have a limit are finished.
    Ended,
    /// `quit` was said: every search is answered, and soon.
    Quit,
}

impl Settings {
    fn manner(&self) -> Manner {
        Manner {
            level: self.level,
            seed: self.seed,
            memory: self.hash << 20,
        }
    }
}

/// A conversation about one ruleset with one database.
pub struct Session<'a> {
    pub settings: Settings,
    pub events: &'a Receiver<Event>,
    pub sender: &'a Sender<Event>,
    pub out: &'a mut dyn Write,
}

impl Visitor for Session<'_> {
    /// The settings to go on with, if there is to be another session.
    type Output = anyhow::Result<Option<Settings>>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<Option<Settings>> {
        let Session {
            mut settings,
            events,
            sender,
            out,
        } = self;
        let opened = match &settings.database {
            Some(directory) => settings.read.open(directory, game),
            None => Ok(Database::without_tables(game)),
        };
        let without = |out: &mut dyn Write, why: &ProbeError| {
            let why = format!("{why}; playing without tables");
            writeln!(out, "{}", settings.protocol.error(&why))
        };
        let database = match opened {
            Ok(database) => database,
            Err(error) => {
                without(out, &error)?;
                settings.database = None;
                return Ok(Some(settings));
            }
        };
        if let Some(directory) = &settings.database
            && database.coverage().tables.is_empty()
        {
            let none = ProbeError::NoTables {
                directory: directory.clone(),
                ruleset: database.game().description().id,
            };
            without(out, &none)?;
        }
        let stop = AtomicBool::new(false);
        let (orders, inbox) = mpsc::channel();
        let (manner, protocol) = (settings.manner(), settings.protocol);
        std::thread::scope(|scope| {
            let (database, stop) = (&database, &stop);
            std::thread::Builder::new()
                .spawn_scoped(scope, move || {
                    searcher::work(database, protocol, manner, &inbox, stop, sender);
                })
                .context("cannot start a thread")?;
            // The orders end with the talk, however that ends, and then the thread does.
            let talk = Talk::new(database, settings, orders, stop, out);
            let next = talk.listen(events);
            stop.store(true, Ordering::Relaxed);
            next
        })
    }
}

/// A search that is under way, or over and not told.
struct Searching {
    /// Not to be answered before `stop`, or `ponderhit` if it ponders.
    infinite: bool,
    ponders: bool,
    /// The answer, if the search ended before it was stopped.
    held: Option<String>,
    /// What it may take after `ponderhit`.
    limits: Limits,
    /// When it is to be stopped.
    until: Option<Instant>,
}

struct Talk<'a, G: Game> {
    database: &'a Database<G>,
    settings: Settings,
    orders: Sender<Order<G>>,
    stop: &'a AtomicBool,
    out: &'a mut dyn Write,
    /// `None` if the last position was refused.
    board: Option<Board<G>>,
    searching: Option<Searching>,
}

/// What comes after a line.
enum Next {
    GoOn,
    Reopen,
    Quit,
}

impl<'a, G: Game> Talk<'a, G> {
    fn new(
        database: &'a Database<G>,
        settings: Settings,
        orders: Sender<Order<G>>,
        stop: &'a AtomicBool,
        out: &'a mut dyn Write,
    ) -> Talk<'a, G> {
        let game = database.game();
        let board = match &settings.position {
            Asked::Start => Some(Board::start(game)),
            // It was understood when it was given.
            Asked::Given(text) => settings.protocol.read_board(game, text).ok(),
            Asked::Refused => None,
        };
        Talk {
            database,
            board,
            settings,
            orders,
            stop,
            out,
            searching: None,
        }
    }

    /// Answers until the end, or until the database changes.
    fn listen(mut self, events: &Receiver<Event>) -> anyhow::Result<Option<Settings>> {
        if self.build_table()? {
            return Ok(Some(self.settings));
        }
        loop {
            if self.searching.is_none() {
                match self.settings.waiting.pop_front() {
                    Some(line) => match self.obey(&line)? {
                        Next::GoOn => continue,
                        Next::Reopen => return Ok(Some(self.settings)),
                        Next::Quit => return Ok(None),
                    },
                    None if self.settings.lines != Lines::Come => return Ok(None),
                    None => {}
                }
            }
            self.out.flush()?;
            match self.next_event(events)? {
                None => self.stop()?,
                Some(Event::Info(line)) => writeln!(self.out, "{line}")?,
                Some(Event::Done(line)) => self.done(line)?,
                // What follows after `quit` is not heard.
                Some(_) if self.settings.lines == Lines::Quit => {}
                Some(Event::End) => {
                    self.settings.lines = Lines::Ended;
                    self.stop_if_infinite()?;
                }
                Some(Event::Line(line)) => match self.hear(line)? {
                    Next::GoOn => {}
                    Next::Reopen => return Ok(Some(self.settings)),
                    Next::Quit => return Ok(None),
                },
            }
        }
    }

    /// What comes next; `None` if the time of the search is over.
    fn next_event(&self, events: &Receiver<Event>) -> anyhow::Result<Option<Event>> {
        let until = self.searching.as_ref().and_then(|search| search.until);
        let Some(until) = until.filter(|_| !self.stop.load(Ordering::Relaxed)) else {
            return Ok(Some(events.recv()?));
        };
        match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Answers a line at once, or puts it to those that wait until the search is over. A search
    /// that would not end by itself is stopped: each `go` has its answer, in their order.
    fn hear(&mut self, line: String) -> anyhow::Result<Next> {
        let command = self.settings.protocol.read(&line);
        let waits = !matches!(
            command,
            Ok(Command::Uci | Command::Init | Command::IsReady | Command::Nothing | Command::Quit)
                | Err(_)
        );
        if self.searching.is_some() && matches!(command, Ok(Command::Quit)) {
            self.settings.lines = Lines::Quit;
            self.stop()?;
            return Ok(Next::GoOn);
        }
        let behind = waits && !self.settings.waiting.is_empty();
        let stops = matches!(command, Ok(Command::Stop | Command::PonderHit));
        if line.is_empty() || self.searching.is_none() || !(waits && (behind || !stops)) {
            return self.obey(&line);
        }
        self.settings.waiting.push_back(line);
        if matches!(command, Ok(Command::Stop)) {
            // For the searches that wait too: each will hear it when it has begun.
            self.stop()?;
        } else {
            self.stop_if_infinite()?;
        }
        Ok(Next::GoOn)
    }

    /// Does what a line says; what is wrong with it is answered.
    fn obey(&mut self, line: &str) -> anyhow::Result<Next> {
        if line.is_empty() {
            return Ok(Next::GoOn);
        }
        match self.answer(line) {
            Err(error) if !error.is::<std::io::Error>() => {
                let why = format!("{error:#}");
                writeln!(self.out, "{}", self.settings.protocol.error(&why))?;
                Ok(Next::GoOn)
            }
            answered => answered,
        }
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<Next> {
        let protocol = self.settings.protocol;
        let command = protocol.read(line);
        let command = command.map_err(|error| anyhow::anyhow!("{error}"))?;
        match command {
            Command::Uci => self.introduce()?,
            Command::Nothing => {}
            Command::Init => writeln!(self.out, "ready")?,
            Command::IsReady => writeln!(self.out, "{}", protocol.ready())?,
            Command::NewGame => self.renew(),
            Command::Position(given) => {
                // Until it is understood there is no position: `go` must not answer for another.
                (self.board, self.settings.position) = (None, Asked::Refused);
                let text = given.map_err(|error| anyhow::anyhow!("{error}"))?;
                self.board = Some(protocol.read_board(self.database.game(), &text)?);
                self.settings.position = Asked::Given(text);
                if self.build_table()? {
                    return Ok(Next::Reopen);
                }
            }
            Command::Set(setting) => {
                let reopen = matches!(setting, Setting::Database(_));
                let plays_on = matches!(setting, Setting::OneAction(_));
                setting.apply(&mut self.settings);
                if reopen {
                    return Ok(Next::Reopen);
                }
                if !plays_on {
                    self.renew();
                }
            }
            Command::Level(within) => self.settings.within = within,
            Command::Go(go) => self.go(&go)?,
            Command::GoOn { ponder } => {
                let within = self.settings.within.clone();
                self.go(&Go { ponder, ..within })?;
            }
            Command::PonderHit => self.ponder_hit()?,
            Command::Stop => self.stop()?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::GoOn)
    }

    /// Builds what the position needs, if that is wanted and takes seconds; whether the database is
    /// to be opened again.
    fn build_table(&mut self) -> anyhow::Result<bool> {
        let settings = &mut self.settings;
        let Some(directory) = settings.database.as_deref().filter(|_| settings.builds) else {
            return Ok(false);
        };
        // The other levels ask no table.
        if settings.level != Level::Perfect {
            return Ok(false);
        }
        let Some(board) = &self.board else {
            return Ok(false);
        };
        for table in missing::of_position(self.database, &board.position) {
            if !settings.considered.insert(table.clone()) {
                continue;
            }
            let work = missing::table(&settings.ruleset, &table);
            let Some(work) = work.filter(missing::Work::takes_seconds) else {
                continue;
            };
            match work.build(directory) {
                Ok(()) => return Ok(true),
                Err(error) => writeln!(self.out, "{}", settings.protocol.error(&chain(&error)))?,
            }
        }
        Ok(false)
    }

    fn introduce(&mut self) -> std::io::Result<()> {
        let ruleset = self.database.game().description().id;
        let introduction = (self.settings.protocol).introduction(&ruleset, &self.settings);
        writeln!(self.out, "{introduction}")
    }

    /// The searching thread ends only after the orders do.
    fn order(&self, order: Order<G>) {
        let sent = self.orders.send(order);
        sent.unwrap_or_else(|_| unreachable!("the searching thread waits for orders"));
    }

    fn renew(&self) {
        self.order(Order::Renew(self.settings.manner()));
    }

    /// Searches, whatever was asked: whoever asks waits for an answer.
    fn go(&mut self, go: &Go) -> std::io::Result<()> {
        let (game, protocol) = (self.database.game(), self.settings.protocol);
        let Some(board) = &self.board else {
            let why = "there is no position to search: the last one was refused";
            return writeln!(self.out, "{}\n{}", protocol.error(why), protocol.no_turn());
        };
        let mover = game.to_move(&board.position);
        let limits = limits(go, mover, self.settings.level);
        let (turns, illegal) = read_turns(game, board, &go.turns);
        for ignored in go.ignored.iter().chain(&illegal) {
            writeln!(self.out, "{}", protocol.ignored(ignored))?;
        }
        self.stop.store(false, Ordering::Relaxed);
        self.searching = Some(Searching {
            infinite: go.infinite || go.ponder,
            ponders: go.ponder,
            held: None,
            limits,
            until: None,
        });
        // While it ponders the clock that runs is not its own.
        let time = limits.time.filter(|_| !go.ponder);
        self.order(Order::Search(Job {
            position: board.position,
            history: board.history.clone(),
            turns,
            limits: Limits { time, ..limits },
            wording: Wording {
                said: board.said(),
                one_action: self.settings.one_action,
            },
        }));
        match self.settings.lines {
            Lines::Quit => self.stop(),
            Lines::Come if self.settings.waiting.is_empty() => Ok(()),
            // Nobody will stop it, or somebody waits.
            _ => self.stop_if_infinite(),
        }
    }

    /// From now on the search is one like any other.
    fn ponder_hit(&mut self) -> std::io::Result<()> {
        let Some(searching) = self.searching.as_mut().filter(|search| search.ponders) else {
            return Ok(());
        };
        (searching.infinite, searching.ponders) = (false, false);
        let time = searching.limits.time;
        searching.until = time.map(|time| Instant::now() + time);
        match searching.held.take() {
            Some(line) => self.done(line),
            None => Ok(()),
        }
    }

    /// The search has an answer; without a limit it is kept until it is asked for.
    fn done(&mut self, line: String) -> std::io::Result<()> {
        match &mut self.searching {
            Some(searching) if searching.infinite && !self.stop.load(Ordering::Relaxed) => {
                searching.held = Some(line);
                Ok(())
            }
            _ => {
                self.searching = None;
                writeln!(self.out, "{line}")
            }
        }
    }

    fn stop(&mut self) -> std::io::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        let held = self
            .searching
            .as_mut()
            .and_then(|search| search.held.take());
        held.map_or(Ok(()), |line| self.done(line))
    }

    fn stop_if_infinite(&mut self) -> std::io::Result<()> {
        match self.searching {
            Some(Searching { infinite: true, .. }) => self.stop(),
            _ => Ok(()),
        }
    }
}
