//! What can be wrong with a game that somebody has written down.

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

/// What is wrong with a game. The texts are sentences for people; programs match on the variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A position or a turn that cannot be read or is not legal, or something else in its place.
    #[error(transparent)]
    Text(#[from] Problem),
    /// A comment, a variation or a tag that does not end.
    #[error("the {what} that begins here does not end")]
    Unclosed {
        /// What begins here.
        what: &'static str,
    },
    /// The record says that it is of another game.
    #[error("this is a game of {found}, not of {expected}")]
    OtherGame {
        /// As the record says.
        found: String,
        /// The ruleset by which it was to be read.
        expected: String,
    },
    /// A game that Endmill does not know.
    #[error("{tag} {value:?} is not one of our games{}", called(.game))]
    ForeignGame {
        /// `GameType` or `Ruleset`.
        tag: &'static str,
        /// Its value.
        value: String,
        /// What that means, if it is known.
        game: Option<&'static str>,
    },
    /// A position that is set up after turns have been made.
    #[error("a position can be set up before the first turn only")]
    SetUpLate,
    /// The result after the turns is not that of the tag.
    #[error("the result is {found} here and {given} in the tag")]
    ResultsDiffer {
        /// After the turns.
        found: String,
        /// In the tag.
        given: String,
    },
    /// The result is not that of the last position, in which the game is over.
    #[error("the result is {found}, but on the board {}", ended(.ending, *.first))]
    ResultNotOfBoard {
        /// As the text says.
        found: String,
        /// By the rules.
        ending: Ending,
        /// The side that moves first in the game: its points come first.
        first: Colour,
    },
    /// A saved game of a later version of this program.
    #[error("version {found} is too new, this program reads up to {supported}")]
    TooNew {
        /// The version of the text.
        found: u32,
        /// The newest that is read.
        supported: u32,
    },
    /// Something happens after the end.
    #[error("the game is over")]
    Over,
    /// There is no game in the text.
    #[error("there is no game in this text")]
    Empty,
    /// Whoever reads the record cannot make sense of a line of its head.
    #[error("{0}")]
    Head(String),
}

impl RecordProblem {
    /// Whether the game is of other rules than those by which it was to be read.
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

fn called(game: &Option<&'static str>) -> String {
    game.map_or(String::new(), |game| format!(": it is {game}"))
}

/// Complains that something else should stand somewhere.
pub(crate) fn expected(what: impl Into<String>, found: impl Into<String>) -> RecordProblem {
    RecordProblem::Text(Problem::Syntax {
        expected: what.into(),
        found: found.into(),
    })
}
