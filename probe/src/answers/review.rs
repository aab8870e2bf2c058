//! A game with what each of its turns was worth.

use std::collections::BTreeMap;

use endmill_games::{Colour, Ending};
use endmill_records::{RecordError, Sheet};
use serde::Serialize;

use super::value::{Estimate, ValueAnswer};

/// A game with what its turns were worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewAnswer {
    /// The id of the ruleset.
    pub ruleset: String,
    /// What is told of the game: its players, the event, and so on, as far as the text says.
    pub tags: BTreeMap<String, String>,
    /// The first position.
    pub start: String,
    /// The turns that could be read.
    pub turns: Vec<ReviewedTurn>,
    /// How the game ended; `null` if it goes on.
    pub result: Option<Ending>,
    /// What could not be read, for people.
    pub problems: Vec<String>,
    /// The same for programs.
    pub error: Option<RecordProblemAnswer>,
    /// How each side did.
    pub summary: ReviewSummary,
    /// What is wrong with the game, as an error.
    #[serde(skip)]
    pub broken: Option<RecordError>,
    /// The game as texts, for whoever writes it down again.
    #[serde(skip)]
    pub sheet: Sheet,
}

/// A turn with what it was worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedTurn {
    /// As the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// Who made it.
    pub side: Colour,
    /// What the position was worth for this side; `null` where the tables do not know.
    pub before: Option<ValueAnswer>,
    /// What the turn was worth for this side, the turn counted.
    pub after: Option<ValueAnswer>,
    /// The best turns, all of the same worth; none where the tables do not know.
    pub best: Vec<String>,
    /// What the turn threw away.
    pub mistake: Option<Mistake>,
    /// By how many plies a win became longer or a loss shorter; `null` where the outcome changed
    /// or is not known.
    pub plies_lost: Option<u16>,
    /// Whether every other turn would have changed the outcome for the worse, and this one did not.
    pub only_move: bool,
    /// Whether one turn of several keeps the outcome, be it this one or not.
    #[serde(skip)]
    pub one_keeps: bool,
    /// The position after it.
    pub position: String,
    /// Only written if the table that the turn leads into is missing: its name, empty if no table
    /// has as many pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// What a search thinks of the turn, where the tables do not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// What a search would have played, where the tables do not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_best: Option<Opinion>,
}

/// What a turn threw away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// A win.
    WinToDraw,
    /// A win, and more.
    WinToLoss,
    /// A draw.
    DrawToLoss,
}

/// The turn that a search would make, and what it thinks of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Opinion {
    /// As the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// For the side that makes it.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// Where and why a game breaks off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordProblemAnswer {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// A sentence.
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

/// How both sides did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewSummary {
    /// How White did.
    pub white: SideSummary,
    /// How Black did.
    pub black: SideSummary,
}

/// How a side did, as far as the tables know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideSummary {
    /// Its turns.
    pub turns: usize,
    /// Those of which the tables know what they were worth.
    pub known: usize,
    /// Wins that became draws.
    pub win_to_draw: usize,
    /// Wins that became losses.
    pub win_to_loss: usize,
    /// Draws that became losses.
    pub draw_to_loss: usize,
    /// Plies by which wins became longer and losses shorter, all together.
    pub plies_lost: u64,
    /// Turns that were the only ones to keep a win or a draw, and were found.
    pub only_moves: usize,
}

impl SideSummary {
    /// All mistakes that changed the outcome.
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
        self.only_moves += usize::from(turn.only_move);
    }
}

impl ReviewSummary {
    /// Adds up turns.
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
