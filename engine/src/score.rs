//! The score of a position.

use endmill_games::{Outcome, Value};
use endmill_probe::Verdict;

/// The score of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// An estimate: 100 is about one man.
    Points(i32),
    /// The side to move wins in this number of plies.
    WinIn(u16),
    /// The side to move loses in this number of plies.
    LossIn(u16),
    /// The side to move wins by the database, at an unknown distance.
    Win,
    /// The side to move loses by the database, at an unknown distance.
    Loss,
    /// A draw.
    Draw,
}

impl Score {
    /// The outcome, if the score implies one.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Score::Points(_) => None,
            Score::WinIn(_) | Score::Win => Some(Outcome::Win),
            Score::LossIn(_) | Score::Loss => Some(Outcome::Loss),
            Score::Draw => Some(Outcome::Draw),
        }
    }
}

impl From<Verdict> for Score {
    fn from(verdict: Verdict) -> Score {
        match (verdict.value(), verdict.outcome()) {
            (Some(Value::Win(plies)), _) => Score::WinIn(plies),
            (Some(Value::Loss(plies)), _) => Score::LossIn(plies),
            (_, Outcome::Win) => Score::Win,
            (_, Outcome::Loss) => Score::Loss,
            (_, Outcome::Draw) => Score::Draw,
        }
    }
}
