//! Static evaluation: what an engine needs beyond the rules.

use crate::rules::Rules;

/// An evaluation of positions.
pub trait Evaluate: Rules {
    /// Returns how good a position looks for its side to move, without search: 100 is about one
    /// man. Only for positions in which the game is not over; for exact values, probe a database.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Returns whether a turn captures.
    fn is_capture(&self, position: &Self::Position, turn: &Self::Turn) -> bool;
}
