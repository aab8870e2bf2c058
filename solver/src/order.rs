//! The two orders in which the values of a table lie in memory: by rows, as its group is laid out
//! for solving, and by number, for the proof by turns.

use std::sync::Mutex;

use endmill_games::{Feature, Features, Value};
use endmill_layout::{Group, Layout, NodeValue, Solved};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::counts::Counts;
use crate::derive;
use crate::load::{Buffers, Stored, one_by_one};
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::resident::Resident;
use crate::{Progress, SolveError};

/// Positions that one task reads, at least; blocks at the ends of a task are decoded twice.
const POSITIONS_PER_TASK: usize = 1 << 20;
/// Positions that one task reads or counts by number.
const NUMBERS_PER_TASK: usize = 1 << 18;

/// An order of the values of one table. Resident tables are in the same kind of order.
pub(crate) trait Order<G: Features> {
    /// Reads a stored table. The tables that it is
    /// [resolved from](endmill_games::Features::resolved_from) are in `solved`. `see` is called with
    /// all values, some in a row at a time, and the number of the first.
    fn read(
        &self,
        stored: &Stored<'_, G>,
        solved: &impl Solved<G::Table>,
        means: (&Budget, &impl Progress),
        see: impl Fn(u64, &[NodeValue]) + Sync,
    ) -> Result<Nodes, SolveError>;

    /// Derives a table from the tables one turn ahead, which are resident with plies.
    fn derive(
        &self,
        game: &G,
        table: G::Table,
        resident: &Resident<G::Table>,
        means: (&Budget, &impl Progress),
    ) -> Result<Nodes, SolveError>;

    /// Counts the positions of the table by value.
    fn counts(&self, nodes: &[NodeValue]) -> Counts;

    /// Returns the place of the position of a number.
    fn place(&self, game: &G, table: G::Table, number: u64) -> usize;

    /// Returns the number of the position at a place.
    fn number(&self, place: usize) -> u64;
}

impl<G: Layout, L: Group<Table = G::Table>> Order<G> for Numbered<'_, L> {
    fn read(
        &self,
        stored: &Stored<'_, G>,
        solved: &impl Solved<G::Table>,
        (budget, progress): (&Budget, &impl Progress),
        see: impl Fn(u64, &[NodeValue]) + Sync,
    ) -> Result<Nodes, SolveError> {
        let (game, table) = (stored.game(), stored.table());
        let value = |table, position: &G::Position| solved.values(table).node(game.node(position));
        let one_by_one = one_by_one(game, table, solved.scale(), value);
        let resolve = |first, features: &[Feature], values: &mut [Value]| {
            if !game.resolve(table, first, features, solved, values) {
                one_by_one(first, features, values);
            }
        };
        let width = self.width().max(1);
        let rows = self.rows();
        let mut nodes = budget.nodes(rows.len() * width)?;
        let rows_per_task = (POSITIONS_PER_TASK / width).max(1);
        let tasks = nodes.sections(rows_per_task * width).into_par_iter();
        tasks.enumerate().small_chunks(1).try_for_each_init(
            || (Buffers::default(), Vec::new()),
            |(buffers, codes), (task, mut section)| -> Result<(), SolveError> {
                if progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                let first = rows.start + task * rows_per_task;
                let rows = first..first + section.len() / width;
                let start = self.positions_of(rows.start).start;
                let end = self.positions_of(rows.end - 1).end;
                codes.clear();
                stored.read(start..end, &resolve, buffers, codes)?;
                see(start, codes);
                for (row, nodes) in rows.zip(section.chunks_mut(width)) {
                    let held = self.positions_of(row);
                    let within = (held.start - start) as usize..(held.end - start) as usize;
                    self.spread(row, &codes[within], nodes);
                }
                section.release_pages();
                solved.release_pages();
                Ok(())
            },
        )?;
        Ok(nodes)
    }

    fn derive(
        &self,
        _: &G,
        table: G::Table,
        resident: &Resident<G::Table>,
        (budget, progress): (&Budget, &impl Progress),
    ) -> Result<Nodes, SolveError> {
        derive::by_rows(self, table, resident, budget, progress)
    }

    fn counts(&self, nodes: &[NodeValue]) -> Counts {
        let size = self.positions();
        let counts = Mutex::new(Counts::default());
        let per_task = NUMBERS_PER_TASK as u64;
        let tasks = (0..size.div_ceil(per_task)).into_par_iter();
        tasks.for_each(|task| {
            let start = task * per_task;
            let mut codes = Vec::new();
            self.gather(nodes, start..size.min(start + per_task), &mut codes);
            let of_task = Counts::of(&codes, start);
            counts.lock().expect("adding does not panic").add(&of_task);
        });
        counts.into_inner().expect("adding does not panic")
    }

    fn place(&self, game: &G, table: G::Table, number: u64) -> usize {
        game.node(&game.unrank(table, number))
    }

    fn number(&self, place: usize) -> u64 {
        self.position_of_node(place)
    }
}

/// The order of the numbers.
pub(crate) struct ByNumber;

/// The value of the position of a number.
pub(crate) fn value<T>(solved: &impl Solved<T>, table: T, number: u64) -> NodeValue {
    solved.values(table).node(number as usize)
}

impl<G: Features> Order<G> for ByNumber {
    fn read(
        &self,
        stored: &Stored<'_, G>,
        solved: &impl Solved<G::Table>,
        (budget, progress): (&Budget, &impl Progress),
        see: impl Fn(u64, &[NodeValue]) + Sync,
    ) -> Result<Nodes, SolveError> {
        let (game, table) = (stored.game(), stored.table());
        let of_position = |table, position: &G::Position| value(solved, table, game.rank(position));
        let resolve = one_by_one(game, table, solved.scale(), of_position);
        let mut values = budget.nodes(game.size(table) as usize)?;
        let tasks = values.par_chunks_mut(NUMBERS_PER_TASK).enumerate();
        tasks.small_chunks(1).try_for_each_init(
            || (Buffers::default(), Vec::new()),
            |(buffers, codes), (task, values)| -> Result<(), SolveError> {
                if progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                let start = (task * NUMBERS_PER_TASK) as u64;
                codes.clear();
                stored.read(start..start + values.len() as u64, &resolve, buffers, codes)?;
                see(start, codes);
                values.copy_from_slice(codes);
                Ok(())
            },
        )?;
        Ok(values)
    }

    fn derive(
        &self,
        game: &G,
        table: G::Table,
        resident: &Resident<G::Table>,
        (budget, progress): (&Budget, &impl Progress),
    ) -> Result<Nodes, SolveError> {
        let of_position =
            |table, position: &G::Position| value(resident, table, game.rank(position)).value();
        derive::by_numbers(game, table, &of_position, budget, progress)
    }

    fn counts(&self, nodes: &[NodeValue]) -> Counts {
        Counts::of_all(nodes)
    }

    fn place(&self, _: &G, _: G::Table, number: u64) -> usize {
        number as usize
    }

    fn number(&self, place: usize) -> u64 {
        place as u64
    }
}
