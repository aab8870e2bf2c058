//! Solving one group: layer by layer, the parts of a layer independently of each other.
//!
//! How a part is solved is told in `part`. Where a layer has enough parts, each is solved by one
//! thread in buffers of its own, so that nothing is shared and everything stays in that thread's
//! caches; otherwise all threads solve one part after the other. A group that is a single part is
//! solved in place.
//!
//! A group without inside turns needs no levels: its values follow from one sweep.
//!
//! Other parts read the tables while a part is solved. So parts are solved by the batch, and
//! between batches, when nobody reads, their nodes are put in their places.

mod level;
mod part;
mod sweep;

use games::group::{Code, Group, Part, Solved};
use games::values::Values;
use rayon::prelude::*;

use self::part::Hands;
use crate::nodes::Nodes;
use crate::room::Room;
use crate::{Progress, SolveError};

/// Parts in a batch for each thread: so many that the threads seldom wait for the last one.
const PARTS_PER_THREAD: usize = 8;

/// Solves a group whose outside tables are in `solved`; gives the nodes of each of its tables,
/// which come from `room`.
pub fn solve<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    room: &Room,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, SolveError> {
    if !group.has_inside_turns() {
        return sweep::solve(group, solved, room, progress);
    }
    if group.layers() == 1 && group.parts(0) == 1 {
        let phases = part::solve(&group.part(0, 0), solved, Hands::all(), room, progress)?;
        let mut kept: Vec<(G::Table, Nodes)> = Vec::new();
        for (home, nodes) in group.homes().into_iter().zip(phases) {
            if let Some(table) = home.filter(|home| kept.iter().all(|(table, _)| table != home)) {
                kept.push((table, nodes));
            }
        }
        return Ok(kept);
    }

    let mut own = Own {
        tables: Vec::new(),
        outside: solved,
    };
    for (table, rows) in group.tables() {
        let nodes = room.nodes(rows.len() * group.width())?;
        own.tables.push((table, nodes));
    }
    let threads = rayon::current_num_threads();
    for layer in 0..group.layers() {
        progress.at_layer(layer, group.layers());
        let parts: Vec<_> = (0..group.parts(layer)).collect();
        for batch in parts.chunks(threads * PARTS_PER_THREAD) {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let solve_part = |number: &usize, hands| {
                let part = group.part(layer, *number);
                let phases = part::solve(&part, &own, hands, room, &())?;
                Ok((part, phases))
            };
            let batch: Result<Vec<_>, SolveError> = if batch.len() < threads {
                let parts = batch.iter();
                parts.map(|part| solve_part(part, Hands::all())).collect()
            } else {
                let parts = batch.par_iter();
                parts.map(|part| solve_part(part, Hands::One)).collect()
            };
            for (part, phases) in batch? {
                own.put(group, &part, phases);
            }
        }
    }
    Ok(own.tables)
}

/// The tables of a group, as far as they are solved, before those outside it.
struct Own<'s, Table, S> {
    tables: Vec<(Table, Nodes)>,
    outside: &'s S,
}

impl<Table: Copy + Ord + Send + Sync, S: Solved<Table>> Own<'_, Table, S> {
    /// Puts the nodes of a part in their places.
    fn put<G: Group<Table = Table>>(&mut self, group: &G, part: &G::Part<'_>, phases: [Nodes; 2]) {
        for (phase, (home, mut solved)) in group.homes().into_iter().zip(phases).enumerate() {
            let own = |(table, _): &&mut (Table, Nodes)| Some(*table) == home;
            let Some((_, nodes)) = self.tables.iter_mut().find(own) else {
                continue;
            };
            let nodes = nodes.states_mut();
            let starts = part.runs(phase);
            let length = solved.len() / starts.len().max(1);
            for (start, run) in starts.into_iter().zip(solved.states_mut().chunks(length)) {
                nodes[start..start + length].copy_from_slice(run);
            }
        }
    }
}

impl<Table: Copy + Ord + Send + Sync, S: Solved<Table>> Solved<Table> for Own<'_, Table, S> {
    fn nodes(&self, table: Table) -> &[Code] {
        match self.tables.iter().find(|(own, _)| *own == table) {
            Some((_, nodes)) => nodes.codes(),
            None => self.outside.nodes(table),
        }
    }

    fn values(&self, table: Table) -> Values<'_> {
        match self.tables.iter().find(|(own, _)| *own == table) {
            Some((_, nodes)) => Values::Codes(nodes.codes()),
            None => self.outside.values(table),
        }
    }
}
