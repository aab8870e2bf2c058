//! Reads whole tables: what their files store, what is resolved by turns, and what is derived.

use endmill_dbformat::Store;
use endmill_games::Features;
use endmill_layout::{Layout, NodeValue};

use crate::budget::Budget;
use crate::derive;
use crate::held::Form;
use crate::load::Stored;
use crate::nodes::{Nodes, Solution};
use crate::numbered::Numbered;
use crate::order::Order;
use crate::resident::Resident;
use crate::schedule::Way;
use crate::{Progress, SolveError};

/// Reads the tables of a store.
pub(crate) struct Reader<'a, G, P> {
    pub(crate) game: &'a G,
    pub(crate) store: &'a Store,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a P,
}

impl<G: Features, P: Progress> Reader<'_, G, P> {
    /// Makes a table resident in an order. The tables that it comes from are resident.
    pub(crate) fn fetch(
        &self,
        table: G::Table,
        form: Form,
        way: Way,
        order: &impl Order<G>,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        if way == Way::Derive {
            let nodes = self.derive(table, order, resident)?;
            resident.put(table, nodes);
            return Ok(());
        }
        let stored = Stored::open(self.game, self.store, table, form > Form::Outcomes)?;
        let solution = self.read(&stored, order, resident, |_, _| ())?;
        resident.put_solution(table, &solution, self.budget)
    }

    /// Reads a stored table; see [`Order::read`].
    pub(crate) fn read(
        &self,
        stored: &Stored<'_, G>,
        order: &impl Order<G>,
        resident: &Resident<G::Table>,
        see: impl Fn(u64, &[NodeValue]) + Sync,
    ) -> Result<Solution, SolveError> {
        self.progress.phase(&format!("reading {}", stored.table()));
        let nodes = order.read(stored, resident, (self.budget, self.progress), see)?;
        stored.solution(nodes, resident)
    }

    fn derive(
        &self,
        table: G::Table,
        order: &impl Order<G>,
        resident: &Resident<G::Table>,
    ) -> Result<Nodes, SolveError> {
        derive::check_ahead(self.game, table, resident)?;
        self.progress.phase(&format!("deriving {table}"));
        order.derive(self.game, table, resident, (self.budget, self.progress))
    }

    /// Derives a table and compares it with its stored outcomes.
    pub(crate) fn derive_checked(
        &self,
        stored: &Stored<'_, G>,
        order: &impl Order<G>,
        resident: &Resident<G::Table>,
    ) -> Result<Nodes, SolveError> {
        let table = stored.table();
        let read = self.read(stored, order, resident, |_, _| ())?.outcomes();
        let derived = self.derive(table, order, resident)?;
        derive::compare_outcomes(&table, &read, &derived, |place| order.number(place))?;
        Ok(derived)
    }
}

impl<G: Layout, P: Progress> Reader<'_, G, P> {
    /// Makes a table resident, laid out as in its group.
    pub(crate) fn fetch_rows(
        &self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        let group = self.game.group(table);
        let rows = Numbered::of(&group, table, self.game.size(table));
        self.fetch(table, form, way, &rows, resident)
    }
}
