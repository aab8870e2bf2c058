//! Creating a game: the request, and the reply with its secret links.

use endmill_engine::TimeControl;
use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;

/// The longest time on a clock, in minutes.
const MAX_MINUTES: f64 = 24.0 * 60.0;
/// The longest increment of a clock, in seconds.
const MAX_INCREMENT: f64 = 3600.0;

/// A game to create.
#[derive(Deserialize, ToSchema)]
pub struct NewGame {
    /// The id of a ruleset.
    #[schema(example = "three")]
    pub ruleset: String,
    /// The first position, in any notation; the start of the game by default.
    pub start: Option<String>,
    /// Without it the game has no time limit.
    pub clock: Option<NewClock>,
    /// The side of the player who creates the game.
    #[serde(default)]
    pub side: SideChoice,
}

/// A time control.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct NewClock {
    /// Minutes per side, at most a day.
    minutes: f64,
    /// Seconds added after each move, at most an hour.
    #[serde(default)]
    increment_seconds: f64,
}

/// A choice of side.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideChoice {
    /// White.
    White,
    /// Black.
    Black,
    /// Either, at random.
    #[default]
    Random,
}

/// One string per side.
#[derive(Serialize, ToSchema)]
pub struct Seats {
    white: String,
    black: String,
}

/// The addresses of a game.
#[derive(Serialize, ToSchema)]
pub struct Links {
    white: String,
    black: String,
    watch: String,
}

/// A game that was created.
#[derive(Serialize, ToSchema)]
pub struct CreatedGame {
    /// Its id.
    id: String,
    /// The secrets of the two seats. No other answer contains them.
    seats: Seats,
    /// Addresses on this server, to send to a friend.
    links: Links,
    /// The side of the player who created the game.
    you: Colour,
}

impl NewClock {
    /// Checks the limits.
    pub fn control(self) -> Result<TimeControl, ApiError> {
        let within = |value: f64, max: f64| (0.0..=max).contains(&value);
        if !within(self.minutes, MAX_MINUTES) || !within(self.increment_seconds, MAX_INCREMENT) {
            let message =
                "a clock has at most 1440 minutes and an increment of at most 3600 seconds";
            return Err(ApiError::bad_input(message));
        }
        let control = TimeControl {
            start_ms: (self.minutes * 60_000.0) as u64,
            increment_ms: (self.increment_seconds * 1000.0) as u64,
        };
        if control.start_ms < 1000 {
            return Err(ApiError::bad_input("a clock has at least one second"));
        }
        Ok(control)
    }
}

impl CreatedGame {
    /// The reply for a game with these secrets of White and Black.
    pub fn new(id: String, [white, black]: [String; 2], you: Colour) -> CreatedGame {
        let link = |secret: &str| format!("/#/game/{id}/{secret}");
        CreatedGame {
            links: Links {
                white: link(&white),
                black: link(&black),
                watch: format!("/#/game/{id}"),
            },
            seats: Seats { white, black },
            you,
            id,
        }
    }
}
