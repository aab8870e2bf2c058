//! Playing strength and limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

/// The playing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Level {
    /// Looks two plies ahead and chooses at random among turns that are nearly as good.
    Low,
    /// Looks a few plies ahead.
    Medium,
    /// Searches as deep as its nodes allow.
    High,
    /// Plays by the database if it has an answer, and searches long otherwise. The only level that uses
    /// the database.
    Perfect,
}

/// The limits of a search, which ends at the first one. Without limits it runs until it is stopped, or
/// the result is certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies from the root, without the captures at the end of a line.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time. With this limit the result depends on the machine.
    pub time: Option<Duration>,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Low, Level::Medium, Level::High, Level::Perfect];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
            Level::Perfect => "perfect",
        }
    }

    /// The default limits of the level. Without a time limit the same seed gives the same game on every
    /// machine.
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

/// The name of a level is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "unknown level {:?}; expected one of {names}", self.0)
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
    fn levels_can_be_parsed() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let unknown = "hard".parse::<Level>().unwrap_err();
        let expected = "unknown level \"hard\"; expected one of low, medium, high, perfect";
        assert_eq!(unknown.to_string(), expected);
    }
}
