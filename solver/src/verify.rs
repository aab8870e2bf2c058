//! Verifies a database: every value and every count of its tables is read and compared with the
//! values of its successors.
//!
//! Each table is decoded once, with the table reader of the probe. The comparison is in
//! [`rows`](crate::rows) and, by the plain rules alone, in [`proof`](crate::proof);
//! `docs/verification.md` says what it proves.
//!
//! Files are read here table by table, each as a whole. To compare this with look-ups of single
//! positions, a verification returns some [`Known`] values of every table.

use std::collections::BTreeSet;
use std::convert::Infallible;

use endmill_dbformat::Store;
use endmill_games::Features;
use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::held::Form;
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::prover::Prover;
use crate::reader::Reader;
use crate::resident::Resident;
use crate::rows::Sweep;
use crate::sample::{Known, Sample};
use crate::schedule::{Decision, Schedule, Source, Visitor, Way};
use crate::verify_state::VerifyState;
use crate::{Progress, SolveError};

/// What a verification has established.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerifyLevel {
    /// The outcomes agree with each other; without plies they could be wrong together.
    Consistent,
    /// Every value is what its successors make it.
    Right,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verified<T> {
    /// The level of all tables that could be verified.
    pub level: VerifyLevel,
    /// The number of their positions.
    pub positions: u64,
    /// A sample of them, table by table and in order of their numbers, to compare with another
    /// reader.
    pub known: Vec<Known<T>>,
    /// The tables that could not be verified, because they or tables they lead to are missing.
    pub left_out: Vec<T>,
}

/// Verifies the stored tables of a plan by rows, and a sample of them by turns. Fails with
/// [`SolveError::Differs`] at the first wrong value.
pub fn verify<G: Layout>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    budget: &Budget,
    sample: Sample,
    progress: &impl Progress,
) -> Result<Verified<G::Table>, SolveError> {
    let reader = Reader {
        game,
        store,
        budget,
        progress,
    };
    let mut verifier = Verifier(VerifyState::new(reader, plan, sample)?);
    Schedule::new(plan, budget).run(&mut verifier, progress)?;
    Ok(verifier.0.verified)
}

/// Proves the stored tables of a plan by turns. Otherwise like [`verify`].
pub fn prove<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    budget: &Budget,
    sample: Sample,
    progress: &impl Progress,
) -> Result<Verified<G::Table>, SolveError> {
    let reader = Reader {
        game,
        store,
        budget,
        progress,
    };
    let mut prover = Prover(VerifyState::new(reader, plan, sample)?);
    Schedule::new(plan, budget).run(&mut prover, progress)?;
    Ok(prover.0.verified)
}

/// Verifies group after group by rows.
struct Verifier<'a, G: Layout, P>(VerifyState<'a, G, P>);

impl<G: Layout, P: Progress> Visitor<G::Table> for Verifier<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.0.needs(group)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        match self.0.needs(group) {
            Form::Outcomes => group.memory,
            Form::Bytes | Form::Nodes => group.memory_with_plies,
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
        self.0.reader.fetch_rows(table, form, way, resident)
    }

    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        let VerifyState {
            reader:
                Reader {
                    game,
                    budget,
                    progress,
                    ..
                },
            sample,
            ..
        } = self.0;
        progress.group(&planned.name(), planned.positions());
        let group = game.group(planned.tables[0].0);
        let (mut tables, mut read) = (Vec::new(), BTreeSet::new());
        for (table, rows) in self.0.in_order(group.tables()) {
            let numbered = Numbered::new(&group, rows, game.size(table));
            // Packed outcomes do not say which of them were resolved.
            if self.0.read(table, &numbered, resident)? {
                read.insert(table);
            }
            tables.push((table, numbered));
        }
        progress.phase("sweeping");
        let compare_plies = self.0.compares_plies(planned, resident);
        let sweep = Sweep {
            game,
            group: &group,
            tables: &tables,
            read: &read,
            resident,
            budget,
            compare_plies,
            sample,
            progress,
        };
        if let Some(mismatch) = sweep.first_mismatch()? {
            return Err(SolveError::Differs(mismatch));
        }
        let level = self.0.finish(planned, compare_plies);
        progress.verified(&planned.name(), planned.positions(), level);
        Ok(None)
    }
}
