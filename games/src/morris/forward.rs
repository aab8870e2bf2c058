//! Inside turns looked up forwards, row by row: what verifying needs.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use super::group::{FreePoints, MorrisGroup, Remap};
use super::moves::points;
use super::position::Table;
use crate::game::Game;
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
                self.raise_by_turns(row, solved.nodes(self.row_side_moves), best);
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

    /// Where both sides have the same material, the row side's men are the columns of the position
    /// that its step leads to: each is looked up by itself.
    fn raise_by_turns(&self, row: usize, nodes: &[Code], best: &mut [Appeal]) {
        for (column, best) in best.iter_mut().enumerate() {
            let position = self.position(row, column, true);
            self.game.visit_turns(&position, |turn| {
                if self.game.is_inside(&position, &turn) {
                    let next = self.game.after(&position, &turn);
                    *best = (*best).max(nodes[self.game.node_of(&next)].appeal());
                }
            });
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
                let near = if flies {
                    vacant
                } else {
                    vacant & free.neighbours[usize::from(from)]
                };
                for to in points(near) {
                    let after = others | 1 << to;
                    if can_take && free.in_mills(after) & 1 << to != 0 {
                        continue;
                    }
                    let code = nodes[columns.rank(after) as usize];
                    *best = (*best).max(code.appeal());
                }
            }
        }
    }
}
