//! A session: the answers to lines while the database stays the same.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use endmill_games::{Game, Visitor};
use endmill_probe::{Database, ProbeError};

use super::command::{Command, Go, Setting};
use super::searcher::{self, Job, Order};
use super::uci::{Board, TurnPart, parse_turns};
use super::{BuildTable, Event, Protocol, spawn};
use crate::engine::Engine;
use crate::knowledge::missing_tables;
use crate::level::{Level, Limits};

/// The options of a client, and the state that survives a change of the database.
pub struct Settings {
    pub protocol: Protocol,
    pub reading: endmill_probe::Options,
    /// `None`: play without tables.
    pub database: Option<PathBuf>,
    /// Tables that were built, or are not to be built.
    pub considered: BTreeSet<String>,
    pub play: PlaySettings,
    /// Whether a move is given as one action at a time.
    pub one_action: bool,
    pub position: PositionState,
    /// The limits of later searches, in a protocol that sets them apart from `go`.
    pub level: Go,
    /// Lines that are not answered yet.
    pub waiting: VecDeque<String>,
    pub input: Input,
}

/// How the engine plays.
#[derive(Clone, Copy)]
pub struct PlaySettings {
    /// The level.
    pub level: Level,
    /// The same seed and the same commands give the same moves.
    pub seed: u64,
    /// The size of the transposition table, in MiB.
    pub hash: usize,
}

impl PlaySettings {
    pub(super) fn engine<'a, G: Game>(&self, database: &'a Database<G>) -> Engine<'a, G> {
        let engine = Engine::new(database.game(), Some(database), self.level, self.seed);
        engine.with_memory(self.hash << 20)
    }
}

/// The position that was set up last.
pub enum PositionState {
    /// None: the start of the game.
    Start,
    /// The text of the position.
    Given(String),
    /// The last position was refused: there is nothing to search.
    Refused,
}

/// Whether more lines can follow those that wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Open,
    /// The input has ended: searches with a limit are finished.
    Ended,
    /// After `quit`: every search is stopped, and answered.
    Quit,
}

/// A conversation about one ruleset with one database.
pub struct Session<'a> {
    pub settings: Settings,
    pub build: Option<&'a BuildTable<'a>>,
    pub events: &'a Receiver<Event>,
    pub sender: &'a Sender<Event>,
    pub out: &'a mut dyn Write,
}

impl Visitor for Session<'_> {
    /// The settings of the next session, if there is one.
    type Output = io::Result<Option<Settings>>;

    fn visit<G: Game>(self, game: G) -> io::Result<Option<Settings>> {
        let Session {
            mut settings,
            build,
            events,
            sender,
            out,
        } = self;
        let opened = match &settings.database {
            Some(directory) => Database::open_with(directory, game, &settings.reading),
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
        let (play, protocol) = (settings.play, settings.protocol);
        thread::scope(|scope| {
            let (database, stop) = (&database, &stop);
            spawn(thread::Builder::new().spawn_scoped(scope, move || {
                searcher::work(database, protocol, play, &inbox, stop, sender);
            }))?;
            // The conversation owns the orders: when it ends, they end, and so does the thread.
            let talk = Conversation::new(database, settings, build, orders, stop, out);
            let next = talk.listen(events);
            stop.store(true, Ordering::Relaxed);
            next
        })
    }
}

/// A search that runs, or whose result is held back.
struct Searching {
    /// Whether the result waits for `stop`, or for `ponderhit` if the search ponders.
    infinite: bool,
    ponders: bool,
    /// The result, if the search ended before it was stopped.
    held: Option<String>,
    /// The limits that apply after `ponderhit`.
    limits: Limits,
    /// When to stop the search.
    until: Option<Instant>,
}

struct Conversation<'a, G: Game> {
    database: &'a Database<G>,
    settings: Settings,
    build: Option<&'a BuildTable<'a>>,
    orders: Sender<Order<G>>,
    stop: &'a AtomicBool,
    out: &'a mut dyn Write,
    /// `None` if the last position was refused.
    board: Option<Board<G>>,
    searching: Option<Searching>,
}

/// What follows a line.
enum Next {
    Continue,
    Reopen,
    Quit,
}

impl<'a, G: Game> Conversation<'a, G> {
    fn new(
        database: &'a Database<G>,
        settings: Settings,
        build: Option<&'a BuildTable<'a>>,
        orders: Sender<Order<G>>,
        stop: &'a AtomicBool,
        out: &'a mut dyn Write,
    ) -> Conversation<'a, G> {
        let game = database.game();
        let board = match &settings.position {
            PositionState::Start => Some(Board::start(game)),
            // It was valid when it was given.
            PositionState::Given(text) => settings.protocol.parse_board(game, text).ok(),
            PositionState::Refused => None,
        };
        Conversation {
            database,
            board,
            settings,
            build,
            orders,
            stop,
            out,
            searching: None,
        }
    }

    /// Answers until the end, or until the database changes.
    fn listen(mut self, events: &Receiver<Event>) -> io::Result<Option<Settings>> {
        if self.build_table()? {
            return Ok(Some(self.settings));
        }
        loop {
            if self.searching.is_none() {
                match self.settings.waiting.pop_front() {
                    Some(line) => match self.obey(&line)? {
                        Next::Continue => continue,
                        Next::Reopen => return Ok(Some(self.settings)),
                        Next::Quit => return Ok(None),
                    },
                    None if self.settings.input != Input::Open => return Ok(None),
                    None => {}
                }
            }
            self.out.flush()?;
            match self.next_event(events) {
                None => self.stop()?,
                Some(Event::Info(line)) => writeln!(self.out, "{line}")?,
                Some(Event::Done(line)) => self.done(line)?,
                // Lines after `quit` are ignored.
                Some(_) if self.settings.input == Input::Quit => {}
                Some(Event::End) => {
                    self.settings.input = Input::Ended;
                    self.stop_if_infinite()?;
                }
                Some(Event::Line(line)) => match self.hear(line)? {
                    Next::Continue => {}
                    Next::Reopen => return Ok(Some(self.settings)),
                    Next::Quit => return Ok(None),
                },
            }
        }
    }

    /// The next event; `None` if the time of the search is over.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        let until = self.searching.as_ref().and_then(|search| search.until);
        let received = match until.filter(|_| !self.stop.load(Ordering::Relaxed)) {
            None => events.recv().map_err(RecvTimeoutError::from),
            Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match received {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("`run` keeps a sender"),
        }
    }

    /// Answers a line immediately, or queues it until the search is over. A search that would not end by
    /// itself is stopped: each `go` gets its result, in order.
    fn hear(&mut self, line: String) -> io::Result<Next> {
        let command = self.settings.protocol.parse(&line);
        let waits = !matches!(
            command,
            Ok(Command::Introduce
                | Command::Init
                | Command::IsReady
                | Command::Nothing
                | Command::Quit)
                | Err(_)
        );
        if self.searching.is_some() && matches!(command, Ok(Command::Quit)) {
            self.settings.input = Input::Quit;
            self.stop()?;
            return Ok(Next::Continue);
        }
        let behind = waits && !self.settings.waiting.is_empty();
        let stops = matches!(command, Ok(Command::Stop | Command::PonderHit));
        if line.is_empty() || self.searching.is_none() || !(waits && (behind || !stops)) {
            return self.obey(&line);
        }
        self.settings.waiting.push_back(line);
        if matches!(command, Ok(Command::Stop)) {
            // This applies to queued searches too: each is stopped when it begins.
            self.stop()?;
        } else {
            self.stop_if_infinite()?;
        }
        Ok(Next::Continue)
    }

    /// Does what a line says, or answers what is wrong with it.
    fn obey(&mut self, line: &str) -> io::Result<Next> {
        if line.is_empty() {
            return Ok(Next::Continue);
        }
        match self.settings.protocol.parse(line) {
            Ok(command) => self.execute(command),
            Err(why) => self.complain(&why),
        }
    }

    fn complain(&mut self, why: &str) -> io::Result<Next> {
        writeln!(self.out, "{}", self.settings.protocol.error(why))?;
        Ok(Next::Continue)
    }

    fn execute(&mut self, command: Command) -> io::Result<Next> {
        let protocol = self.settings.protocol;
        match command {
            Command::Introduce => self.introduce()?,
            Command::Nothing => {}
            Command::Init => writeln!(self.out, "ready")?,
            Command::IsReady => writeln!(self.out, "{}", protocol.ready())?,
            Command::NewGame => self.renew(),
            Command::Position(given) => {
                // A bad position leaves none: `go` must not answer for the one before.
                (self.board, self.settings.position) = (None, PositionState::Refused);
                let game = self.database.game();
                let parsed = given.and_then(|text| Ok((protocol.parse_board(game, &text)?, text)));
                match parsed {
                    Err(why) => return self.complain(&why),
                    Ok((board, text)) => {
                        self.board = Some(board);
                        self.settings.position = PositionState::Given(text);
                    }
                }
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
            Command::Level(level) => self.settings.level = level,
            Command::Go(go) => self.go(&go)?,
            Command::GoWithinLevel { ponder } => {
                let level = self.settings.level.clone();
                self.go(&Go { ponder, ..level })?;
            }
            Command::PonderHit => self.ponder_hit()?,
            Command::Stop => self.stop()?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Continue)
    }

    /// Builds a table that the position needs; returns whether to open the database again.
    fn build_table(&mut self) -> io::Result<bool> {
        let settings = &mut self.settings;
        let (Some(build), Some(directory)) = (self.build, &settings.database) else {
            return Ok(false);
        };
        // Other levels do not probe.
        let Some(board) = (self.board.as_ref()).filter(|_| settings.play.level == Level::Perfect)
        else {
            return Ok(false);
        };
        for table in missing_tables(self.database, &board.position) {
            if !settings.considered.insert(table.clone()) {
                continue;
            }
            match build(directory, &table) {
                None => {}
                Some(Ok(())) => return Ok(true),
                Some(Err(why)) => writeln!(self.out, "{}", settings.protocol.error(&why))?,
            }
        }
        Ok(false)
    }

    fn introduce(&mut self) -> io::Result<()> {
        let ruleset = self.database.game().description().id;
        let introduction = (self.settings.protocol).introduction(&ruleset, &self.settings);
        writeln!(self.out, "{introduction}")
    }

    /// The searching thread ends after the orders.
    fn order(&self, order: Order<G>) {
        let sent = self.orders.send(order);
        sent.unwrap_or_else(|_| unreachable!("the searching thread waits for orders"));
    }

    fn renew(&self) {
        self.order(Order::Renew(self.settings.play));
    }

    /// Searches: the client waits for a result, whatever else the line says.
    fn go(&mut self, go: &Go) -> io::Result<()> {
        let (game, protocol) = (self.database.game(), self.settings.protocol);
        let Some(board) = &self.board else {
            let why = "no position to search: the last one was refused";
            return writeln!(self.out, "{}\n{}", protocol.error(why), protocol.no_turn());
        };
        let mover = game.to_move(&board.position);
        let limits = go.limits(go.clocks[mover as usize], self.settings.play.level);
        let (turns, illegal) = parse_turns(game, board, &go.turns);
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
        // While it ponders, the opponent's clock runs.
        let time = limits.time.filter(|_| !go.ponder);
        self.order(Order::Search(Job {
            position: board.position,
            history: board.history.clone(),
            turns,
            limits: Limits { time, ..limits },
            part: TurnPart {
                begun: board.begun_words(),
                one_action: self.settings.one_action,
            },
        }));
        match self.settings.input {
            Input::Quit => self.stop(),
            Input::Open if self.settings.waiting.is_empty() => Ok(()),
            // No line can stop it any more, or the next one waits.
            _ => self.stop_if_infinite(),
        }
    }

    /// From now on it is an ordinary search.
    fn ponder_hit(&mut self) -> io::Result<()> {
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

    /// The search has a result. Without a limit the result waits for `stop`.
    fn done(&mut self, line: String) -> io::Result<()> {
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

    fn stop(&mut self) -> io::Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        let held = self
            .searching
            .as_mut()
            .and_then(|search| search.held.take());
        held.map_or(Ok(()), |line| self.done(line))
    }

    fn stop_if_infinite(&mut self) -> io::Result<()> {
        match self.searching {
            Some(Searching { infinite: true, .. }) => self.stop(),
            _ => Ok(()),
        }
    }
}
