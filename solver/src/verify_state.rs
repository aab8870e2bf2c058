//! The state of a verification: what is stored of each table, and what has been verified.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use bitvec::prelude::*;
use endmill_dbformat::{Kind, Plies};
use endmill_games::Features;
use endmill_layout::{NodeValue, Solved};

use crate::counts::Counts;
use crate::derive;
use crate::held::Form;
use crate::load::Stored;
use crate::mismatch::Mismatch;
use crate::nodes::Solution;
use crate::order::Order;
use crate::plan::{Plan, PlannedGroup};
use crate::reader::Reader;
use crate::resident::Resident;
use crate::sample::{Known, Sample};
use crate::schedule::{self, Decision, Source};
use crate::verify::{Verified, VerifyLevel};
use crate::{Progress, SolveError};

/// What is stored, and what has been verified so far.
pub(crate) struct VerifyState<'a, G: Features, P> {
    pub(crate) reader: Reader<'a, G, P>,
    /// For each group of the plan, whether everything that verifying it needs is stored.
    can: BitVec,
    /// Where the plies of the tables of the plan are.
    plies: BTreeMap<G::Table, Plies>,
    /// Tables whose plies can be read, or derived from those that can be.
    known: BTreeSet<G::Table>,
    /// Tables that were only found consistent.
    consistent: BTreeSet<G::Table>,
    pub(crate) sample: Sample,
    pub(crate) verified: Verified<G::Table>,
}

impl<'a, G: Features, P: Progress> VerifyState<'a, G, P> {
    pub(crate) fn new(
        reader: Reader<'a, G, P>,
        plan: &Plan<G::Table>,
        sample: Sample,
    ) -> Result<VerifyState<'a, G, P>, SolveError> {
        let (game, store) = (reader.game, reader.store);
        let listed = store.list()?;
        let there = |kind: Kind| -> BTreeSet<&str> {
            let files = listed.iter();
            let files = files.filter(|file| file.kind == kind && file.bytes.is_some());
            files.map(|file| file.table.as_str()).collect()
        };
        let (outcomes, plies) = (there(Kind::Outcomes), there(Kind::Plies));
        let tables = plan.groups.iter().flat_map(|group| {
            let own = group.own_tables();
            own.chain(group.depends_on.iter().copied())
        });
        let mut ply_sources = BTreeMap::new();
        for table in tables {
            let name = table.to_string();
            let source = if plies.contains(name.as_str()) {
                Plies::Stored
            } else if game.leaves_plies_out(table) && store.leaves_plies_out(&name)? {
                Plies::LeftOut
            } else {
                Plies::Unknown
            };
            ply_sources.insert(table, source);
        }
        let plies = ply_sources;
        let plies_of = |table: G::Table| plies.get(&table).copied().unwrap_or(Plies::Unknown);
        // A table is read with those that it is resolved from.
        let is_there = |table: G::Table| outcomes.contains(table.to_string().as_str());
        let mut readable = Chain::new(is_there, |table| game.resolved_from(table));
        // Its plies are, or follow from those of the tables one turn ahead.
        let mut known = Chain::new(
            |table| is_there(table) && plies_of(table) != Plies::Unknown,
            |table| {
                let mut from = game.resolved_from(table);
                if plies_of(table) == Plies::LeftOut {
                    from.extend(derive::ahead(game, table));
                }
                from
            },
        );
        let groups = plan.groups.iter();
        let can = groups.map(|group| group.involved().all(|table| readable.holds(table)));
        let can = can.collect();
        let all = plan.groups.iter().flat_map(PlannedGroup::involved);
        let known = all.filter(|&table| known.holds(table)).collect();
        Ok(VerifyState {
            reader,
            can,
            plies,
            known,
            consistent: BTreeSet::new(),
            sample,
            verified: Verified {
                level: VerifyLevel::Right,
                positions: 0,
                known: Vec::new(),
                left_out: Vec::new(),
            },
        })
    }

    /// Skips, and records, a group that cannot be verified.
    pub(crate) fn decide(&mut self, number: usize, group: &PlannedGroup<G::Table>) -> Decision {
        if self.can[number] {
            return Decision::Visit;
        }
        let tables = group.own_tables();
        self.verified.left_out.extend(tables);
        Decision::Skip
    }

    /// Returns where the plies of a table are; unknown for tables that are not in the plan.
    fn plies(&self, table: G::Table) -> Plies {
        self.plies.get(&table).copied().unwrap_or(Plies::Unknown)
    }

    /// Returns true if the plies of a table are stored, and those that it is resolved from resident.
    fn reads_plies(&self, table: G::Table, resident: &Resident<G::Table>) -> bool {
        let mut from = self.reader.game.resolved_from(table).into_iter();
        self.plies(table) == Plies::Stored && from.all(|table| resident.has_plies(table))
    }

    /// Returns true if the plies of a table are left out, and those that they follow from resident.
    fn is_derived(&self, table: G::Table, resident: &Resident<G::Table>) -> bool {
        let mut ahead = derive::ahead(self.reader.game, table).into_iter();
        self.plies(table) == Plies::LeftOut && ahead.all(|table| resident.has_plies(table))
    }

    /// What must be resident before a table can be fetched in a form.
    pub(crate) fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        match form > Form::Outcomes && self.plies(table) == Plies::LeftOut {
            true => derive::source(self.reader.game, table),
            false => schedule::files(self.reader.game, table, form),
        }
    }

    /// Reads or derives a table, compares it with its header, and makes it resident. Returns true
    /// if its plies were read, and not derived.
    pub(crate) fn read(
        &mut self,
        table: G::Table,
        order: &impl Order<G>,
        resident: &mut Resident<G::Table>,
    ) -> Result<bool, SolveError> {
        let Reader { game, budget, .. } = self.reader;
        let reads_plies = self.reads_plies(table, resident);
        let stored = Stored::open(game, self.reader.store, table, reads_plies)?;
        let (solution, counts) = if self.is_derived(table, resident) {
            let derived = self.reader.derive_checked(&stored, order, resident)?;
            let counts = order.counts(&derived);
            (Solution::Exact(Arc::new(derived)), counts)
        } else {
            let counts = Mutex::new(Counts::default());
            let count = |first, values: &[NodeValue]| {
                let some = Counts::of(values, first);
                counts.lock().expect("adding does not panic").add(&some);
            };
            let solution = self.reader.read(&stored, order, resident, count)?;
            (
                solution,
                counts.into_inner().expect("adding does not panic"),
            )
        };
        resident.put_solution(table, &solution, budget)?;
        drop(solution);
        let exact = resident.has_plies(table);
        compare_counts(&stored, counts, exact)?;
        let values = resident.values(table);
        let sample = self.sample.shared(game.size(table)).into_iter();
        self.verified.known.extend(sample.map(|index| Known {
            table,
            index,
            value: values.node(order.place(game, table, index)).value(),
            exact,
        }));
        Ok(reads_plies)
    }

    /// The tables of a group, those from which others are derived first.
    pub(crate) fn in_order<V>(&self, mut tables: Vec<(G::Table, V)>) -> Vec<(G::Table, V)> {
        tables.sort_by_key(|(table, _)| self.plies(*table) == Plies::LeftOut);
        tables
    }

    /// Returns true if outcomes prove outcomes: no circle can support itself.
    pub(crate) fn outcomes_do(&self, group: &PlannedGroup<G::Table>) -> bool {
        let mut tables = group.tables.iter();
        group.sweeps && !tables.all(|(table, _)| self.plies(*table) != Plies::Unknown)
    }

    /// The form in which the tables that a group leads to are needed: with plies if those of all
    /// tables involved are known.
    pub(crate) fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        match group.involved().all(|table| self.known.contains(&table)) {
            false => Form::Outcomes,
            true if group.sweeps => Form::Bytes,
            true => Form::Nodes,
        }
    }

    /// Returns true if the plies of all tables that a group's values are compared with are known.
    pub(crate) fn compares_plies(
        &self,
        group: &PlannedGroup<G::Table>,
        resident: &Resident<G::Table>,
    ) -> bool {
        let mut involved = group.involved();
        !self.outcomes_do(group) && involved.all(|table| resident.has_plies(table))
    }

    /// Records that a group was found right, as far as the tables it leads to are.
    pub(crate) fn finish(
        &mut self,
        group: &PlannedGroup<G::Table>,
        compared_plies: bool,
    ) -> VerifyLevel {
        let mut outside = group.depends_on.iter();
        let outside_right = !outside.any(|table| self.consistent.contains(table));
        let level = match outside_right && (compared_plies || self.outcomes_do(group)) {
            true => VerifyLevel::Right,
            false => VerifyLevel::Consistent,
        };
        if level == VerifyLevel::Consistent {
            let tables = group.own_tables();
            self.consistent.extend(tables);
        }
        self.verified.level = self.verified.level.min(level);
        self.verified.positions += group.positions();
        level
    }
}

/// Compares the counts of a header with those of the values.
fn compare_counts<G: Features>(
    stored: &Stored<'_, G>,
    counts: Counts,
    exact: bool,
) -> Result<(), SolveError> {
    let (mut counted, mut stated) = (counts.statistics(), stored.statistics().clone());
    if !exact {
        counted = counted.without_plies();
        stated = stated.without_plies();
    }
    if counted == stated {
        return Ok(());
    }
    let table = stored.table().to_string();
    Err(SolveError::Differs(Mismatch::Counts { table }))
}

/// A property of tables that hold it themselves and are made only from tables with the property.
struct Chain<T, Itself, From> {
    itself: Itself,
    from: From,
    known: BTreeMap<T, bool>,
}

impl<T: Copy + Ord, Itself: Fn(T) -> bool, From: Fn(T) -> Vec<T>> Chain<T, Itself, From> {
    fn new(itself: Itself, from: From) -> Chain<T, Itself, From> {
        Chain {
            itself,
            from,
            known: BTreeMap::new(),
        }
    }

    fn holds(&mut self, table: T) -> bool {
        if let Some(&holds) = self.known.get(&table) {
            return holds;
        }
        let holds = (self.itself)(table) && {
            let from = (self.from)(table);
            from.into_iter().all(|table| self.holds(table))
        };
        self.known.insert(table, holds);
        holds
    }
}
