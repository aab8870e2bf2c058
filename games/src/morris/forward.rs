//! Inside turns looked up forwards, row by row: what verifying needs.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use super::group::MorrisGroup;
use super::moves::points;
use super::position::Table;
use super::squeezed::{FreePoints, Remap};
use crate::group::{Appeal, Code, Solved};

impl MorrisGroup<'_> {
    /// Raises `best` by the inside turns of every column of a row.
    pub(super) fn raise_by_inside_turns(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        best: &mut [Appeal],
    ) {
        match self.split(row) {
            (row, true) if self.is_mirrored() => {
                self.raise_by_turned_steps(row, solved.nodes(self.row_side_moves), best);
            }
            (row, true) => {
                let partner = solved.nodes(self.row_side_moves.swapped());
                self.raise_by_row_steps(row, partner, best);
            }
            (row, false) => {
                self.raise_by_column_steps(row, solved.nodes(self.row_side_moves), best);
            }
        }
    }

    /// Where both sides have the same material, the partner is the same table, seen from the other
    /// side: the column's men make the row of the position that a step leads to, the same one for
    /// all steps.
    fn raise_by_turned_steps(&self, row: usize, nodes: &[Code], best: &mut [Appeal]) {
        let (board, bits) = (&self.game.board, self.game.bits);
        let columns = self.columns();
        let row_men = self.rows.set(row);
        let free = board.all() & !row_men;
        let can_take = self.column_side().men > 0;
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
            let nodes = &nodes[turned * columns.len()..][..columns.len()];
            let carried = symmetry.apply(row_men);
            let image = |point: u8| 1 << symmetry.images()[usize::from(point)];
            for &(from, to) in steps.iter().filter(|(_, to)| column_men >> to & 1 == 0) {
                let after = carried ^ image(from) ^ image(to);
                let code = nodes[columns.rank(bits.pext(after, vacant)) as usize];
                *best = (*best).max(code.appeal());
            }
        }
    }

    fn raise_by_row_steps(&self, row: usize, partner: &[Code], best: &mut [Appeal]) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.column_side().men > 0;
        self.visit_row_steps(row, |_, to, closes, next, symmetry| {
            if closes && can_take {
                return;
            }
            let to = free.points.iter().position(|&point| point == to);
            let to = 1 << to.expect("a step leads to a free point");
            let remap = Remap::new(&self.carry(&free.points, symmetry, self.rows.set(next)));
            let nodes = &partner[next * columns.len()..][..columns.len()];
            for (best, &men) in best.iter_mut().zip(columns.sets()) {
                if men & to == 0 {
                    let code = nodes[columns.rank(remap.apply(men)) as usize];
                    *best = (*best).max(code.appeal());
                }
            }
        });
    }

    fn raise_by_column_steps(&self, row: usize, partner: &[Code], best: &mut [Appeal]) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.row_side().men > 0;
        let flies = self.game.flies(u32::from(self.column_side().total()));
        let nodes = &partner[row * columns.len()..][..columns.len()];
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
                    *best = (*best).max(code.appeal());
                }
            }
        }
    }
}
