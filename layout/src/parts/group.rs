//! A draughts group laid out for solving.
//!
//! Men only advance. So the positions with the same men form a closed set in which only kings move;
//! a man's step leads to a set with more advanced men, which can be solved before. This defines the
//! parts and layers of a group: a layer is the men configurations with the same total advancement,
//! a part is one such configuration, or a bundle of them if there are few kings to place.
//!
//! A part has two phases, one for each side to move. Both are slices of the numbering: a row holds
//! all nodes with the same kings of the side to move, a column stands for the kings of its
//! opponent. An un-move reverses a step of the opponent, so it leads from one row to many rows of
//! the other phase; but a slice is small, stays in the second-level cache, and the nodes need no
//! rearranging. (In the tables as a whole a row is a whole slice.)
//!
//! If both sides have the same material, the second phase of men configuration c is the slice of
//! its mirror, in the same table. Only one of such a pair is listed. A configuration that is its
//! own mirror is solved twice, once in each phase, with the same result.

use std::ops::Range;
use std::sync::OnceLock;

use endmill_games::bits::Bits;
use endmill_games::draughts::board::{Side, visit_king_steps};
use endmill_games::draughts::{Draughts, Table};

use super::captures::Slices;
use super::forward::Captures;
use super::grid::DraughtsGrid;
use super::layers::Layers;
use super::view::{Men, Sets, View, king_node};
use crate::absent::Absent;
use crate::grid::MOST_CELLS;
use crate::{Group, Layout, Part, Seed, Solved, TurnScore, Visit};

/// The number of nodes of a phase that are bundled into one part, if a single slice is smaller:
/// enough to make the part worth a task, few enough for the first-level cache and for every thread
/// to have some parts of a layer.
const NODES_PER_PART: usize = 1 << 13;

/// Bytes of each configuration while they are sorted into layers: its layer, and its number.
pub(super) const BYTES_PER_CONFIGURATION: u64 = (size_of::<Option<u8>>() + size_of::<u32>()) as u64;

/// Men configurations in a part, if each has this many nodes of a phase.
pub(super) fn bundle(slice: u64) -> u64 {
    (NODES_PER_PART as u64).div_ceil(slice)
}

/// Un-moves per batch.
const BATCH: usize = 1024;

/// See the module.
#[derive(Debug)]
pub struct DraughtsGroup<'g> {
    pub(super) game: &'g Draughts,
    /// The views of the two phases.
    pub(super) views: [View; 2],
    /// Computed on first use: reading and writing a table do not need them.
    layers: OnceLock<Layers>,
    /// Men configurations in a part.
    bundle: usize,
}

impl<'g> DraughtsGroup<'g> {
    pub(super) fn new(game: &'g Draughts, table: Table) -> DraughtsGroup<'g> {
        let table = table.min(table.partner());
        let views = [View::new(table), View::new(table.partner())];
        let slice = views[0].slice();
        assert!(game.can_lay_out(table), "{table} is too large to be solved");
        DraughtsGroup {
            game,
            views,
            layers: OnceLock::new(),
            bundle: bundle(slice as u64) as usize,
        }
    }

    fn sorted(&self) -> &Layers {
        self.layers.get_or_init(|| {
            // A man can advance by six rows without being crowned.
            let most = 6 * self.views[0].table.men();
            let mut layer_of = Vec::with_capacity(self.configurations());
            (self.game).visit_men(self.views[0].table, |own, opponent| {
                let men = Men { own, opponent };
                let layer = most - men.advancement();
                let listed = self.is_listed(layer_of.len() as u32, men);
                layer_of.push(listed.then_some(layer as u8));
            });
            Layers::new(most as usize + 1, &layer_of)
        })
    }

    /// Men configurations, the same number in both tables.
    fn configurations(&self) -> usize {
        self.game.men_configurations(self.views[0].table) as usize
    }

    /// Returns the men of a slice of the first phase's table.
    fn men(&self, number: u32) -> Men {
        let (own, opponent) = (self.game).unrank_men(self.views[0].table, u64::from(number));
        Men { own, opponent }
    }

    /// Returns whether a configuration is listed: only the first of two that mirror each other is.
    fn is_listed(&self, number: u32, men: Men) -> bool {
        let equal_sides = self.views[0].table == self.views[1].table;
        !equal_sides || u64::from(number) <= self.men_number(men.turned())
    }

    pub(super) fn men_number(&self, men: Men) -> u64 {
        self.game.rank_men(men.own, men.opponent)
    }
}

impl<'g> Group for DraughtsGroup<'g> {
    type Table = Table;
    type Part<'p>
        = DraughtsPart<'p>
    where
        Self: 'p;

    fn tables(&self) -> Vec<(Table, Range<usize>)> {
        let rows = self.configurations();
        let mut tables = vec![
            (self.views[0].table, 0..rows),
            (self.views[1].table, rows..2 * rows),
        ];
        tables.dedup_by_key(|(table, _)| *table);
        tables
    }

    fn width(&self) -> usize {
        self.views[0].slice()
    }

    fn first_position(&self, row: usize) -> u64 {
        (row % self.configurations() * self.width()) as u64
    }

    fn copies(&self, _: usize) -> Option<Vec<u32>> {
        None
    }

    fn phase_tables(&self) -> [Option<Table>; 2] {
        [0, 1].map(|phase| Some(self.views[phase].table))
    }

    fn layers(&self) -> usize {
        self.sorted().starts.len() - 1
    }

    fn parts(&self, layer: usize) -> usize {
        let starts = &self.sorted().starts;
        (starts[layer + 1] - starts[layer]).div_ceil(self.bundle)
    }

    fn part(&self, layer: usize, number: usize) -> DraughtsPart<'_> {
        let Layers {
            configurations,
            starts,
        } = self.sorted();
        let start = starts[layer] + number * self.bundle;
        let end = starts[layer + 1].min(start + self.bundle);
        let both = |&number: &u32| {
            let men = self.men(number);
            [men, men.turned()]
        };
        DraughtsPart {
            group: self,
            men: configurations[start..end].iter().map(both).collect(),
        }
    }
}

/// Some men configurations of a layer. Rows go by configuration, then by kings.
#[derive(Debug)]
pub struct DraughtsPart<'p> {
    pub(super) group: &'p DraughtsGroup<'p>,
    /// As seen in each phase.
    men: Vec<[Men; 2]>,
}

/// Where a row is.
struct RowAddress {
    phase: usize,
    /// The number of the men configuration in its part.
    configuration: usize,
    /// The number of the row in its slice.
    row: usize,
}

impl DraughtsPart<'_> {
    fn address(&self, row: usize) -> RowAddress {
        let [first, second] = self.phases();
        let (phase, row) = if row < second.start {
            (0, row - first.start)
        } else {
            (1, row - second.start)
        };
        let rows = self.group.views[phase].rows.len();
        RowAddress {
            phase,
            configuration: row / rows,
            row: row % rows,
        }
    }

    /// Returns the men of every configuration, as seen in each phase.
    pub(super) fn men(&self) -> &[[Men; 2]] {
        &self.men
    }

    /// Returns the sets of kings of the side to move in a phase, on the squares without men.
    pub(super) fn king_sets(&self, phase: usize) -> &Sets {
        &self.group.views[phase].rows
    }

    /// Returns the view of a row, its men, and its own kings by their numbers among the squares
    /// without men.
    fn row(&self, row: usize) -> (&View, Men, u32) {
        let at = self.address(row);
        let view = &self.group.views[at.phase];
        (view, self.men_at(&at), view.rows.sets()[at.row])
    }

    /// Returns the men as the side to move sees them.
    fn men_at(&self, at: &RowAddress) -> Men {
        self.men[at.configuration][at.phase]
    }
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Scratch {
    batch: Vec<u32>,
    pub(super) kings: Vec<u32>,
    pub(super) jumped: Vec<u32>,
    /// The columns without a capture.
    pub(super) quiet: Vec<u32>,
    /// The opposing kings of each of them as their side sees them, and the row of these kings after
    /// a king's step.
    pub(super) waiting: Vec<(u32, usize)>,
}

impl Part for DraughtsPart<'_> {
    type Table = Table;
    type Scratch = Scratch;
    type Grid<'a>
        = DraughtsGrid<'a>
    where
        Self: 'a;
    type RowPass<'a>
        = Absent<Scratch>
    where
        Self: 'a;

    fn grid(&self) -> Option<DraughtsGrid<'_>> {
        let [first, second] = [0, 1].map(|phase| self.king_sets(phase).len() as u64);
        let cells = first
            .checked_mul(second)?
            .checked_mul(self.men.len() as u64)?;
        (cells <= MOST_CELLS).then(|| DraughtsGrid::new(self))
    }

    fn row_pass(&self) -> Option<Absent<Scratch>> {
        None
    }

    fn phases(&self) -> [Range<usize>; 2] {
        let [first, second] = [0, 1].map(|p| self.men.len() * self.group.views[p].rows.len());
        [0..first, first..first + second]
    }

    fn width(&self, phase: usize) -> usize {
        self.group.views[phase].columns.len()
    }

    fn runs(&self, phase: usize) -> Vec<usize> {
        let slice = self.group.width();
        let numbers = (self.men.iter()).map(|men| self.group.men_number(men[phase]) as usize);
        numbers.map(|number| number * slice).collect()
    }

    fn mirrored(&self, _: usize, _: &mut Vec<usize>) -> bool {
        false
    }

    fn seed(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let bits = self.group.game.bits();
        let (view, men, kings) = self.row(row);
        let mut slices = Slices::new(self.group.game, solved);
        bits.in_place(
            #[inline(always)]
            |bits| view.seed_row(bits, men, kings, &mut slices, scratch, seeds),
        );
    }

    fn max_into(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        best: &mut [TurnScore],
    ) {
        let bits = self.group.game.bits();
        let (view, men, kings) = self.row(row);
        let mut slices = Slices::new(self.group.game, solved);
        bits.in_place(
            #[inline(always)]
            |bits| {
                let own = Side::new(men.own, bits.pdep(kings, men.free()));
                view.find_captures(bits, own, men.opponent, scratch);
                view.max_by_king_steps(bits, men, kings, &mut slices, scratch, best);
            },
        );
    }

    fn best_turns(
        &self,
        phase: usize,
        solved: &impl Solved<Table>,
        visit: &mut impl FnMut(usize, &[TurnScore]),
    ) {
        let bits = self.group.game.bits();
        bits.in_place(
            #[inline(always)]
            |bits| self.best_of_phase(bits, phase, solved, Captures::LookUp, visit),
        );
    }

    fn best_stored_turns(
        &self,
        phase: usize,
        solved: &impl Solved<Table>,
        visit: &mut impl FnMut(usize, &[TurnScore]),
    ) -> bool {
        let bits = self.group.game.bits();
        bits.in_place(
            #[inline(always)]
            |bits| self.best_of_phase(bits, phase, solved, Captures::Name, visit),
        );
        true
    }

    fn unmoves(&self, row: usize, columns: &[u32], scratch: &mut Scratch, visit: &mut impl Visit) {
        let bits = self.group.game.bits();
        bits.in_place(
            #[inline(always)]
            |bits| self.unmoves_of(bits, row, columns, &mut scratch.batch, visit),
        );
    }
}

impl DraughtsPart<'_> {
    #[inline(always)]
    fn unmoves_of(
        &self,
        bits: Bits,
        row: usize,
        columns: &[u32],
        batch: &mut Vec<u32>,
        visit: &mut impl Visit,
    ) {
        let at = self.address(row);
        let view = &self.group.views[at.phase];
        if view.table.opponent().kings == 0 {
            return;
        }
        // From here on as seen by the side that moved, which is to move in the nodes before.
        let free = self.men_at(&at).turned().free();
        let waiting = bits.pdep(view.rows.turned()[at.row], free);
        let left = free & !waiting;
        let first = at.configuration * view.slice();
        let width = self.width(1 - at.phase);
        batch.clear();
        for &column in columns {
            let kings = bits.pdep(view.columns.turned()[column as usize], left);
            visit_king_steps(
                kings,
                left & !kings,
                #[inline(always)]
                |to, from| {
                    let before = kings ^ to ^ from;
                    batch.push((first + king_node(bits, free, before, waiting, width)) as u32);
                },
            );
            if batch.len() >= BATCH {
                visit.scattered(batch);
                batch.clear();
            }
        }
        visit.scattered(batch);
    }
}
