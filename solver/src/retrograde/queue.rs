//! Solving a small part by one thread: the same levels as in [`part`](super::part), with queues.
//!
//! A small part stays in the near caches, and nobody else writes it. So the cells that are decided
//! at a ply are queued when that becomes known, instead of being looked for, and counting off takes
//! no atomic instruction. A cell that waits for a ply may be decided before; it is then found in
//! the queue of that later ply too, where its state tells that it is done with.

use endmill_layout::{Grid, NodeValue, Seed, Solved};

use crate::SolveError;
use crate::state::{self, DECIDED, DRAWN, PENDING};

/// The memory to solve grids in, used again and again.
#[derive(Default)]
pub(super) struct Queues {
    phases: [Phase; 2],
}

/// The cells of one side to move.
#[derive(Default)]
struct Phase {
    states: Vec<u16>,
    /// By ply, the cells that may be decided then.
    queues: Vec<Vec<u32>>,
}

impl Phase {
    /// Makes it hold a number of cells, none of which stands for a node yet.
    fn reset(&mut self, cells: usize) {
        self.states.clear();
        self.states.resize(cells, DRAWN);
    }

    #[inline(always)]
    fn queue(&mut self, ply: u16, cell: usize) {
        let ply = usize::from(ply);
        if ply >= self.queues.len() {
            self.queues.resize_with(ply + 1, Vec::new);
        }
        self.queues[ply].push(cell as u32);
    }

    /// Sets a cell to its seed; whether that fits.
    #[inline(always)]
    fn seed(&mut self, cell: usize, seed: Seed) -> bool {
        let Some(state) = state::seeded(seed) else {
            return false;
        };
        self.states[cell] = state;
        if let Some(ply) = state::ply(state) {
            self.queue(ply, cell);
        }
        true
    }

    /// Takes the cells that are decided at a ply; those that waited for it become decided.
    fn take(&mut self, ply: u16) -> Vec<u32> {
        let Some(queue) = self.queues.get_mut(usize::from(ply)) else {
            return Vec::new();
        };
        let mut cells = std::mem::take(queue);
        let states = &mut self.states;
        cells.retain(|&cell| {
            let state = &mut states[cell as usize];
            let decided = *state & !(PENDING ^ DECIDED) == DECIDED | ply;
            if decided {
                *state = DECIDED | ply;
            }
            decided
        });
        cells
    }

    /// Gives a queue back, for its memory.
    fn give_back(&mut self, ply: u16, mut cells: Vec<u32>) {
        cells.clear();
        if let Some(queue) = self.queues.get_mut(usize::from(ply)) {
            *queue = cells;
        }
    }

    /// A cell with a turn to a lost one is won at this ply.
    #[inline(always)]
    fn win(&mut self, cell: usize, ply: u16) {
        let state = self.states[cell];
        // One that waits for this very ply is queued already.
        if !state::is_final(state) && state != PENDING | ply {
            self.states[cell] = DECIDED | ply;
            self.queue(ply, cell);
        }
    }

    /// A cell with a turn to a won one counts it off; if it was the last, the cell is lost at this
    /// ply or later.
    #[inline(always)]
    fn count_off(&mut self, cell: usize, ply: u16) {
        let state = self.states[cell];
        if !state::is_counting(state) {
            return;
        }
        self.states[cell] = state - 1;
        if state::count(state) == 1 {
            let lost = state::lost(state, ply);
            self.states[cell] = lost;
            self.queue(lost & NodeValue::PLIES, cell);
        }
    }
}

impl Queues {
    /// Solves a part whose outside turns lead to `solved`, and writes the nodes of its two phases to
    /// `nodes`.
    pub(super) fn solve<G: Grid>(
        &mut self,
        grid: &G,
        solved: &impl Solved<G::Table>,
        nodes: [&mut [u16]; 2],
    ) -> Result<(), SolveError> {
        let mut fits = true;
        for (number, phase) in self.phases.iter_mut().enumerate() {
            phase.reset(grid.cells(number));
            grid.seed(number, solved, &mut |cell, seed| {
                fits &= phase.seed(cell, seed);
            });
        }
        let solved = fits && self.propagate(grid);
        if !solved {
            // What is queued belongs to this part.
            *self = Queues::default();
            return Err(SolveError::TooDeep);
        }
        for (number, (phase, nodes)) in self.phases.iter().zip(nodes).enumerate() {
            grid.compact(number, &phase.states, nodes);
        }
        Ok(())
    }

    /// Goes through the plies; whether none is too high for a node.
    fn propagate(&mut self, grid: &impl Grid) -> bool {
        let mut ply = 0;
        while self
            .phases
            .iter()
            .any(|phase| phase.queues.len() > usize::from(ply))
        {
            if ply >= NodeValue::PLIES {
                return false;
            }
            for number in 0..2 {
                let cells = self.phases[number].take(ply);
                let other = &mut self.phases[1 - number];
                let next = ply + 1;
                if next % 2 == 1 {
                    grid.unmoves(number, &cells, &mut |cell| other.win(cell, next));
                } else {
                    grid.unmoves(number, &cells, &mut |cell| other.count_off(cell, next));
                }
                self.phases[number].give_back(ply, cells);
            }
            ply += 1;
        }
        true
    }
}
