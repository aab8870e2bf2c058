//! The lines that are understood.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use ::engine::{Level, Limits};

use super::session::{EMPTY, MOST_HASH, Settings};

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you?
    Uci,
    IsReady,
    NewGame,
    /// The words after `position`.
    Position(String),
    Set(Setting),
    Go(Go),
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
}

/// How long to search.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub limits: Limits,
    /// Until `stop`, even if nothing is left to be found out.
    pub infinite: bool,
    /// What White and Black have left on their clocks, and get for each turn.
    pub clocks: [Clock; 2],
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

fn misunderstood<T>(why: impl Into<String>) -> Result<T, Misunderstood> {
    Err(Misunderstood(why.into()))
}

impl Command {
    /// Reads a line that is not empty.
    pub fn read(line: &str) -> Result<Command, Misunderstood> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = match word {
            "position" => return Ok(Command::Position(rest.trim().to_owned())),
            "setoption" => return Setting::read(rest).map(Command::Set),
            "go" => return Go::read(rest).map(Command::Go),
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => return misunderstood(format!("there is no command {word:?}")),
        };
        match rest.trim() {
            "" => Ok(command),
            rest => misunderstood(format!("{word} stands alone, found {rest:?}")),
        }
    }
}

impl Setting {
    fn read(rest: &str) -> Result<Setting, Misunderstood> {
        let named = rest.trim().strip_prefix("name ");
        let Some((name, value)) = named.and_then(|named| named.split_once(" value ")) else {
            return misunderstood("expected setoption name … value …");
        };
        let (name, value) = (name.trim(), value.trim());
        match name.to_ascii_lowercase().as_str() {
            "database" => {
                let directory = (value != EMPTY).then(|| value.into());
                Ok(Setting::Database(directory))
            }
            "level" => match value.parse() {
                Ok(level) => Ok(Setting::Level(level)),
                Err(unknown) => misunderstood(format!("{unknown}")),
            },
            "seed" => Ok(Setting::Seed(number(name, Some(value))?)),
            "hash" => match number(name, Some(value))? {
                hash @ 1..=MOST_HASH => Ok(Setting::Hash(hash)),
                hash => misunderstood(format!("Hash is 1 to {MOST_HASH}, not {hash}")),
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
        }
    }
}

impl Go {
    fn read(rest: &str) -> Result<Go, Misunderstood> {
        let mut go = Go::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            let mut milliseconds = || number(word, words.next()).map(Duration::from_millis);
            match word {
                "infinite" => go.infinite = true,
                "movetime" => go.limits.time = Some(milliseconds()?),
                "wtime" => go.clocks[0].left = Some(milliseconds()?),
                "btime" => go.clocks[1].left = Some(milliseconds()?),
                "winc" => go.clocks[0].gain = milliseconds()?,
                "binc" => go.clocks[1].gain = milliseconds()?,
                "depth" => go.limits.depth = Some(number(word, words.next())?),
                "nodes" => go.limits.nodes = Some(number(word, words.next())?),
                _ => return misunderstood(format!("go has no {word:?}")),
            }
        }
        Ok(go)
    }
}

fn number<N: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<N, Misunderstood> {
    match word.map(str::parse) {
        Some(Ok(number)) => Ok(number),
        _ => misunderstood(format!(
            "{name} takes a number, found {:?}",
            word.unwrap_or("")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let go = |rest: &str| match Command::read(rest) {
            Ok(Command::Go(go)) => go,
            other => panic!("{rest}: {other:?}"),
        };
        assert_eq!(go("go").limits, Limits::default());
        assert_eq!(go("go depth 7 nodes 100").limits.depth, Some(7));
        assert_eq!(
            go("go movetime 50").limits.time,
            Some(Duration::from_millis(50))
        );
        assert!(go("go infinite").infinite);
        assert_eq!(
            go("go wtime 60000 btime 1000 winc 10").clocks[0].gain,
            Duration::from_millis(10)
        );
        let set = |rest: &str| Command::read(&format!("setoption {rest}"));
        assert_eq!(
            set("name Database value a directory"),
            Ok(Command::Set(Setting::Database(Some("a directory".into()))))
        );
        assert_eq!(
            set("name level value HIGH"),
            Ok(Command::Set(Setting::Level(Level::High)))
        );
    }

    #[test]
    fn other_lines_are_refused_with_the_reason() {
        for (line, why) in [
            ("mill", "there is no command \"mill\""),
            ("stop now", "stop stands alone, found \"now\""),
            ("go deep", "go has no \"deep\""),
            ("go depth", "depth takes a number, found \"\""),
            ("go nodes -1", "nodes takes a number, found \"-1\""),
            ("setoption Hash 1", "expected setoption name … value …"),
            ("setoption name Hash value 0", "Hash is 1 to 4096, not 0"),
            ("setoption name Mill value 1", "there is no option \"Mill\""),
        ] {
            let refused = Command::read(line).map_err(|misunderstood| misunderstood.0);
            assert_eq!(refused, Err(why.to_owned()), "{line}");
        }
    }
}
