//! The layout of morris: one side's men make a row, the other side's a column.
//!
//! `group` is the layout; `seed`, `unsteps` and `forward` look at a row's turns before, while and
//! after it is solved, `bans` at captures that rows do not tell the worth of; `placing` sweeps the
//! tables with men in hand, by `shadow` where a set of men gets one more; `squeezed` has the free
//! points of a row.

mod bans;
mod forward;
mod group;
mod lookups;
mod placing;
mod seed;
mod shadow;
mod squeezed;
mod unsteps;

use endmill_games::morris::{Morris, Position, Table};

pub use self::group::MorrisGroup;
use crate::Layout;

impl Layout for Morris {
    type Group<'g> = MorrisGroup<'g>;

    fn group(&self, table: Table) -> MorrisGroup<'_> {
        MorrisGroup::new(self, table)
    }

    fn node(&self, position: &Position) -> usize {
        node_of(self, position)
    }
}

/// The node of a position in a layout with full rows: row · columns + column.
fn node_of(game: &Morris, position: &Position) -> usize {
    let row_side = position.material().row_side();
    let men = position.men();
    let (row_men, column_men) = (men[row_side], men[1 - row_side]);
    let rows = game.rows(row_men.count_ones());
    let columns = game
        .numbering(row_men.count_ones(), column_men.count_ones())
        .columns();
    let (row, symmetry) = rows.locate(row_men);
    let free = game.board().all() & !rows.set(row);
    let carried = game.board().symmetries()[symmetry].apply(column_men);
    row * columns.len() + columns.rank(game.bits().pext(carried, free)) as usize
}
