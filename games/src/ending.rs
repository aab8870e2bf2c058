//! How a game ended.

use crate::colour::Colour;

/// A game is drawn when a position occurs for the third time with the same side to move.
const REPETITIONS: usize = 3;

/// The winner of a finished game, and why it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Finished))]
pub struct Ending {
    /// `null` in a draw.
    #[cfg_attr(feature = "schema", schema(required))]
    pub winner: Option<Colour>,
    /// A few words that never change: `too few men`, `no turn`, `full board`, `quiet limit`,
    /// `repetition`.
    pub reason: &'static str,
}

impl Ending {
    /// The draw by threefold repetition.
    pub const REPETITION: Ending = Ending {
        winner: None,
        reason: "repetition",
    };

    /// Returns the draw by repetition if `position` has occurred often enough. `earlier` are all
    /// positions of the game before it.
    pub fn by_repetition<P: PartialEq>(
        earlier: impl IntoIterator<Item = P>,
        position: P,
    ) -> Option<Ending> {
        let earlier = earlier.into_iter().filter(|earlier| *earlier == position);
        (earlier.count() + 1 >= REPETITIONS).then_some(Ending::REPETITION)
    }
}
