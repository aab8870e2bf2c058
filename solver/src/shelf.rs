//! Solved tables at hand, for the groups that depend on them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use games::group::{Code, Solved};
use games::values::{OUTCOMES_PER_BYTE, Values, pack, shorten};
use rayon::prelude::*;

use crate::nodes::Nodes;
use crate::room::Room;

/// Outcomes that one task packs.
const PACKED_PER_TASK: usize = 1 << 16;

/// Solved tables in memory.
#[derive(Debug)]
pub struct Shelf<T> {
    tables: BTreeMap<T, Held>,
    /// Tables with plies that do not fit a byte.
    too_long: BTreeSet<T>,
}

#[derive(Debug)]
enum Held {
    Nodes(Nodes),
    /// A byte for each, in memory for half as many nodes.
    Short(Nodes),
    /// Outcomes alone, packed into memory for an eighth as many nodes.
    Outcomes(Nodes),
}

impl Held {
    fn bytes(&self) -> u64 {
        let (Held::Nodes(nodes) | Held::Short(nodes) | Held::Outcomes(nodes)) = self;
        nodes.len() as u64 * 2
    }
}

impl<T: Copy + Ord> Shelf<T> {
    /// An empty shelf.
    pub fn new() -> Shelf<T> {
        Shelf {
            tables: BTreeMap::new(),
            too_long: BTreeSet::new(),
        }
    }

    /// Puts a table on the shelf.
    pub fn put(&mut self, table: T, nodes: Nodes) {
        self.tables.insert(table, Held::Nodes(nodes));
    }

    /// Puts the outcomes of a table on the shelf, in an eighth of the memory.
    pub fn put_outcomes(&mut self, table: T, nodes: &Nodes, room: &Room) -> io::Result<()> {
        let outcomes = packed(nodes.len(), Values::Codes(nodes.codes()), room)?;
        self.tables.insert(table, Held::Outcomes(outcomes));
        Ok(())
    }

    /// Forgets the plies of a table, if it is there with plies.
    pub fn forget_plies(&mut self, table: T, room: &Room) -> io::Result<()> {
        let outcomes = match self.tables.get(&table) {
            Some(Held::Nodes(nodes)) => packed(nodes.len(), Values::Codes(nodes.codes()), room)?,
            // There may be a byte more than nodes; nobody asks for it.
            Some(Held::Short(short)) => {
                packed(short.bytes().len(), Values::Short(short.bytes()), room)?
            }
            Some(Held::Outcomes(_)) | None => return Ok(()),
        };
        self.tables.insert(table, Held::Outcomes(outcomes));
        Ok(())
    }

    /// Holds a table in half of the memory, if its plies allow it. It has values then, but no
    /// nodes.
    pub fn shorten(&mut self, table: T, room: &Room) -> io::Result<()> {
        if let Some(Held::Nodes(nodes)) = self.tables.get(&table)
            && !self.too_long.contains(&table)
        {
            match shortened(nodes, room)? {
                Some(short) => drop(self.tables.insert(table, Held::Short(short))),
                None => drop(self.too_long.insert(table)),
            }
        }
        Ok(())
    }

    /// The nodes of a table, if it is there with nodes.
    pub fn get(&self, table: T) -> Option<&Nodes> {
        match self.tables.get(&table)? {
            Held::Nodes(nodes) => Some(nodes),
            Held::Short(_) | Held::Outcomes(_) => None,
        }
    }

    /// Whether the plies of a table are there, with nodes or without.
    pub fn has_plies(&self, table: T) -> bool {
        let held = self.tables.get(&table);
        matches!(held, Some(Held::Nodes(_) | Held::Short(_)))
    }

    /// Whether the outcomes of a table are there, with plies or without.
    pub fn has(&self, table: T) -> bool {
        self.tables.contains_key(&table)
    }

    /// Takes away every table that does not satisfy a condition.
    pub fn keep(&mut self, mut wanted: impl FnMut(T) -> bool) {
        self.tables.retain(|&table, _| wanted(table));
    }

    /// Takes tables away until no more than so many bytes are left: those with the greatest keys
    /// first, none without a key.
    pub fn shrink<K: Ord>(&mut self, bytes: u64, key: impl Fn(T) -> Option<K>) {
        let mut tables: Vec<(K, T)> = (self.tables.keys())
            .filter_map(|&table| Some((key(table)?, table)))
            .collect();
        tables.sort();
        let mut left = self.bytes();
        while left > bytes
            && let Some((_, table)) = tables.pop()
        {
            left -= self.tables.remove(&table).map_or(0, |held| held.bytes());
        }
    }

    /// Bytes of memory on the shelf.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(Held::bytes).sum()
    }

    /// Those of them that some tables take.
    pub fn bytes_of(&self, tables: &[T]) -> u64 {
        let held = tables.iter().filter_map(|table| self.tables.get(table));
        held.map(Held::bytes).sum()
    }
}

/// A byte for each node; `None` if some plies are too many for that.
fn shortened(nodes: &Nodes, room: &Room) -> io::Result<Option<Nodes>> {
    let mut short = room.nodes(nodes.len().div_ceil(2))?;
    let fits = AtomicBool::new(true);
    let bytes = short.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    let codes = nodes.codes().par_chunks(PACKED_PER_TASK);
    bytes.zip(codes).for_each(|(bytes, codes)| {
        let mut all_fit = true;
        for (byte, &code) in bytes.iter_mut().zip(codes) {
            let short = shorten(code);
            all_fit &= short.is_some();
            *byte = short.unwrap_or(0);
        }
        if !all_fit {
            fits.store(false, Ordering::Relaxed);
        }
    });
    Ok(fits.into_inner().then_some(short))
}

/// The outcomes of so many nodes.
fn packed(count: usize, values: Values<'_>, room: &Room) -> io::Result<Nodes> {
    let mut packed = room.nodes(count.div_ceil(2 * OUTCOMES_PER_BYTE))?;
    let tasks = packed.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    tasks.enumerate().for_each(|(task, bytes)| {
        let first = task * PACKED_PER_TASK * OUTCOMES_PER_BYTE;
        for (i, byte) in bytes.iter_mut().enumerate() {
            let start = (first + i * OUTCOMES_PER_BYTE).min(count);
            let end = (start + OUTCOMES_PER_BYTE).min(count);
            let mut codes = [Code::DRAW; OUTCOMES_PER_BYTE];
            for (code, node) in codes.iter_mut().zip(start..end) {
                *code = values.code(node);
            }
            *byte = pack(&codes);
        }
    });
    Ok(packed)
}

impl<T: Copy + Ord> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf::new()
    }
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug> Solved<T> for Shelf<T> {
    fn nodes(&self, table: T) -> &[Code] {
        match self.get(table) {
            Some(nodes) => nodes.codes(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }

    fn values(&self, table: T) -> Values<'_> {
        match self.tables.get(&table) {
            Some(Held::Nodes(nodes)) => Values::Codes(nodes.codes()),
            Some(Held::Short(short)) => Values::Short(short.bytes()),
            Some(Held::Outcomes(packed)) => Values::Outcomes(packed.bytes()),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Value;

    use super::*;

    fn nodes(values: &[Value], room: &Room) -> Nodes {
        let mut nodes = room.nodes(values.len()).unwrap();
        for (state, &value) in nodes.states_mut().iter_mut().zip(values) {
            *state = Code::new(value).0;
        }
        nodes
    }

    /// An odd number of nodes, so that the last byte stands alone.
    const VALUES: [Value; 5] = [
        Value::Win(1),
        Value::Loss(204),
        Value::Draw,
        Value::Win(253),
        Value::Loss(254),
    ];

    #[test]
    fn a_shorter_table_has_the_same_values() {
        let room = Room::unlimited();
        let mut shelf = Shelf::new();
        shelf.put(1, nodes(&VALUES, &room));
        let before = shelf.bytes();
        shelf.shorten(1, &room).unwrap();
        assert!(shelf.get(1).is_none() && shelf.has_plies(1));
        assert!(shelf.bytes() < before);
        assert_eq!(shelf.bytes_of(&[1, 2]), shelf.bytes());
        for (node, &value) in VALUES.iter().enumerate() {
            assert_eq!(shelf.values(1).code(node).value(), value);
        }
        shelf.forget_plies(1, &room).unwrap();
        assert!(!shelf.has_plies(1));
        for (node, &value) in VALUES.iter().enumerate() {
            let outcome = shelf.values(1).code(node).value().outcome();
            assert_eq!(outcome, value.outcome());
        }
    }

    #[test]
    fn a_table_with_long_plies_stays_as_it_is() {
        let room = Room::unlimited();
        let mut shelf = Shelf::new();
        let values = [Value::Win(255), Value::Draw];
        shelf.put(1, nodes(&values, &room));
        for _ in 0..2 {
            shelf.shorten(1, &room).unwrap();
            assert_eq!(shelf.nodes(1)[0].value(), values[0]);
        }
    }
}
