//! Solving one part of a group: seed every node, then propagate level by level.
//!
//! At ply p the nodes decided at p are found by scanning the rows that have some. If p is even
//! they are lost, and every undecided node with a turn to one of them is won at p+1. If p is odd they
//! are won, and every node with a turn to one of them counts it off; when none is left it is lost at
//! p+1, or at its longest outside loss if that is later. What remains when no ply has work left is a
//! draw. `docs/algorithm.md` has the proof.
//!
//! This module seeds; [`level`](super::level) propagates.
//!
//! A level processes the two phases of the part one after the other. While the rows of one phase are
//! read, only rows of the other are written, by several threads at once; the order of these writes
//! does not matter, so the result is the same for any number of threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use endmill_games::value::{Misfit, NodeState, NodeValue};
use endmill_layout::{Part, Seed, Solved};
use rayon::prelude::*;

use super::Fault;
use super::flags::Flags;
use super::level::Level;
use crate::chunks::SmallChunks;
use crate::memory::shared;
use crate::{Progress, SolveError};

/// The least number of rows per task.
const ROWS_PER_TASK: usize = 4;

/// The threads that solve a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// This thread alone.
    One,
    /// All threads of the pool.
    All,
}

impl Threads {
    /// All threads, if there are several.
    pub(crate) fn all() -> Threads {
        if rayon::current_num_threads() > 1 {
            Threads::All
        } else {
            Threads::One
        }
    }

    /// Runs each task. Threads take several neighbouring ones at a time, and each thread has its own
    /// buffers.
    pub(crate) fn each<T: Send, B: Default>(
        self,
        tasks: Vec<T>,
        work: impl Fn(&mut B, T) + Send + Sync,
    ) {
        match self {
            Threads::One => {
                let mut buffers = B::default();
                for task in tasks {
                    work(&mut buffers, task);
                }
            }
            Threads::All => {
                let tasks = tasks.into_par_iter().small_chunks(ROWS_PER_TASK);
                tasks.for_each_init(B::default, work);
            }
        }
    }
}

/// The nodes of the two phases of a part.
pub(crate) fn sizes(part: &impl Part) -> [usize; 2] {
    let phases = part.phases();
    [0, 1].map(|phase| phases[phase].len() * part.width(phase))
}

/// Solves a part whose outside turns lead to `solved`, in memory for the [nodes](sizes) of its two
/// phases. The contents of the memory do not matter.
pub(super) fn solve<P: Part>(
    part: &P,
    solved: &impl Solved<P::Table>,
    threads: Threads,
    [first, second]: [&mut [NodeState]; 2],
    flags: &mut Flags,
    progress: &impl Progress,
) -> Result<(), Fault> {
    let phases = part.phases();
    let widths = [part.width(0), part.width(1)];

    let highest = seed(part, solved, threads, first, second)?;
    flags.reset(phases[1].end, usize::from(highest) + 2);
    for (phase, nodes) in [&*first, &*second].into_iter().enumerate() {
        let rows = phases[phase].clone();
        let rows = rows.zip(nodes.chunks(widths[phase].max(1)));
        match threads {
            Threads::One => rows.for_each(|(row, states)| flag::<false>(flags, row, states)),
            Threads::All => threads.each(rows.collect(), |(), (row, states)| {
                flag::<true>(flags, row, states);
            }),
        }
    }

    let mut ply = 0;
    while ply <= flags.highest() {
        if ply >= usize::from(NodeValue::PLIES) {
            return Err(Misfit::Plies.into());
        }
        if progress.stopped() {
            return Err(SolveError::Stopped.into());
        }
        progress.at_ply(ply as u16);
        flags.reserve(ply + 2);
        for phase in 0..2 {
            let (read, written) = if phase == 0 {
                (&mut *first, &mut *second)
            } else {
                (&mut *second, &mut *first)
            };
            let level = Level {
                part,
                threads,
                ply: ply as u16,
                rows: phases[phase].clone(),
                width: widths[phase],
                target_rows: phases[1 - phase].clone(),
                target_width: widths[1 - phase],
                flags,
            };
            level.propagate(read, shared(written));
        }
        ply += 1;
    }
    Ok(())
}

/// Flags a row at the plies at which its nodes are decided.
pub(super) fn flag<const SHARED: bool>(flags: &Flags, row: usize, states: &[NodeState]) {
    // Neighbours are often decided at the same ply.
    let mut last = None;
    for ply in states.iter().map(|state| state.ply()) {
        if let Some(ply) = ply
            && Some(ply) != last
        {
            flags.set::<SHARED>(ply, row);
            last = Some(ply);
        }
    }
}

/// Seeds rows, and collects what concerns all of them.
pub(super) struct Seeder<'a, P, S> {
    part: &'a P,
    solved: &'a S,
    /// The highest ply at which an outside turn may decide a node.
    highest: AtomicU16,
    /// The first seed that does not fit a node.
    misfit: OnceLock<Misfit>,
}

impl<'a, P: Part, S: Solved<P::Table>> Seeder<'a, P, S> {
    pub(super) fn new(part: &'a P, solved: &'a S) -> Seeder<'a, P, S> {
        Seeder {
            part,
            solved,
            highest: AtomicU16::new(0),
            misfit: OnceLock::new(),
        }
    }

    /// Seeds the nodes of a row that is not mirrored.
    pub(super) fn seed(
        &self,
        (scratch, seeds): &mut (P::Scratch, Vec<Seed>),
        row: usize,
        states: &mut [NodeState],
    ) {
        self.part.seed(row, self.solved, scratch, seeds);
        let mut latest = 0;
        for (state, &seed) in states.iter_mut().zip(seeds.iter()) {
            *state = NodeState::seeded(seed.inside, seed.outside).unwrap_or_else(|misfit| {
                // One is enough to report.
                let _ = self.misfit.set(misfit);
                NodeState::default()
            });
            latest = latest.max(state.latest());
        }
        if latest > self.highest.load(Relaxed) {
            self.highest.fetch_max(latest, Relaxed);
        }
    }

    /// The highest ply at which an outside turn may decide a node.
    pub(super) fn highest(self) -> Result<u16, Misfit> {
        match self.misfit.into_inner() {
            Some(misfit) => Err(misfit),
            None => Ok(self.highest.into_inner()),
        }
    }
}

/// Seeds every node. Returns the highest ply at which an outside turn may decide one.
fn seed<P: Part>(
    part: &P,
    solved: &impl Solved<P::Table>,
    threads: Threads,
    first: &mut [NodeState],
    second: &mut [NodeState],
) -> Result<u16, Misfit> {
    let seeder = Seeder::new(part, solved);
    let [rows, mirror_rows] = part.phases();
    let states = first.chunks_mut(part.width(0).max(1));
    threads.each(rows.zip(states).collect(), |buffers, (row, states)| {
        seeder.seed(buffers, row, states);
    });
    let mirrored = &*first;
    let states = second.chunks_mut(part.width(1).max(1));
    threads.each(
        mirror_rows.zip(states).collect(),
        |(buffers, twins): &mut (_, Vec<usize>), (row, states)| {
            if part.mirrored(row, twins) {
                for (state, &twin) in states.iter_mut().zip(twins.iter()) {
                    *state = mirrored[twin];
                }
            } else {
                seeder.seed(buffers, row, states);
            }
        },
    );
    seeder.highest()
}
