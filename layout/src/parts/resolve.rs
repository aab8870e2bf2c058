//! Resolves positions with a capture in bulk while a table is loaded.
//!
//! They are not stored: their value is that of the best capture. The loop follows the numbering:
//! the opponent's kings change fastest, then the own kings, then the men.

use endmill_games::bits::Bits;
use endmill_games::combinadics::{binomial, colex_unrank, following};
use endmill_games::draughts::board::Side;
use endmill_games::draughts::{Draughts, Table};
use endmill_games::{Feature, Value};

use super::captures::Slices;
use crate::Solved;

/// Replaces the values of the resolved positions from rank `first` on.
#[inline(always)]
pub(super) fn resolve(
    game: &Draughts,
    bits: Bits,
    table: Table,
    first: u64,
    features: &[Feature],
    solved: &impl Solved<Table>,
    values: &mut [Value],
) {
    let slice = game.slice_size(table);
    let (own_kings, their_kings) = (table.own().kings, table.opponent().kings);
    let columns = binomial(32 - table.men() - own_kings, their_kings);
    let mut slices = Slices::new(game, solved);
    // The current slice and row.
    let (mut men, mut at_slice) = ((0, 0), u64::MAX);
    let (mut kings, mut at_row) = (0, u64::MAX);
    // The opponent's kings among the remaining squares, and their column.
    let (mut set, mut at_column) = (0, 0);
    let positions = (first..).zip(features.iter().zip(values));
    for (number, (_, value)) in positions.filter(|(_, (feature, _))| feature.resolved) {
        let row = number / columns;
        if row != at_row {
            at_row = row;
            if number / slice != at_slice {
                at_slice = number / slice;
                men = game.unrank_men(table, at_slice);
            }
            let own = colex_unrank(number % slice / columns, own_kings);
            kings = bits.pdep(own, !(men.0 | men.1));
            at_column = number % columns;
            set = colex_unrank(at_column, their_kings);
        }
        // The next position with a capture is usually close.
        let column = number - row * columns;
        while at_column < column {
            set = following(set);
            at_column += 1;
        }
        let left = !(men.0 | men.1 | kings);
        let theirs = bits.pdep(set, left);
        let (own, opponent) = (Side::new(men.0, kings), Side::new(men.1, theirs));
        let best = slices.best_capture(bits, own, opponent);
        *value = best.value_on(solved.scale()).unwrap_or(Value::LOST);
    }
}
