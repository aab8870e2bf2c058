//! Solved tables that are resident in memory, for the groups that depend on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use endmill_games::value::{OUTCOMES_PER_BYTE, TableValues};
use endmill_layout::{NodeValue, Solved};
use rayon::prelude::*;

use crate::SolveError;
use crate::budget::Budget;
use crate::nodes::{Nodes, OutcomeNodes, Solution};
use crate::pieces::Finely;
use crate::spill::Spilled;

/// Values that one task packs.
const PACKED_PER_TASK: usize = 1 << 16;

/// In which form a table is resident. A greater form does for whatever a smaller one does for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Two bits per node: outcomes alone.
    Outcomes,
    /// A byte per node, with exact plies; two where some plies do not fit a byte.
    Bytes,
    /// Two bytes per node, with exact plies, as they were solved.
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
///
/// A table is held in a [`Form`]. Its plies are exact in every form that has them: what was read or
/// solved without plies can only be added as outcomes.
#[derive(Debug)]
pub struct Resident<T> {
    tables: BTreeMap<T, Held>,
    /// Tables that had to leave memory and will be needed again.
    spilled: BTreeMap<T, Away>,
    /// Tables with plies that do not fit a byte.
    too_long: BTreeSet<T>,
}

/// A table in memory.
#[derive(Debug)]
enum Held {
    /// Outcomes alone.
    Outcomes(PackedOutcomes),
    /// Exact values.
    Bytes(ShortValues),
    /// Exact values. A table that is being stored is held by its writer too.
    Nodes(Arc<Nodes>),
}

/// Outcomes, four in a byte: memory that [`NodeValue::pack_outcomes`] wrote.
#[derive(Debug)]
struct PackedOutcomes(Nodes);

/// Exact values, one in a byte: memory that [`NodeValue::to_byte`] wrote.
#[derive(Debug)]
struct ShortValues(Nodes);

/// What was held, in a scratch file.
#[derive(Debug)]
struct Away {
    spilled: Spilled,
    form: Form,
}

impl Held {
    fn form(&self) -> Form {
        match self {
            Held::Outcomes(_) => Form::Outcomes,
            Held::Bytes(_) => Form::Bytes,
            Held::Nodes(_) => Form::Nodes,
        }
    }

    fn memory(&self) -> &Nodes {
        match self {
            Held::Outcomes(PackedOutcomes(memory)) | Held::Bytes(ShortValues(memory)) => memory,
            Held::Nodes(nodes) => nodes,
        }
    }

    /// The same table in other memory, which has the same bytes.
    fn moved_to(form: Form, memory: Nodes) -> Held {
        match form {
            Form::Outcomes => Held::Outcomes(PackedOutcomes(memory)),
            Form::Bytes => Held::Bytes(ShortValues(memory)),
            Form::Nodes => Held::Nodes(Arc::new(memory)),
        }
    }

    fn bytes(&self) -> u64 {
        self.memory().len() as u64 * 2
    }

    fn values(&self) -> TableValues<'_> {
        match self {
            Held::Outcomes(PackedOutcomes(memory)) => TableValues::Outcomes(memory.bytes()),
            Held::Bytes(ShortValues(memory)) => TableValues::Bytes(memory.bytes()),
            Held::Nodes(nodes) => TableValues::Nodes(nodes.codes()),
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

    /// Adds a table with its exact values.
    pub fn put(&mut self, table: T, nodes: Nodes) {
        self.put_shared(table, Arc::new(nodes));
    }

    /// The same for nodes that somebody else holds too.
    pub(crate) fn put_shared(&mut self, table: T, nodes: Arc<Nodes>) {
        self.insert(table, Held::Nodes(nodes));
    }

    /// Adds the outcomes of a table whose plies are unknown.
    pub(crate) fn put_outcomes(
        &mut self,
        table: T,
        outcomes: &OutcomeNodes,
        budget: &Budget,
    ) -> Result<(), SolveError> {
        let nodes = outcomes.nodes();
        let packed = packed(nodes.len(), TableValues::Nodes(nodes.codes()), budget)?;
        self.insert(table, Held::Outcomes(packed));
        Ok(())
    }

    /// Adds what was read or solved of a table.
    pub(crate) fn put_solution(
        &mut self,
        table: T,
        solution: &Solution,
        budget: &Budget,
    ) -> Result<(), SolveError> {
        match solution {
            Solution::Exact(nodes) => self.put_shared(table, Arc::clone(nodes)),
            Solution::Outcomes(outcomes) => self.put_outcomes(table, outcomes, budget)?,
        }
        Ok(())
    }

    fn insert(&mut self, table: T, held: Held) {
        held.memory().let_go();
        self.tables.insert(table, held);
    }

    /// Holds a table in a smaller form, if it is resident in a greater one. A table with plies that
    /// do not fit a byte stays as it is unless outcomes will do.
    pub fn reduce(&mut self, table: T, form: Form, budget: &Budget) -> Result<(), SolveError> {
        let Some(held) = self.tables.get(&table).filter(|held| held.form() > form) else {
            return Ok(());
        };
        let reduced = match (held, form) {
            (Held::Nodes(_), Form::Bytes) if self.too_long.contains(&table) => return Ok(()),
            (Held::Nodes(nodes), Form::Bytes) => match shortened(nodes, budget)? {
                Some(short) => Held::Bytes(short),
                None => {
                    self.too_long.insert(table);
                    return Ok(());
                }
            },
            (held, _) => {
                // The last of the bytes may be one more than there are nodes; it is never read.
                let count = match held {
                    Held::Bytes(ShortValues(memory)) => memory.bytes().len(),
                    held => held.memory().len(),
                };
                Held::Outcomes(packed(count, held.values(), budget)?)
            }
        };
        self.insert(table, reduced);
        Ok(())
    }

    /// The nodes of a table, if it is resident with nodes.
    pub fn get(&self, table: T) -> Option<&Nodes> {
        self.nodes_of(table).map(Arc::as_ref)
    }

    /// Whether these are the nodes of a resident table, which takes no memory beside them.
    pub(crate) fn has_these(&self, table: T, nodes: &Arc<Nodes>) -> bool {
        (self.nodes_of(table)).is_some_and(|resident| Arc::ptr_eq(resident, nodes))
    }

    fn nodes_of(&self, table: T) -> Option<&Arc<Nodes>> {
        match self.tables.get(&table)? {
            Held::Nodes(nodes) => Some(nodes),
            Held::Outcomes(_) | Held::Bytes(_) => None,
        }
    }

    /// Whether a table is resident in a form that does for `form`.
    pub fn has(&self, table: T, form: Form) -> bool {
        let held = self.tables.get(&table);
        held.is_some_and(|held| held.form() >= form)
    }

    /// Whether a table is resident with its plies.
    pub fn has_plies(&self, table: T) -> bool {
        self.has(table, Form::Bytes)
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
        let form = held.form();
        if self.is_spilled(table, form) {
            return;
        }
        if let Some(spilled) = budget.spill(held.memory().bytes()) {
            self.spilled.insert(table, Away { spilled, form });
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
        let form = away.form;
        self.insert(table, Held::moved_to(form, memory));
        Ok(true)
    }

    /// Puts tables into scratch files, but for those that take little of the budget: memory is about
    /// to be [short](Budget::be_short).
    pub(crate) fn leave_memory(&mut self, budget: &Budget) -> Result<(), SolveError> {
        let held = self.tables.values_mut();
        for held in held.filter(|held| !held.memory().is_scratch()) {
            let mut memory = budget.nodes(held.memory().len())?;
            if memory.is_scratch() {
                memory.bytes_mut().copy_from_slice(held.memory().bytes());
                memory.let_go();
                *held = Held::moved_to(held.form(), memory);
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
fn shortened(nodes: &Nodes, budget: &Budget) -> Result<Option<ShortValues>, SolveError> {
    let mut short = budget.nodes(nodes.len().div_ceil(2))?;
    let fits = AtomicBool::new(true);
    let bytes = short.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    let codes = nodes.codes().par_chunks(PACKED_PER_TASK);
    bytes.zip(codes).finely(1).for_each(|(bytes, codes)| {
        let mut all_fit = true;
        for (byte, &code) in bytes.iter_mut().zip(codes) {
            let short = code.to_byte();
            all_fit &= short.is_some();
            *byte = short.unwrap_or(0);
        }
        if !all_fit {
            fits.store(false, Ordering::Relaxed);
        }
    });
    Ok(fits.into_inner().then_some(ShortValues(short)))
}

/// The outcomes of the first `count` nodes.
fn packed(
    count: usize,
    values: TableValues<'_>,
    budget: &Budget,
) -> Result<PackedOutcomes, SolveError> {
    let mut packed = budget.nodes(count.div_ceil(2 * OUTCOMES_PER_BYTE))?;
    let tasks = packed.bytes_mut().par_chunks_mut(PACKED_PER_TASK);
    tasks.enumerate().finely(1).for_each(|(task, bytes)| {
        let first = task * PACKED_PER_TASK * OUTCOMES_PER_BYTE;
        for (i, byte) in bytes.iter_mut().enumerate() {
            let start = (first + i * OUTCOMES_PER_BYTE).min(count);
            let end = (start + OUTCOMES_PER_BYTE).min(count);
            let mut codes = [NodeValue::DRAW; OUTCOMES_PER_BYTE];
            for (code, node) in codes.iter_mut().zip(start..end) {
                *code = values.node(node);
            }
            *byte = NodeValue::pack_outcomes(&codes);
        }
    });
    Ok(PackedOutcomes(packed))
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

    fn values(&self, table: T) -> TableValues<'_> {
        match self.tables.get(&table) {
            Some(held) => held.values(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }

    fn let_go(&self) {
        self.tables.values().for_each(|held| held.memory().let_go());
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
        assert!(resident.get(1).is_none() && resident.has(1, Form::Bytes) && resident.has_plies(1));
        assert!(resident.bytes() < before);
        assert_eq!(resident.bytes_of(&[1, 2]), resident.bytes());
        for (node, &value) in VALUES.iter().enumerate() {
            assert_eq!(resident.values(1).node(node).value(), value);
        }
        resident.reduce(1, Form::Outcomes, &budget).unwrap();
        assert!(!resident.has(1, Form::Bytes) && !resident.has_plies(1));
        for (node, &value) in VALUES.iter().enumerate() {
            let outcome = resident.values(1).node(node).value().outcome();
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
        assert!(resident.has_plies(1));
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
