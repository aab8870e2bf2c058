//! A whole game under best play.

use std::collections::HashSet;

use endmill_games::{Features, Outcome, Verdict};
use serde::Serialize;

use crate::database::Database;
use crate::draw_rank::DrawRank;
use crate::error::Result;
use crate::prober::Prober;

/// The maximum length of the line of a drawn game.
const LONGEST_DRAWN_LINE: usize = 200;

/// One turn of a line.
#[derive(Clone, Debug)]
pub struct Step<G: Features> {
    /// The position before it.
    pub position: G::Position,
    /// The turn.
    pub turn: G::Turn,
    /// The value for the side that makes it, with this turn counted.
    pub verdict: Verdict,
    /// How good the draw is, if it is one and its rank is stored.
    pub draw_rank: Option<DrawRank>,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum LineEnd {
    /// The game is over.
    Finished,
    /// A drawn game repeats a position of the line.
    Repetition,
    /// A drawn game has reached the maximum length of a line.
    Cut,
}

/// A game under best play of both sides.
#[derive(Clone, Debug)]
pub struct Line<G: Features> {
    /// The turns.
    pub steps: Vec<Step<G>>,
    /// The position after the last turn.
    pub last: G::Position,
    /// Why it ends there.
    pub end: LineEnd,
}

impl<G: Features> Database<G> {
    /// Plays [`best`](Database::best) against `best`. A decided game takes exactly as many plies as
    /// [`probe`](Database::probe) returns; a drawn game continues until a position is repeated, towards
    /// the better tables where the ranks of draws are stored.
    pub fn line(&self, position: &G::Position) -> Result<Line<G>> {
        self.ask(|prober| prober.line(position))
    }
}

impl<G: Features> Prober<'_, G> {
    /// See [`Database::line`].
    pub fn line(&mut self, position: &G::Position) -> Result<Line<G>> {
        let mut line = Line {
            steps: Vec::new(),
            last: *position,
            end: LineEnd::Finished,
        };
        let mut seen = HashSet::new();
        // This ends: in a decided game every best turn leaves one ply less.
        while let Some(best) = self.best(&line.last)? {
            let Some(verdict) = best.value.verdict() else {
                break;
            };
            if verdict.outcome() == Outcome::Draw {
                if !seen.insert(line.last) {
                    line.end = LineEnd::Repetition;
                    break;
                }
                if line.steps.len() >= LONGEST_DRAWN_LINE {
                    line.end = LineEnd::Cut;
                    break;
                }
            }
            line.steps.push(Step {
                position: line.last,
                turn: best.turn,
                verdict,
                draw_rank: best.draw_rank,
            });
            line.last = best.after;
        }
        Ok(line)
    }
}
