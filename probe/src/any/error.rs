//! Why a question to any game is not answered.

use endmill_games::{ParseError, RulesetError};
use thiserror::Error;

use crate::error::ProbeError;

/// The result of a question to a database of any game.
pub type AskResult<T> = Result<T, AskError>;

/// Why there is no answer: the question is at fault, or the database.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// There is no such ruleset, or its rules file has mistakes.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// The position cannot be read, or is not legal.
    #[error(transparent)]
    Position(ParseError),
    /// The turn cannot be read, or is not legal.
    #[error(transparent)]
    Turn(ParseError),
    /// The table cannot be read, or is none of this ruleset.
    #[error(transparent)]
    Table(ParseError),
    /// The database has no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl AskError {
    /// A name for programs, stable over versions: `unknown_ruleset`, `bad_rules_file`, `bad_input`,
    /// or one of
    /// [`ProbeError::code`].
    pub fn code(&self) -> &'static str {
        match self {
            AskError::Ruleset(RulesetError::Unknown(_)) => "unknown_ruleset",
            AskError::Ruleset(_) => "bad_rules_file",
            AskError::Position(_) | AskError::Turn(_) | AskError::Table(_) => "bad_input",
            AskError::Probe(error) => error.code(),
        }
    }

    /// The wrong character of the text that was given, from 0, if there is one.
    pub fn at(&self) -> Option<usize> {
        match self {
            AskError::Position(error) | AskError::Turn(error) | AskError::Table(error) => error.at,
            AskError::Ruleset(_) | AskError::Probe(_) => None,
        }
    }

    /// Whether the question is at fault.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, AskError::Probe(_))
    }

    /// Whether nothing is wrong except that the answer is not in this database.
    pub fn is_missing(&self) -> bool {
        matches!(self, AskError::Probe(error) if error.is_missing())
    }

    /// The table that is missing, if one is.
    pub fn missing_table(&self) -> Option<&str> {
        match self {
            AskError::Probe(error) => error.missing_table(),
            _ => None,
        }
    }
}
