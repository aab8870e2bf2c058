//! Inside turns looked up forwards: what verifying needs.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use endmill_games::bits::Bits;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::{Position, Side, singles};
use endmill_games::draughts::moves::jumpers;

use super::captures::Slices;
use super::group::{DraughtsPart, NEIGHBOURS};
use crate::{Solved, TurnScore};

impl DraughtsPart<'_> {
    /// Raises `best` by the kings' steps of every column of a row.
    #[inline(always)]
    pub(super) fn raise_row(
        &self,
        bits: Bits,
        row: usize,
        solved: &impl Solved<Table>,
        best: &mut [TurnScore],
    ) {
        let place = self.place(row);
        let view = &self.group.views[place.phase];
        let men = self.men_at(&place);
        let kings = bits.pdep(view.rows.sets()[place.row], men.free());
        if kings == 0 {
            return;
        }
        let left = men.free() & !kings;
        // Steps of kings lead to the same men, seen from the other side.
        let counts = [view.table.opponent().kings, view.table.own().kings];
        let mut slices = Slices::new(self.group.game, solved);
        let after = slices.slice(men.turned(), counts);
        for (best, &column) in best.iter_mut().zip(view.columns.sets()) {
            let theirs = bits.pdep(column, left);
            let (own, opponent) = (Side::new(men.own, kings), Side::new(men.opponent, theirs));
            if jumpers(&Position::from_sides_unchecked(own, opponent)) != 0 {
                continue;
            }
            let waiting = theirs.reverse_bits();
            for from in singles(kings) {
                let near = NEIGHBOURS[from.trailing_zeros() as usize];
                for to in singles(near & left & !theirs) {
                    let stepped = (kings ^ from ^ to).reverse_bits();
                    *best = (*best).max(after.score(bits, waiting, stepped));
                }
            }
        }
    }
}
