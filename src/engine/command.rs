//! The lines that are understood.
//!
//! As the protocol asks: a word that is not known is passed over, a number out of range is taken
//! as the nearest that makes sense, and whatever stands after `go`, there is a search. What was
//! passed over is told, for whoever looks for a mistake.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use endmill_engine::{Level, Limits};

use super::session::{EMPTY, MOST_HASH, Settings};
use super::uci::ONE_ACTION;

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you?
    Uci,
    /// Nothing: there is no copy protection, and what there is to tell is told anyway.
    Nothing,
    IsReady,
    NewGame,
    /// The words after `position`, or why there are none that could be read.
    Position(Result<String, Misunderstood>),
    Set(Setting),
    Go(Go),
    /// The limits of the searches to come, where they are not part of `go`.
    Level(Go),
    /// A search within those limits.
    GoOn {
        ponder: bool,
    },
    /// All that is to be set has been.
    Init,
    /// The turn that was pondered on has been made.
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
    /// Whether `bestmove` is one action, with the removal of a closed mill asked for apart.
    OneAction(bool),
}

/// How long to search, and among which turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub limits: Limits,
    /// Until `stop`, even if nothing is left to be found out.
    pub infinite: bool,
    /// Until `ponderhit` or `stop`.
    pub ponder: bool,
    /// What White and Black have left on their clocks, and get for each turn.
    pub clocks: [Clock; 2],
    /// Turns until the clocks are wound again.
    pub moves_to_go: Option<u32>,
    /// Only these turns, as they are written; all if there are none.
    pub turns: Vec<String>,
    /// What was passed over, and why.
    pub ignored: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub left: Option<Duration>,
    pub gain: Duration,
}

/// A line that is not understood: why.
#[derive(Debug, PartialEq, Eq)]
pub struct Misunderstood(String);

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub fn misunderstood<T>(why: impl Into<String>) -> Result<T, Misunderstood> {
    Err(Misunderstood(why.into()))
}

impl Command {
    /// Reads a line that is not empty. Words before the first that is a command are passed over,
    /// and so is what stands after a command that stands alone.
    pub fn read(line: &str) -> Result<Command, Misunderstood> {
        let mut text = line;
        loop {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let rest = rest.trim_start();
            return match word {
                "position" => Ok(Command::Position(Ok(rest.trim().to_owned()))),
                "setoption" => Setting::read(rest).map(Command::Set),
                "go" => Ok(Command::Go(Go::read(rest))),
                "uci" => Ok(Command::Uci),
                "debug" | "register" => Ok(Command::Nothing),
                "isready" => Ok(Command::IsReady),
                "ucinewgame" => Ok(Command::NewGame),
                "ponderhit" => Ok(Command::PonderHit),
                "stop" => Ok(Command::Stop),
                "quit" => Ok(Command::Quit),
                _ if rest.is_empty() => {
                    let word = line.split_whitespace().next().unwrap_or_default();
                    misunderstood(format!("there is no command {word:?}"))
                }
                _ => {
                    text = rest;
                    continue;
                }
            };
        }
    }
}

impl Setting {
    fn read(rest: &str) -> Result<Setting, Misunderstood> {
        let Some(named) = rest.trim().strip_prefix("name ") else {
            return misunderstood("expected setoption name … value …");
        };
        let (name, value) = match named.split_once(" value") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (named.trim(), ""),
        };
        if !name.eq_ignore_ascii_case(ONE_ACTION) {
            return Setting::named(name, value);
        }
        match value.to_ascii_lowercase().parse() {
            Ok(one_action) => Ok(Setting::OneAction(one_action)),
            Err(_) => misunderstood(format!("{ONE_ACTION} takes true or false, found {value:?}")),
        }
    }

    /// The option of this name with this value, in any protocol.
    pub fn named(name: &str, value: &str) -> Result<Setting, Misunderstood> {
        match name.to_ascii_lowercase().as_str() {
            "database" => {
                let directory = (value != EMPTY && !value.is_empty()).then(|| value.into());
                Ok(Setting::Database(directory))
            }
            "level" => match value.parse() {
                Ok(level) => Ok(Setting::Level(level)),
                Err(unknown) => misunderstood(format!("{unknown}")),
            },
            "seed" => match number(value) {
                Some(seed) => Ok(Setting::Seed(seed)),
                None => misunderstood(format!("Seed takes a number, found {value:?}")),
            },
            "hash" => match number(value) {
                Some(hash) => Ok(Setting::Hash((hash as usize).clamp(1, MOST_HASH))),
                None => misunderstood(format!("Hash takes a number, found {value:?}")),
            },
            _ => misunderstood(format!("there is no option {name:?}")),
        }
    }

    pub fn apply(self, settings: &mut Settings) {
        match self {
            Setting::Database(directory) => settings.database = directory,
            Setting::Level(level) => settings.level = level,
            Setting::Seed(seed) => settings.seed = seed,
            Setting::Hash(hash) => settings.hash = hash,
            Setting::OneAction(one_action) => settings.one_action = one_action,
        }
    }
}

/// The words that `go` knows: where a list of turns ends.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// Understands what it can.
    fn read(rest: &str) -> Go {
        let mut go = Go::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(turn) = words.next_if(|word| !GO_WORDS.contains(word)) {
                        go.turns.push(turn.to_owned());
                    }
                }
                _ if GO_WORDS.contains(&word) => {
                    // A known word here is the next limit, not a bad number.
                    let text = words.next_if(|next| !GO_WORDS.contains(next)).unwrap_or("");
                    match number(text) {
                        Some(number) => go.set(word, number),
                        None => go
                            .ignored
                            .push(format!("{word} takes a number, found {text:?}")),
                    }
                }
                _ => go.ignored.push(format!("go has no {word:?}")),
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: u64) {
        let time = Duration::from_millis(number.min(LONGEST));
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "movetime" => self.limits.time = Some(time),
            "wtime" => self.clocks[0].left = Some(time),
            "btime" => self.clocks[1].left = Some(time),
            "winc" => self.clocks[0].gain = time,
            "binc" => self.clocks[1].gain = time,
            "movestogo" => self.moves_to_go = Some(small.max(1)),
            "nodes" => self.limits.nodes = Some(number.max(1)),
            // A win in this number of own turns is seen at this depth.
            "mate" => self.limits.depth = Some(small.saturating_mul(2).max(1)),
            _ => self.limits.depth = Some(small.max(1)),
        }
    }
}

/// In milliseconds: no clock shows more than a month.
pub const LONGEST: u64 = 31 * 24 * 3600 * 1000;

/// A whole number; one that is negative, as clocks are that have run out, is 0, and one that is too
/// large the largest.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.len() < text.len() {
        return Some(0);
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match Command::read(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn lines_are_understood() {
        let ms = Duration::from_millis;
        assert_eq!(go("go").limits, Limits::default());
        assert_eq!(go("go depth 7 nodes 100").limits.depth, Some(7));
        assert_eq!(go("go movetime 50").limits.time, Some(ms(50)));
        assert!(go("go infinite").infinite && go("go ponder").ponder);
        let clock = go("go wtime 60000 btime 1000 winc 10 movestogo 8");
        assert_eq!(clock.clocks[0].gain, ms(10));
        assert_eq!(clock.moves_to_go, Some(8));
        assert_eq!(go("go mate 3").limits.depth, Some(6));
        let some = go("go searchmoves f6 xa1 a1-a4 depth 2");
        assert_eq!(some.turns, ["f6", "xa1", "a1-a4"]);
        assert_eq!(some.limits.depth, Some(2));
        let set = |rest: &str| Command::read(&format!("setoption {rest}"));
        assert_eq!(
            set("name Database value a directory"),
            Ok(Command::Set(Setting::Database(Some("a directory".into()))))
        );
        assert_eq!(
            set("name level value HIGH"),
            Ok(Command::Set(Setting::Level(Level::High)))
        );
        assert_eq!(
            set("name OneActionAtATime value true"),
            Ok(Command::Set(Setting::OneAction(true)))
        );
        assert_eq!(Command::read("joho debug on"), Ok(Command::Nothing));
        assert_eq!(Command::read("stop now"), Ok(Command::Stop));
    }

    #[test]
    fn numbers_out_of_range_are_the_nearest_that_make_sense() {
        assert_eq!(go("go wtime -50").clocks[0].left, Some(Duration::ZERO));
        assert_eq!(go("go depth 0").limits.depth, Some(1));
        assert_eq!(go("go depth -3").limits.depth, Some(1));
        let vast = "99999999999999999999999";
        assert_eq!(go(&format!("go depth {vast}")).limits.depth, Some(u32::MAX));
        assert_eq!(go(&format!("go mate {vast}")).limits.depth, Some(u32::MAX));
        let longest = Some(Duration::from_millis(LONGEST));
        assert_eq!(go(&format!("go movetime {vast}")).limits.time, longest);
        assert_eq!(go("go movestogo 0").moves_to_go, Some(1));
        let hash = Command::read("setoption name Hash value 1000000");
        assert_eq!(hash, Ok(Command::Set(Setting::Hash(MOST_HASH))));
    }

    #[test]
    fn whatever_follows_go_there_is_a_search() {
        for (line, ignored) in [
            ("go deep", "go has no \"deep\""),
            ("go depth", "depth takes a number, found \"\""),
            ("go depth three", "depth takes a number, found \"three\""),
            ("go nodes infinite", "nodes takes a number, found \"\""),
        ] {
            assert_eq!(go(line).ignored, [ignored], "{line}");
        }
        assert!(go("go nodes infinite").infinite);
    }

    #[test]
    fn other_lines_are_refused_with_the_reason() {
        for (line, why) in [
            ("mill", "there is no command \"mill\""),
            ("close a mill", "there is no command \"close\""),
            ("setoption Hash 1", "expected setoption name … value …"),
            (
                "setoption name Hash value",
                "Hash takes a number, found \"\"",
            ),
            ("setoption name Mill value 1", "there is no option \"Mill\""),
        ] {
            let refused = Command::read(line).map_err(|misunderstood| misunderstood.0);
            assert_eq!(refused, Err(why.to_owned()), "{line}");
        }
    }
}
