//! A clock for two, by times that are handed in. It begins with the first turn: nobody loses time
//! while a friend is still looking for the link.

use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much time a side has, and what each turn adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// At the beginning.
    pub start_ms: u64,
    /// After each turn.
    pub increment_ms: u64,
}

/// What is left of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    control: Control,
    left_ms: [u64; 2],
    /// Whose time runs, and since when.
    running: Option<(Colour, u64)>,
}

/// A clock as clients see it, at the moment of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockAnswer {
    /// Left for White.
    pub white_ms: u64,
    /// Left for Black.
    pub black_ms: u64,
    /// Whose time runs; `null` before the first turn and after the last.
    pub running: Option<Colour>,
    /// What each turn adds.
    pub increment_ms: u64,
}

impl Clock {
    /// A clock that does not run yet.
    pub fn new(control: Control) -> Clock {
        Clock {
            control,
            left_ms: [control.start_ms; 2],
            running: None,
        }
    }

    /// What a side has left.
    pub fn left(&self, side: Colour, now_ms: u64) -> u64 {
        let left = self.left_ms[side as usize];
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now_ms.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// A side has made its turn.
    pub fn press(&mut self, side: Colour, now_ms: u64) {
        if self.running.is_some() {
            let left = self.left(side, now_ms) + self.control.increment_ms;
            self.left_ms[side as usize] = left;
        }
        self.running = Some((side.other(), now_ms));
    }

    /// The time of this side runs from now on, without anything added: a turn was taken back.
    pub fn turn_to(&mut self, side: Colour, now_ms: u64) {
        self.stop(now_ms);
        self.running = Some((side, now_ms));
    }

    /// Nobody's time runs any longer.
    pub fn stop(&mut self, now_ms: u64) {
        if let Some((side, _)) = self.running {
            self.left_ms[side as usize] = self.left(side, now_ms);
        }
        self.running = None;
    }

    /// The server was away: what has passed since the last turn is given back.
    pub fn resume(&mut self, now_ms: u64) {
        if let Some((_, since)) = &mut self.running {
            *since = now_ms;
        }
    }

    /// The side whose time has run out.
    pub fn fallen(&self, now_ms: u64) -> Option<Colour> {
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
        assert_eq!(clock.fallen(1_000_000), None);
        clock.press(Colour::White, 100_000);
        assert_eq!(clock.left(Colour::White, 100_000), 60_000);
        clock.press(Colour::Black, 110_000);
        assert_eq!(clock.left(Colour::Black, 200_000), 52_000);
        assert_eq!(clock.left(Colour::White, 130_000), 40_000);
        assert_eq!(clock.fallen(169_999), None);
        assert_eq!(clock.fallen(170_000), Some(Colour::White));
    }

    #[test]
    fn a_pause_of_the_server_costs_nobody_time() {
        let mut clock = Clock::new(CONTROL);
        clock.press(Colour::White, 0);
        clock.resume(1_000_000);
        assert_eq!(clock.left(Colour::Black, 1_010_000), 50_000);
        clock.stop(1_010_000);
        assert_eq!(clock.left(Colour::Black, 2_000_000), 50_000);
    }
}
