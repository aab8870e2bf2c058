//! The clock of a game by link, as clients see it.

use endmill_engine::GameClock;
use endmill_games::Colour;
use serde::Serialize;
use utoipa::ToSchema;

/// A clock as clients see it, at the moment of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockAnswer {
    /// White's time left.
    pub white_ms: u64,
    /// Black's time left.
    pub black_ms: u64,
    /// The side whose clock runs; `null` before the first turn and after the last.
    #[schema(required)]
    pub running: Option<Colour>,
    /// The increment after each turn.
    pub increment_ms: u64,
}

impl ClockAnswer {
    /// Describes a clock.
    pub fn new(clock: &GameClock, now_ms: u64) -> ClockAnswer {
        ClockAnswer {
            white_ms: clock.left(Colour::White, now_ms),
            black_ms: clock.left(Colour::Black, now_ms),
            running: clock.running(),
            increment_ms: clock.control().increment_ms,
        }
    }
}
