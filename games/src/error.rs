//! What can be wrong with a text that names a position, a turn, a table or a ruleset.

use thiserror::Error;

/// A text that could not be read: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}{}", place(*.at))]
pub struct ParseError {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the text, as a character index from 0; `None` when the text as a whole is wrong.
    pub at: Option<usize>,
}

fn place(at: Option<usize>) -> String {
    at.map_or_else(String::new, |at| format!(" (character {})", at + 1))
}

impl ParseError {
    /// A problem with one place of the text.
    pub fn at(at: usize, problem: Problem) -> ParseError {
        ParseError {
            problem,
            at: Some(at),
        }
    }
}

impl From<Problem> for ParseError {
    fn from(problem: Problem) -> ParseError {
        ParseError { problem, at: None }
    }
}

/// What is wrong with a position, a turn or a table. The texts are complete sentences for people;
/// programs match on the variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text does not have the shape of the thing it should name.
    #[error("expected {expected}, found {found:?}")]
    Syntax {
        /// What may stand here.
        expected: String,
        /// What stands here.
        found: String,
    },
    /// A place that is not on this board.
    #[error("{name} is not a {kind}")]
    NoSuchPlace {
        /// As written.
        name: String,
        /// `point` or `square`.
        kind: &'static str,
    },
    /// Two men on one place.
    #[error("{kind} {name} is used twice")]
    UsedTwice {
        /// The place.
        name: String,
        /// `point` or `square`.
        kind: &'static str,
    },
    /// One side has more men than the ruleset gives it.
    #[error("{side} has {men} men, {ruleset} allows {allowed}")]
    TooManyMen {
        /// `white` or `black`.
        side: &'static str,
        /// On the board and in hand.
        men: u32,
        /// Of the ruleset.
        allowed: u32,
        /// Its id.
        ruleset: String,
    },
    /// A man that should have been crowned.
    #[error("man on its crowning row: {name}")]
    UncrownedMan {
        /// The square.
        name: String,
    },
    /// A king without a piece.
    #[error("a king on {name}, but no piece")]
    StrayKing {
        /// The square.
        name: String,
    },
    /// Kings, or men in hand, in a game that has none.
    #[error("{ruleset} has no {what}")]
    NotInThisGame {
        /// `kings` or `men in hand`.
        what: &'static str,
        /// The ruleset's id.
        ruleset: String,
    },
    /// The two hands cannot belong to the side to move.
    #[error("{side} cannot be to move with {white} men in white's hand and {black} in black's")]
    HandsOutOfTurn {
        /// `white` or `black`.
        side: &'static str,
        /// In White's hand.
        white: u32,
        /// In Black's hand.
        black: u32,
    },
    /// The game ended before this position could arise.
    #[error("{side} has only {men} men and is not to move: the game was over before")]
    AlreadyOver {
        /// `white` or `black`: the side that is not to move.
        side: &'static str,
        /// Its men on the board and in hand.
        men: u32,
    },
    /// The counts written in the text contradict its board.
    #[error("{what} is given as {given} but the board has {counted}")]
    Contradiction {
        /// What was counted.
        what: String,
        /// As written.
        given: u32,
        /// As counted.
        counted: u32,
    },
    /// A position in the middle of a turn.
    #[error("a removal is pending: give the position before the turn or after the removal")]
    PendingRemoval,
    /// No such material in this ruleset.
    #[error("{ruleset} has no table {name}: {why}")]
    NoSuchTable {
        /// As written.
        name: String,
        /// The ruleset's id.
        ruleset: String,
        /// What is impossible about it.
        why: String,
    },
    /// The game is finished, there are no turns.
    #[error("the game is over, there is no turn to make")]
    GameOver,
    /// A capture must be chosen.
    #[error("a capture is mandatory: {captures}")]
    CaptureMandatory {
        /// All of them, separated by `, `.
        captures: String,
    },
    /// More than one turn fits the text.
    #[error("{turn} is ambiguous: {candidates}")]
    Ambiguous {
        /// As written.
        turn: String,
        /// The turns that fit, separated by `, `.
        candidates: String,
    },
    /// The turn closes a mill, so a man must be taken with it.
    #[error("{turn} closes a mill and must name a man to remove: {removable}")]
    RemovalMissing {
        /// As written.
        turn: String,
        /// What may be taken, separated by `, `.
        removable: String,
    },
    /// A turn that the rules do not allow here.
    #[error("{turn} is not legal: {why}")]
    IllegalTurn {
        /// As written.
        turn: String,
        /// The rule it breaks.
        why: String,
    },
}

/// There is no ruleset of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no ruleset {name:?}; there are: {known}")]
pub struct UnknownRuleset {
    /// As asked for.
    pub name: String,
    /// The ids there are, separated by `, `.
    pub known: String,
}
