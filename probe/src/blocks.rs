//! Whole tables, block by block, for programs that convert tables, on any number of threads.

use std::ops::{ControlFlow, Range};

use endmill_games::{Features, Verdict};

use crate::database::Database;
use crate::error::Result;
use crate::prober::ProbeContext;

impl<G: Features> Database<G> {
    /// Returns true if the distances of a table are known; fails if the table is missing.
    pub fn covers_with_plies(&self, table: G::Table) -> Result<bool> {
        Ok(self.entry(table)?.has_plies())
    }

    /// Returns the blocks of a table, as ranges of the numbers of its positions, for
    /// [`read_block`](Database::read_block).
    pub fn blocks(&self, table: G::Table) -> Result<Vec<Range<u64>>> {
        let entry = self.entry(table)?;
        let opened = self.lookup.table_set.open(&self.game, entry)?;
        let cut = opened.outcome_cut();
        Ok((0..opened.blocks()).map(|block| cut.block(block)).collect())
    }

    /// Replaces `verdicts` by the values of all positions of a block, in the order of their numbers.
    ///
    /// # Panics
    /// Panics if the range is not one of [`blocks`](Database::blocks).
    pub fn read_block(
        &self,
        table: G::Table,
        block: Range<u64>,
        context: &mut ProbeContext,
        verdicts: &mut Vec<Verdict>,
    ) -> Result<()> {
        let (game, entry, mut absent) = (&self.game, self.entry(table)?, Vec::new());
        let decode = context.decode();
        self.lookup
            .read_block(game, entry, &block, decode, verdicts, &mut absent)?;
        for place in absent {
            verdicts[place] = self.probe(&game.unrank(table, block.start + place as u64))?;
        }
        Ok(())
    }

    /// Visits every position of a table by its number, until `visit` breaks.
    pub(crate) fn visit_all(
        &self,
        table: G::Table,
        mut visit: impl FnMut(u64, Verdict) -> ControlFlow<()>,
    ) -> Result<()> {
        let (mut context, mut verdicts) = (ProbeContext::default(), Vec::new());
        for block in self.blocks(table)? {
            self.read_block(table, block.clone(), &mut context, &mut verdicts)?;
            for (index, &verdict) in block.zip(&verdicts) {
                if visit(index, verdict).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
