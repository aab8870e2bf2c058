//! A game with the value of each of its turns.

use std::collections::BTreeMap;

use endmill_games::{Colour, Ending};
use endmill_records::{RecordError, Sheet};
use serde::Serialize;

use super::value::{Estimate, ValueAnswer};

/// A game with the values of its turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewAnswer {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The tags of the game: the players, the event and so on.
    pub tags: BTreeMap<String, String>,
    /// The first position.
    pub start: String,
    /// The turns up to the first that cannot be read.
    pub turns: Vec<ReviewedTurn>,
    /// How the game ended; `null` if it is not over.
    #[cfg_attr(feature = "schema", schema(required))]
    pub result: Option<Ending>,
    /// The parts that cannot be read, as messages.
    pub problems: Vec<String>,
    /// The first such part, with its place.
    #[cfg_attr(feature = "schema", schema(required))]
    pub error: Option<RecordProblemAnswer>,
    /// The mistakes of each side.
    pub summary: ReviewSummary,
    /// The part that cannot be read, as an error.
    #[serde(skip)]
    pub broken: Option<RecordError>,
    /// The game as texts, to be written again.
    #[serde(skip)]
    pub sheet: Sheet,
}

/// A turn with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedTurn {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it.
    pub side: Colour,
    /// The value of the position for this side; `null` if it is not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub before: Option<ValueAnswer>,
    /// The value of the turn for this side, with the turn counted; `null` if it is not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub after: Option<ValueAnswer>,
    /// The best turns, all of the same value. Empty if they are not known.
    pub best: Vec<String>,
    /// The kind of mistake; `null` if the turn keeps the outcome.
    #[cfg_attr(feature = "schema", schema(required))]
    pub mistake: Option<Mistake>,
    /// The plies by which a win became longer or a loss shorter; `null` if the outcome changed or is
    /// not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub plies_lost: Option<u16>,
    /// How much worse a turn that keeps the draw is than the best, by the scores of their ranks. Absent
    /// if nothing is lost, or if the ranks are not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_lost: Option<f64>,
    /// Whether this is the only turn that keeps a win or a draw.
    pub only_move: bool,
    /// Whether exactly one turn of several keeps a win or a draw, this one or another.
    #[serde(skip)]
    pub one_keeps: bool,
    /// The position after it.
    pub position: String,
    /// The missing table it leads into; empty if no table has as many pieces. Absent if none is
    /// missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The estimate of a search, if the value is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The turn that a search prefers, if the value of the position is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_best: Option<Opinion>,
}

/// What a turn threw away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// From a win to a draw.
    WinToDraw,
    /// From a win to a loss.
    WinToLoss,
    /// From a draw to a loss.
    DrawToLoss,
}

/// The turn that a search prefers, with its estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Opinion {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The estimate for the side that makes it.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// Where and why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordProblemAnswer {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl From<&RecordError> for RecordProblemAnswer {
    fn from(error: &RecordError) -> RecordProblemAnswer {
        RecordProblemAnswer {
            line: error.place.line,
            column: error.place.column,
            message: error.problem.to_string(),
        }
    }
}

/// The mistakes of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewSummary {
    /// White's.
    pub white: SideSummary,
    /// Black's.
    pub black: SideSummary,
}

/// The mistakes of a side, as far as values are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideSummary {
    /// The number of its turns.
    pub turns: usize,
    /// The number of its turns with a known value.
    pub known: usize,
    /// Wins that became draws.
    pub win_to_draw: usize,
    /// Wins that became losses.
    pub win_to_loss: usize,
    /// Draws that became losses.
    pub draw_to_loss: usize,
    /// The plies by which wins became longer and losses shorter, in total.
    pub plies_lost: u64,
    /// Turns that kept a draw, but of a lower rank than the best.
    pub inaccuracies: usize,
    /// Turns that it found although no other kept the win or draw.
    pub only_moves: usize,
}

impl SideSummary {
    /// The number of mistakes that changed the outcome.
    pub fn mistakes(&self) -> usize {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }

    fn count(&mut self, turn: &ReviewedTurn) {
        self.turns += 1;
        self.known += usize::from(turn.after.is_some());
        match turn.mistake {
            Some(Mistake::WinToDraw) => self.win_to_draw += 1,
            Some(Mistake::WinToLoss) => self.win_to_loss += 1,
            Some(Mistake::DrawToLoss) => self.draw_to_loss += 1,
            None => {}
        }
        self.plies_lost += u64::from(turn.plies_lost.unwrap_or(0));
        self.inaccuracies += usize::from(turn.ground_lost.is_some());
        self.only_moves += usize::from(turn.only_move);
    }
}

impl ReviewSummary {
    /// Adds up the turns of both sides.
    pub fn of(turns: &[ReviewedTurn]) -> ReviewSummary {
        let mut summary = ReviewSummary::default();
        for turn in turns {
            match turn.side {
                Colour::White => summary.white.count(turn),
                Colour::Black => summary.black.count(turn),
            }
        }
        summary
    }
}
