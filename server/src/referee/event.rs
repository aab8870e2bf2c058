//! What players ask for, and what the referee lets happen.

use std::borrow::Cow;

use endmill_games::{Colour, Ending};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody at the board asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Make a turn.
    Play {
        /// As the game writes it.
        text: String,
        /// The number of the state in which the player has seen the board.
        seq: u64,
    },
    /// Ask the other side to let the last own turn be taken back.
    Takeback,
    /// Let the other side take back its turn.
    AcceptTakeback,
    /// Offer a draw; or accept, if one is offered.
    Draw,
    /// Accept the draw that is offered.
    AcceptDraw,
    /// Decline whatever the other side has offered.
    Decline,
    /// Give up.
    Resign,
    /// Play again with sides changed; both must want it.
    Rematch,
}

/// Something that happened, and that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// By whom; `None` if by the clock.
    pub by: Option<Colour>,
    /// The id of the command that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What.
    #[serde(flatten)]
    pub change: Change,
}

/// How a game changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A turn, and the end of the game if it is one.
    Turn {
        /// As the game writes it.
        #[serde(rename = "move")]
        text: String,
        /// The position after it.
        position: String,
        /// Whose move it is then.
        to_move: Colour,
        /// Only if the game is over with it.
        result: Option<Ended>,
    },
    /// So many turns are left.
    Takeback {
        /// How many.
        turns: usize,
        /// Whose move it is then.
        to_move: Colour,
    },
    /// An offer is made, or withdrawn by being declined.
    Offer {
        /// All offers that stand now.
        offers: Offers,
    },
    /// The game is over.
    Result {
        /// How it ended.
        result: Ended,
    },
    /// Both want to play again.
    Rematch {
        /// The id of the new game.
        id: String,
    },
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ended {
    /// `null` in a draw.
    pub winner: Option<Colour>,
    /// By the rules, or `resigned`, `agreement`, `time`, `repetition`, `too long`.
    #[schema(value_type = String)]
    pub reason: Cow<'static, str>,
}

impl From<Ending> for Ended {
    fn from(Ending { winner, reason }: Ending) -> Ended {
        let reason = reason.into();
        Ended { winner, reason }
    }
}

/// Who has offered what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Offers {
    /// Who offers a draw.
    pub draw: Option<Colour>,
    /// Who asks to take a turn back.
    pub takeback: Option<Colour>,
    /// Who wants to play again.
    pub rematch: Option<Colour>,
}

/// Why a command is not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// `forbidden`, `conflict`, `bad_input`, or `io` if it could not be kept.
    pub error: &'static str,
    /// A sentence.
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
