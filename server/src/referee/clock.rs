//! The clock of a game; the caller passes the time. It starts after the first turn, so that no side
//! loses time before both are there.

use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// The time of each side at the start.
    pub start_ms: u64,
    /// The increment after each turn.
    pub increment_ms: u64,
}

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    control: Control,
    left_ms: [u64; 2],
    /// The side whose clock runs, and since when.
    running: Option<(Colour, u64)>,
}

/// A clock as clients see it, at the moment of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockAnswer {
    /// White's time left.
    pub white_ms: u64,
    /// Black's time left.
    pub black_ms: u64,
    /// The side whose clock runs; `null` before the first turn and after the last.
    pub running: Option<Colour>,
    /// The increment after each turn.
    pub increment_ms: u64,
}

impl Clock {
    /// A stopped clock.
    pub fn new(control: Control) -> Clock {
        Clock {
            control,
            left_ms: [control.start_ms; 2],
            running: None,
        }
    }

    /// The time that a side has left.
    pub fn left(&self, side: Colour, now_ms: u64) -> u64 {
        let left = self.left_ms[side as usize];
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now_ms.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// Ends the turn of a side.
    pub fn press(&mut self, side: Colour, now_ms: u64) {
        if self.running.is_some() {
            let left = self.left(side, now_ms) + self.control.increment_ms;
            self.left_ms[side as usize] = left;
        }
        self.running = Some((side.other(), now_ms));
    }

    /// Starts the clock of a side without an increment, after a takeback.
    pub fn turn_to(&mut self, side: Colour, now_ms: u64) {
        self.stop(now_ms);
        self.running = Some((side, now_ms));
    }

    /// Stops the clock.
    pub fn stop(&mut self, now_ms: u64) {
        if let Some((side, _)) = self.running {
            self.left_ms[side as usize] = self.left(side, now_ms);
        }
        self.running = None;
    }

    /// Continues after a restart of the server: the time since the last turn does not count.
    pub fn resume(&mut self, now_ms: u64) {
        if let Some((_, since)) = &mut self.running {
            *since = now_ms;
        }
    }

    /// The side that has run out of time.
    pub fn expired(&self, now_ms: u64) -> Option<Colour> {
        let (side, _) = self.running?;
        (self.left(side, now_ms) == 0).then_some(side)
    }

    /// As clients see it.
    pub fn answer(&self, now_ms: u64) -> ClockAnswer {
        ClockAnswer {
            white_ms: self.left(Colour::White, now_ms),
            black_ms: self.left(Colour::Black, now_ms),
            running: self.running.map(|(side, _)| side),
            increment_ms: self.control.increment_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: Control = Control {
        start_ms: 60_000,
        increment_ms: 2_000,
    };

    #[test]
    fn the_first_turn_is_free_and_each_later_one_adds_its_increment() {
        let mut clock = Clock::new(CONTROL);
        assert_eq!(clock.expired(1_000_000), None);
        clock.press(Colour::White, 100_000);
        assert_eq!(clock.left(Colour::White, 100_000), 60_000);
        clock.press(Colour::Black, 110_000);
        assert_eq!(clock.left(Colour::Black, 200_000), 52_000);
        assert_eq!(clock.left(Colour::White, 130_000), 40_000);
        assert_eq!(clock.expired(169_999), None);
        assert_eq!(clock.expired(170_000), Some(Colour::White));
    }

    #[test]
    fn a_restart_of_the_server_costs_no_time() {
        let mut clock = Clock::new(CONTROL);
        clock.press(Colour::White, 0);
        clock.resume(1_000_000);
        assert_eq!(clock.left(Colour::Black, 1_010_000), 50_000);
        clock.stop(1_010_000);
        assert_eq!(clock.left(Colour::Black, 2_000_000), 50_000);
    }
}
