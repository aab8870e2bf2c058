//! Turns that change no material looked up forwards, row by row: what verifying needs, and what
//! tables with a count are swept by.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use endmill_games::morris::moves::points;

use super::group::MorrisGroup;
use super::squeezed::{FreePoints, Remap};
use crate::values::Values;
use crate::{NodeValue, TurnScore};

impl MorrisGroup<'_> {
    /// Raises `best` by the steps without removal of every column of a row; `next` is the table that
    /// they lead to: the partner, or that of the next count.
    pub(super) fn max_by_quiet_steps(
        &self,
        row: usize,
        next: Values<'_>,
        buffer: &mut Vec<NodeValue>,
        best: &mut [TurnScore],
    ) {
        match self.split(row) {
            (row, true) if self.is_mirrored() => self.max_by_turned_steps(row, next, best),
            (row, true) => self.max_by_row_steps(row, next, buffer, best),
            (row, false) => self.max_by_column_steps(row, next, buffer, best),
        }
    }

    /// Where both sides have the same material, the partner is the same table, seen from the other
    /// side: the column's men make the row of the position that a step leads to, the same one for
    /// all steps.
    fn max_by_turned_steps(&self, row: usize, next: Values<'_>, best: &mut [TurnScore]) {
        let (board, bits) = (&self.game.board(), self.game.bits());
        let columns = self.columns();
        let row_men = self.rows.set(row);
        let free = board.all() & !row_men;
        let can_take = self.column_side().men() > 0;
        let mut steps = Vec::new();
        self.visit_row_steps(row, |from, to, closes, _, _| {
            if !closes || !can_take {
                steps.push((from, to));
            }
        });
        for (best, &squeezed) in best.iter_mut().zip(columns.sets()) {
            let column_men = bits.pdep(squeezed, free);
            let (turned, symmetry) = self.rows.locate(column_men);
            let symmetry = &board.symmetries()[symmetry];
            let vacant = board.all() & !self.rows.set(turned);
            let first = turned * columns.len();
            let carried = symmetry.apply(row_men);
            let image = |point: u8| 1 << symmetry.images()[usize::from(point)];
            for &(from, to) in steps.iter().filter(|(_, to)| column_men >> to & 1 == 0) {
                let after = carried ^ image(from) ^ image(to);
                let code = next.code(first + columns.rank(bits.pext(after, vacant)) as usize);
                *best = (*best).max(code.score());
            }
        }
    }

    fn max_by_row_steps(
        &self,
        row: usize,
        partner: Values<'_>,
        buffer: &mut Vec<NodeValue>,
        best: &mut [TurnScore],
    ) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.column_side().men() > 0;
        self.visit_row_steps(row, |_, to, closes, next, symmetry| {
            if closes && can_take {
                return;
            }
            let to = free.points.iter().position(|&point| point == to);
            let to = 1 << to.expect("a step leads to a free point");
            let remap = Remap::new(&self.carry(&free.points, symmetry, self.rows.set(next)));
            let nodes = next * columns.len()..(next + 1) * columns.len();
            let nodes = partner.codes(nodes, buffer);
            for (best, &men) in best.iter_mut().zip(columns.sets()) {
                if men & to == 0 {
                    let code = nodes[columns.rank(remap.apply(men)) as usize];
                    *best = (*best).max(code.score());
                }
            }
        });
    }

    fn max_by_column_steps(
        &self,
        row: usize,
        partner: Values<'_>,
        buffer: &mut Vec<NodeValue>,
        best: &mut [TurnScore],
    ) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.row_side().men() > 0;
        let flies = self.game.flies(u32::from(self.column_side().total()));
        let nodes = partner.codes(row * columns.len()..(row + 1) * columns.len(), buffer);
        for (best, &men) in best.iter_mut().zip(columns.sets()) {
            let vacant = free.all() & !men;
            for from in points(men) {
                let others = men & !(1 << from);
                let mut near = vacant;
                if !flies {
                    near &= free.neighbours[usize::from(from)];
                }
                if can_take {
                    near &= !free.mill_closers(others);
                }
                for to in points(near) {
                    let code = nodes[columns.rank(others | 1 << to) as usize];
                    *best = (*best).max(code.score());
                }
            }
        }
    }
}
