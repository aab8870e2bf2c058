//! The layout of morris: one side's men make a row, the other side's a column.
//!
//! `group` is the layout; `seed`, `unsteps` and `forward` handle a row's turns before, during and
//! after solving, `bans` the captures whose value does not follow from rows; `placing` sweeps the
//! tables with men in hand, using `shadow` where a set of men gets one more; `squeezed` has the
//! free points of a row.

mod bans;
mod forward;
mod group;
mod lookups;
mod placing;
mod seed;
mod shadow;
mod squeezed;
mod unsteps;

use endmill_games::combinadics::binomial;
use endmill_games::morris::{Morris, Position, Table};

pub use self::group::MorrisGroup;
use crate::Layout;

impl Layout for Morris {
    type Group<'g> = MorrisGroup<'g>;

    fn group(&self, table: Table) -> MorrisGroup<'_> {
        MorrisGroup::new(self, table)
    }

    fn node(&self, position: &Position) -> usize {
        let at = self.locate(position);
        let column = self.column(at.rows, at.numbering, at.row, at.column_men);
        at.row * at.numbering.columns().len() + column as usize
    }

    /// Rows are full.
    fn nodes(&self, table: Table) -> u64 {
        let forces = [table.mover(), table.opponent()].map(|force| force.men());
        let (row_men, column_men) = (forces[table.row_side()], forces[1 - table.row_side()]);
        let free = self.board().points() as u32 - u32::from(row_men);
        self.row_count(row_men) * binomial(free, u32::from(column_men))
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::Numbering;
    use endmill_games::morris::RULESETS;

    use super::*;
    use crate::Group;

    #[test]
    fn nodes_are_counted_as_groups_lay_them_out() {
        for rules in RULESETS.iter() {
            let game = Morris::new(rules);
            for table in game.tables(Some(6)) {
                let group = game.group(table);
                let tables = group.tables().into_iter();
                for (table, rows) in tables {
                    let nodes = rows.len() * group.width();
                    assert_eq!(game.nodes(table), nodes as u64, "{} {table}", rules.id);
                }
            }
        }
    }
}
