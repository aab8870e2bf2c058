//! Positions drawn from a table.

use endmill_games::{Game, Verdict};
use serde::Serialize;

use super::state::Head;
use super::value::ValueAnswer;
use crate::database::Database;
use crate::error::Result;
use crate::sample::SampleFilter;

/// Positions of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SampleAnswer {
    /// The table.
    pub table: String,
    /// As many as were asked for, or all that fit, in the order of their numbers.
    pub positions: Vec<SampledPosition>,
}

/// A position with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SampledPosition {
    /// Which position.
    #[serde(flatten)]
    pub head: Head,
    /// What it is worth for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
}

impl SampleAnswer {
    /// Draws from a table: see [`Database::sample`].
    pub fn ask<G: Game>(
        database: &Database<G>,
        table: G::Table,
        filter: &SampleFilter,
        count: usize,
        seed: u64,
    ) -> Result<SampleAnswer> {
        let positions = database.sample(table, filter, count, seed)?;
        Ok(SampleAnswer::new(database.game(), table, positions))
    }

    /// The answer with these positions of a table.
    pub fn new<G: Game>(
        game: &G,
        table: G::Table,
        positions: Vec<(G::Position, Verdict)>,
    ) -> SampleAnswer {
        let positions = positions.into_iter();
        let positions = positions.map(|(position, verdict)| SampledPosition {
            head: Head::new(game, &position),
            value: verdict.into(),
        });
        SampleAnswer {
            table: table.to_string(),
            positions: positions.collect(),
        }
    }
}
