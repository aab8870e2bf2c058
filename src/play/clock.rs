//! Clocks: minutes for the game, and seconds that each turn adds.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use endmill_engine::time_for_move;
use endmill_games::Colour;

/// What a game may take: `5+3` is five minutes for a side, and three seconds more for each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    minutes: Duration,
    gain: Duration,
}

/// No game takes longer than a day.
const LONGEST: f64 = 24.0 * 60.0;

impl FromStr for Control {
    type Err = String;

    fn from_str(text: &str) -> Result<Control, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text: &str, unit: f64| {
            let number: f64 = text.trim().parse().ok()?;
            let fits = (0.0..=LONGEST).contains(&number);
            fits.then(|| Duration::from_secs_f64(number * unit))
        };
        match (read(minutes, 60.0), read(seconds, 1.0)) {
            (Some(minutes), Some(gain)) if !minutes.is_zero() => Ok(Control { minutes, gain }),
            _ => Err(format!(
                "expected minutes and the seconds that each turn adds, such as 5+3, found {text:?}"
            )),
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.minutes.as_secs_f64() / 60.0;
        write!(f, "{minutes}+{}", self.gain.as_secs_f64())
    }
}

/// The clocks of both sides. That of the side to move runs.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    pub control: Control,
    left: [Duration; 2],
    /// Since when the side to move thinks.
    since: Instant,
}

impl Clocks {
    /// Wound up; or with what was left of a game that goes on.
    pub fn new(control: Control, left: Option<[Duration; 2]>) -> Clocks {
        Clocks {
            control,
            left: left.unwrap_or([control.minutes; 2]),
            since: Instant::now(),
        }
    }

    /// The side to move begins to think now.
    pub fn start(&mut self) {
        self.since = Instant::now();
    }

    /// The side has made its turn.
    pub fn press(&mut self, side: Colour) {
        let left = self.left(side, Some(side));
        self.left[side as usize] = left + self.control.gain;
        self.start();
    }

    /// What a side has left while `thinking` is to move.
    pub fn left(&self, side: Colour, thinking: Option<Colour>) -> Duration {
        let left = self.left[side as usize];
        if thinking == Some(side) {
            return left.saturating_sub(self.since.elapsed());
        }
        left
    }

    /// What a level may take for a turn.
    pub fn share(&self, side: Colour) -> Duration {
        let left = self.left(side, Some(side));
        time_for_move(left, self.control.gain, None)
    }
}

/// `4:05`.
pub fn shown(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_as_they_are_written() {
        for text in ["5+3", "0.5+0", "90+30"] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        assert_eq!("5".parse::<Control>().unwrap().to_string(), "5+0");
        for text in ["", "0+3", "5+", "-5", "5+3+1", "1e9", "nan"] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_side_to_move_loses_time() {
        let mut clocks = Clocks::new("1+600".parse().unwrap(), None);
        clocks.press(Colour::White);
        let (white, black) = (
            clocks.left(Colour::White, Some(Colour::Black)),
            clocks.left(Colour::Black, None),
        );
        assert!(white > Duration::from_secs(60) && white <= Duration::from_secs(660));
        assert_eq!(black, Duration::from_secs(60));
        assert_eq!(shown(black), "1:00");
    }
}
