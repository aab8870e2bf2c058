//! The sweep by rows: every value of a group from its successors, by the forward rules, a row at a
//! time.
//!
//! It uses no levels, counters or un-moves: a position is worth what the best of its turns is worth, and
//! a turn is worth what is stored for the position it leads to. But turns are looked up row by row, with
//! the solver's seeding. So that no error of that can hide, a [`Sample`] of every table is also derived
//! [by turns](crate::proof).
//!
//! Positions that were resolved when their table was read were derived from their turns then, by the
//! code that would look them up here. Where the layout can identify them, only that is compared.

use std::collections::BTreeSet;

use endmill_games::Value;
use endmill_games::value::TableValues;
use endmill_layout::{BestTurns, Group, Layout, NodeValue, Part, Solved, TurnScore};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::mismatch::Mismatch;
use crate::nodes::Nodes;
use crate::numbered::Numbered;

use crate::places::Places;
use crate::proof::by_turns;
use crate::resident::Resident;
use crate::retrograde::mirror;
use crate::sample::Sample;
use crate::{Progress, SolveError};

/// Checks a group that has just been solved. It and the tables it leads to are resident.
pub(crate) fn check_solved<G: Layout>(
    game: &G,
    group: &G::Group<'_>,
    resident: &Resident<G::Table>,
    budget: &Budget,
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
        read: &BTreeSet::new(),
        resident,
        budget,
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
    /// The tables whose values were read from files, not solved or derived.
    pub(crate) read: &'a BTreeSet<G::Table>,
    pub(crate) resident: &'a Resident<G::Table>,
    pub(crate) budget: &'a Budget,
    /// Whether the plies of all of them are known.
    pub(crate) compare_plies: bool,
    pub(crate) sample: Sample,
    pub(crate) progress: &'a P,
}

/// The least number of nodes per task.
const NODES_PER_TASK: usize = 1 << 13;

/// Rows, or positions of the sample, after which to release the pages of scratch files.
const RELEASE_AFTER: usize = 64;

/// Solved tables, and a table that leads to itself as the second phase of its group shows it.
struct Mirrored<'a, T> {
    resident: &'a Resident<T>,
    mirror: Option<Nodes>,
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug> Solved<T> for Mirrored<'_, T> {
    fn values(&self, table: T) -> TableValues<'_> {
        self.resident.values(table)
    }

    /// Only the group that is swept asks, and it has one table.
    fn mirror(&self, _: T) -> Option<TableValues<'_>> {
        self.mirror.as_ref().map(|nodes| TableValues::Nodes(nodes))
    }
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
        let solved = Mirrored {
            resident: self.resident,
            mirror: match alone {
                true => self.mirror(&self.group.part(0, 0))?,
                false => None,
            },
        };
        let by_rows = (0..self.group.layers()).find_map(|layer| {
            let parts = (0..self.group.parts(layer)).into_par_iter().small_chunks(1);
            parts.find_map_first(|part| {
                let part = self.group.part(layer, part);
                self.check_part(&part, alone, &solved)
            })
        });
        drop(solved);
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

    /// The second phase of a part whose rows are all mirrored.
    fn mirror(&self, part: &L::Part<'_>) -> Result<Option<Nodes>, SolveError> {
        let [Some(home), None] = self.group.phase_tables() else {
            return Ok(None);
        };
        if !mirror::is_mirrored(part) {
            return Ok(None);
        }
        let (rows, width) = (part.phases()[1].clone(), part.width(1).max(1));
        let mut mirror = self.budget.nodes(rows.len() * width)?;
        if self.budget.is_short()
            && let Some(stored) = self.resident.get(home)
        {
            mirror::seed(part, stored, &mut mirror, self.budget);
            return Ok(Some(mirror));
        }
        let stored = self.resident.values(home);
        let rows_of_mirror = mirror.par_chunks_mut(width).enumerate();
        rows_of_mirror
            .small_chunks(1)
            .try_for_each_init(Vec::new, |twins, (row, nodes)| {
                if self.progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                part.mirrored(rows.start + row, twins);
                for (node, &twin) in nodes.iter_mut().zip(twins.iter()) {
                    *node = stored.node(twin);
                }
                Ok(())
            })?;
        Ok(Some(mirror))
    }

    /// Returns a mismatch if the stored value differs from the derived one, as far as plies are known.
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

    fn check_part(
        &self,
        part: &L::Part<'_>,
        alone: bool,
        solved: &Mirrored<'_, G::Table>,
    ) -> Option<End> {
        let mut homes = self.group.phase_tables().into_iter().enumerate();
        homes.find_map(|(phase, home)| match alone {
            true => self.check_phase(part, phase, home?, solved),
            false => self.check_small_phase(part, phase, home?),
        })
    }

    /// Checks one of many parts, by one thread.
    fn check_small_phase(&self, part: &L::Part<'_>, phase: usize, home: G::Table) -> Option<End> {
        if self.progress.stopped() {
            return Some(End::Stopped);
        }
        let places = Places::of(part, phase);
        let mut end = None;
        let named = self.read.contains(&home)
            && part.best_stored_turns(phase, self.resident, &mut |row, best| {
                if end.is_none() {
                    end = self.check_read_row(home, places.node(row, 0), best);
                }
            });
        if !named {
            part.best_turns(phase, self.resident, &mut |row, best| {
                if end.is_none() {
                    end = self.check_row(home, places.node(row, 0), best);
                }
            });
        }
        self.resident.release_pages();
        end
    }

    /// Checks the only part, by all threads.
    fn check_phase(
        &self,
        part: &L::Part<'_>,
        phase: usize,
        home: G::Table,
        solved: &Mirrored<'_, G::Table>,
    ) -> Option<End> {
        let places = Places::of(part, phase);
        let rows = part.phases()[phase].clone();
        let rows_per_task = (NODES_PER_TASK / part.width(phase).max(1)).max(1);
        let rows = rows.into_par_iter().small_chunks(rows_per_task);
        let check_row = |(best, twins): &mut (BestTurns<_>, Vec<usize>), row| {
            if self.progress.stopped() {
                return Some(End::Stopped);
            }
            if part.mirrored(row, twins) {
                return None;
            }
            let best = best.of_row(part, row, solved);
            if row % RELEASE_AFTER == 0 {
                self.resident.release_pages();
            }
            self.check_row(home, places.node(row, 0), best)
        };
        rows.map_init(Default::default, check_row)
            .find_map_first(|end| end)
    }

    /// Compares a row of a table that was read with the best turn of every column that is stored.
    /// Reading has derived the others, and must have treated them as resolved, too.
    fn check_read_row(&self, home: G::Table, first: usize, best: &[TurnScore]) -> Option<End> {
        let read = self
            .resident
            .get(home)
            .expect("what was read with plies is held as nodes");
        let read = &read[first..][..best.len()];
        if self.compare_plies && NodeValue::read_follow_from(read, best) {
            return None;
        }
        let mut nodes = (first..).zip(read.iter().zip(best));
        nodes.find_map(|(node, (read, best))| {
            let index = || self.numbered(home).position_of_node(node);
            match (read.is_resolved(), *best == TurnScore::RESOLVED) {
                (true, true) => None,
                (false, false) => {
                    let derived = best.value().unwrap_or(Value::LOST);
                    self.compare(home, index, read.value(), derived)
                }
                (resolved, _) => Some(End::Mismatch(Mismatch::Resolved {
                    table: home.to_string(),
                    index: index(),
                    resolved,
                })),
            }
        })
    }

    /// Compares a row with the best turn of every column. Its nodes are consecutive in the home.
    fn check_row(&self, home: G::Table, first: usize, best: &[TurnScore]) -> Option<End> {
        let mut buffer = Vec::new();
        let values = self.resident.values(home);
        let stored = values.nodes(first..first + best.len(), &mut buffer);
        if self.compare_plies && NodeValue::follow_from(stored, best) {
            return None;
        }
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
            self.resident.values(table).node(node).value()
        };
        let sample = (0..self.sample.count(size)).into_par_iter();
        sample.find_map_first(|i| {
            if self.progress.stopped() {
                return Some(End::Stopped);
            }
            if i % RELEASE_AFTER as u64 == 0 {
                self.resident.release_pages();
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

#[cfg(test)]
mod tests;
