//! Time controls and clocks. Times are milliseconds since any fixed moment, which the caller chooses.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use endmill_games::Colour;
use serde::{Deserialize, Serialize};

/// The time of a side, and what each move adds: `5+3` is five minutes plus three seconds per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// At the start of the game.
    pub start_ms: u64,
    /// After each move.
    pub increment_ms: u64,
}

/// The longest time of a side, and the longest increment, in minutes and seconds.
const MAX_TIME: f64 = 24.0 * 60.0;

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let parse = |text: &str, unit: f64| {
            let number: f64 = text.trim().parse().ok()?;
            let fits = (0.0..=MAX_TIME).contains(&number);
            fits.then_some((number * unit).round() as u64)
        };
        match (parse(minutes, 60_000.0), parse(seconds, 1_000.0)) {
            (Some(start_ms @ 1..), Some(increment_ms)) => Ok(TimeControl {
                start_ms,
                increment_ms,
            }),
            _ => Err(format!(
                "expected minutes plus seconds per move, such as 5+3, found {text:?}"
            )),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.start_ms as f64 / 60_000.0;
        write!(f, "{minutes}+{}", self.increment_ms as f64 / 1_000.0)
    }
}

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameClock {
    control: TimeControl,
    left_ms: [u64; 2],
    /// The side whose time runs, and since when.
    running: Option<(Colour, u64)>,
}

impl GameClock {
    /// A clock that does not run yet.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock::resumed(control, [control.start_ms; 2])
    }

    /// The clock of an earlier game, with the time that was left.
    pub fn resumed(control: TimeControl, left_ms: [u64; 2]) -> GameClock {
        GameClock {
            control,
            left_ms,
            running: None,
        }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The side whose time runs.
    pub fn running(&self) -> Option<Colour> {
        self.running.map(|(side, _)| side)
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

    /// The time that an engine should spend on the next move of a side.
    pub fn time_for_move(&self, side: Colour, now_ms: u64) -> Duration {
        let left = Duration::from_millis(self.left(side, now_ms));
        time_for_move(left, Duration::from_millis(self.control.increment_ms), None)
    }

    /// Ends a move of a side: the other side's time runs. The first move of a game is free if the
    /// clock does not run before it.
    pub fn press(&mut self, side: Colour, now_ms: u64) {
        if self.running.is_some() {
            let left = self
                .left(side, now_ms)
                .saturating_add(self.control.increment_ms);
            self.left_ms[side as usize] = left;
        }
        self.running = Some((side.other(), now_ms));
    }

    /// Lets the time of this side run, without an increment: a move was taken back.
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

    /// Gives back the time since the last move, and lets the time of a side run, or stops.
    pub fn restart(&mut self, side: Option<Colour>, now_ms: u64) {
        self.running = side.map(|side| (side, now_ms));
    }

    /// The side whose time has run out.
    pub fn expired(&self, now_ms: u64) -> Option<Colour> {
        let (side, _) = self.running?;
        (self.left(side, now_ms) == 0).then_some(side)
    }
}

/// The number of moves for which a clock must last, if nothing else is known.
const MOVES_TO_COME: u32 = 30;

/// Returns the time to spend on one move: a share of what is left, and most of the increment, but
/// never more than half of what is left.
pub fn time_for_move(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Duration {
    // With a time control ahead one share is kept in reserve: the last move may not use it all up.
    let shares = moves_to_go.map_or(MOVES_TO_COME, |moves| moves.min(MOVES_TO_COME - 1) + 1);
    (left / shares + increment * 3 / 4).min(left / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: TimeControl = TimeControl {
        start_ms: 60_000,
        increment_ms: 2_000,
    };

    #[test]
    fn controls_are_parsed_as_they_are_formatted() {
        for text in ["5+3", "0.5+0", "90+30", "0.1+0.5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("5".parse::<TimeControl>().unwrap().to_string(), "5+0");
        for text in ["", "0+3", "5+", "-5", "5+3+1", "1e9", "nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_move_is_free_and_each_later_one_adds_the_increment() {
        let mut clock = GameClock::new(CONTROL);
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
    fn restart_gives_back_the_time_since_the_last_move() {
        let mut clock = GameClock::new(CONTROL);
        clock.press(Colour::White, 0);
        clock.restart(clock.running(), 1_000_000);
        assert_eq!(clock.left(Colour::Black, 1_010_000), 50_000);
        clock.stop(1_010_000);
        assert_eq!(clock.left(Colour::Black, 2_000_000), 50_000);
        clock.restart(None, 3_000_000);
        assert_eq!(clock.left(Colour::Black, 4_000_000), 50_000);
    }

    #[test]
    fn a_clock_is_divided_among_the_moves_to_come() {
        let ms = Duration::from_millis;
        let time = |left, increment, moves| time_for_move(ms(left), ms(increment), moves);
        assert_eq!(time(60_000, 0, None), ms(2_000));
        assert_eq!(time(60_000, 400, None), ms(2_300));
        assert_eq!(time(60_000, 0, Some(1)), ms(30_000));
        assert_eq!(time(60_000, 0, Some(5)), ms(10_000));
        assert_eq!(time(60_000, 0, Some(300)), ms(2_000));
        // A later increment cannot be spent now.
        assert_eq!(time(100, 5_000, None), ms(50));
        assert_eq!(time(0, 0, None), ms(0));
    }
}
