//! A whole game under best play.

use std::collections::HashSet;

use endmill_games::{Features, Outcome, Verdict};
use serde::Serialize;

use crate::database::Database;
use crate::error::Result;
use crate::prober::Prober;

/// A drawn game has no end of its own: its line is cut after this number of plies.
const LONGEST_DRAWN_LINE: usize = 200;

/// One turn of a line.
#[derive(Clone, Copy, Debug)]
pub struct Step<G: Features> {
    /// The position before it.
    pub position: G::Position,
    /// The turn.
    pub turn: G::Turn,
    /// What it is worth for the side that makes it, this turn counted.
    pub verdict: Verdict,
}

/// Why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum LineEnd {
    /// The game is over.
    Finished,
    /// A drawn game comes back to a position that was in the line before.
    Repetition,
    /// A drawn game has gone on for long enough.
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
    /// Plays [`best`](Database::best) against `best`. A decided game takes exactly the plies that
    /// [`probe`](Database::probe) says; a drawn one goes on until a position comes back.
    pub fn line(&self, position: &G::Position) -> Result<Line<G>> {
        self.ask(|prober| prober.line(position))
    }
}

impl<G: Features> Prober<'_, G> {
    /// As [`Database::line`].
    pub fn line(&mut self, position: &G::Position) -> Result<Line<G>> {
        let mut line = Line {
            steps: Vec::new(),
            last: *position,
            end: LineEnd::Finished,
        };
        let mut seen = HashSet::new();
        // A decided game comes to its end: every best turn has one ply less to go.
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
            });
            line.last = best.after;
        }
        Ok(line)
    }
}
