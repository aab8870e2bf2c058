//! Scattered look-ups in a table.
//!
//! Each misses every cache. The nodes of a batch of columns are computed and prefetched before the
//! first value is read, so the misses overlap.

use endmill_games::value::TableValues;

use crate::TurnScore;

/// Columns per batch.
pub(super) const TOGETHER: usize = 64;

/// The look-ups of a batch of columns.
pub(super) struct LookUps<'v> {
    values: TableValues<'v>,
    nodes: Vec<usize>,
    /// The end of each column's nodes.
    ends: Vec<usize>,
}

impl<'v> LookUps<'v> {
    pub(super) fn new(values: TableValues<'v>) -> LookUps<'v> {
        LookUps {
            values,
            nodes: Vec::new(),
            ends: Vec::with_capacity(TOGETHER),
        }
    }

    /// Adds a node of the current column.
    #[inline(always)]
    pub(super) fn ask(&mut self, node: usize) {
        self.values.prefetch(node);
        self.nodes.push(node);
    }

    /// Ends the current column.
    #[inline(always)]
    pub(super) fn end_column(&mut self) {
        self.ends.push(self.nodes.len());
    }

    /// Raises the columns, in order, to the best of their nodes, and clears the batch.
    pub(super) fn max_into<'b>(&mut self, best: impl Iterator<Item = &'b mut TurnScore>) {
        let mut start = 0;
        for (best, &end) in best.zip(&self.ends) {
            for &node in &self.nodes[start..end] {
                *best = (*best).max(self.values.score(node));
            }
            start = end;
        }
        self.nodes.clear();
        self.ends.clear();
    }
}
