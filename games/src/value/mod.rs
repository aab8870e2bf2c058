//! What a position is worth, and every packed form of it.
//!
//! | type | size | what it holds |
//! |---|---|---|
//! | [`Outcome`] | | win, draw or loss |
//! | [`Value`] | | the outcome and the exact distance |
//! | [`Verdict`] | | an outcome whose distance may be unknown |
//! | [`PackedVerdict`] | 2 bytes | a verdict |
//! | [`NodeValue`] | 2 bytes | a value, in a table that is solved or read |
//! | [`NodeState`] | 2 bytes | what is known of a value while its group is solved |
//! | a byte of [`TableValues::Bytes`] | 1 byte | a value of at most 254 plies |
//! | a byte of [`TableValues::Outcomes`] | 2 bits each | four outcomes |
//! | [`TurnScore`] | 2 bytes | how good a turn is, on a scale that one comparison orders |
//! | [`Ranked`] | 2 bytes | an outcome, and which of the [`DrawScores`] a draw has; packed as a [`NodeValue`] |
//! | [`DrawState`] | 4 bytes | what is known of a draw while its group is ranked |
//!
//! All of them are seen from the side to move, except for [`TurnScore`], which is seen from the side
//! that makes the turn. No other module of the workspace shifts or masks a value.

mod draw_rank;
mod draw_state;
mod node;
mod state;
mod table;
mod verdict;

pub use self::draw_rank::{
    ConversionValues, DrawScores, NotAScore, Ranked, Scale, Score, ScoreNumber,
};
pub use self::draw_state::{AtomicDrawState, Conversion, DrawState};
pub use self::node::{NodeValue, TurnScore};
pub use self::state::{AtomicState, Misfit, NodeState};
pub use self::table::{OUTCOMES_PER_BYTE, TableValues};
pub use self::verdict::{PackedVerdict, Verdict};

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// Who wins under best play, seen from the side to move. A better outcome is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side can force the end.
    Draw,
    /// The side to move wins.
    Win,
}

impl Neg for Outcome {
    type Output = Outcome;

    /// The same outcome seen by the other side.
    fn neg(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

/// An outcome with the exact distance to the end of the game, in plies, under best play: the
/// winner hurries, the loser delays. A win is always odd, a loss always even.
///
/// Values are ordered as the side to move prefers them: a short win is greater than a long one, a
/// long loss greater than a short one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move loses after this number of plies; 0 = it has already lost.
    Loss(u16),
    /// Endless play.
    Draw,
    /// The side to move wins after this number of plies.
    Win(u16),
}

impl Value {
    /// The side to move has already lost: it cannot move, or has too few men.
    pub const LOST: Value = Value::Loss(0);

    /// The value of least distance with an outcome, which stands for it where a distance is needed
    /// but unknown.
    pub const fn shortest(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Loss => Value::Loss(0),
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(1),
        }
    }

    /// Without the distance.
    pub fn outcome(self) -> Outcome {
        match self {
            Value::Loss(_) => Outcome::Loss,
            Value::Draw => Outcome::Draw,
            Value::Win(_) => Outcome::Win,
        }
    }

    /// The distance to the end of the game; a draw has none.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// What a turn is worth for the side that makes it, if it leads to a position of this value:
    /// the sides change and the turn itself counts one ply.
    pub fn one_turn_earlier(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
        }
    }

    /// Position on one scale: greater is better for the side to move.
    fn preference(self) -> i32 {
        match self {
            Value::Loss(plies) => i32::from(plies) - 0x2_0000,
            Value::Draw => 0,
            Value::Win(plies) => 0x2_0000 - i32::from(plies),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome()),
            None => self.outcome().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        let best_first = [
            Value::Win(1),
            Value::Win(289),
            Value::Draw,
            Value::Loss(290),
            Value::Loss(0),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn a_turn_changes_sides_and_counts_one_ply() {
        assert_eq!(Value::LOST.one_turn_earlier(), Value::Win(1));
        assert_eq!(Value::Win(17).one_turn_earlier(), Value::Loss(18));
        assert_eq!(Value::Draw.one_turn_earlier(), Value::Draw);
    }
}
