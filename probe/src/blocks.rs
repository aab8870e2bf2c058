//! Whole tables, block by block: for programs that turn a table into something else, on as many
//! threads as they like.

use std::ops::Range;

use endmill_games::{Features, Verdict};

use crate::database::Database;
use crate::error::Result;
use crate::prober::ProbeContext;

impl<G: Features> Database<G> {
    /// Whether the distances of a table are there too; an error if the table is not.
    pub fn covers_with_plies(&self, table: G::Table) -> Result<bool> {
        Ok(self.entry(table)?.has_plies())
    }

    /// The numbers of a table's positions, cut as they are stored: what
    /// [`read_block`](Database::read_block) reads at a time.
    pub fn blocks(&self, table: G::Table) -> Result<Vec<Range<u64>>> {
        let entry = self.entry(table)?;
        let opened = self.lookup.table_set.open(&self.game, entry)?;
        let cut = opened.outcome_cut();
        Ok((0..opened.blocks()).map(|block| cut.block(block)).collect())
    }

    /// Replaces `verdicts` by those of all positions of a block, in the order of their numbers.
    ///
    /// # Panics
    /// If the range is none of [`blocks`](Database::blocks).
    pub fn read_block(
        &self,
        table: G::Table,
        block: Range<u64>,
        context: &mut ProbeContext,
        verdicts: &mut Vec<Verdict>,
    ) -> Result<()> {
        let entry = self.entry(table)?;
        let lookup = &self.lookup;
        let opened = lookup.table_set.open(&self.game, entry)?;
        let mut stored = Vec::new();
        let decode = context.decode();
        lookup.read_block(&self.game, entry, &opened, &block, decode, &mut stored)?;
        verdicts.clear();
        for (index, stored) in block.zip(stored) {
            verdicts.push(match stored {
                Some(verdict) => verdict,
                None => self.probe(&self.game.unrank(table, index))?,
            });
        }
        Ok(())
    }
}
