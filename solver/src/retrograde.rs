//! Solving one group: layer by layer, the parts of a layer independently of each other.
//!
//! There are four ways to solve a part:
//!
//! | module | for | how |
//! |---|---|---|
//! | `part` | any part in memory | level by level: flagged rows are scanned for decided nodes |
//! | `queue` | a small part, one thread | level by level: decided cells are queued |
//! | `row_pass` | a large part with a row pass, in scratch files | one pass over all rows per ply |
//! | `sweep` | a group without inside turns | one pass, no levels |
//!
//! Where a layer has enough parts, each is solved by one thread in separate buffers, so that nothing
//! is shared and everything stays in that thread's caches; otherwise all threads solve one part after
//! the other. Parts read the tables of their own group, so they are solved in batches, and their nodes
//! are copied to the tables between batches. A group that is a single part is solved in place.

pub(crate) mod flags;
mod level;
pub(crate) mod mirror;
pub(crate) mod part;
mod pool;
mod queue;
mod row_pass;
mod sweep;

use std::fmt::Display;

use endmill_games::value::{Misfit, NodeState, TableValues};
use endmill_layout::{Group, Part, Solved};
use rayon::prelude::*;

use self::flags::Flags;
use self::part::Threads;
use self::pool::{PartMemory, PartPool};
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::memory::Buffer;
use crate::nodes::Nodes;
use crate::places::Places;
use crate::{Progress, SolveError};

/// The least number of parts per thread in a batch: enough that threads seldom wait for the last one.
const PARTS_PER_THREAD: usize = 8;
/// Nodes of a phase per thread in a batch: small parts come by the hundred.
const NODES_PER_THREAD: usize = 1 << 20;

/// Nodes of a phase that one task turns into values.
const NODES_PER_SECTION: usize = 1 << 19;

/// A part with fewer nodes in a phase is solved by one thread.
const SMALL: usize = 1 << 16;

/// An error of a part, which does not know the name of its group.
enum Fault {
    Misfit(Misfit),
    Other(SolveError),
}

impl From<Misfit> for Fault {
    fn from(misfit: Misfit) -> Fault {
        Fault::Misfit(misfit)
    }
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        Fault::Other(error)
    }
}

/// The number of parts in a batch, if each has this number of nodes in a phase.
pub(crate) fn parts_per_batch(nodes: usize, threads: usize) -> usize {
    threads * PARTS_PER_THREAD.max(NODES_PER_THREAD / nodes.max(1))
}

/// Solves a group whose outside tables are in `solved`. Returns the nodes of each of its tables, in
/// memory of `budget`.
pub fn solve<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, SolveError>
where
    G::Table: Display,
{
    solve_parts(group, solved, budget, progress).map_err(|fault| match fault {
        Fault::Misfit(misfit) => {
            let tables = group.tables().into_iter();
            let names: Vec<String> = tables.map(|(table, _)| table.to_string()).collect();
            let group = names.join(" & ");
            SolveError::Misfit { group, misfit }
        }
        Fault::Other(error) => error,
    })
}

fn solve_parts<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, Fault> {
    if !group.has_inside_turns() {
        return sweep::solve(group, solved, budget, progress);
    }
    if group.layers() == 1 && group.parts(0) == 1 {
        let part = group.part(0, 0);
        let sizes = part::sizes(&part);
        let bytes = (sizes[0] + sizes[1]) * size_of::<NodeState>();
        let row_pass = part.row_pass().filter(|_| !budget.has_room(bytes as u64));
        let phases = if let Some(unmoves) = row_pass {
            row_pass::solve(&part, &unmoves, solved, budget, progress)?
        } else {
            let [first, second] = sizes.map(|nodes| budget.working(nodes));
            let mut phases: [Buffer<NodeState>; 2] = [first?, second?];
            let states = phases.each_mut().map(|states| &mut states[..]);
            let flags = &mut Flags::default();
            part::solve(&part, solved, Threads::all(), states, flags, progress)?;
            phases
        };
        let mut kept: Vec<(G::Table, Nodes)> = Vec::new();
        for (home, states) in group.phase_tables().into_iter().zip(phases) {
            if let Some(table) = home.filter(|home| kept.iter().all(|(table, _)| table != home)) {
                kept.push((table, settled(states)));
            }
        }
        return Ok(kept);
    }

    let mut own = Own {
        tables: Vec::new(),
        outside: solved,
    };
    for (table, rows) in group.tables() {
        let nodes = budget.nodes(rows.len() * group.width())?;
        own.tables.push((table, nodes));
    }
    let pool = PartPool::new(budget);
    for layer in 0..group.layers() {
        progress.at_layer(layer, group.layers());
        let parts: Vec<_> = (0..group.parts(layer)).collect();
        let Some(largest) = parts.first() else {
            continue;
        };
        let [nodes, _] = part::sizes(&group.part(layer, *largest));
        let threads = rayon::current_num_threads();
        for batch in parts.chunks(parts_per_batch(nodes, threads)) {
            if progress.stopped() {
                return Err(SolveError::Stopped.into());
            }
            let solve_part = |number: &usize, threads| {
                let part = group.part(layer, *number);
                let memory = pool.solve(&part, &own, threads)?;
                own.release_pages();
                Ok((part, memory))
            };
            let batch: Result<Vec<_>, Fault> = if batch.len() < threads && nodes > SMALL {
                let parts = batch.iter();
                parts.map(|part| solve_part(part, Threads::all())).collect()
            } else {
                let parts = batch.par_iter().small_chunks(1);
                parts.map(|part| solve_part(part, Threads::One)).collect()
            };
            let batch = batch?;
            own.put(group, &batch);
            own.release_pages();
            for (_, memory) in batch {
                pool.take_back(memory);
            }
        }
    }
    Ok(own.tables)
}

/// Turns the states of a solved phase into values.
fn settled(mut states: Buffer<NodeState>) -> Nodes {
    let sections = states.sections(NODES_PER_SECTION).into_par_iter();
    sections.for_each(|mut section| {
        NodeState::settle(&mut section);
        section.release_pages();
    });
    states.cast()
}

/// The solved layers of a group's own tables, and the tables outside.
struct Own<'s, Table, S> {
    tables: Vec<(Table, Nodes)>,
    outside: &'s S,
}

impl<Table: Copy + Ord + Send + Sync, S: Solved<Table>> Own<'_, Table, S> {
    /// Copies the nodes of solved parts to the tables.
    fn put<G: Group<Table = Table>>(&mut self, group: &G, parts: &[(G::Part<'_>, PartMemory)]) {
        let homes = group.phase_tables();
        self.tables.par_iter_mut().for_each(|(table, nodes)| {
            for (part, memory) in parts {
                for phase in (0..2).filter(|&phase| homes[phase] == Some(*table)) {
                    Places::of(part, phase).put(memory.phases[phase].states(), nodes);
                }
            }
        });
    }
}

impl<Table: Copy + Ord + Send + Sync, S: Solved<Table>> Solved<Table> for Own<'_, Table, S> {
    fn values(&self, table: Table) -> TableValues<'_> {
        match self.tables.iter().find(|(own, _)| *own == table) {
            Some((_, nodes)) => TableValues::Nodes(nodes),
            None => self.outside.values(table),
        }
    }

    fn release_pages(&self) {
        let tables = self.tables.iter();
        tables.for_each(|(_, nodes)| nodes.release_pages());
        self.outside.release_pages();
    }
}
