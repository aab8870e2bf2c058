//! What is answered to each line, as long as the database stays the same.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use ::engine::{Level, Limits};
use ::probe::{Database, Options};
use games::{Colour, Game, Visitor};

use super::Event;
use super::command::{Command, Go, Setting};
use super::searcher::{self, Job, Manner, Order};

/// The most memory that can be asked for, in MiB.
pub const MOST_HASH: usize = 4096;

const NO_FILES: [(&str, &[u8]); 0] = [];

/// How UCI writes an empty text.
pub const EMPTY: &str = "<empty>";

/// What can be set, and the position that was.
#[derive(Clone)]
pub struct Settings {
    /// `None` = play without.
    pub database: Option<PathBuf>,
    pub level: Level,
    pub seed: u64,
    /// In MiB.
    pub hash: usize,
    /// As it was given.
    pub position: Option<String>,
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
            Some(directory) => Database::open(directory, game),
            None => Database::from_bytes(NO_FILES, game, &Options::default()),
        };
        let database = match opened {
            Ok(database) => database,
            Err(error) => {
                writeln!(out, "info string error: {error}")?;
                settings.database = None;
                return Ok(Some(settings));
            }
        };
        let stop = AtomicBool::new(false);
        let (orders, inbox) = mpsc::channel();
        let manner = settings.manner();
        std::thread::scope(|scope| {
            let (database, stop) = (&database, &stop);
            scope.spawn(move || searcher::work(database, manner, &inbox, stop, sender));
            // The orders end with the talk, however that ends, and then the thread does.
            let talk = Talk::new(database, settings, orders, stop, out);
            let next = talk.listen(events);
            stop.store(true, Ordering::Relaxed);
            next
        })
    }
}

/// A position with the game that led to it.
struct Board<G: Game> {
    position: G::Position,
    history: Vec<G::Position>,
}

/// A search that is under way, or over and not told.
struct Searching {
    infinite: bool,
    /// The answer, if the search ended before it was stopped.
    held: Option<String>,
}

struct Talk<'a, G: Game> {
    database: &'a Database<G>,
    settings: Settings,
    orders: Sender<Order<G>>,
    stop: &'a AtomicBool,
    out: &'a mut dyn Write,
    board: Board<G>,
    searching: Option<Searching>,
    /// No more lines will come.
    ended: bool,
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
        let start = Board {
            position: database.game().start(),
            history: Vec::new(),
        };
        // It was understood when it was given.
        let given = settings.position.as_deref();
        let board = given.and_then(|given| read_board(database.game(), given).ok());
        Talk {
            database,
            board: board.unwrap_or(start),
            settings,
            orders,
            stop,
            out,
            searching: None,
            ended: false,
        }
    }

    /// Answers until the end, or until the database changes.
    fn listen(mut self, events: &Receiver<Event>) -> anyhow::Result<Option<Settings>> {
        while !(self.ended && self.searching.is_none()) {
            self.out.flush()?;
            match events.recv()? {
                Event::Info(line) => writeln!(self.out, "{line}")?,
                Event::Done(line) => self.done(line)?,
                Event::End => {
                    self.ended = true;
                    self.stop_if_infinite()?;
                }
                Event::Line(line) if line.is_empty() => {}
                Event::Line(line) => match self.answer(&line) {
                    Ok(Next::GoOn) => {}
                    Ok(Next::Reopen) => return Ok(Some(self.settings)),
                    Ok(Next::Quit) => return Ok(None),
                    Err(error) if error.is::<std::io::Error>() => return Err(error),
                    Err(error) => writeln!(self.out, "info string error: {error:#}")?,
                },
            }
        }
        Ok(None)
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<Next> {
        let command = Command::read(line).map_err(|error| anyhow::anyhow!("{error}"))?;
        let waits = matches!(
            command,
            Command::NewGame | Command::Position(_) | Command::Set(_) | Command::Go(_)
        );
        if waits && self.searching.is_some() {
            anyhow::bail!("a search is under way: stop it first");
        }
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => writeln!(self.out, "readyok")?,
            Command::NewGame => self.renew(),
            Command::Position(text) => {
                self.board = read_board(self.database.game(), &text)?;
                self.settings.position = Some(text);
            }
            Command::Set(setting) => {
                let reopen = matches!(setting, Setting::Database(_));
                setting.apply(&mut self.settings);
                if reopen {
                    return Ok(Next::Reopen);
                }
                self.renew();
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop()?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::GoOn)
    }

    fn introduce(&mut self) -> std::io::Result<()> {
        let Settings {
            database,
            level,
            seed,
            hash,
            ..
        } = &self.settings;
        let database = match database {
            Some(directory) => directory.display().to_string(),
            None => EMPTY.to_owned(),
        };
        let levels = Level::ALL.map(|level| format!("var {level}")).join(" ");
        let ruleset = self.database.game().description().id;
        writeln!(
            self.out,
            "id name Endmill {} {ruleset}\n\
             id author the authors of Endmill\n\
             option name Database type string default {}\n\
             option name Level type combo default {level} {levels}\n\
             option name Seed type spin default {seed} min 0 max {}\n\
             option name Hash type spin default {hash} min 1 max {MOST_HASH}\n\
             uciok",
            env!("CARGO_PKG_VERSION"),
            database,
            u64::MAX,
        )
    }

    /// The searching thread ends only after the orders do.
    fn order(&self, order: Order<G>) {
        let sent = self.orders.send(order);
        sent.unwrap_or_else(|_| unreachable!("the searching thread waits for orders"));
    }

    fn renew(&self) {
        self.order(Order::Renew(self.settings.manner()));
    }

    fn go(&mut self, go: &Go) {
        let mover = self.database.game().to_move(&self.board.position);
        self.stop.store(false, Ordering::Relaxed);
        self.searching = Some(Searching {
            infinite: go.infinite,
            held: None,
        });
        self.order(Order::Search(Job {
            position: self.board.position,
            history: self.board.history.clone(),
            limits: limits(go, mover, self.settings.level),
        }));
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

/// Where a search ends: as asked; by the clock; or as usual at the level.
fn limits(go: &Go, mover: Colour, level: Level) -> Limits {
    let clock = match mover {
        Colour::White => go.clocks[0],
        Colour::Black => go.clocks[1],
    };
    // A thirtieth of what is left, and a little less than what is gained.
    let by_clock = |left: Duration| left / 30 + clock.gain * 3 / 4;
    let time = go.limits.time.or(clock.left.map(by_clock));
    let limits = Limits { time, ..go.limits };
    if limits == Limits::default() && !go.infinite {
        return level.limits();
    }
    limits
}

/// Reads `startpos` or `fen …`, and `moves …`.
fn read_board<G: Game>(game: &G, text: &str) -> anyhow::Result<Board<G>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let moves = words.iter().position(|&word| word == "moves");
    let (setup, turns) = words.split_at(moves.unwrap_or(words.len()));
    let mut position = match setup {
        ["startpos"] => game.start(),
        ["fen", fen @ ..] if !fen.is_empty() => game.parse_position(&fen.join(" "))?,
        _ => anyhow::bail!("expected position startpos or position fen …, then moves …"),
    };
    let mut history = Vec::new();
    for turn in whole_turns(turns.get(1..).unwrap_or(&[])) {
        let turn = game
            .parse_turn(&position, &turn)
            .map_err(|error| anyhow::anyhow!("{turn}: {error}"))?;
        history.push(position);
        position = game.play(&position, &turn);
    }
    Ok(Board { position, history })
}

/// Puts what is taken, which may be a word of its own, to the turn that takes it.
fn whole_turns(words: &[&str]) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    for word in words {
        match turns.last_mut() {
            Some(turn) if word.starts_with(['x', 'X']) => turn.push_str(word),
            _ => turns.push((*word).to_owned()),
        }
    }
    turns
}
