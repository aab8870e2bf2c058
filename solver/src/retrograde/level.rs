//! One level of a part: from the nodes decided at a ply to those before them.

use std::ops::Range;
use std::sync::LazyLock;

use endmill_games::bits::Bits;
use endmill_games::bits::prefetch;
use endmill_games::value::{AtomicState, NodeState};
use endmill_layout::{Part, Visit};

use super::flags::Flags;
use super::part::Threads;

/// A phase with no more nodes stays in a near cache, and needs no prefetching.
const CACHED: usize = 1 << 16;

/// One phase of one level.
pub(super) struct Level<'a, P> {
    pub(super) part: &'a P,
    pub(super) threads: Threads,
    pub(super) ply: u16,
    /// The rows of the phase.
    pub(super) rows: Range<usize>,
    pub(super) width: usize,
    /// The rows of the other phase.
    pub(super) target_rows: Range<usize>,
    pub(super) target_width: usize,
    pub(super) flags: &'a Flags,
}

impl<P: Part> Level<'_, P> {
    /// Marks the nodes that are decided at this ply in the phase that is read, and writes what follows
    /// to the other phase.
    pub(super) fn propagate(&self, read: &mut [NodeState], written: &[AtomicState]) {
        let flagged = self.flags.rows(usize::from(self.ply));
        let flagged = flagged.filter(|row| self.rows.contains(row));
        if self.threads == Threads::One {
            let mut buffers = Default::default();
            for row in flagged {
                let start = (row - self.rows.start) * self.width;
                let states = &mut read[start..start + self.width];
                self.work_on::<false, false>(&mut buffers, row, states, written);
            }
            return;
        }
        let mut tasks = Vec::new();
        let mut rest = read;
        let mut at = self.rows.start;
        for row in flagged {
            let (states, after) = rest[(row - at) * self.width..].split_at_mut(self.width);
            tasks.push((row, states));
            rest = after;
            at = row + 1;
        }
        self.threads.each(tasks, |buffers: &mut _, (row, states)| {
            self.work_on::<true, true>(buffers, row, states, written);
        });
    }

    /// Does the same for one row of the phase that is read. `NODES` and `FLAGS` are true if the nodes
    /// that are written, and the flags, are shared with other threads.
    pub(super) fn work_on<const NODES: bool, const FLAGS: bool>(
        &self,
        (scratch, columns): &mut (P::Scratch, Vec<u32>),
        row: usize,
        states: &mut [NodeState],
        written: &[AtomicState],
    ) {
        collect(states, self.ply, columns);
        let mut visit = self.propagate_to::<NODES, FLAGS>(written);
        self.part.unmoves(row, columns, scratch, &mut visit);
    }

    /// Writes what follows from nodes decided at this ply to nodes of the other phase.
    pub(super) fn propagate_to<'a, const NODES: bool, const FLAGS: bool>(
        &'a self,
        written: &'a [AtomicState],
    ) -> Propagate<'a, NODES, FLAGS, P> {
        Propagate {
            level: self,
            written,
        }
    }
}

/// The features of the processor, detected once.
static BITS: LazyLock<Bits> = LazyLock::new(Bits::detect);

/// Collects the columns of a row that are decided at a ply; pending ones become decided.
pub(super) fn collect(states: &mut [NodeState], ply: u16, columns: &mut Vec<u32>) {
    BITS.widely(|| collect_widely(states, ply, columns));
}

#[inline(always)]
fn collect_widely(states: &mut [NodeState], ply: u16, columns: &mut Vec<u32>) {
    // Wide enough to be vectorised, then narrower, then one by one.
    const CHUNK: usize = 64;
    const FEW: usize = 8;
    let any_due = |states: &[NodeState]| {
        let any = |any, state: &NodeState| any | state.is_due(ply);
        states.iter().fold(false, any)
    };
    columns.clear();
    for (i, chunk) in states.chunks_mut(CHUNK).enumerate() {
        if !any_due(chunk) {
            continue;
        }
        for (j, few) in chunk.chunks_mut(FEW).enumerate() {
            if !any_due(few) {
                continue;
            }
            for (k, state) in few.iter_mut().enumerate() {
                if state.is_due(ply) {
                    *state = NodeState::decided(ply);
                    columns.push((i * CHUNK + j * FEW + k) as u32);
                }
            }
        }
    }
}

/// Writes what follows from the nodes decided at this ply. If the nodes that it writes are not shared
/// with other threads, it counts off without atomic instructions, which would take most of the time;
/// flags likewise.
pub(super) struct Propagate<'a, const NODES: bool, const FLAGS: bool, P> {
    level: &'a Level<'a, P>,
    written: &'a [AtomicState],
}

impl<const NODES: bool, const FLAGS: bool, P: Part> Propagate<'_, NODES, FLAGS, P> {
    fn row(&self, row: usize) -> &[AtomicState] {
        let width = self.level.target_width;
        let start = (row - self.level.target_rows.start) * width;
        &self.written[start..start + width]
    }

    /// Visits columns of a row with the number of their turns to nodes decided at this ply.
    #[inline(always)]
    fn in_row(&self, row: usize, columns: impl Iterator<Item = (u32, u16)>) {
        let states = self.row(row);
        let next = self.level.ply + 1;
        if next % 2 == 1 {
            let mut any = false;
            for (column, _) in columns {
                any |= states[column as usize].win(next);
            }
            if any {
                self.level.flags.set::<FLAGS>(next, row);
            }
        } else {
            for (column, turns) in columns {
                if let Some(ply) = states[column as usize].count_off::<NODES>(turns, next) {
                    self.level.flags.set::<FLAGS>(ply, row);
                }
            }
        }
    }
}

impl<const NODES: bool, const FLAGS: bool, P: Part> Visit for Propagate<'_, NODES, FLAGS, P> {
    fn each(&mut self, row: usize, columns: &[u32]) {
        let states = self.row(row);
        for &column in columns {
            prefetch(&states[column as usize]);
        }
        self.in_row(row, columns.iter().map(|&column| (column, 1)));
    }

    fn counted(&mut self, row: usize, columns: &[(u32, u16)]) {
        self.in_row(row, columns.iter().copied());
    }

    fn scattered(&mut self, nodes: &[u32]) {
        if self.written.len() > CACHED {
            for &node in nodes {
                prefetch(&self.written[node as usize]);
            }
        }
        let flags = self.level.flags;
        // In 32 bits, like nodes: that is twice as fast.
        let width = self.level.target_width as u32;
        let row = |node: u32| self.level.target_rows.start + (node / width) as usize;
        let next = self.level.ply + 1;
        if next % 2 == 1 {
            for &node in nodes {
                if self.written[node as usize].win(next) {
                    flags.set::<FLAGS>(next, row(node));
                }
            }
        } else {
            for &node in nodes {
                if let Some(ply) = self.written[node as usize].count_off::<NODES>(1, next) {
                    flags.set::<FLAGS>(ply, row(node));
                }
            }
        }
    }
}
