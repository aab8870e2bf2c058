//! A small part of a group as two rectangles of cells, for one thread that solves it alone.
//!
//! The rows of a [`Part`](crate::Part) hold nodes and nothing else, so the node that an un-move leads to
//! must be ranked each time. In a grid the pieces of the two sides are numbered independently: a cell is
//! a row for one and a column for the other, and an un-move changes one of the two numbers to one that is
//! looked up. In exchange some cells, in which two pieces would share a square, stand for no node.

use crate::group::{Seed, Solved};

/// The most cells that a phase of a grid may have. A larger part is solved by rows, by all threads: each
/// thread needs a separate grid, and cells come on top of nodes.
pub const MOST_CELLS: u64 = 1 << 21;

/// A part whose nodes are cells. See the module.
pub trait Grid {
    /// The game's tables.
    type Table: Copy + Ord;

    /// The number of cells of a phase.
    fn cells(&self, phase: usize) -> usize;

    /// Visits the cells of a phase that stand for a node, with their seeds.
    fn seed(
        &self,
        phase: usize,
        solved: &impl Solved<Self::Table>,
        visit: &mut impl FnMut(usize, Seed),
    );

    /// Visits for every given cell of a phase the cells of the other phase from which an inside
    /// turn leads to it, once for each turn, as a number and what is to be added to it. Cells that
    /// stand for no node, or for a node without inside turns, may be among them.
    fn unmoves(&self, phase: usize, cells: &[u32], visit: &mut impl FnMut(u32, &[u32]));

    /// Copies the cells that stand for a node to the nodes of the part, in the order of its rows and
    /// columns.
    fn compact<N: Copy>(&self, phase: usize, cells: &[N], nodes: &mut [N]);
}
