//! The sweep by rows: every value of a group from its successors, by the forward rules, a row at a
//! time.
//!
//! Nothing here knows of levels, counters or un-moves: a position is worth what the best of its
//! turns is worth, and a turn is worth what is stored for the position it leads to. But turns are
//! looked up by the row, with the seeding of the solver. So that no error of that can hide, a
//! [`Sample`] of every table is also derived [by turns](crate::proof).

use endmill_games::Value;
use endmill_layout::{Group, Layout, Part, Seed, Solved, TurnScore};
use rayon::prelude::*;

use crate::mismatch::Mismatch;
use crate::numbered::Numbered;
use crate::pieces::Finely;
use crate::places::Places;
use crate::proof::by_turns;
use crate::resident::Resident;
use crate::sample::Sample;
use crate::{Progress, SolveError};

/// Checks a group that has just been solved; it and the tables it leads to are resident.
pub(crate) fn check_solved<G: Layout>(
    game: &G,
    group: &G::Group<'_>,
    resident: &Resident<G::Table>,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    let tables = group.tables().into_iter();
    let tables: Vec<_> = tables
        .map(|(table, rows)| (table, Numbered::new(group, rows, game.size(table))))
        .collect();
    let sweep = Sweep {
        game,
        group,
        tables: &tables,
        resident,
        compare_plies: true,
        sample: Sample::default(),
        progress,
    };
    match sweep.first_mismatch()? {
        None => Ok(()),
        Some(mismatch) => Err(SolveError::Wrong(mismatch)),
    }
}

/// A group whose tables, and those they lead to, are all resident.
pub(crate) struct Sweep<'a, G: Layout, L, P> {
    pub(crate) game: &'a G,
    pub(crate) group: &'a L,
    pub(crate) tables: &'a [(G::Table, Numbered<'a, L>)],
    pub(crate) resident: &'a Resident<G::Table>,
    /// Whether plies are known of all of them.
    pub(crate) compare_plies: bool,
    pub(crate) sample: Sample,
    pub(crate) progress: &'a P,
}

/// Nodes that one task looks at, at the least.
const NODES_PER_TASK: usize = 1 << 13;

/// Rows, or positions of the sample, after which to let go of what was looked at.
const LET_GO_AFTER: usize = 64;

/// What one task checks rows with.
#[derive(Default)]
struct Buffers<S> {
    scratch: S,
    seeds: Vec<Seed>,
    twins: Vec<usize>,
    best: Vec<TurnScore>,
}

/// Why a sweep ends before its last row.
enum End {
    Mismatch(Mismatch),
    Stopped,
}

impl<G: Layout, L: Group<Table = G::Table>, P: Progress> Sweep<'_, G, L, P> {
    /// The first value that is not what its successors make it.
    pub(crate) fn first_mismatch(&self) -> Result<Option<Mismatch>, SolveError> {
        let alone = self.group.layers() == 1 && self.group.parts(0) == 1;
        let by_rows = (0..self.group.layers()).find_map(|layer| {
            let parts = (0..self.group.parts(layer)).into_par_iter().finely(1);
            parts.find_map_first(|part| self.check_part(&self.group.part(layer, part), alone))
        });
        let end = by_rows.or_else(|| {
            let mut tables = self.tables.iter();
            tables.find_map(|(table, _)| self.check_sample(*table))
        });
        match end {
            None => Ok(None),
            Some(End::Mismatch(mismatch)) => Ok(Some(mismatch)),
            Some(End::Stopped) => Err(SolveError::Stopped),
        }
    }

    /// The mismatch of a stored value with the derived one, if they differ as far as plies are
    /// known.
    fn compare(
        &self,
        table: G::Table,
        index: impl FnOnce() -> u64,
        stored: Value,
        derived: Value,
    ) -> Option<End> {
        let same = match self.compare_plies {
            true => stored == derived,
            false => stored.outcome() == derived.outcome(),
        };
        (!same).then(|| {
            End::Mismatch(Mismatch::Value {
                table: table.to_string(),
                index: index(),
                stored,
                derived,
            })
        })
    }

    fn check_part(&self, part: &L::Part<'_>, alone: bool) -> Option<End> {
        let mut homes = self.group.homes().into_iter().enumerate();
        homes.find_map(|(phase, home)| match alone {
            true => self.check_phase(part, phase, home?),
            false => self.check_small_phase(part, phase, home?),
        })
    }

    /// One of many parts, by one thread.
    fn check_small_phase(&self, part: &L::Part<'_>, phase: usize, home: G::Table) -> Option<End> {
        if self.progress.stopped() {
            return Some(End::Stopped);
        }
        let places = Places::of(part, phase);
        let mut end = None;
        part.best_turns(phase, self.resident, &mut |row, best| {
            if end.is_none() {
                end = self.check_row(home, places.node(row, 0), best);
            }
        });
        self.resident.let_go();
        end
    }

    /// The only part, by all threads.
    fn check_phase(&self, part: &L::Part<'_>, phase: usize, home: G::Table) -> Option<End> {
        let places = Places::of(part, phase);
        let rows = part.phases()[phase].clone();
        let rows_per_task = (NODES_PER_TASK / part.width(phase).max(1)).max(1);
        let rows = rows.into_par_iter().finely(rows_per_task);
        let check_row = |buffers: &mut Buffers<_>, row| {
            if self.progress.stopped() {
                return Some(End::Stopped);
            }
            let Buffers {
                scratch,
                seeds,
                twins,
                best,
            } = buffers;
            if part.mirrored(row, twins) {
                return None;
            }
            part.seed(row, self.resident, scratch, seeds);
            best.clear();
            best.extend(seeds.iter().map(|seed| seed.outside));
            part.max_into(row, self.resident, scratch, best);
            if row % LET_GO_AFTER == 0 {
                self.resident.let_go();
            }
            self.check_row(home, places.node(row, 0), best)
        };
        rows.map_init(Buffers::default, check_row)
            .find_map_first(|end| end)
    }

    /// Compares a row with the best turn of every column. Its nodes follow each other in the home.
    fn check_row(&self, home: G::Table, first: usize, best: &[TurnScore]) -> Option<End> {
        let stored = &self.resident.nodes(home)[first..];
        let mut nodes = stored.iter().zip(best).enumerate();
        nodes.find_map(|(column, (stored, best))| {
            let derived = best.value().unwrap_or(Value::LOST);
            let index = || self.numbered(home).position_of_node(first + column);
            self.compare(home, index, stored.value(), derived)
        })
    }

    /// Derives the sample by turns.
    fn check_sample(&self, table: G::Table) -> Option<End> {
        let size = self.game.size(table);
        let value = |table, position: &G::Position| {
            let node = self.game.node(position);
            self.resident.values(table).code(node).value()
        };
        let sample = (0..self.sample.count(size)).into_par_iter();
        sample.find_map_first(|i| {
            if self.progress.stopped() {
                return Some(End::Stopped);
            }
            if i % LET_GO_AFTER as u64 == 0 {
                self.resident.let_go();
            }
            let index = self.sample.index(size, i);
            let position = self.game.unrank(table, index);
            let derived = by_turns(self.game, &position, &mut Vec::new(), &value);
            self.compare(table, || index, value(table, &position), derived)
        })
    }

    fn numbered(&self, table: G::Table) -> &Numbered<'_, L> {
        let found = self.tables.iter().find(|(own, ..)| *own == table);
        &found.expect("a home is a table of the group").1
    }
}
