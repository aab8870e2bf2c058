//! The commands of players, and the events that follow.

use std::borrow::Cow;

use endmill_games::{Colour, Ending};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A command of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play a turn.
    Play {
        /// In the notation of the game.
        text: String,
        /// The number of the last event that the player has seen.
        seq: u64,
    },
    /// Ask to take back the last own turn.
    Takeback,
    /// Let the opponent take back a turn.
    AcceptTakeback,
    /// Offer a draw, or accept one.
    Draw,
    /// Accept a draw.
    AcceptDraw,
    /// Decline all offers of the opponent.
    Decline,
    /// Resign.
    Resign,
    /// Ask for a rematch with sides changed, or accept one.
    Rematch,
}

/// An event, as the journal stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The time in milliseconds since 1970.
    pub at_ms: u64,
    /// The side that caused it; `None` for the clock.
    pub by: Option<Colour>,
    /// The id of the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
}

/// A change of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A turn, which may end the game.
    Turn {
        /// In the notation of the game.
        #[serde(rename = "move")]
        text: String,
        /// The position after it.
        position: String,
        /// The side to move afterwards.
        to_move: Colour,
        /// The result if the turn ends the game.
        result: Option<Ended>,
    },
    /// Turns are taken back.
    Takeback {
        /// The number of turns that are left.
        turns: usize,
        /// The side to move afterwards.
        to_move: Colour,
    },
    /// An offer is made or declined.
    Offer {
        /// All open offers.
        offers: Offers,
    },
    /// The game is over.
    Result {
        /// How it ended.
        result: Ended,
    },
    /// Both sides want a rematch.
    Rematch {
        /// The id of the new game.
        id: String,
    },
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ended {
    /// The winner; `null` in a draw.
    #[schema(required)]
    pub winner: Option<Colour>,
    /// The reason: of the rules, or `resigned`, `agreement`, `time`, `repetition`, `too long`.
    #[schema(value_type = String)]
    pub reason: Cow<'static, str>,
}

impl From<Ending> for Ended {
    fn from(Ending { winner, reason }: Ending) -> Ended {
        let reason = reason.into();
        Ended { winner, reason }
    }
}

/// The open offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Offers {
    /// The side that offers a draw.
    #[schema(required)]
    pub draw: Option<Colour>,
    /// The side that asks for a takeback.
    #[schema(required)]
    pub takeback: Option<Colour>,
    /// The side that asks for a rematch.
    #[schema(required)]
    pub rematch: Option<Colour>,
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// `forbidden`, `conflict`, `bad_input`, or `io` if it could not be stored.
    pub error: &'static str,
    /// A sentence for people.
    pub message: Cow<'static, str>,
}

impl Refused {
    pub(super) fn forbidden(message: &'static str) -> Refused {
        Refused {
            error: "forbidden",
            message: message.into(),
        }
    }

    pub(super) fn conflict(message: &'static str) -> Refused {
        Refused {
            error: "conflict",
            message: message.into(),
        }
    }

    pub(super) fn bad_input(message: String) -> Refused {
        Refused {
            error: "bad_input",
            message: message.into(),
        }
    }
}
