//! Solved tables at hand, for the groups that depend on them.

use std::collections::BTreeMap;

use games::group::{Code, Solved};

use crate::nodes::Nodes;

/// Solved tables in memory.
#[derive(Debug)]
pub struct Shelf<T> {
    tables: BTreeMap<T, Nodes>,
}

impl<T: Copy + Ord> Shelf<T> {
    /// An empty shelf.
    pub fn new() -> Shelf<T> {
        Shelf {
            tables: BTreeMap::new(),
        }
    }

    /// Puts a table on the shelf.
    pub fn put(&mut self, table: T, nodes: Nodes) {
        self.tables.insert(table, nodes);
    }

    /// The nodes of a table, if it is there.
    pub fn get(&self, table: T) -> Option<&Nodes> {
        self.tables.get(&table)
    }

    /// Takes away every table that does not satisfy a condition.
    pub fn keep(&mut self, mut wanted: impl FnMut(T) -> bool) {
        self.tables.retain(|&table, _| wanted(table));
    }

    /// Bytes of memory on the shelf.
    pub fn bytes(&self) -> u64 {
        self.tables
            .values()
            .map(|nodes| nodes.len() as u64 * 2)
            .sum()
    }
}

impl<T: Copy + Ord> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf::new()
    }
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug> Solved<T> for Shelf<T> {
    fn nodes(&self, table: T) -> &[Code] {
        match self.tables.get(&table) {
            Some(nodes) => nodes.codes(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }
}
