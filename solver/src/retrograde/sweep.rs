//! Solving a group without inside turns: the best outside turn is the value.

use games::Value;
use games::group::{Code, Group, Part, Seed, Solved};
use rayon::prelude::*;

use crate::nodes::Nodes;
use crate::room::Room;
use crate::{Progress, SolveError};

/// Rows that one task takes at the least.
const ROWS_PER_TASK: usize = 4;
/// Rows after which to see whether to give up.
const ROWS_PER_BATCH: usize = 4096;

/// Solves a group of one part whose turns all lead to `solved`.
pub(super) fn solve<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    room: &Room,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, SolveError> {
    let part = group.part(0, 0);
    let mut tables = Vec::new();
    for (phase, home) in group.homes().into_iter().enumerate() {
        let Some(home) = home else { continue };
        let rows = part.phases()[phase].clone();
        let width = part.width(phase).max(1);
        let mut nodes = room.nodes(rows.len() * width)?;
        let batches = nodes.states_mut().chunks_mut(ROWS_PER_BATCH * width);
        for (batch, states) in batches.enumerate() {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let first = rows.start + batch * ROWS_PER_BATCH;
            let rows = states.par_chunks_mut(width).enumerate();
            rows.with_min_len(ROWS_PER_TASK).for_each_init(
                Default::default,
                |(scratch, seeds): &mut (_, Vec<Seed>), (row, states)| {
                    part.seed(first + row, solved, scratch, seeds);
                    for (state, seed) in states.iter_mut().zip(seeds.iter()) {
                        debug_assert_eq!(seed.inside, 0);
                        *state = Code::new(seed.outside.value().unwrap_or(Value::LOST)).0;
                    }
                },
            );
        }
        tables.push((home, nodes));
    }
    Ok(tables)
}
