//! Reads a table together with its game, which knows what its files omit.
//!
//! | a position | is read from |
//! |---|---|
//! | stored | the two files |
//! | resolved by its turns ([`Features::is_resolved`]) | the positions after its turns |
//! | stored without its distance ([`Table::leaves_plies_out`]) | the positions after its turns |
//!
//! The last two need other tables, which are for the caller to look up, one by one or in bulk;
//! [`TableReader::read_block`] says which positions are resolved.

use std::ops::Range;

use endmill_games::{Feature, Features, Outcome, Value, Verdict};

use crate::codec::draws::DrawEntry;
use crate::error::Result;
use crate::table::{DecodeContext, Table};

/// A table that is read with its game.
#[derive(Debug)]
pub struct TableReader<'a, G: Features> {
    game: &'a G,
    table: G::Table,
    files: &'a Table,
}

/// What the values of a block are read as.
pub trait ReadAs: From<Value> {
    /// Reads an outcome whose distance is not read.
    fn without_distance(outcome: Outcome) -> Self;
}

impl ReadAs for Verdict {
    fn without_distance(outcome: Outcome) -> Verdict {
        outcome.into()
    }
}

/// The least distance stands for all: only outcomes count.
impl ReadAs for Value {
    fn without_distance(outcome: Outcome) -> Value {
        Value::shortest(outcome)
    }
}

impl<'a, G: Features> TableReader<'a, G> {
    /// Reads `files`, which hold `table`.
    pub fn new(game: &'a G, table: G::Table, files: &'a Table) -> TableReader<'a, G> {
        TableReader { game, table, files }
    }

    /// As [`Table::read_outcomes`].
    pub fn outcomes<'c>(
        &self,
        range: &Range<u64>,
        context: &'c mut DecodeContext,
    ) -> Result<&'c [Outcome]> {
        self.files
            .read_outcomes(range, |range, features| self.give(range, features), context)
    }

    /// As [`Table::read_values`].
    pub fn values<'c>(
        &self,
        range: &Range<u64>,
        context: &'c mut DecodeContext,
    ) -> Result<&'c [Value]> {
        self.files
            .read_values(range, |range, features| self.give(range, features), context)
    }

    /// As [`Table::read_draws`].
    pub fn draws<'c>(
        &self,
        range: &Range<u64>,
        context: &'c mut DecodeContext,
    ) -> Result<(&'c [Outcome], &'c [DrawEntry])> {
        self.files
            .read_draws(range, |range, features| self.give(range, features), context)
    }

    fn give(&self, range: Range<u64>, features: &mut Vec<Feature>) {
        self.game.features(self.table, range, features);
    }

    /// Replaces `values` by those of a block, with their distances if `plies` are read, and
    /// `features` by those of its positions, which say where a value is [not
    /// stored](Feature::resolved); by none if every position of the table is stored.
    ///
    /// # Panics
    /// Panics if the range is not that of a block, or if `plies` have not been added.
    pub fn read_block<V: ReadAs>(
        &self,
        block: &Range<u64>,
        plies: bool,
        context: &mut DecodeContext,
        features: &mut Vec<Feature>,
        values: &mut Vec<V>,
    ) -> Result<()> {
        features.clear();
        let stores_all = self.game.stores_every_one(self.table);
        if !stores_all {
            self.give(block.clone(), features);
        }
        let give = |range: Range<u64>, given: &mut Vec<Feature>| match stores_all {
            true => self.give(range, given),
            false => {
                let [start, end] = [range.start, range.end].map(|at| (at - block.start) as usize);
                given.clear();
                given.extend_from_slice(&features[start..end]);
            }
        };
        values.clear();
        if plies {
            let read = self.files.read_values(block, give, context)?;
            values.extend(read.iter().map(|&value| V::from(value)));
        } else {
            let read = self.files.read_outcomes(block, give, context)?;
            values.extend(read.iter().map(|&outcome| V::without_distance(outcome)));
        }
        Ok(())
    }
}
