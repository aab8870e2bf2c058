//! Positions sampled from a table.

use endmill_games::{Game, Verdict};
use serde::Serialize;

use super::state::Head;
use super::value::ValueAnswer;
use crate::database::Database;
use crate::error::Result;
use crate::sample::SampleFilter;

/// A sample of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SampleAnswer {
    /// The table.
    pub table: String,
    /// The positions in the order of their ranks: all that fit, if there are fewer than asked for.
    pub positions: Vec<SampledPosition>,
}

/// A position with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SampledPosition {
    /// The position.
    #[serde(flatten)]
    pub head: Head,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
}

impl SampleAnswer {
    /// Samples a table: see [`Database::sample`].
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
