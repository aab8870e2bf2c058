//! Errors in texts that name a position, a turn, a table or a ruleset.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::rules_file::RulesFileError;

/// A parse error: what is wrong, and where.
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

fn quoted(found: &str) -> String {
    if found.is_empty() {
        "the end".to_owned()
    } else {
        format!("{found:?}")
    }
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

/// What is wrong with a position, a turn or a table. The messages are for people; programs match on
/// the variant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A syntax error.
    #[error("expected {expected}, found {}", quoted(.found))]
    Syntax {
        /// What may come here.
        expected: String,
        /// What comes here; empty at the end of the text.
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
    /// One side has more pieces than the ruleset gives it.
    #[error("{side} has {count} {what}, {ruleset} allows {allowed}")]
    TooMany {
        /// `white` or `black`.
        side: &'static str,
        /// What the side has too many of: `men`.
        what: &'static str,
        /// On the board and in hand.
        count: u32,
        /// Of the ruleset.
        allowed: u32,
        /// Its id.
        ruleset: String,
    },
    /// A piece on a place where its kind cannot stand: a man that should have been crowned.
    #[error("{kind} on {place}: {name}")]
    Misplaced {
        /// What it is: `man`.
        kind: &'static str,
        /// What is special about the place: `its crowning row`.
        place: &'static str,
        /// The place.
        name: String,
    },
    /// A kind of piece is given for a place that has no piece.
    #[error("a {kind} on {name}, but no piece")]
    NoPiece {
        /// What it should be: `king`.
        kind: &'static str,
        /// The place.
        name: String,
    },
    /// A kind of piece, men in hand, a symmetry, or a memory of the past in a game that has none.
    #[error("{ruleset} has no {what}")]
    NotInThisGame {
        /// What the ruleset lacks: `men in hand`.
        what: &'static str,
        /// The ruleset's id.
        ruleset: String,
    },
    /// It cannot be this side's turn.
    #[error("{side} cannot be to move {why}")]
    OutOfTurn {
        /// `white` or `black`.
        side: &'static str,
        /// The reason: `with 1 man in white's hand and 2 in black's`.
        why: String,
    },
    /// The game ended before this position could arise.
    #[error("{side} has {has} and is not to move: the game was over before")]
    AlreadyOver {
        /// `white` or `black`: the side that is not to move.
        side: &'static str,
        /// Its men on the board and in hand: `only 2 men`.
        has: String,
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
    /// What a position cannot be or remember.
    #[error("{what}: {why}")]
    Impossible {
        /// What cannot be: `the count of quiet plies cannot be 7 here`.
        what: String,
        /// Why, or what to do instead.
        why: String,
    },
    /// No such material in this ruleset.
    #[error("{ruleset} has no table {name}: {why}")]
    NoSuchTable {
        /// As written.
        name: String,
        /// The ruleset's id.
        ruleset: String,
        /// Why it is impossible.
        why: String,
    },
    /// The game is over.
    #[error("the game is over")]
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
    /// The text stops before the end of a turn.
    #[error("{turn} {why}: {candidates}")]
    Incomplete {
        /// As written.
        turn: String,
        /// What is missing: `closes a mill and must name a man to remove`.
        why: &'static str,
        /// The possible completions, separated by `, `.
        candidates: String,
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

/// An unknown ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown ruleset {name:?}; known rulesets: {known}")]
pub struct UnknownRuleset {
    /// As asked for.
    pub name: String,
    /// The known ids, separated by `, `.
    pub known: String,
}

/// Why a ruleset cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RulesetError {
    /// No ruleset has this id, and it is not the name of a file.
    #[error(transparent)]
    Unknown(#[from] UnknownRuleset),
    /// A rules file has mistakes.
    #[error(transparent)]
    File(#[from] RulesFileError),
    /// A rules file cannot be read.
    #[error("cannot read the rules file {}: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
}

/// An unknown transform.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown transform {name:?}; known transforms: flip, mirror, swap")]
pub struct UnknownTransform {
    /// As asked for.
    pub name: String,
}
