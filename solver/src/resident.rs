//! Solved tables that are resident in memory, for the groups that depend on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use endmill_layout::values::{OUTCOMES_PER_BYTE, Values, pack, shorten};
use endmill_layout::{NodeValue, Solved};
use rayon::prelude::*;

use crate::SolveError;
use crate::budget::Budget;
use crate::nodes::Nodes;
use crate::pieces::Finely;
use crate::spill::Spilled;

/// Values that one task packs.
const PACKED_PER_TASK: usize = 1 << 16;

/// In which form a table is resident. A greater form does for whatever a smaller one does for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Two bits a node: outcomes alone.
    Outcomes,
    /// A byte a node; two where some plies do not fit a byte.
    Bytes,
    /// Two bytes a node, as they were solved.
    Nodes,
}

/// When a table is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NextUse {
    /// It must stay.
    Now,
    /// By the group of this number.
    Group(usize),
    /// By none.
    Never,
}

/// Solved tables in memory.
#[derive(Debug)]
pub struct Resident<T> {
    tables: BTreeMap<T, Held>,
    /// Tables that had to leave memory and will be needed again.
    spilled: BTreeMap<T, Away>,
    /// Tables with plies that do not fit a byte.
    too_long: BTreeSet<T>,
}

#[derive(Debug)]
struct Held {
    /// Packed as the form says. A table that is being stored is held by whoever stores it too.
    memory: Arc<Nodes>,
    form: Form,
    plies_known: bool,
}

/// What was held, in a scratch file.
#[derive(Debug)]
struct Away {
    spilled: Spilled,
    form: Form,
    plies_known: bool,
}

impl Held {
    fn bytes(&self) -> u64 {
        self.memory.len() as u64 * 2
    }

    fn values(&self) -> Values<'_> {
        match self.form {
            Form::Outcomes => Values::Outcomes(self.memory.bytes()),
            Form::Bytes => Values::Short(self.memory.bytes()),
            Form::Nodes => Values::Codes(self.memory.codes()),
        }
    }
}

impl<T: Copy + Ord> Resident<T> {
    /// No table yet.
    pub fn new() -> Resident<T> {
        Resident {
            tables: BTreeMap::new(),
            spilled: BTreeMap::new(),
            too_long: BTreeSet::new(),
        }
    }

    /// Adds a table.
    pub fn put(&mut self, table: T, nodes: Nodes) {
        self.insert(table, nodes, Form::Nodes, true);
    }

    /// Adds a table whose plies are not known: a loss has 0 and a win 1.
    pub fn put_without_plies(&mut self, table: T, nodes: Nodes) {
        self.insert(table, nodes, Form::Nodes, false);
    }

    fn insert(&mut self, table: T, memory: Nodes, form: Form, plies_known: bool) {
        memory.let_go();
        let held = Held {
            memory: Arc::new(memory),
            form,
            plies_known,
        };
        self.tables.insert(table, held);
    }

    /// Holds a table in a smaller form, if it is resident in a greater one. A table with plies that
    /// do not fit a byte stays as it is unless outcomes will do.
    pub fn reduce(&mut self, table: T, form: Form, budget: &Budget) -> Result<(), SolveError> {
        let Some(held) = self.tables.get(&table).filter(|held| held.form > form) else {
            return Ok(());
        };
        let plies_known = held.plies_known && form != Form::Outcomes;
        let memory = match form {
            Form::Nodes => return Ok(()),
            Form::Bytes if self.too_long.contains(&table) => return Ok(()),
            Form::Bytes => match shortened(&held.memory, budget)? {
                Some(short) => short,
                None => {
                    self.too_long.insert(table);
                    return Ok(());
                }
            },
            Form::Outcomes => {
                // Of bytes there may be one more than nodes; nobody asks for it.
                let count = match held.form {
                    Form::Bytes => held.memory.bytes().len(),
                    _ => held.memory.len(),
                };
                packed(count, held.values(), budget)?
            }
        };
        self.insert(table, memory, form, plies_known);
        Ok(())
    }

    /// The nodes of a table, if it is resident with nodes.
    pub fn get(&self, table: T) -> Option<&Nodes> {
        self.nodes_of(table).map(Arc::as_ref)
    }

    /// The same, to be kept beyond the time that the table is resident with nodes.
    pub(crate) fn share(&self, table: T) -> Option<Arc<Nodes>> {
        self.nodes_of(table).cloned()
    }

    /// Whether these are the nodes of a resident table, which takes no memory beside them.
    pub(crate) fn has_these(&self, table: T, nodes: &Arc<Nodes>) -> bool {
        (self.nodes_of(table)).is_some_and(|resident| Arc::ptr_eq(resident, nodes))
    }

    fn nodes_of(&self, table: T) -> Option<&Arc<Nodes>> {
        let held = self.tables.get(&table)?;
        (held.form == Form::Nodes).then_some(&held.memory)
    }

    /// Whether a table is resident in a form that does for `form`.
    pub fn has(&self, table: T, form: Form) -> bool {
        self.tables
            .get(&table)
            .is_some_and(|held| held.form >= form)
    }

    /// Whether a table is resident with its plies.
    pub fn knows_plies(&self, table: T) -> bool {
        self.tables.get(&table).is_some_and(|held| held.plies_known)
    }

    /// The tables that are resident.
    pub fn tables(&self) -> Vec<T> {
        self.tables.keys().copied().collect()
    }

    /// Takes away every table that does not satisfy a condition.
    pub fn keep(&mut self, mut wanted: impl FnMut(T) -> bool) {
        self.tables.retain(|&table, _| wanted(table));
        self.spilled.retain(|&table, _| wanted(table));
    }

    /// Takes tables away until no more than the given bytes are left: those whose next use is
    /// farthest away first. They go to scratch files, as far as the budget has room for them.
    pub fn shrink(&mut self, bytes: u64, budget: &Budget, next_use: impl Fn(T) -> NextUse) {
        let tables = self.tables.keys();
        let tables = tables.map(|&table| (next_use(table), table));
        let mut tables: Vec<(NextUse, T)> =
            tables.filter(|(next, _)| *next != NextUse::Now).collect();
        tables.sort();
        let mut left = self.bytes();
        while left > bytes
            && let Some((next, table)) = tables.pop()
        {
            let Some(held) = self.tables.remove(&table) else {
                continue;
            };
            left -= held.bytes();
            if next != NextUse::Never {
                self.spill(table, &held, budget);
            }
        }
    }

    /// Keeps a table in a scratch file, unless it is in one already.
    fn spill(&mut self, table: T, held: &Held, budget: &Budget) {
        let (form, plies_known) = (held.form, held.plies_known);
        let is_there = self.spilled.get(&table);
        if is_there.is_some_and(|away| (away.form, away.plies_known) >= (form, plies_known)) {
            return;
        }
        if let Some(spilled) = budget.spill(held.memory.bytes()) {
            let away = Away {
                spilled,
                form,
                plies_known,
            };
            self.spilled.insert(table, away);
        }
    }

    /// Whether a table is in a scratch file in a form that does for `form`.
    pub fn is_spilled(&self, table: T, form: Form) -> bool {
        let away = self.spilled.get(&table);
        away.is_some_and(|away| away.form >= form)
    }

    /// Brings a table back that is in a scratch file in a form that does for `form`; whether it is
    /// resident now.
    pub fn restore(&mut self, table: T, form: Form, budget: &Budget) -> Result<bool, SolveError> {
        let Some(away) = self.spilled.get(&table).filter(|away| away.form >= form) else {
            return Ok(false);
        };
        let mut memory = budget.nodes(away.spilled.len().div_ceil(2))?;
        if away.spilled.read(memory.bytes_mut()).is_err() {
            // It is read again from its files.
            self.spilled.remove(&table);
            return Ok(false);
        }
        let (form, plies_known) = (away.form, away.plies_known);
        self.insert(table, memory, form, plies_known);
        Ok(true)
    }

    /// Puts tables into scratch files, but for those that take little of the budget: memory is about
    /// to be [short](Budget::be_short).
    pub(crate) fn leave_memory(&mut self, budget: &Budget) -> Result<(), SolveError> {
        let held = self.tables.values_mut();
        for held in held.filter(|held| !held.memory.is_scratch()) {
            let mut memory = budget.nodes(held.memory.len())?;
            if memory.is_scratch() {
                memory.bytes_mut().copy_from_slice(held.memory.bytes());
                memory.let_go();
                held.memory = Arc::new(memory);
            }
        }
        Ok(())
    }

    /// Bytes of memory that all of them take.
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
fn shortened(nodes: &Nodes, budget: &Budget) -> Result<Option<Nodes>, SolveError> {
    let mut short = budget.nodes(nodes.len().div_ceil(2))?;
    let fits = AtomicBool::new(true);
    let bytes = short.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    let codes = nodes.codes().par_chunks(PACKED_PER_TASK);
    bytes.zip(codes).finely(1).for_each(|(bytes, codes)| {
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

/// The outcomes of the first `count` nodes.
fn packed(count: usize, values: Values<'_>, budget: &Budget) -> Result<Nodes, SolveError> {
    let mut packed = budget.nodes(count.div_ceil(2 * OUTCOMES_PER_BYTE))?;
    let tasks = packed.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    tasks.enumerate().finely(1).for_each(|(task, bytes)| {
        let first = task * PACKED_PER_TASK * OUTCOMES_PER_BYTE;
        for (i, byte) in bytes.iter_mut().enumerate() {
            let start = (first + i * OUTCOMES_PER_BYTE).min(count);
            let end = (start + OUTCOMES_PER_BYTE).min(count);
            let mut codes = [NodeValue::DRAW; OUTCOMES_PER_BYTE];
            for (code, node) in codes.iter_mut().zip(start..end) {
                *code = values.code(node);
            }
            *byte = pack(&codes);
        }
    });
    Ok(packed)
}

impl<T: Copy + Ord> Default for Resident<T> {
    fn default() -> Resident<T> {
        Resident::new()
    }
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug> Solved<T> for Resident<T> {
    fn nodes(&self, table: T) -> &[NodeValue] {
        match self.get(table) {
            Some(nodes) => nodes.codes(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }

    fn values(&self, table: T) -> Values<'_> {
        match self.tables.get(&table) {
            Some(held) => held.values(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }

    fn let_go(&self) {
        self.tables.values().for_each(|held| held.memory.let_go());
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::Value;

    use super::*;

    fn nodes(values: &[Value], budget: &Budget) -> Nodes {
        let mut nodes = budget.nodes(values.len()).unwrap();
        for (state, &value) in nodes.states_mut().iter_mut().zip(values) {
            *state = NodeValue::new(value).0;
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
        let budget = Budget::unlimited();
        let mut resident = Resident::new();
        resident.put(1, nodes(&VALUES, &budget));
        let before = resident.bytes();
        resident.reduce(1, Form::Bytes, &budget).unwrap();
        assert!(
            resident.get(1).is_none() && resident.has(1, Form::Bytes) && resident.knows_plies(1)
        );
        assert!(resident.bytes() < before);
        assert_eq!(resident.bytes_of(&[1, 2]), resident.bytes());
        for (node, &value) in VALUES.iter().enumerate() {
            assert_eq!(resident.values(1).code(node).value(), value);
        }
        resident.reduce(1, Form::Outcomes, &budget).unwrap();
        assert!(!resident.has(1, Form::Bytes) && !resident.knows_plies(1));
        for (node, &value) in VALUES.iter().enumerate() {
            let outcome = resident.values(1).code(node).value().outcome();
            assert_eq!(outcome, value.outcome());
        }
    }

    #[test]
    fn a_table_that_left_memory_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let budget = Budget::new(1 << 20, directory.path().into());
        let mut resident = Resident::new();
        resident.put(1, nodes(&VALUES, &budget));
        resident.shrink(0, &budget, |_| NextUse::Group(0));
        assert!(!resident.has(1, Form::Outcomes));
        assert!(resident.restore(1, Form::Nodes, &budget).unwrap());
        for (node, &value) in VALUES.iter().enumerate() {
            assert_eq!(resident.nodes(1)[node].value(), value);
        }
        assert!(resident.knows_plies(1));
        assert!(!resident.restore(2, Form::Outcomes, &budget).unwrap());
        // Once it is forgotten, so is the file.
        resident.keep(|_| false);
        assert!(!resident.restore(1, Form::Outcomes, &budget).unwrap());
    }

    #[test]
    fn a_table_with_long_plies_stays_as_it_is() {
        let budget = Budget::unlimited();
        let mut resident = Resident::new();
        let values = [Value::Win(255), Value::Draw];
        resident.put(1, nodes(&values, &budget));
        for _ in 0..2 {
            resident.reduce(1, Form::Bytes, &budget).unwrap();
            assert_eq!(resident.nodes(1)[0].value(), values[0]);
        }
    }
}
