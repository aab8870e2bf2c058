//! Values whose distance may be unknown.

use std::cmp::Ordering;
use std::fmt;

use super::{Outcome, Value};

/// An outcome, with its exact distance if that is known too. A draw has no distance, and so
/// nothing about it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict(Known);

/// `Bare(Draw)` does not occur: equal verdicts have equal representations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Known {
    Exact(Value),
    Bare(Outcome),
}

impl Verdict {
    /// Returns the outcome, seen from the side to move.
    pub fn outcome(self) -> Outcome {
        match self.0 {
            Known::Exact(value) => value.outcome(),
            Known::Bare(outcome) => outcome,
        }
    }

    /// Returns the distance to the end of the game; `None` for a draw, and if it is unknown.
    pub fn plies(self) -> Option<u16> {
        self.value().and_then(Value::plies)
    }

    /// Returns outcome and distance; `None` if the distance of a win or loss is unknown.
    pub fn value(self) -> Option<Value> {
        match self.0 {
            Known::Exact(value) => Some(value),
            Known::Bare(_) => None,
        }
    }

    /// Returns what a turn to a position of this verdict is worth for the side that makes it.
    pub fn one_turn_earlier(self) -> Verdict {
        match self.0 {
            Known::Exact(value) => value.one_turn_earlier().into(),
            Known::Bare(outcome) => (-outcome).into(),
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
        Verdict(Known::Exact(value))
    }
}

impl From<Outcome> for Verdict {
    /// The distance is unknown.
    fn from(outcome: Outcome) -> Verdict {
        match outcome {
            Outcome::Draw => Value::Draw.into(),
            Outcome::Win | Outcome::Loss => Verdict(Known::Bare(outcome)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Known::Exact(value) => value.fmt(f),
            Known::Bare(outcome) => outcome.fmt(f),
        }
    }
}

/// A verdict in two bytes: the plies, odd for a win and even for a loss, or one of the three
/// greatest numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedVerdict(u16);

impl PackedVerdict {
    /// A draw.
    pub const DRAW: PackedVerdict = PackedVerdict(u16::MAX);
    const WIN: PackedVerdict = PackedVerdict(u16::MAX - 1);
    const LOSS: PackedVerdict = PackedVerdict(u16::MAX - 2);
}

impl From<Verdict> for PackedVerdict {
    fn from(verdict: Verdict) -> PackedVerdict {
        match (verdict.plies(), verdict.outcome()) {
            (Some(plies), _) => PackedVerdict(plies),
            (None, Outcome::Draw) => PackedVerdict::DRAW,
            (None, Outcome::Win) => PackedVerdict::WIN,
            (None, Outcome::Loss) => PackedVerdict::LOSS,
        }
    }
}

impl From<PackedVerdict> for Verdict {
    #[inline]
    fn from(packed: PackedVerdict) -> Verdict {
        match packed {
            PackedVerdict::DRAW => Value::Draw.into(),
            PackedVerdict::WIN => Outcome::Win.into(),
            PackedVerdict::LOSS => Outcome::Loss.into(),
            PackedVerdict(plies) if plies % 2 == 1 => Value::Win(plies).into(),
            PackedVerdict(plies) => Value::Loss(plies).into(),
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

    #[test]
    fn verdicts_fit_two_bytes() {
        let exact = [
            Value::Win(1),
            Value::Win(16_383),
            Value::Loss(0),
            Value::Draw,
        ];
        let exact = exact.into_iter().map(Verdict::from);
        let bare = [Outcome::Win, Outcome::Loss, Outcome::Draw].into_iter();
        for verdict in exact.chain(bare.map(Verdict::from)) {
            assert_eq!(Verdict::from(PackedVerdict::from(verdict)), verdict);
        }
    }
}
