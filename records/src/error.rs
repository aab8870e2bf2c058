//! The errors of reading a game record.

use thiserror::Error;

use endmill_games::{Colour, Ending, Problem};

use crate::location::Location;
use crate::result::GameResult;

/// A game that cannot be read: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct RecordError {
    /// Where in the text.
    pub place: Location,
    /// What is wrong.
    pub problem: RecordProblem,
}

impl RecordError {
    pub(crate) fn new(place: Location, problem: RecordProblem) -> RecordError {
        RecordError { place, problem }
    }
}

/// What is wrong with a game record. Programs match on the variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A position or a turn that cannot be read or is not legal, or something else instead.
    #[error(transparent)]
    Text(#[from] Problem),
    /// A comment, a variation or a tag that does not end.
    #[error("the {what} that begins here does not end")]
    Unclosed {
        /// The part that begins here.
        what: &'static str,
    },
    /// The record is of another game.
    #[error("this is a game of {found}, not of {expected}")]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The ruleset by which it was read.
        expected: String,
    },
    /// The record is of a game that Endmill does not know.
    #[error("{tag} {value:?} is not one of our games{}", named(.game))]
    ForeignGame {
        /// `GameType` or `Ruleset`.
        tag: &'static str,
        /// Its value.
        value: String,
        /// The name of that game, if it is known.
        game: Option<&'static str>,
    },
    /// A position is set up after the first turn.
    #[error("a position can be set up before the first turn only")]
    SetUpLate,
    /// The result after the turns contradicts the tag.
    #[error("the result is {found} here and {given} in the tag")]
    ResultsDiffer {
        /// The result after the turns.
        found: String,
        /// In the tag.
        given: String,
    },
    /// The result contradicts the last position, in which the game is over.
    #[error("the result is {found}, but on the board {}", ended(.ending, *.first))]
    ResultNotOfBoard {
        /// The result in the text.
        found: String,
        /// The ending by the rules.
        ending: Ending,
        /// The side that moves first in the game, whose points come first.
        first: Colour,
    },
    /// A saved game of a newer version of this program.
    #[error("version {found} is too new, this program reads up to {supported}")]
    TooNew {
        /// The version of the text.
        found: u32,
        /// The newest version that is supported.
        supported: u32,
    },
    /// The record continues after the end of the game.
    #[error("the game is over")]
    Over,
    /// The text has no game.
    #[error("this text contains no game")]
    Empty,
    /// A line of the head that the reader does not accept.
    #[error("{0}")]
    Head(String),
}

impl RecordProblem {
    /// Returns whether the record is of another game than that by which it was read.
    pub fn is_other_game(&self) -> bool {
        matches!(
            self,
            RecordProblem::OtherGame { .. } | RecordProblem::ForeignGame { .. }
        )
    }
}

fn ended(Ending { winner, reason }: &Ending, first: Colour) -> String {
    let result = GameResult::new(*winner);
    let result = result.text(first);
    match winner {
        Some(winner) => format!(
            "{} has won: {reason} (the points of {}, who moves first, come first: {result})",
            winner.name(),
            first.name()
        ),
        None => format!("the game is a draw: {reason} ({result})"),
    }
}

fn named(game: &Option<&'static str>) -> String {
    game.map_or(String::new(), |game| format!(": it is {game}"))
}

/// The problem that something else was expected.
pub(crate) fn expected(what: impl Into<String>, found: impl Into<String>) -> RecordProblem {
    RecordProblem::Text(Problem::Syntax {
        expected: what.into(),
        found: found.into(),
    })
}
