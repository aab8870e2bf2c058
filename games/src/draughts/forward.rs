//! Inside turns looked up forwards: what verifying needs.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use super::board::{Position, Side, singles};
use super::group::{DraughtsPart, NEIGHBOURS};
use super::moves::jumpers;
use super::table::Table;
use crate::game::{Colour, Game};
use crate::group::{Appeal, Solved};

impl DraughtsPart<'_> {
    /// Raises `best` by the kings' steps of every column of a row.
    pub(super) fn raise_row(&self, row: usize, solved: &impl Solved<Table>, best: &mut [Appeal]) {
        let game = self.group.game;
        let place = self.place(row);
        let view = &self.group.views[place.phase];
        let men = self.men(&place);
        let kings = game.bits.pdep(view.rows.sets()[place.row], men.free());
        let left = men.free() & !kings;
        let partner = solved.nodes(view.table.partner());
        for (best, &column) in best.iter_mut().zip(view.columns.sets()) {
            let theirs = game.bits.pdep(column, left);
            let position = |kings: u32| Position {
                own: Side {
                    men: men.own,
                    kings,
                },
                opponent: Side {
                    men: men.opponent,
                    kings: theirs,
                },
                colour: Colour::Black,
            };
            if jumpers(&position(kings)) != 0 {
                continue;
            }
            for from in singles(kings) {
                let near = NEIGHBOURS[from.trailing_zeros() as usize];
                for to in singles(near & left & !theirs) {
                    let next = position(kings ^ from ^ to).turned();
                    *best = (*best).max(partner[game.rank(&next) as usize].appeal());
                }
            }
        }
    }
}
