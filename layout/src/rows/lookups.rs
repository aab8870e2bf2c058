//! Look-ups all over a table.
//!
//! Each misses every cache. Where they lead is worked out for some columns before the first value
//! is looked at, and asked for in advance: then they overlap.

use endmill_games::value::TableValues;

use crate::TurnScore;

/// Columns whose look-ups are made together.
pub(super) const TOGETHER: usize = 64;

/// Some look-ups for each of some columns.
pub(super) struct LookUps<'v> {
    values: TableValues<'v>,
    nodes: Vec<usize>,
    /// Where those of each column end.
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

    /// A node for the column at hand.
    #[inline(always)]
    pub(super) fn ask(&mut self, node: usize) {
        self.values.prefetch(node);
        self.nodes.push(node);
    }

    /// The column at hand has all its nodes.
    #[inline(always)]
    pub(super) fn end_column(&mut self) {
        self.ends.push(self.nodes.len());
    }

    /// Raises the columns, in order, to the best of their nodes, and forgets these.
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
