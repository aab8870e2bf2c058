//! A whole table of the database in memory: two bytes a position, looked up by number.

use endmill_games::morris::{Morris, Table};
use endmill_games::{Numbering, Outcome};
use endmill_probe::{Database, ProbeContext, Verdict};
use rayon::prelude::*;

use crate::Progress;
use crate::error::{Error, Result};

/// A verdict in two bytes: the plies, odd for a win and even for a loss, or one of these.
const DRAW: u16 = u16::MAX;
const WIN: u16 = u16::MAX - 1;
const LOSS: u16 = u16::MAX - 2;

/// The verdicts of a table.
pub(crate) struct Values<'a> {
    game: &'a Morris,
    table: Table,
    codes: Vec<u16>,
}

impl<'a> Values<'a> {
    /// Reads all of a table, on all threads.
    pub(crate) fn read(
        database: &'a Database<Morris>,
        table: Table,
        progress: &dyn Progress,
    ) -> Result<Values<'a>> {
        let game = database.game();
        let mut codes = vec![0; game.size(table) as usize];
        let mut blocks = Vec::new();
        let mut rest = &mut codes[..];
        for block in database.blocks(table)? {
            let (own, others) = rest.split_at_mut((block.end - block.start) as usize);
            blocks.push((block, own));
            rest = others;
        }
        let read = |buffers: &mut (ProbeContext, Vec<Verdict>), (block, codes)| {
            if progress.stopped() {
                return Err(Error::Stopped);
            }
            let (context, verdicts) = buffers;
            let codes: &mut [u16] = codes;
            database.read_block(table, block, context, verdicts)?;
            for (code, &verdict) in codes.iter_mut().zip(&*verdicts) {
                *code = coded(verdict);
            }
            Ok(())
        };
        blocks
            .into_par_iter()
            .try_for_each_init(Default::default, read)?;
        Ok(Values { game, table, codes })
    }

    /// What a position is worth, by the men of the two sides in our numbers.
    #[inline]
    pub(crate) fn of(&self, men: [u32; 2]) -> Verdict {
        let position = self.game.position_unchecked(self.table, men);
        decoded(self.codes[self.game.rank(&position) as usize])
    }
}

fn coded(verdict: Verdict) -> u16 {
    match (verdict.plies(), verdict.outcome()) {
        (Some(plies), _) => plies,
        (None, Outcome::Draw) => DRAW,
        (None, Outcome::Win) => WIN,
        (None, Outcome::Loss) => LOSS,
    }
}

#[inline]
fn decoded(code: u16) -> Verdict {
    use endmill_games::Value;
    match code {
        DRAW => Value::Draw.into(),
        WIN => Outcome::Win.into(),
        LOSS => Outcome::Loss.into(),
        plies if plies % 2 == 1 => Value::Win(plies).into(),
        plies => Value::Loss(plies).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endmill_games::Value;

    #[test]
    fn verdicts_fit_two_bytes() {
        let exact = [
            Value::Win(1),
            Value::Win(16_383),
            Value::Loss(0),
            Value::Draw,
        ];
        let exact = exact.into_iter().map(Verdict::from);
        let bare = [Outcome::Win, Outcome::Loss, Outcome::Draw].into_iter();
        for verdict in exact.chain(bare.map(Verdict::from)) {
            assert_eq!(decoded(coded(verdict)), verdict);
        }
    }
}
