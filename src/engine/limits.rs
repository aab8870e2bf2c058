//! How long a search takes: as asked, by the clock, or as usual.

use std::time::Duration;

use endmill_engine::{Level, Limits};
use endmill_games::Colour;

use super::command::Go;

/// Turns that a game is thought to last from anywhere.
const TO_COME: u32 = 30;

/// Where a search ends: as asked; by the clock; or as usual at the level.
pub fn limits(go: &Go, mover: Colour, level: Level) -> Limits {
    let clock = match mover {
        Colour::White => go.clocks[0],
        Colour::Black => go.clocks[1],
    };
    // One share is left over where the turns are counted: the last may not use the clock up.
    let turns = go
        .moves_to_go
        .map_or(TO_COME, |turns| turns.min(TO_COME - 1) + 1);
    let by_clock = |left: Duration| {
        let share = left / turns + clock.gain * 3 / 4;
        share.min(left / 2)
    };
    let time = go.limits.time.or(clock.left.map(by_clock));
    let limits = Limits { time, ..go.limits };
    if limits == Limits::default() && !go.infinite {
        return level.limits();
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::super::command::Clock;
    use super::*;

    fn time(left: u64, gain: u64, moves_to_go: Option<u32>) -> Option<Duration> {
        let clock = Clock {
            left: Some(Duration::from_millis(left)),
            gain: Duration::from_millis(gain),
        };
        let go = Go {
            clocks: [clock; 2],
            moves_to_go,
            ..Go::default()
        };
        limits(&go, Colour::Black, Level::High).time
    }

    #[test]
    fn the_clock_is_shared_among_the_turns_to_come() {
        let ms = |ms: u64| Some(Duration::from_millis(ms));
        assert_eq!(time(60_000, 0, None), ms(2_000));
        assert_eq!(time(60_000, 400, None), ms(2_300));
        assert_eq!(time(60_000, 0, Some(1)), ms(30_000));
        assert_eq!(time(60_000, 0, Some(5)), ms(10_000));
        assert_eq!(time(60_000, 0, Some(300)), ms(2_000));
        // What is gained later cannot be spent now.
        assert_eq!(time(100, 5_000, None), ms(50));
        assert_eq!(time(0, 0, None), ms(0));
    }
}
