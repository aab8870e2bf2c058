//! What a person types at the board: a whole turn, or a beginning that leaves something open.

use crate::diagram::Diagram;
use crate::error::ParseError;
use crate::notation::Notation;

/// What a text says about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading<T> {
    /// All of it.
    Whole(T),
    /// A part of it: the rest has to be asked for.
    Partial(Partial<T>),
}

/// A turn that has begun, and the ways in which it can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial<T> {
    /// What to ask, for people.
    pub question: String,
    /// What an answer is appended to, to make the text of a whole turn.
    pub so_far: String,
    /// The answers there are, at least one, each with the turn that it makes.
    pub answers: Vec<(String, T)>,
    /// The whole words of [`turn_words`](crate::Interchange::turn_words) that have been said; none where the
    /// game writes a turn in one word.
    pub words: Vec<String>,
    /// The board with what has been said so far.
    pub board: Diagram,
}

impl<T: Copy + Eq> Partial<T> {
    /// Reads an answer: what is missing, or a beginning of it, or the whole turn again. The place
    /// in an error is that in the answer.
    pub fn complete<G: Notation<Turn = T>>(
        &self,
        game: &G,
        position: &G::Position,
        answer: &str,
    ) -> Result<Reading<T>, ParseError> {
        let whole = game.parse_turn(position, answer).ok();
        let offered = |turn: &T| self.answers.iter().any(|(_, offered)| offered == turn);
        if let Some(turn) = whole.filter(offered) {
            return Ok(Reading::Whole(turn));
        }
        // Whoever is asked after `a1-a4x` may well repeat the x.
        let answer = answer.trim_start();
        let joint = self.so_far.chars().last();
        let repeated = answer.starts_with(|first: char| joint == Some(first.to_ascii_lowercase()));
        let rest = &answer[usize::from(repeated)..];
        let read = game.read_turn(position, &format!("{}{rest}", self.so_far));
        read.map_err(|error| {
            let before = self.so_far.chars().count() - usize::from(repeated);
            let at = error.at.and_then(|at| at.checked_sub(before));
            ParseError { at, ..error }
        })
    }
}
