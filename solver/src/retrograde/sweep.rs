//! Solving a group without inside turns: the best outside turn is the value.

use endmill_games::value::Misfit;
use endmill_layout::{Group, NodeValue, Part, Seed, Solved};
use rayon::prelude::*;

use super::Fault;
use crate::budget::Budget;
use crate::nodes::Nodes;
use crate::{Progress, SolveError};

/// The number of rows per task: a row has some ten thousand nodes, and rows are independent, so tasks
/// may be small, and no thread waits long for the last one of a batch.
const ROWS_PER_TASK: usize = 8;
/// The number of rows after which to check whether to stop.
const ROWS_PER_BATCH: usize = 4096;

/// Solves a group of one part, all of whose turns lead to `solved`.
pub(super) fn solve<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, Fault> {
    let part = group.part(0, 0);
    let mut tables = Vec::new();
    for (phase, home) in group.phase_tables().into_iter().enumerate() {
        let Some(home) = home else { continue };
        let rows = part.phases()[phase].clone();
        let width = part.width(phase).max(1);
        let mut nodes = budget.working(rows.len() * width)?;
        let batches = nodes.sections(ROWS_PER_BATCH * width).into_iter();
        for (batch, mut section) in batches.enumerate() {
            if progress.stopped() {
                return Err(SolveError::Stopped.into());
            }
            let first = rows.start + batch * ROWS_PER_BATCH;
            let rows = section.par_chunks_mut(width).enumerate();
            let rows = rows.with_min_len(ROWS_PER_TASK).with_max_len(ROWS_PER_TASK);
            rows.try_for_each_init(
                Default::default,
                |(scratch, seeds): &mut (_, Vec<Seed>), (row, states)| -> Result<(), Misfit> {
                    part.seed(first + row, solved, scratch, seeds);
                    debug_assert!(seeds.iter().all(|seed| seed.inside == 0));
                    match NodeValue::fill(states, seeds.iter().map(|seed| seed.outside)) {
                        true => Ok(()),
                        false => Err(Misfit::Plies),
                    }
                },
            )?;
            section.release_pages();
            solved.release_pages();
        }
        tables.push((home, nodes));
    }
    Ok(tables)
}
