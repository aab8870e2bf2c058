//! The value of a position or a turn.

use endmill_games::{Outcome, Value, Verdict};
use serde::Serialize;

use crate::moves::TurnValue;

/// A value, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ValueAnswer {
    /// `win`, `draw` or `loss` for the side to move, or for the side that makes the turn; `null` if
    /// it is not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub outcome: Option<Outcome>,
    /// The distance to the end of the game; `null` for a draw, and if it is not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub plies: Option<u16>,
    /// `false` for a win or a loss of unknown distance, which could be taken for a draw by `plies`
    /// alone. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies_known: Option<bool>,
}

impl ValueAnswer {
    /// The value as a verdict; `None` if it is not known.
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

/// The estimate of a search. Only programs that search fill it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Estimate {
    /// The score for the side to move, or for the side that makes the turn; 100 is about one man.
    pub score: i32,
    /// The depth of the search in turns.
    pub depth: u32,
    /// The value, if the search proved one.
    #[serde(flatten)]
    pub proved: ValueAnswer,
}

impl Estimate {
    /// The estimate of a turn, if this is the estimate of the position after it.
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
