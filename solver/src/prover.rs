//! Runs the [proof](crate::proof) by turns over a plan: reads each table as an array of values by
//! number, and proves it while the tables that it leads to are resident.

use std::convert::Infallible;

use endmill_games::Features;

use crate::held::Form;
use crate::order::{ByNumber, value};
use crate::plan::{Memory, PlannedGroup};
use crate::proof::Claim;
use crate::resident::Resident;
use crate::schedule::{Decision, Source, Visitor, Way};
use crate::verify_state::VerifyState;
use crate::{Progress, SolveError};

/// Proves group after group by turns.
pub(crate) struct Prover<'a, G: Features, P>(pub(crate) VerifyState<'a, G, P>);

impl<G: Features, P: Progress> Visitor<G::Table> for Prover<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.0.needs(group).min(Form::Bytes)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        let game = self.0.reader.game;
        let sizes = || group.depends_on.iter().map(|&table| game.size(table));
        let outside: u64 = sizes().sum();
        Memory {
            all: outside + 2 * (group.positions() + sizes().max().unwrap_or(0)),
            outside,
        }
    }

    fn decide(
        &mut self,
        number: usize,
        group: &PlannedGroup<G::Table>,
    ) -> Result<Decision, SolveError> {
        Ok(self.0.decide(number, group))
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        self.0.source(table, form)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        self.0.reader.fetch(table, form, way, &ByNumber, resident)
    }

    fn visit(
        &mut self,
        group: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        let (game, progress) = (self.0.reader.game, self.0.reader.progress);
        progress.group(&group.name(), group.positions());
        for (table, _) in self.0.in_order(group.tables.clone()) {
            self.0.read(table, &ByNumber, resident)?;
        }
        let compare_plies = self.0.compares_plies(group, resident);
        for &(table, _) in &group.tables {
            progress.phase(&format!("proving {table}"));
            let claim = Claim {
                game,
                table,
                stored: |table, number| value(resident, table, number).value(),
                plies: compare_plies,
            };
            claim.prove(progress)?;
        }
        let level = self.0.finish(group, compare_plies);
        progress.verified(&group.name(), 0, level);
        Ok(None)
    }
}
