//! Goes through the tables of a plan for the [proof](crate::proof) by turns: reads each as an array
//! of values by number, and has it proved while the tables it leads to are resident.

use std::convert::Infallible;
use std::sync::Arc;

use endmill_dbformat::Store;
use endmill_games::{Features, Value};
use endmill_layout::Solved;
use rayon::prelude::*;

use crate::account::Account;
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::counts::Counts;
use crate::derive;
use crate::held::Form;
use crate::load::{Buffers, Stored, one_by_one};
use crate::nodes::{Nodes, Solution};
use crate::plan::{Memory, PlannedGroup};
use crate::proof::Claim;
use crate::resident::Resident;
use crate::sample::Known;
use crate::schedule::{Source, Turn, Visitor, Way};
use crate::verify::compare_counts;
use crate::{Progress, SolveError};

/// Positions that one task reads.
const POSITIONS_PER_TASK: usize = 1 << 18;

/// The value of the position of a number.
fn value<T>(resident: &Resident<T>, table: T, number: u64) -> Value
where
    Resident<T>: Solved<T>,
{
    resident.values(table).node(number as usize).value()
}

/// Proves group after group.
pub(crate) struct Prover<'a, G: Features, P> {
    game: &'a G,
    store: &'a Store,
    budget: &'a Budget,
    progress: &'a P,
    account: Account<G::Table>,
}

impl<'a, G: Features, P: Progress> Prover<'a, G, P> {
    pub(crate) fn new(
        game: &'a G,
        store: &'a Store,
        budget: &'a Budget,
        progress: &'a P,
        account: Account<G::Table>,
    ) -> Prover<'a, G, P> {
        Prover {
            game,
            store,
            budget,
            progress,
            account,
        }
    }

    pub(crate) fn into_account(self) -> Account<G::Table> {
        self.account
    }

    /// Derives the values of a table whose plies are left out, in the order of their numbers.
    fn derive(&self, table: G::Table, resident: &Resident<G::Table>) -> Result<Nodes, SolveError> {
        derive::check_ahead(self.game, table, resident)?;
        let of_position =
            |table, position: &G::Position| value(resident, table, self.game.rank(position));
        derive::one_by_one(self.game, table, &of_position, self.budget, self.progress)
    }

    /// Reads the values of a table in the order of their numbers.
    fn read(
        &self,
        stored: &Stored<'_, G>,
        resident: &Resident<G::Table>,
    ) -> Result<Solution, SolveError> {
        self.progress.phase(&format!("reading {}", stored.table()));
        let of_position = |table, position: &G::Position| {
            let values = resident.values(table);
            values.node(self.game.rank(position) as usize)
        };
        let resolve = one_by_one(self.game, stored.table(), of_position);
        let mut values = self.budget.nodes(self.game.size(stored.table()) as usize)?;
        let tasks = values.par_chunks_mut(POSITIONS_PER_TASK);
        tasks.enumerate().small_chunks(1).try_for_each_init(
            || (Buffers::default(), Vec::new()),
            |(buffers, codes), (task, values)| -> Result<(), SolveError> {
                if self.progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                let start = (task * POSITIONS_PER_TASK) as u64;
                codes.clear();
                stored.read(start..start + values.len() as u64, &resolve, buffers, codes)?;
                values.copy_from_slice(codes);
                Ok(())
            },
        )?;
        stored.solution(values, resident)
    }
}

impl<G: Features, P: Progress> Visitor<G::Table> for Prover<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.account.needs(group).min(Form::Bytes)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        let sizes = || group.depends_on.iter().map(|&table| self.game.size(table));
        let outside: u64 = sizes().sum();
        Memory {
            all: outside + 2 * (group.positions() + sizes().max().unwrap_or(0)),
            outside,
        }
    }

    fn turn(&mut self, number: usize, group: &PlannedGroup<G::Table>) -> Result<Turn, SolveError> {
        Ok(self.account.turn(number, group))
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        self.account.source(self.game, table, form)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        if way == Way::Derive {
            resident.put(table, self.derive(table, resident)?);
            return Ok(());
        }
        let stored = Stored::in_form(form, self.game, self.store, table)?;
        let solution = self.read(&stored, resident)?;
        resident.put_solution(table, &solution, self.budget)
    }

    fn visit(
        &mut self,
        group: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        self.progress.group(&group.name(), group.positions());
        for (table, size) in self.account.in_order(group.tables.clone()) {
            let stored = match self.account.reads_plies(self.game, table, resident) {
                true => Stored::values(self.game, self.store, table)?,
                false => Stored::outcomes(self.game, self.store, table)?,
            };
            let mut solution = self.read(&stored, resident)?;
            if self.account.is_derived(self.game, table, resident) {
                let derived = self.derive(table, resident)?;
                let outcomes = solution.outcomes();
                derive::compare_outcomes(&table, &outcomes, &derived, |index| index as u64)?;
                solution = Solution::Exact(Arc::new(derived));
            }
            resident.put_solution(table, &solution, self.budget)?;
            let plies_known = resident.has_plies(table);
            let outcomes = solution.outcomes();
            let counts = Counts::of_all(outcomes.nodes());
            compare_counts(&stored, counts, plies_known)?;
            drop((solution, outcomes));
            let values = resident.values(table);
            let sample = self.account.sample.shared(size).into_iter();
            self.account.remember(sample.map(|index| Known {
                table,
                index,
                value: values.node(index as usize).value(),
                exact: plies_known,
            }));
        }
        let compare_plies = self.account.compares_plies(group, resident);
        for &(table, _) in &group.tables {
            self.progress.phase(&format!("proving {table}"));
            let claim = Claim {
                game: self.game,
                table,
                stored: |table, number| value(resident, table, number),
                plies: compare_plies,
            };
            claim.prove(self.progress)?;
        }
        let shown = self.account.shown(group, compare_plies);
        self.progress.verified(&group.name(), 0, shown);
        Ok(None)
    }
}
