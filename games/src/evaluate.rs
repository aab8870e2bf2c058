//! How good a position looks: what an engine needs beyond the rules.

use crate::rules::Rules;

/// An opinion about positions.
pub trait Evaluate: Rules {
    /// How good a position looks for its side to move, without looking ahead: 100 is about one
    /// man. For positions in which the game is not over; who needs the truth asks a database.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Whether a turn takes an opposing man.
    fn is_capture(&self, position: &Self::Position, turn: &Self::Turn) -> bool;
}
