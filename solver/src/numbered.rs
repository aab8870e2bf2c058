//! From nodes to numbered positions and back.
//!
//! A table's nodes lie in full rows; its positions are numbered without the copies that symmetric
//! rows have. Rows are in the order of the numbering, so a range of positions is a range of rows.

use std::ops::Range;

use endmill_layout::{Group, NodeValue};

/// One table of a laid out group, seen by position numbers.
pub(crate) struct Numbered<'a, G> {
    group: &'a G,
    rows: Range<usize>,
    positions: u64,
}

impl<'a, G: Group> Numbered<'a, G> {
    pub(crate) fn new(group: &'a G, rows: Range<usize>, positions: u64) -> Numbered<'a, G> {
        Numbered {
            group,
            rows,
            positions,
        }
    }

    /// A table of a group, by its rows there.
    pub(crate) fn of(group: &'a G, table: G::Table, positions: u64) -> Numbered<'a, G> {
        let mut tables = group.tables().into_iter();
        let (_, rows) = (tables.find(|&(own, _)| own == table)).expect("a table is in its group");
        Numbered::new(group, rows, positions)
    }

    /// The group.
    pub(crate) fn group(&self) -> &'a G {
        self.group
    }

    /// The rows that hold the table.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Nodes in each row.
    pub(crate) fn width(&self) -> usize {
        self.group.width()
    }

    /// The number of positions of the table.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// The positions of a row.
    pub(crate) fn positions_of(&self, row: usize) -> Range<u64> {
        let next = row + 1;
        let end = if next < self.rows.end {
            self.group.first_position(next)
        } else {
            self.positions
        };
        self.group.first_position(row)..end
    }

    /// The number of the position that a node stands for.
    pub(crate) fn position_of_node(&self, node: usize) -> u64 {
        let (row, column) = (node / self.width(), node % self.width());
        let row = self.rows.start + row;
        let within = match self.group.copies(row) {
            None => column as u64,
            Some(copies) => u64::from(copies[column]),
        };
        self.group.first_position(row) + within
    }

    /// The numbers of the positions that consecutive nodes stand for.
    pub(crate) fn positions_of_nodes(&self, nodes: Range<usize>) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(nodes.len());
        let mut at = nodes.start;
        while at < nodes.end {
            let row = at / self.width();
            let end = nodes.end.min((row + 1) * self.width());
            let columns = at % self.width()..at % self.width() + (end - at);
            let row = self.rows.start + row;
            let first = self.group.first_position(row);
            match self.group.copies(row) {
                None => numbers.extend(columns.map(|column| first + column as u64)),
                Some(copies) => {
                    let copies = copies[columns].iter();
                    numbers.extend(copies.map(|&place| first + u64::from(place)));
                }
            }
            at = end;
        }
        numbers
    }

    /// The rows that hold any of a range of positions.
    pub(crate) fn rows_of(&self, positions: &Range<u64>) -> Range<usize> {
        let rows = self.rows.clone();
        let starts_after = |limit: u64| {
            let (mut low, mut high) = (rows.start, rows.end);
            while low < high {
                let middle = low.midpoint(high);
                if self.group.first_position(middle) <= limit {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        let first = starts_after(positions.start)
            .saturating_sub(1)
            .max(rows.start);
        let last = starts_after(positions.end.saturating_sub(1));
        first..last.max(first)
    }

    /// Appends what the nodes have for a range of positions.
    pub(crate) fn gather<N: Copy>(&self, nodes: &[N], positions: Range<u64>, codes: &mut Vec<N>) {
        for row in self.rows_of(&positions) {
            let held = self.positions_of(row);
            let wanted = positions.start.max(held.start)..positions.end.min(held.end);
            let within = (wanted.start - held.start) as usize..(wanted.end - held.start) as usize;
            let row_nodes = self.nodes_of(row, nodes);
            match self.group.originals(row) {
                None => codes.extend_from_slice(&row_nodes[within]),
                Some(columns) => {
                    let columns = columns[within].iter();
                    codes.extend(columns.map(|&column| row_nodes[column as usize]));
                }
            }
        }
    }

    /// Spreads the codes of a row's positions over its nodes.
    pub(crate) fn spread(&self, row: usize, codes: &[NodeValue], nodes: &mut [NodeValue]) {
        match self.group.copies(row) {
            None => {
                for (node, &code) in nodes.iter_mut().zip(codes) {
                    *node = code;
                }
            }
            Some(copies) => {
                for (node, &position) in nodes.iter_mut().zip(&copies) {
                    *node = codes[position as usize];
                }
            }
        }
    }

    fn nodes_of<'n, N>(&self, row: usize, nodes: &'n [N]) -> &'n [N] {
        let width = self.group.width();
        &nodes[(row - self.rows.start) * width..][..width]
    }
}
