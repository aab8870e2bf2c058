//! A whole table of the database in memory, two bytes per position.

use endmill_games::Numbering;
use endmill_games::morris::{Morris, Table};
use endmill_games::value::PackedVerdict;
use endmill_probe::{Database, ProbeContext, Verdict};
use rayon::prelude::*;

use crate::Progress;
use crate::error::{Error, Result};

/// The verdicts of a table.
pub(crate) struct TableVerdicts<'a> {
    game: &'a Morris,
    table: Table,
    packed: Vec<PackedVerdict>,
}

impl<'a> TableVerdicts<'a> {
    /// Reads a table with all threads.
    pub(crate) fn read(
        database: &'a Database<Morris>,
        table: Table,
        progress: &dyn Progress,
    ) -> Result<TableVerdicts<'a>> {
        let game = database.game();
        let mut packed = vec![PackedVerdict::DRAW; game.size(table) as usize];
        let mut blocks = Vec::new();
        let mut rest = &mut packed[..];
        for block in database.blocks(table)? {
            let (own, others) = rest.split_at_mut((block.end - block.start) as usize);
            blocks.push((block, own));
            rest = others;
        }
        let read = |buffers: &mut (ProbeContext, Vec<Verdict>), (block, packed)| {
            if progress.stopped() {
                return Err(Error::Stopped);
            }
            let (context, verdicts) = buffers;
            let packed: &mut [PackedVerdict] = packed;
            database.read_block(table, block, context, verdicts)?;
            for (packed, &verdict) in packed.iter_mut().zip(&*verdicts) {
                *packed = verdict.into();
            }
            Ok(())
        };
        blocks
            .into_par_iter()
            .try_for_each_init(Default::default, read)?;
        Ok(TableVerdicts {
            game,
            table,
            packed,
        })
    }

    /// The value of the position with these men of both sides, in our numbers.
    #[inline]
    pub(crate) fn of(&self, men: [u32; 2]) -> Verdict {
        let position = self.game.position_unchecked(self.table, men);
        self.packed[self.game.rank(&position) as usize].into()
    }
}
