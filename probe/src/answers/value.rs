//! What a position or a turn is worth.

use endmill_games::{Outcome, Value, Verdict};
use serde::Serialize;

use crate::moves::TurnValue;

/// An outcome and its distance, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ValueAnswer {
    /// `win`, `draw` or `loss` for the side to move, or for the side that makes the turn; `null`
    /// if it is not known.
    pub outcome: Option<Outcome>,
    /// To the end of the game; `null` for a draw, and where it is not known.
    pub plies: Option<u16>,
    /// `false`, and only written, where a win or a loss has no known distance: `plies` alone might
    /// be taken for that of a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies_known: Option<bool>,
}

impl ValueAnswer {
    /// What is known, as the probe says it.
    pub fn verdict(&self) -> Option<Verdict> {
        let outcome = self.outcome?;
        Some(match (outcome, self.plies) {
            (Outcome::Win, Some(plies)) => Value::Win(plies).into(),
            (Outcome::Loss, Some(plies)) => Value::Loss(plies).into(),
            _ => outcome.into(),
        })
    }
}

impl From<Option<Verdict>> for ValueAnswer {
    fn from(verdict: Option<Verdict>) -> ValueAnswer {
        let exact = verdict.is_none_or(|verdict| verdict.value().is_some());
        ValueAnswer {
            outcome: verdict.map(Verdict::outcome),
            plies: verdict.and_then(Verdict::plies),
            plies_known: (!exact).then_some(false),
        }
    }
}

impl From<Verdict> for ValueAnswer {
    fn from(verdict: Verdict) -> ValueAnswer {
        Some(verdict).into()
    }
}

impl From<&TurnValue> for ValueAnswer {
    fn from(answer: &TurnValue) -> ValueAnswer {
        answer.verdict().into()
    }
}

/// The opinion of a search, where no table knows. Only programs that search fill it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Estimate {
    /// For the side to move, or for the side that makes the turn; 100 is about one man.
    pub score: i32,
    /// Turns that the search looked ahead.
    pub depth: u32,
    /// Only if the search proved it.
    #[serde(flatten)]
    pub proved: ValueAnswer,
}

impl Estimate {
    /// The estimate of the turn that leads to a position of which this is the estimate.
    pub fn one_turn_earlier(self) -> Estimate {
        let proved = self.proved.verdict();
        Estimate {
            score: -self.score,
            depth: self.depth + 1,
            proved: proved.map(Verdict::one_turn_earlier).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_survives_as_an_answer() {
        let known: [Verdict; 5] = [
            Value::Win(17).into(),
            Value::Loss(0).into(),
            Value::Draw.into(),
            Outcome::Win.into(),
            Outcome::Loss.into(),
        ];
        for verdict in known {
            assert_eq!(ValueAnswer::from(verdict).verdict(), Some(verdict));
        }
        assert_eq!(ValueAnswer::default().verdict(), None);
    }
}
