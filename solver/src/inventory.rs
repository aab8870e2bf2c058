//! What a store has of the tables of a build.

use std::collections::BTreeSet;

use endmill_dbformat::{Claims, Manifest, Plies, Presence, Store};
use endmill_games::Features;

use crate::SolveError;
use crate::build::BuildOptions;
use crate::claiming::claim;
use crate::derive;
use crate::plan::{Plan, PlannedGroup};

/// What was found in the store, and what this builder has added.
pub(crate) struct Inventory<'a, G: Features> {
    game: &'a G,
    store: &'a Store,
    options: &'a BuildOptions,
    /// The manifest at the start: all that is known of tables without a record.
    before: Manifest,
    /// Tables that were found finished, or that this builder has solved: it stores them before it
    /// stores what leads to them.
    pub(crate) finished: BTreeSet<G::Table>,
    /// Tables that had plies when they were last looked up, finished or not. A build never stores
    /// less of a table than was stored before.
    had_plies: BTreeSet<G::Table>,
    /// Tables that this builder has stored, or is storing, with a `.dtw`.
    pub(crate) stored_plies: BTreeSet<G::Table>,
}

impl<'a, G: Features> Inventory<'a, G> {
    /// Nothing is looked up yet.
    pub(crate) fn new(
        game: &'a G,
        store: &'a Store,
        options: &'a BuildOptions,
    ) -> Result<Inventory<'a, G>, SolveError> {
        Ok(Inventory {
            game,
            store,
            options,
            before: store.manifest()?,
            finished: BTreeSet::new(),
            had_plies: BTreeSet::new(),
            stored_plies: BTreeSet::new(),
        })
    }

    /// Returns true if the files of a table are recorded, and exist.
    pub(crate) fn is_finished(&mut self, table: G::Table) -> Result<bool, SolveError> {
        if self.finished.contains(&table) {
            return Ok(true);
        }
        let plies = self.options.plies.of_table(self.game, table);
        let finished = self.presence(table)?.is_finished(plies);
        if finished {
            self.finished.insert(table);
        }
        Ok(finished)
    }

    fn presence(&self, table: G::Table) -> Result<Presence, SolveError> {
        Ok(self.store.presence(&table.to_string(), &self.before)?)
    }

    /// Writes the records of finished tables that only the manifest lists: those of a database of
    /// version 0.1, or records that were removed.
    pub(crate) fn restore_records(
        &self,
        group: &PlannedGroup<G::Table>,
        claims: &Claims,
    ) -> Result<(), SolveError> {
        let has_record = |table: G::Table| self.store.record_path(&table.to_string()).exists();
        if group.own_tables().all(has_record) {
            return Ok(());
        }
        let holder = &self.options.holder;
        let Some(_claim) = claim(self.store, claims, group, holder)? else {
            return Ok(());
        };
        for table in group.own_tables().filter(|&table| !has_record(table)) {
            if self.presence(table)?.is_finished(false) {
                let name = table.to_string();
                let record = self.store.in_manifest(&self.before, &name);
                self.store.write_record(&name, &record)?;
            }
        }
        Ok(())
    }

    /// Looks up which of these tables have plies, or had them.
    pub(crate) fn find_plies(
        &mut self,
        tables: impl Iterator<Item = G::Table>,
    ) -> Result<(), SolveError> {
        for table in tables {
            if self.presence(table)?.had_plies() {
                self.had_plies.insert(table);
            }
        }
        Ok(())
    }

    /// Returns true if a group gets plies: they were requested, or the group had them before.
    pub(crate) fn wants_plies(&self, group: &PlannedGroup<G::Table>) -> bool {
        self.options.plies.of(group)
            || group
                .own_tables()
                .any(|table| self.had_plies.contains(&table))
    }

    /// Returns true if the plies of a table that is about to be stored follow from what is stored of the
    /// tables one turn ahead; `own` are those it is stored with.
    pub(crate) fn can_leave_plies_out(
        &self,
        table: G::Table,
        own: &PlannedGroup<G::Table>,
    ) -> Result<bool, SolveError> {
        if !self.options.compact || !self.game.leaves_plies_out(table) {
            return Ok(false);
        }
        for ahead in derive::ahead(self.game, table) {
            let is_stored = self.stored_plies.contains(&ahead)
                || own.own_tables().any(|table| table == ahead)
                || self.presence(ahead)? == Presence::Finished(Plies::Stored);
            if !is_stored {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn are_finished(
        &mut self,
        tables: impl IntoIterator<Item = G::Table>,
    ) -> Result<bool, SolveError> {
        for table in tables {
            if !self.is_finished(table)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Rejects a plan that leads to tables which are neither in it nor in the store.
    pub(crate) fn check_dependencies(&mut self, plan: &Plan<G::Table>) -> Result<(), SolveError> {
        let own = plan.groups.iter().flat_map(|group| &group.tables);
        let own: BTreeSet<G::Table> = own.map(|(table, _)| *table).collect();
        let mut missing = BTreeSet::new();
        for group in &plan.groups {
            if self.are_finished(group.own_tables())? {
                continue;
            }
            for &table in &group.depends_on {
                if !own.contains(&table) && !self.is_finished(table)? {
                    missing.insert(table);
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(SolveError::Dependencies {
            group: plan
                .groups
                .last()
                .map(PlannedGroup::name)
                .unwrap_or_default(),
            directory: self.store.directory().into(),
            missing: missing.iter().map(|table| table.to_string()).collect(),
        })
    }
}
