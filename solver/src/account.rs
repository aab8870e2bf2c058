//! The state of a verification: which tables are stored in which form, and what has been shown of
//! them.

use std::collections::{BTreeMap, BTreeSet};

use bitvec::prelude::*;
use endmill_dbformat::{Kind, Store};
use endmill_games::Features;

use crate::SolveError;
use crate::derive;
use crate::held::Form;
use crate::plan::{Plan, PlannedGroup};
use crate::resident::Resident;
use crate::sample::{Known, Sample};
use crate::schedule::{self, Source, Turn};
use crate::verify::{Shown, Verified};

/// What is stored, and what has been shown of it so far.
pub(crate) struct Account<T> {
    /// For each group of the plan, whether everything that verifying it needs is stored.
    can: BitVec,
    /// Tables that state plies: stored, or left out.
    with_plies: BTreeSet<T>,
    /// Tables whose plies are left out.
    left_out: BTreeSet<T>,
    /// Tables whose plies can be read, or derived from those that can be.
    known: BTreeSet<T>,
    /// Tables that were only found consistent.
    consistent: BTreeSet<T>,
    pub(crate) sample: Sample,
    pub(crate) verified: Verified<T>,
}

impl<T: Copy + Ord + std::fmt::Display> Account<T> {
    pub(crate) fn new<G: Features<Table = T>>(
        game: &G,
        store: &Store,
        plan: &Plan<T>,
        sample: Sample,
    ) -> Result<Account<T>, SolveError> {
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
        let (mut with_plies, mut left_out) = (BTreeSet::new(), BTreeSet::new());
        for table in tables {
            let name = table.to_string();
            if plies.contains(name.as_str()) {
                with_plies.insert(table);
            } else if game.leaves_plies_out(table) && store.leaves_plies_out(&name)? {
                with_plies.insert(table);
                left_out.insert(table);
            }
        }
        // A table is read with those that it is resolved from.
        let is_there = |table: T| outcomes.contains(table.to_string().as_str());
        let mut readable = Chain::new(is_there, |table| game.resolved_from(table));
        // Its plies are, or follow from those of the tables one turn ahead.
        let mut known = Chain::new(
            |table| is_there(table) && with_plies.contains(&table),
            |table| {
                let mut from = game.resolved_from(table);
                if left_out.contains(&table) {
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
        Ok(Account {
            can,
            known,
            with_plies,
            left_out,
            consistent: BTreeSet::new(),
            sample,
            verified: Verified {
                shown: Shown::Right,
                positions: 0,
                known: Vec::new(),
                left_out: Vec::new(),
            },
        })
    }

    /// Skips, and records, a group that cannot be verified.
    pub(crate) fn turn(&mut self, number: usize, group: &PlannedGroup<T>) -> Turn {
        if self.can[number] {
            return Turn::Visit;
        }
        let tables = group.own_tables();
        self.verified.left_out.extend(tables);
        Turn::Skip
    }

    /// Returns true if the plies of a table are stored, and those that it is resolved from resident.
    pub(crate) fn reads_plies<G: Features<Table = T>>(
        &self,
        game: &G,
        table: T,
        resident: &Resident<T>,
    ) -> bool {
        let mut from = game.resolved_from(table).into_iter();
        self.with_plies.contains(&table)
            && !self.left_out.contains(&table)
            && from.all(|table| resident.has_plies(table))
    }

    /// Returns true if the plies of a table are left out, and those that they follow from resident.
    pub(crate) fn is_derived<G: Features<Table = T>>(
        &self,
        game: &G,
        table: T,
        resident: &Resident<T>,
    ) -> bool {
        let mut ahead = derive::ahead(game, table).into_iter();
        self.left_out.contains(&table) && ahead.all(|table| resident.has_plies(table))
    }

    /// What must be resident before a table can be fetched in a form.
    pub(crate) fn source<G: Features<Table = T>>(
        &self,
        game: &G,
        table: T,
        form: Form,
    ) -> Source<T> {
        match form > Form::Outcomes && self.left_out.contains(&table) {
            true => derive::source(game, table),
            false => schedule::files(game, table, form),
        }
    }

    /// The tables of a group, those from which others are derived first.
    pub(crate) fn in_order<V>(&self, mut tables: Vec<(T, V)>) -> Vec<(T, V)> {
        tables.sort_by_key(|(table, _)| self.left_out.contains(table));
        tables
    }

    /// Returns true if outcomes prove outcomes: no circle can support itself.
    pub(crate) fn outcomes_do(&self, group: &PlannedGroup<T>) -> bool {
        let mut tables = group.tables.iter();
        group.sweeps && !tables.all(|(table, _)| self.with_plies.contains(table))
    }

    /// The form in which the tables that a group leads to are needed: with plies if those of all
    /// tables involved are known.
    pub(crate) fn needs(&self, group: &PlannedGroup<T>) -> Form {
        match group.involved().all(|table| self.known.contains(&table)) {
            false => Form::Outcomes,
            true if group.sweeps => Form::Bytes,
            true => Form::Nodes,
        }
    }

    /// Returns true if the plies of all tables that a group's values are compared with are known.
    pub(crate) fn compares_plies(&self, group: &PlannedGroup<T>, resident: &Resident<T>) -> bool {
        let mut involved = group.involved();
        !self.outcomes_do(group) && involved.all(|table| resident.has_plies(table))
    }

    /// Records a sample of a table that has been read.
    pub(crate) fn remember(&mut self, values: impl IntoIterator<Item = Known<T>>) {
        self.verified.known.extend(values);
    }

    /// Records that a group was found right, as far as the tables it leads to are.
    pub(crate) fn shown(&mut self, group: &PlannedGroup<T>, compared_plies: bool) -> Shown {
        let mut outside = group.depends_on.iter();
        let outside_right = !outside.any(|table| self.consistent.contains(table));
        let shown = match outside_right && (compared_plies || self.outcomes_do(group)) {
            true => Shown::Right,
            false => Shown::Consistent,
        };
        if shown == Shown::Consistent {
            let tables = group.own_tables();
            self.consistent.extend(tables);
        }
        self.verified.shown = self.verified.shown.min(shown);
        self.verified.positions += group.positions();
        shown
    }
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
