//! What is known of a position.

use std::cmp::Ordering;
use std::fmt;

use endmill_games::{Outcome, Value};

/// An outcome, with its exact distance if that is known too. A draw has no distance, and so
/// nothing about it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict(Inner);

/// `Bare(Draw)` does not occur: two equal verdicts are written alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Inner {
    Exact(Value),
    Bare(Outcome),
}

impl Verdict {
    /// Who wins, seen from the side to move.
    pub fn outcome(self) -> Outcome {
        match self.0 {
            Inner::Exact(value) => value.outcome(),
            Inner::Bare(outcome) => outcome,
        }
    }

    /// The distance to the end of the game; `None` for a draw, and if it is not known.
    pub fn plies(self) -> Option<u16> {
        self.value().and_then(Value::plies)
    }

    /// Outcome and distance; `None` if the distance of a win or loss is not known.
    pub fn value(self) -> Option<Value> {
        match self.0 {
            Inner::Exact(value) => Some(value),
            Inner::Bare(_) => None,
        }
    }

    /// What a turn is worth for the side that makes it, if this is known of the position after it.
    pub fn one_turn_earlier(self) -> Verdict {
        match self.0 {
            Inner::Exact(value) => value.one_turn_earlier().into(),
            Inner::Bare(outcome) => (-outcome).into(),
        }
    }
}

/// As the side to move prefers them: by outcome, then by distance; within an outcome an unknown
/// distance is less than any known one.
impl Ord for Verdict {
    fn cmp(&self, other: &Verdict) -> Ordering {
        let by_outcome = self.outcome().cmp(&other.outcome());
        by_outcome.then_with(|| self.value().cmp(&other.value()))
    }
}

impl PartialOrd for Verdict {
    fn partial_cmp(&self, other: &Verdict) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        Verdict(Inner::Exact(value))
    }
}

impl From<Outcome> for Verdict {
    /// The distance is not known.
    fn from(outcome: Outcome) -> Verdict {
        match outcome {
            Outcome::Draw => Value::Draw.into(),
            Outcome::Win | Outcome::Loss => Verdict(Inner::Bare(outcome)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Inner::Exact(value) => value.fmt(f),
            Inner::Bare(outcome) => outcome.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_offered_best_first_and_unknown_distances_last_in_their_outcome() {
        let best_first: [Verdict; 7] = [
            Value::Win(1).into(),
            Value::Win(5).into(),
            Outcome::Win.into(),
            Outcome::Draw.into(),
            Value::Loss(8).into(),
            Value::Loss(2).into(),
            Outcome::Loss.into(),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn a_draw_is_always_exact() {
        assert_eq!(Verdict::from(Outcome::Draw), Verdict::from(Value::Draw));
    }
}
