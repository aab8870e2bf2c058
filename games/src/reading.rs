//! What a person types at the board: a whole turn, or the beginning of one.

use crate::diagram::Diagram;
use crate::error::ParseError;
use crate::notation::Notation;

/// What a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading<T> {
    /// A whole turn.
    Whole(T),
    /// The beginning of a turn: ask for the rest.
    Partial(Partial<T>),
}

/// The beginning of a turn, and its possible completions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial<T> {
    /// The question to ask, for people.
    pub question: String,
    /// The text so far: with an answer appended, the text of a whole turn.
    pub so_far: String,
    /// The possible answers, at least one, each with the turn that it completes.
    pub answers: Vec<(String, T)>,
    /// The whole words of [`turn_words`](crate::Interchange::turn_words) so far; none where the
    /// game writes a turn in one word.
    pub words: Vec<String>,
    /// The board with the turn as far as it has come.
    pub board: Diagram,
}

impl<T: Copy + Eq> Partial<T> {
    /// Reads an answer: the rest of the turn, the beginning of the rest, or the whole turn again.
    /// Positions in errors refer to the answer.
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
        // A person asked after `a1-a4x` may well repeat the x.
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
