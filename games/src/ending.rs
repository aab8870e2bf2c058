//! How a game ended.

use crate::colour::Colour;

/// Who has won a finished game, and why it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// `None` in a draw.
    pub winner: Option<Colour>,
    /// A few words for people, always the same: `too few men`, `no turn`, `full board`,
    /// `quiet limit`.
    pub reason: &'static str,
}
