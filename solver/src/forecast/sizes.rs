//! The sizes of the tables that are resident in a dry run, and the most memory that they take.

use std::collections::BTreeMap;

use endmill_games::value::OUTCOMES_PER_BYTE;
use endmill_layout::Layout;

use crate::SolveError;
use crate::budget::Budget;
use crate::held::Form;
use crate::schedule::Residency;

/// The sizes of tables, in place of the tables themselves.
pub(super) struct Sizes<'a, G: Layout> {
    game: &'a G,
    budget: &'a Budget,
    tables: BTreeMap<G::Table, Size>,
    spilled: BTreeMap<G::Table, Form>,
    /// The tables of the group that was visited last: it is being stored, or will be.
    pub(super) stored: Vec<G::Table>,
    /// Bytes of nodes that are being stored, and not resident any more.
    pub(super) unshared: u64,
    /// What storing the group before takes, in addition to the tables that are resident.
    pub(super) beside: u64,
    /// The most that was taken so far.
    pub(super) peak: u64,
}

#[derive(Clone, Copy)]
struct Size {
    form: Form,
    bytes: u64,
    is_scratch: bool,
}

impl<'a, G: Layout> Sizes<'a, G> {
    /// No tables yet.
    pub(super) fn new(game: &'a G, budget: &'a Budget) -> Sizes<'a, G> {
        Sizes {
            game,
            budget,
            tables: BTreeMap::new(),
            spilled: BTreeMap::new(),
            stored: Vec::new(),
            unshared: 0,
            beside: 0,
            peak: 0,
        }
    }

    /// The bytes of a table in a form.
    pub(super) fn size(&self, table: G::Table, form: Form) -> u64 {
        let nodes = self.game.nodes(table);
        match form {
            Form::Outcomes => nodes.div_ceil(OUTCOMES_PER_BYTE as u64),
            Form::Bytes => nodes,
            Form::Nodes => nodes.saturating_mul(2),
        }
    }

    /// Records what is taken now: the tables, `more` bytes that the budget counts, and what storing
    /// takes. Where memory is short, nodes beyond the budget are in scratch files.
    pub(super) fn record(&mut self, more: u64) {
        let mut counted = self.in_memory().saturating_add(more);
        if self.is_short() {
            counted = counted.min(self.budget.limit());
        }
        self.peak = self.peak.max(counted.saturating_add(self.beside));
    }

    /// Returns true if the group that is visited takes more than the limit.
    pub(super) fn is_short(&self) -> bool {
        self.budget.is_short()
    }

    /// Holds tables that have just been solved or read.
    pub(super) fn put_nodes(&mut self, tables: &[G::Table]) {
        for &table in tables {
            self.put(table, Form::Nodes, false);
        }
    }

    /// Holds a table in a form: in memory, or, where the budget is used up, in a scratch file.
    fn hold(&mut self, table: G::Table, form: Form) {
        let used = self.in_memory().saturating_add(self.unshared);
        let needed = used.saturating_add(self.size(table, form));
        self.put(table, form, needed > self.budget.limit());
    }

    fn put(&mut self, table: G::Table, form: Form, is_scratch: bool) {
        let size = Size {
            form,
            bytes: self.size(table, form),
            is_scratch,
        };
        self.tables.insert(table, size);
    }

    /// The form that a table is held in.
    pub(super) fn form(&self, table: G::Table) -> Option<Form> {
        self.tables.get(&table).map(|size| size.form)
    }

    /// Bytes in memory: the pages of scratch files are released.
    fn in_memory(&self) -> u64 {
        let sizes = self.tables.values().filter(|size| !size.is_scratch);
        sum(sizes.map(|size| size.bytes))
    }

    /// Bytes of some tables that come into memory while they are used.
    pub(super) fn in_scratch_of(&self, tables: &[G::Table]) -> u64 {
        let sizes = tables.iter().filter_map(|table| self.tables.get(table));
        let scratch = sizes.filter(|size| size.is_scratch);
        sum(scratch.map(|size| size.bytes))
    }
}

fn sum(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(0, u64::saturating_add)
}

impl<G: Layout> Residency<G::Table> for Sizes<'_, G> {
    fn tables(&self) -> Vec<G::Table> {
        self.tables.keys().copied().collect()
    }

    fn bytes_of(&self, tables: &[G::Table]) -> u64 {
        let sizes = tables.iter().filter_map(|table| self.tables.get(table));
        sum(sizes.map(|size| size.bytes))
    }

    /// As the budget counts them: scratch files too.
    fn bytes(&self) -> u64 {
        sum(self.tables.values().map(|size| size.bytes))
    }

    fn has(&self, table: G::Table, form: Form) -> bool {
        self.form(table).is_some_and(|held| held >= form)
    }

    fn is_spilled(&self, table: G::Table, form: Form) -> bool {
        self.spilled.get(&table).is_some_and(|&away| away >= form)
    }

    fn restore(&mut self, table: G::Table, _: Form, _: &Budget) -> Result<bool, SolveError> {
        let away = self.spilled[&table];
        self.record(self.size(table, away));
        self.hold(table, away);
        Ok(true)
    }

    fn reduce(&mut self, table: G::Table, form: Form, _: &Budget) -> Result<(), SolveError> {
        if self.form(table).is_some_and(|held| held > form) {
            self.record(self.size(table, form));
            self.hold(table, form);
            if self.stored.contains(&table) {
                let nodes = self.size(table, Form::Nodes);
                self.unshared += nodes;
                self.beside += nodes;
            }
        }
        Ok(())
    }

    fn keep(&mut self, wanted: impl Fn(G::Table) -> bool) {
        self.tables.retain(|&table, _| wanted(table));
        self.spilled.retain(|&table, _| wanted(table));
    }

    fn evict(&mut self, table: G::Table, is_needed: bool, _: &Budget) {
        if let Some(size) = self.tables.remove(&table)
            && is_needed
        {
            let away = self.spilled.entry(table).or_insert(size.form);
            *away = size.form.max(*away);
        }
    }

    fn leave_memory(&mut self, _: &Budget) -> Result<(), SolveError> {
        Ok(())
    }
}
