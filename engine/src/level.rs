//! How strong the engine plays, and how long it may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Level {
    /// Looks two plies ahead and chooses at random among turns that look nearly as good.
    Low,
    /// Looks a few plies ahead.
    Medium,
    /// Searches as far as its nodes reach.
    High,
    /// Plays by the database wherever that has an answer, and searches long elsewhere. The only
    /// level that asks the database.
    Perfect,
}

/// Where a search ends: at the first limit that it reaches. Without any it goes on until it is
/// stopped, or nothing is left to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies from the root, captures that are followed to their end not counted.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time since the search began. What is found then depends on the machine.
    pub time: Option<Duration>,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Low, Level::Medium, Level::High, Level::Perfect];

    /// The name that is read and written.
    pub fn name(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
            Level::Perfect => "perfect",
        }
    }

    /// How far the level searches if nobody says otherwise. No limit of time: the same seed gives
    /// the same game on every machine.
    pub fn limits(self) -> Limits {
        let (depth, nodes) = match self {
            Level::Low => (2, 2_000),
            Level::Medium => (4, 20_000),
            Level::High => (32, 50_000),
            Level::Perfect => (64, 1_000_000),
        };
        Limits {
            depth: Some(depth),
            nodes: Some(nodes),
            time: None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no level of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "there is no level {:?}; there are: {names}", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        let mut all = Level::ALL.into_iter();
        let found = all.find(|level| level.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let unknown = "hard".parse::<Level>().unwrap_err();
        let expected = "there is no level \"hard\"; there are: low, medium, high, perfect";
        assert_eq!(unknown.to_string(), expected);
    }
}
