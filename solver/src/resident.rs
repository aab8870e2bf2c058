//! Solved tables in memory, for the groups that depend on them.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::sync::Arc;

use endmill_games::value::{Scale, TableValues};
use endmill_layout::Solved;

use crate::SolveError;
use crate::budget::Budget;
use crate::held::{Away, Form, Held, Outcomes};
use crate::nodes::{Nodes, OutcomeNodes, Solution};
use crate::schedule::Residency;

/// What the values of resident tables say beyond outcomes.
pub trait Holds {
    /// As a turn changes it.
    const SCALE: Scale;
}

/// Distances.
#[derive(Debug)]
pub enum Distances {}

/// The ranks of draws; of wins and losses only that they are.
#[derive(Debug)]
pub enum Ranks {}

impl Holds for Distances {
    const SCALE: Scale = Scale::Plies;
}

impl Holds for Ranks {
    const SCALE: Scale = Scale::Ranks;
}

/// Solved tables in memory: all with distances, or all with ranks of draws.
///
/// A table is held in a [`Form`]. Plies are exact in every form that has them: a table that was read or
/// solved without plies can only be added as outcomes.
#[derive(Debug)]
pub struct Resident<T, H = Distances> {
    tables: BTreeMap<T, Held>,
    /// Tables that had to leave memory and will be needed again.
    spilled: BTreeMap<T, Away>,
    /// Tables with plies that do not fit a byte.
    too_long: BTreeSet<T>,
    holds: PhantomData<fn() -> H>,
}

impl<T: Copy + Ord, H> Resident<T, H> {
    /// No tables yet.
    pub fn new() -> Resident<T, H> {
        Resident {
            tables: BTreeMap::new(),
            spilled: BTreeMap::new(),
            too_long: BTreeSet::new(),
            holds: PhantomData,
        }
    }

    fn insert(&mut self, table: T, held: Held) {
        held.release_pages();
        self.tables.insert(table, held);
    }
}

impl<T: Copy + Ord> Resident<T, Ranks> {
    /// Adds a table with the ranks of its draws.
    pub(crate) fn put_ranks(&mut self, table: T, ranks: Nodes) {
        self.insert(table, Held::Nodes(Arc::new(ranks)));
    }
}

impl<T: Copy + Ord> Resident<T> {
    /// Adds a table with its exact values.
    pub fn put(&mut self, table: T, nodes: Nodes) {
        self.put_shared(table, Arc::new(nodes));
    }

    /// Adds a table whose nodes are shared.
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
        self.insert(table, Held::Outcomes(Outcomes::of(outcomes, budget)?));
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

    /// The nodes of a table, if it is resident as nodes.
    pub fn get(&self, table: T) -> Option<&Nodes> {
        self.nodes_of(table).map(Arc::as_ref)
    }

    /// Returns true if these are the nodes of a resident table: they take no additional memory.
    pub(crate) fn has_these(&self, table: T, nodes: &Arc<Nodes>) -> bool {
        (self.nodes_of(table)).is_some_and(|resident| Arc::ptr_eq(resident, nodes))
    }

    fn nodes_of(&self, table: T) -> Option<&Arc<Nodes>> {
        match self.tables.get(&table)? {
            Held::Nodes(nodes) => Some(nodes),
            Held::Outcomes(_) | Held::Bytes(_) => None,
        }
    }

    /// Returns true if a table is resident with its plies.
    pub fn has_plies(&self, table: T) -> bool {
        self.has(table, Form::Bytes)
    }
}

impl<T: Copy + Ord, H> Residency<T> for Resident<T, H> {
    fn tables(&self) -> Vec<T> {
        self.tables.keys().copied().collect()
    }

    fn bytes_of(&self, tables: &[T]) -> u64 {
        let held = tables.iter().filter_map(|table| self.tables.get(table));
        held.map(Held::bytes).sum()
    }

    fn bytes(&self) -> u64 {
        self.tables.values().map(Held::bytes).sum()
    }

    fn has(&self, table: T, form: Form) -> bool {
        let held = self.tables.get(&table);
        held.is_some_and(|held| held.form() >= form)
    }

    fn is_spilled(&self, table: T, form: Form) -> bool {
        let away = self.spilled.get(&table);
        away.is_some_and(|away| away.form() >= form)
    }

    fn restore(&mut self, table: T, form: Form, budget: &Budget) -> Result<bool, SolveError> {
        let Some(away) = self.spilled.get(&table).filter(|away| away.form() >= form) else {
            return Ok(false);
        };
        let Some(held) = away.restore(budget)? else {
            // It is read again from its files.
            self.spilled.remove(&table);
            return Ok(false);
        };
        self.insert(table, held);
        Ok(true)
    }

    fn reduce(&mut self, table: T, form: Form, budget: &Budget) -> Result<(), SolveError> {
        let Some(held) = self.tables.get(&table).filter(|held| held.form() > form) else {
            return Ok(());
        };
        if form == Form::Bytes && self.too_long.contains(&table) {
            return Ok(());
        }
        match held.packed(form, budget)? {
            Some(packed) => self.insert(table, packed),
            None => {
                self.too_long.insert(table);
            }
        }
        Ok(())
    }

    fn keep(&mut self, wanted: impl Fn(T) -> bool) {
        self.tables.retain(|&table, _| wanted(table));
        self.spilled.retain(|&table, _| wanted(table));
    }

    fn evict(&mut self, table: T, is_needed: bool, budget: &Budget) {
        if let Some(held) = self.tables.remove(&table)
            && is_needed
            && !self.is_spilled(table, held.form())
            && let Some(away) = held.spill(budget)
        {
            self.spilled.insert(table, away);
        }
    }

    fn leave_memory(&mut self, budget: &Budget) -> Result<(), SolveError> {
        let mut held = self.tables.values_mut();
        held.try_for_each(|held| held.leave_memory(budget))
    }
}

impl<T: Copy + Ord, H> Default for Resident<T, H> {
    fn default() -> Resident<T, H> {
        Resident::new()
    }
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug, H: Holds> Solved<T> for Resident<T, H> {
    fn values(&self, table: T) -> TableValues<'_> {
        match self.tables.get(&table) {
            Some(held) => held.values(),
            None => panic!("{table:?} is needed but was not solved"),
        }
    }

    fn scale(&self) -> Scale {
        H::SCALE
    }

    fn release_pages(&self) {
        self.tables.values().for_each(Held::release_pages);
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::Value;
    use endmill_games::value::NodeValue;

    use crate::schedule::NextUse;

    use super::*;

    fn nodes(values: &[Value], budget: &Budget) -> Nodes {
        let mut nodes = budget.nodes(values.len()).unwrap();
        for (node, &value) in nodes.iter_mut().zip(values) {
            *node = NodeValue::new(value);
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
    fn a_spilled_table_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let budget = Budget::new(1 << 20, directory.path().into());
        let mut resident = Resident::new();
        resident.put(1, nodes(&VALUES, &budget));
        resident.shrink(0, &budget, |_| NextUse::Group(0));
        assert!(!resident.has(1, Form::Outcomes));
        assert!(resident.restore(1, Form::Nodes, &budget).unwrap());
        for (node, &value) in VALUES.iter().enumerate() {
            assert_eq!(resident.values(1).node(node).value(), value);
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
            assert_eq!(resident.values(1).node(0).value(), values[0]);
        }
    }
}
