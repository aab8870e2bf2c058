//! Inside turns looked up forwards: what verifying needs.
//!
//! Separate from the un-moves on purpose: a table is proved by the forward rules alone.

use endmill_games::bits::Bits;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::singles;

use super::captures::Slices;
use super::group::{DraughtsPart, NEIGHBOURS, Scratch};
use super::view::{Men, View};
use crate::{Part, Solved, TurnScore};

impl DraughtsPart<'_> {
    /// Visits the rows of a phase with the best turn of every column.
    #[inline(always)]
    pub(super) fn best_of_phase(
        &self,
        bits: Bits,
        phase: usize,
        solved: &impl Solved<Table>,
        visit: &mut impl FnMut(usize, &[TurnScore]),
    ) {
        let view = &self.group.views[phase];
        let mut slices = Slices::new(self.group.game, solved);
        let (mut scratch, mut seeds, mut best) = (Scratch::default(), Vec::new(), Vec::new());
        let mut row = self.phases()[phase].start;
        for men in self.men() {
            for &kings in view.rows.sets() {
                let men = men[phase];
                view.seed_row(bits, men, kings, &mut slices, &mut scratch, &mut seeds);
                best.clear();
                best.extend(seeds.iter().map(|seed| seed.outside));
                view.max_by_king_steps(bits, men, kings, &mut slices, &mut scratch, &mut best);
                visit(row, &best);
                row += 1;
            }
        }
    }
}

impl View {
    /// Raises `best` by the kings' steps of every column of the row with these men and own kings,
    /// which are given by their numbers among the squares without men. `scratch` is as
    /// [`View::find_captures`] left it.
    #[inline(always)]
    pub(super) fn max_by_king_steps<S: Solved<Table>>(
        &self,
        bits: Bits,
        men: Men,
        kings: u32,
        slices: &mut Slices<'_, S>,
        scratch: &mut Scratch,
        best: &mut [TurnScore],
    ) {
        if kings == 0 || scratch.quiet.is_empty() {
            return;
        }
        let kings = bits.pdep(kings, men.free());
        let left = men.free() & !kings;
        // Steps of kings lead to the same men, seen from the other side.
        let counts = [self.table.opponent().kings, self.table.own().kings];
        let after = slices.slice(men.turned(), counts);
        let (turned, turned_left) = (self.columns.turned(), left.reverse_bits());
        scratch.waiting.clear();
        scratch.waiting.extend(scratch.quiet.iter().map(|&column| {
            let waiting = bits.pdep(turned[column as usize], turned_left);
            (waiting, after.row(bits, waiting))
        }));
        for from in singles(kings) {
            let near = NEIGHBOURS[from.trailing_zeros() as usize];
            for to in singles(near & left) {
                let stepped = (kings ^ from ^ to).reverse_bits();
                let to = to.reverse_bits();
                for (&column, &(waiting, row)) in scratch.quiet.iter().zip(&scratch.waiting) {
                    if waiting & to == 0 {
                        let best = &mut best[column as usize];
                        *best = (*best).max(after.score_in(bits, row, waiting, stepped));
                    }
                }
            }
        }
    }
}
