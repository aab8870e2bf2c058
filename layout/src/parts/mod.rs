//! The layout of draughts: parts with the same men, in which only kings move.
//!
//! `group` is the layout, `layers` the order of its parts, `view` the slices as rows and columns,
//! `grid` a part for one thread; `seed` computes the seeds of a part, `captures` looks captures up,
//! `resolve` does so for positions that are not stored, `forward` looks inside turns up for
//! verifying, `king_steps` those of many rows at once.

mod captures;
mod forward;
mod grid;
mod group;
mod king_steps;
mod layers;
mod resolve;
mod seed;
mod view;

use endmill_games::draughts::{Draughts, Position, Table};
use endmill_games::{Feature, Numbering, Value};

pub use self::grid::DraughtsGrid;
pub use self::group::{DraughtsGroup, DraughtsPart};
use crate::{Layout, PartSizes, Solved};

/// The layers that a man advances through: more men spread over the layers no worse than one.
const LAYERS_OF_A_MAN: u64 = 7;

impl Layout for Draughts {
    type Group<'g> = DraughtsGroup<'g>;

    fn group(&self, table: Table) -> DraughtsGroup<'_> {
        DraughtsGroup::new(self, table)
    }

    fn node(&self, position: &Position) -> usize {
        self.rank(position) as usize
    }

    fn resolve(
        &self,
        table: Table,
        first: u64,
        features: &[Feature],
        solved: &impl Solved<Table>,
        values: &mut [Value],
    ) -> bool {
        let bits = self.bits();
        bits.in_place(
            #[inline(always)]
            |bits| resolve::resolve(self, bits, table, first, features, solved, values),
        );
        true
    }

    fn part_sizes(&self, table: Table) -> Option<PartSizes> {
        if table.men() == 0 {
            return None;
        }
        let (configurations, slice) = (self.men_configurations(table), self.slice_size(table));
        // With equal sides, a configuration and its mirror share a part.
        let listed = match table == table.partner() {
            true => configurations.div_ceil(2),
            false => configurations,
        };
        let bundle = group::bundle(slice);
        Some(PartSizes {
            nodes: slice.saturating_mul(bundle),
            in_layer: listed.div_ceil(LAYERS_OF_A_MAN).div_ceil(bundle),
            list_bytes: configurations.saturating_mul(group::BYTES_PER_CONFIGURATION),
        })
    }

    /// Men configurations and the nodes of a slice are numbered in 32 bits.
    fn can_lay_out(&self, table: Table) -> bool {
        let most = u64::from(u32::MAX);
        self.men_configurations(table) <= most && self.slice_size(table) <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, Part};

    #[test]
    fn parts_are_about_as_many_and_as_large_as_they_are_said_to_be() {
        let game = Draughts::new();
        for table in game.tables(Some(4)) {
            let group = game.group(table);
            let most = (0..group.layers()).map(|layer| group.parts(layer)).max();
            let most = most.unwrap() as u64;
            let Some(sizes) = game.part_sizes(table) else {
                assert_eq!((group.layers(), most), (1, 1), "{table}");
                continue;
            };
            assert!(sizes.in_layer <= 2 * most, "{table}: {most}, {sizes:?}");
            assert!(most <= 2 * sizes.in_layer, "{table}: {most}, {sizes:?}");
            for layer in (0..group.layers()).filter(|&layer| group.parts(layer) > 0) {
                let part = group.part(layer, 0);
                let nodes = part.phases()[0].len() * part.width(0);
                assert!(nodes as u64 <= sizes.nodes, "{table}: {nodes}, {sizes:?}");
            }
        }
    }
}
