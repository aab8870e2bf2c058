//! The layout of draughts: parts of equal men, in which only kings move.
//!
//! `group` is the layout, `layers` the order of its parts, `view` the slices as rows and columns,
//! `grid` a part for one thread; `seed` says what is known of a part before it is solved, `captures`
//! looks captures up, `resolve` does so for the positions that are not stored, `forward` looks
//! inside turns up for verifying, `king_steps` those of many rows at once.

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
use crate::{Layout, Solved};

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

    /// Men configurations and the nodes of a slice are numbered in 32 bits.
    fn can_lay_out(&self, table: Table) -> bool {
        let most = u64::from(u32::MAX);
        self.men_configurations(table) <= most && self.slice_size(table) <= most
    }
}
