//! The rest of a game under best play.

use endmill_games::Game;
use serde::Serialize;

use super::draw_rank::DrawRankAnswer;
use super::state::Head;
use super::value::ValueAnswer;
use crate::database::Database;
use crate::error::Result;
use crate::line::{Line, LineEnd};

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineAnswer {
    /// The position it starts from.
    #[serde(flatten)]
    pub head: Head,
    /// Its value.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// The turns.
    pub line: Vec<String>,
    /// Why the line ends: `finished`, or in a drawn game `repetition` or `cut`.
    pub end: LineEnd,
    /// The position after each turn.
    pub positions: Vec<String>,
    /// The value of each turn for the side that makes it, with the turn counted.
    pub values: Vec<ValueAnswer>,
    /// The rank of the draw of each turn for the side that makes it; `null` for other turns. Absent if
    /// no rank is stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draw_ranks: Vec<Option<DrawRankAnswer>>,
    /// The turns in numbers, by the bits of a setup.
    #[serde(skip)]
    pub places: Vec<endmill_games::Path>,
}

impl LineAnswer {
    /// The line from a position.
    pub fn ask<G: Game>(database: &Database<G>, position: &G::Position) -> Result<LineAnswer> {
        let game = database.game();
        let Line { steps, last, end } = database.line(position)?;
        // The first turn has the value of the position, with a distance even if the position's
        // table has none.
        let verdict = match steps.first() {
            Some(step) => step.verdict,
            None => database.probe(position)?,
        };
        let after = steps.iter().skip(1).map(|step| &step.position);
        let after = after.chain(steps.last().map(|_| &last));
        let steps = || steps.iter();
        Ok(LineAnswer {
            head: Head::new(game, position),
            value: verdict.into(),
            line: steps()
                .map(|step| game.format_turn(&step.position, &step.turn))
                .collect(),
            end,
            positions: after.map(|after| game.format_position(after)).collect(),
            values: steps().map(|step| step.verdict.into()).collect(),
            draw_ranks: match steps().any(|step| step.draw_rank.is_some()) {
                true => steps()
                    .map(|step| step.draw_rank.clone().map(Into::into))
                    .collect(),
                false => Vec::new(),
            },
            places: steps()
                .map(|step| game.path(&step.position, &step.turn))
                .collect(),
        })
    }
}
