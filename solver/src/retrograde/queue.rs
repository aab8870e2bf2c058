//! Solving a small part by one thread: the same levels as in [`part`](super::part), with queues.
//!
//! A small part stays in the near caches, and only one thread writes it. So cells are queued when
//! their ply becomes known, instead of being searched for, and counting off takes no atomic
//! instruction. Whether an un-move decides its cell is unpredictable, so branchless: the cell is
//! always written to the end of the queue, and the end moves only if it is decided.

use endmill_games::value::{Misfit, NodeState, NodeValue};
use endmill_layout::{Grid, Seed, Solved};

/// Memory to solve grids in, reused from part to part.
#[derive(Default)]
pub(super) struct Queues {
    phases: [Phase; 2],
}

/// The cells of one side to move.
#[derive(Default)]
struct Phase {
    states: Vec<NodeState>,
    /// The cells that inside turns decide at this ply, and at the next one.
    decided: Queue,
    next: Queue,
    /// By ply, the cells that outside turns decide then, unless inside turns win them earlier.
    waiting: Vec<Vec<u32>>,
}

/// Cells, followed by room for more.
#[derive(Default)]
struct Queue {
    cells: Vec<u32>,
    len: usize,
}

impl Queue {
    fn cells(&self) -> &[u32] {
        &self.cells[..self.len]
    }

    /// The end of the queue, with room for some more cells.
    #[inline(always)]
    fn room(&mut self, more: usize) -> &mut [u32] {
        let end = self.len + more;
        if self.cells.len() < end {
            self.cells.resize(2 * end, 0);
        }
        &mut self.cells[self.len..end]
    }
}

impl Phase {
    /// Resets the phase to a number of cells, none of which stands for a node yet.
    fn reset(&mut self, cells: usize) {
        self.states.clear();
        self.states.resize(cells, NodeState::DRAWN);
    }

    #[inline(always)]
    fn wait(&mut self, ply: u16, cell: usize) {
        let ply = usize::from(ply);
        if ply >= self.waiting.len() {
            self.waiting.resize_with(ply + 1, Vec::new);
        }
        self.waiting[ply].push(cell as u32);
    }

    /// Sets a cell to its seed.
    #[inline(always)]
    fn seed(&mut self, cell: usize, seed: Seed) -> Result<(), Misfit> {
        let state = NodeState::seeded(seed.inside, seed.outside)?;
        self.states[cell] = state;
        if let Some(ply) = state.ply() {
            self.wait(ply, cell);
        }
        Ok(())
    }

    /// Takes the cells that waited for a ply, and are decided now.
    fn waited(&mut self, ply: u16) -> Vec<u32> {
        let Some(waiting) = self.waiting.get_mut(usize::from(ply)) else {
            return Vec::new();
        };
        let mut cells = std::mem::take(waiting);
        let states = &mut self.states;
        cells.retain(|&cell| {
            let state = &mut states[cell as usize];
            let is_due = state.is_due(ply);
            if is_due {
                *state = NodeState::decided(ply);
            }
            is_due
        });
        cells
    }

    /// Reuses the memory of a list that was processed.
    fn keep(&mut self, ply: u16, mut cells: Vec<u32>) {
        cells.clear();
        if let Some(waiting) = self.waiting.get_mut(usize::from(ply)) {
            *waiting = cells;
        }
    }

    /// Cells with a turn to a lost one are won at this ply.
    #[inline(always)]
    fn win(&mut self, offset: u32, cells: &[u32], ply: u16) {
        let room = self.next.room(cells.len());
        let mut end = 0;
        for &cell in cells {
            let cell = offset + cell;
            let state = &mut self.states[cell as usize];
            // A cell that waits for this very ply will be found there.
            let news = !state.is_final() & (*state != NodeState::pending(ply));
            *state = if news {
                NodeState::decided(ply)
            } else {
                *state
            };
            room[end] = cell;
            end += usize::from(news);
        }
        self.next.len += end;
    }

    /// Cells with a turn to a won one count it off. A cell whose last turn it was is lost at this ply
    /// or later.
    #[inline(always)]
    fn count_off(&mut self, offset: u32, cells: &[u32], ply: u16) {
        let room = self.next.room(cells.len());
        let mut end = 0;
        let mut late = false;
        for &cell in cells {
            let cell = offset + cell;
            let state = &mut self.states[cell as usize];
            let counts = state.is_counting();
            let left = state.less(u16::from(counts));
            let news = counts & (left.count() == 0);
            late |= news & (left.outside_loss() > ply);
            *state = if news { left.lost(ply) } else { left };
            room[end] = cell;
            end += usize::from(news);
        }
        if late {
            self.postpone(end, ply);
        } else {
            self.next.len += end;
        }
    }

    /// Appends the given number of cells after the end of the queue, except those that are lost later
    /// than at this ply: they wait.
    #[cold]
    fn postpone(&mut self, count: usize, ply: u16) {
        for at in self.next.len..self.next.len + count {
            let cell = self.next.cells[at];
            match self.states[cell as usize].ply() {
                Some(later) if later > ply => self.wait(later, cell as usize),
                _ => {
                    self.next.cells[self.next.len] = cell;
                    self.next.len += 1;
                }
            }
        }
    }

    /// Returns true if a cell is decided at this ply or later.
    fn has_work_from(&self, ply: u16) -> bool {
        self.decided.len > 0 || self.waiting.len() > usize::from(ply)
    }
}

impl Queues {
    /// Solves a part whose outside turns lead to `solved`, and writes the nodes of its two phases to
    /// `nodes`.
    pub(super) fn solve<G: Grid>(
        &mut self,
        grid: &G,
        solved: &impl Solved<G::Table>,
        nodes: [&mut [NodeState]; 2],
    ) -> Result<(), Misfit> {
        let mut seeded = Ok(());
        for (number, phase) in self.phases.iter_mut().enumerate() {
            phase.reset(grid.cells(number));
            grid.seed(number, solved, &mut |cell, seed| {
                if let Err(misfit) = phase.seed(cell, seed) {
                    seeded = Err(misfit);
                }
            });
        }
        if let Err(misfit) = seeded.and_then(|()| self.propagate(grid)) {
            // The queues belong to this part.
            *self = Queues::default();
            return Err(misfit);
        }
        for (number, (phase, nodes)) in self.phases.iter().zip(nodes).enumerate() {
            grid.compact(number, &phase.states, nodes);
        }
        Ok(())
    }

    /// Propagates ply by ply.
    fn propagate(&mut self, grid: &impl Grid) -> Result<(), Misfit> {
        let mut ply = 0;
        while self.phases.iter().any(|phase| phase.has_work_from(ply)) {
            if ply >= NodeValue::PLIES {
                return Err(Misfit::Plies);
            }
            for number in 0..2 {
                let waited = self.phases[number].waited(ply);
                let decided = std::mem::take(&mut self.phases[number].decided);
                let other = &mut self.phases[1 - number];
                let next = ply + 1;
                for cells in [decided.cells(), &waited] {
                    if next % 2 == 1 {
                        grid.unmoves(number, cells, &mut |offset, cells| {
                            other.win(offset, cells, next);
                        });
                    } else {
                        grid.unmoves(number, cells, &mut |offset, cells| {
                            other.count_off(offset, cells, next);
                        });
                    }
                }
                self.phases[number].decided = decided;
                self.phases[number].keep(ply, waited);
            }
            for phase in &mut self.phases {
                std::mem::swap(&mut phase.decided, &mut phase.next);
                phase.next.len = 0;
            }
            ply += 1;
        }
        Ok(())
    }
}
