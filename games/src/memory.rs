//! What a position remembers of earlier turns.

use crate::colour::Colour;

/// What a position remembers besides its board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The clock that draws the game, where one runs.
    pub clock: Option<Clock>,
    /// What a side may not do with its next turn, as the game writes it.
    pub forbidden: Vec<(Colour, String)>,
}

/// Counts plies towards a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The plies so far.
    pub plies: u32,
    /// The number of plies at which the game is drawn.
    pub limit: u32,
}
