//! Memory to solve parts in, reused from part to part: parts are so small that allocating memory for
//! each would cost more than solving it.

use std::sync::{Mutex, PoisonError};

use endmill_games::value::NodeState;
use endmill_layout::{Part, Solved};

use super::Fault;
use super::flags::Flags;
use super::part::{self, Threads};
use super::queue::Queues;
use crate::SolveError;
use crate::budget::Budget;
use crate::memory::Buffer;

/// Phases with more nodes are solved in memory of the budget. Smaller ones take a few MiB in total,
/// which the budget does not count.
const SMALL: usize = 1 << 16;

/// Memory that is free to solve parts in.
pub(super) struct PartPool<'b> {
    budget: &'b Budget,
    free: Mutex<Vec<PartMemory>>,
    /// One per thread that solves parts alone.
    queues: Mutex<Vec<Queues>>,
}

/// The memory for one part.
#[derive(Default)]
pub(super) struct PartMemory {
    pub(super) phases: [PhaseMemory; 2],
    flags: Flags,
}

/// The nodes of a phase.
pub(super) enum PhaseMemory {
    Small(Vec<NodeState>),
    Large(Buffer<NodeState>),
}

impl Default for PhaseMemory {
    fn default() -> PhaseMemory {
        PhaseMemory::Small(Vec::new())
    }
}

impl PhaseMemory {
    /// Makes room for a number of nodes; their states are arbitrary.
    fn hold(&mut self, nodes: usize, budget: &Budget) -> Result<(), SolveError> {
        match self {
            PhaseMemory::Small(states) if nodes <= SMALL => {
                states.resize(nodes, NodeState::default());
            }
            PhaseMemory::Large(held) if held.len() == nodes => {}
            _ => *self = PhaseMemory::Large(budget.working(nodes)?),
        }
        Ok(())
    }

    /// The nodes.
    pub(super) fn states(&self) -> &[NodeState] {
        match self {
            PhaseMemory::Small(states) => states,
            PhaseMemory::Large(nodes) => nodes,
        }
    }

    /// The nodes, to be solved in.
    pub(super) fn states_mut(&mut self) -> &mut [NodeState] {
        match self {
            PhaseMemory::Small(states) => states,
            PhaseMemory::Large(nodes) => nodes,
        }
    }
}

impl PartPool<'_> {
    pub(super) fn new(budget: &Budget) -> PartPool<'_> {
        PartPool {
            budget,
            free: Mutex::default(),
            queues: Mutex::default(),
        }
    }

    /// Solves a part. Returns the memory with its nodes.
    pub(super) fn solve<P: Part>(
        &self,
        part: &P,
        solved: &impl Solved<P::Table>,
        threads: Threads,
    ) -> Result<PartMemory, Fault> {
        let mut memory: PartMemory = pop(&self.free);
        for (phase, nodes) in memory.phases.iter_mut().zip(part::sizes(part)) {
            phase.hold(nodes, self.budget)?;
        }
        if threads == Threads::One
            && let Some(grid) = part.grid()
        {
            let mut queues: Queues = pop(&self.queues);
            let phases = memory.phases.each_mut().map(PhaseMemory::states_mut);
            queues.solve(&grid, solved, phases)?;
            push(&self.queues, queues);
            return Ok(memory);
        }
        let states = memory.phases.each_mut().map(PhaseMemory::states_mut);
        part::solve(part, solved, threads, states, &mut memory.flags, &())?;
        Ok(memory)
    }

    /// Takes back the memory of a part whose nodes have been copied.
    pub(super) fn take_back(&self, memory: PartMemory) {
        push(&self.free, memory);
    }
}

/// Returns an item that was used before, or a new one.
fn pop<T: Default>(free: &Mutex<Vec<T>>) -> T {
    let mut free = free.lock().unwrap_or_else(PoisonError::into_inner);
    free.pop().unwrap_or_default()
}

/// Keeps an item for reuse.
fn push<T>(free: &Mutex<Vec<T>>, used: T) {
    free.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(used);
}
