//! The commands of a session, in any protocol.

use std::path::PathBuf;
use std::time::Duration;

use super::session::Settings;
use super::{EMPTY, MAX_HASH};
use crate::clock::time_for_move;
use crate::level::{Level, Limits};

/// A command, or what is wrong with a line.
pub type Read<T> = Result<T, String>;

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// The engine introduces itself and its options.
    Introduce,
    /// Accepted without effect.
    Nothing,
    IsReady,
    NewGame,
    /// The words that set up a position, or why they cannot be read.
    Position(Read<String>),
    Set(Setting),
    Go(Go),
    /// The limits of later searches, in a protocol that sets them apart from `go`.
    Level(Go),
    /// A search within those limits.
    GoWithinLevel {
        ponder: bool,
    },
    /// All options are set.
    Init,
    /// The opponent made the expected move.
    PonderHit,
    Stop,
    Quit,
}

/// An option with its value.
#[derive(Debug, PartialEq, Eq)]
pub enum Setting {
    Database(Option<PathBuf>),
    Level(Level),
    Seed(u64),
    Hash(usize),
    /// Whether `bestmove` is one action, and the removal of a closed mill another.
    OneAction(bool),
}

impl Setting {
    /// Reads the value of an option.
    pub fn parse(name: &str, value: &str) -> Read<Setting> {
        match name.to_ascii_lowercase().as_str() {
            "database" => {
                let directory = (value != EMPTY && !value.is_empty()).then(|| value.into());
                Ok(Setting::Database(directory))
            }
            "level" => match value.parse() {
                Ok(level) => Ok(Setting::Level(level)),
                Err(unknown) => Err(format!("{unknown}")),
            },
            "seed" => match parse_number(value) {
                Some(seed) => Ok(Setting::Seed(seed)),
                None => Err(format!("Seed takes a number, found {value:?}")),
            },
            "hash" => match parse_number(value) {
                Some(hash) => Ok(Setting::Hash((hash as usize).clamp(1, MAX_HASH))),
                None => Err(format!("Hash takes a number, found {value:?}")),
            },
            _ => Err(format!("unknown option {name:?}")),
        }
    }

    pub fn apply(self, settings: &mut Settings) {
        match self {
            Setting::Database(directory) => settings.database = directory,
            Setting::Level(level) => settings.play.level = level,
            Setting::Seed(seed) => settings.play.seed = seed,
            Setting::Hash(hash) => settings.play.hash = hash,
            Setting::OneAction(one_action) => settings.one_action = one_action,
        }
    }
}

/// How long to search, and among which turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub limits: Limits,
    /// Search until `stop`, even if the result is certain.
    pub infinite: bool,
    /// Search until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock and Black's.
    pub clocks: [SideClock; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// The turns to consider, as text; all if empty.
    pub turns: Vec<String>,
    /// What was ignored, and why.
    pub ignored: Vec<String>,
}

/// The clock of one side, as a client reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    pub left: Option<Duration>,
    pub increment: Duration,
}

impl Go {
    /// The limits of a search: the given ones, by the clock, or the usual ones of the level.
    pub fn limits(&self, clock: SideClock, level: Level) -> Limits {
        let by_clock = |left| time_for_move(left, clock.increment, self.moves_to_go);
        let limits = Limits {
            time: self.limits.time.or(clock.left.map(by_clock)),
            ..self.limits
        };
        if limits == Limits::default() && !self.infinite {
            return level.limits();
        }
        limits
    }
}

/// The longest time that a clock can show, a month, in milliseconds.
pub const MAX_TIME: u64 = 31 * 24 * 3600 * 1000;

/// Parses a whole number. A negative number, as of a clock that has run out, is 0; a number that is
/// too large is the largest.
pub fn parse_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.len() < text.len() {
        return Some(0);
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}
