//! Where the nodes of a part are in the tables of its group.

use endmill_layout::{NodeValue, Part};

/// The places of one phase of a part in its home: runs of equal length, each in one piece.
pub(crate) struct Places {
    first_row: usize,
    width: usize,
    starts: Vec<usize>,
    length: usize,
}

impl Places {
    pub(crate) fn of(part: &impl Part, phase: usize) -> Places {
        let rows = part.phases()[phase].clone();
        let width = part.width(phase);
        let starts = part.runs(phase);
        Places {
            first_row: rows.start,
            width,
            length: rows.len() * width / starts.len().max(1),
            starts,
        }
    }

    /// The node of the home that a column of a row of the phase is.
    pub(crate) fn node(&self, row: usize, column: usize) -> usize {
        let at = (row - self.first_row) * self.width + column;
        self.starts[at / self.length] + at % self.length
    }

    /// Copies the nodes of the phase to the home.
    pub(crate) fn put<N: Copy + Into<NodeValue>>(&self, phase: &[N], home: &mut [NodeValue]) {
        for (&start, run) in self.starts.iter().zip(phase.chunks(self.length.max(1))) {
            for (node, &solved) in home[start..].iter_mut().zip(run) {
                *node = solved.into();
            }
        }
    }
}
