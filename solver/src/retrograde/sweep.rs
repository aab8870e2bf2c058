//! Solving a group without inside turns: the best outside turn is the value.

use endmill_games::Value;
use endmill_layout::{Group, NodeValue, Part, Seed, Solved};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::nodes::Nodes;
use crate::pieces::Finely;
use crate::{Progress, SolveError};

/// Rows that one task takes at the least.
const ROWS_PER_TASK: usize = 4;
/// Rows after which to see whether to give up.
const ROWS_PER_BATCH: usize = 4096;

/// Solves a group of one part whose turns all lead to `solved`.
pub(super) fn solve<G: Group>(
    group: &G,
    solved: &impl Solved<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Vec<(G::Table, Nodes)>, SolveError> {
    let part = group.part(0, 0);
    let mut tables = Vec::new();
    for (phase, home) in group.homes().into_iter().enumerate() {
        let Some(home) = home else { continue };
        let rows = part.phases()[phase].clone();
        let width = part.width(phase).max(1);
        let mut nodes = budget.working_nodes(rows.len() * width)?;
        let batches = nodes.sections(ROWS_PER_BATCH * width).into_iter();
        for (batch, section) in batches.enumerate() {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let first = rows.start + batch * ROWS_PER_BATCH;
            let rows = section.states.par_chunks_mut(width).enumerate();
            rows.finely(ROWS_PER_TASK).try_for_each_init(
                Default::default,
                |(scratch, seeds): &mut (_, Vec<Seed>), (row, states)| -> Result<(), SolveError> {
                    part.seed(first + row, solved, scratch, seeds);
                    for (state, seed) in states.iter_mut().zip(seeds.iter()) {
                        debug_assert_eq!(seed.inside, 0);
                        let value = seed.outside.value().unwrap_or(Value::LOST);
                        *state = NodeValue::try_new(value).ok_or(SolveError::TooDeep)?.0;
                    }
                    Ok(())
                },
            )?;
            section.let_go();
            solved.let_go();
        }
        tables.push((home, nodes));
    }
    Ok(tables)
}
