//! Verifying a database: every value and every count of its tables, read and compared with what
//! their successors make them.
//!
//! Each table is decoded once, with the reader and the resolving rule of the probe. How its values
//! are compared is told in [`rows`](crate::rows) and, by the plain rules alone, in
//! [`proof`](crate::proof); `docs/algorithm.md` says what that shows.
//!
//! What is verified are the files, as they are read here: table by table, each as a whole. So a few
//! [`Known`] values of every table are handed out in the end, for a comparison with what those get
//! who ask for single positions.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Mutex;

use endmill_dbformat::Store;
use endmill_games::Features;
use endmill_layout::{Group, Layout, NodeValue, Solved};
use rayon::prelude::*;

use crate::account::Account;
use crate::budget::Budget;
use crate::counts::Counts;
use crate::derive;
use crate::held::Form;
use crate::load::{self, Stored, load_seen};
use crate::mismatch::Mismatch;
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::prover::Prover;
use crate::resident::Resident;
use crate::rows::Sweep;
use crate::sample::{Known, Sample};
use crate::schedule::{Schedule, Source, Turn, Visitor, Way};
use crate::{Progress, SolveError};

/// Positions whose counts one task adds up.
const POSITIONS_PER_TASK: u64 = 1 << 18;

/// What a verification shows of a table, and of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// The outcomes agree with each other; without plies they could be wrong together.
    Consistent,
    /// Every value is what its successors make it.
    Right,
}

/// What was verified.
#[derive(Clone, Debug)]
pub struct Verified<T> {
    /// Of the tables that could be verified.
    pub shown: Shown,
    /// Their positions.
    pub positions: u64,
    /// A sample of them, table by table, the numbers of each in order: to be asked for through
    /// another reader.
    pub known: Vec<Known<T>>,
    /// The tables that could not be verified, because they or tables they lead to are missing.
    pub left_out: Vec<T>,
}

/// Verifies the tables of a plan that are stored, by rows, and a sample of them by turns. Ends with
/// [`SolveError::Differs`] at the first value that is wrong.
pub fn verify<G: Layout>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    budget: &Budget,
    sample: Sample,
    progress: &impl Progress,
) -> Result<Verified<G::Table>, SolveError> {
    let mut verifier = Verifier {
        game,
        store,
        budget,
        progress,
        account: Account::new(game, store, plan, sample)?,
    };
    Schedule::new(plan, budget).run(&mut verifier, progress)?;
    Ok(verifier.account.verified)
}

/// Proves the tables of a plan that are stored by turns. Otherwise as [`verify`].
pub fn prove<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    budget: &Budget,
    sample: Sample,
    progress: &impl Progress,
) -> Result<Verified<G::Table>, SolveError> {
    let account = Account::new(game, store, plan, sample)?;
    let mut prover = Prover::new(game, store, budget, progress, account);
    Schedule::new(plan, budget).run(&mut prover, progress)?;
    Ok(prover.into_account().verified)
}

/// Compares what a header states with what was counted.
pub(crate) fn compare_counts<G: Features>(
    stored: &Stored<'_, G>,
    counts: Counts,
    plies_known: bool,
) -> Result<(), SolveError> {
    let (mut counted, mut stated) = (counts.statistics(), stored.statistics().clone());
    if !plies_known {
        counted = counted.without_plies();
        stated = stated.without_plies();
    }
    if counted == stated {
        return Ok(());
    }
    let table = stored.table().to_string();
    Err(SolveError::Differs(Mismatch::Counts { table }))
}

struct Verifier<'a, G: Layout, P> {
    game: &'a G,
    store: &'a Store,
    budget: &'a Budget,
    progress: &'a P,
    account: Account<G::Table>,
}

impl<G: Layout, P: Progress> Visitor<G::Table> for Verifier<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.account.needs(group)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        match self.account.needs(group) {
            Form::Outcomes => group.memory,
            Form::Bytes | Form::Nodes => group.memory_with_plies,
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
            let nodes = derive::by_rows(self.game, table, resident, self.budget, self.progress)?;
            resident.put(table, nodes);
            return Ok(());
        }
        let stored = Stored::in_form(form, self.game, self.store, table)?;
        load::fetch(&stored, resident, self.budget, self.progress)
    }

    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        self.progress.group(&planned.name(), planned.positions());
        let group = self.game.group(planned.tables[0].0);
        let (mut tables, mut read) = (Vec::new(), BTreeSet::new());
        for (table, rows) in self.account.in_order(group.tables()) {
            self.progress.phase(&format!("reading {table}"));
            let numbered = Numbered::new(&group, rows, self.game.size(table));
            let with_plies = self.account.reads_plies(self.game, table, resident);
            let stored = match with_plies {
                true => Stored::values(self.game, self.store, table)?,
                false => Stored::outcomes(self.game, self.store, table)?,
            };
            let counts = Mutex::new(Counts::default());
            let count = |first, codes: &[NodeValue]| {
                let some = Counts::of(codes, first);
                counts.lock().expect("adding does not panic").add(&some);
            };
            let (budget, progress) = (self.budget, self.progress);
            let solution = load_seen(&stored, &numbered, resident, budget, progress, count)?;
            let mut counts = counts.into_inner().expect("adding does not panic");
            if self.account.is_derived(self.game, table, resident) {
                let derived = derive::by_rows(self.game, table, resident, budget, progress)?;
                let index = |node| numbered.position_of_node(node);
                derive::compare_outcomes(&table, &solution.outcomes(), &derived, index)?;
                counts = count_all(&numbered, &derived);
                resident.put(table, derived);
            } else {
                // Packed outcomes do not say which of them were resolved.
                if with_plies {
                    read.insert(table);
                }
                resident.put_solution(table, &solution, budget)?;
            }
            drop(solution);
            let plies_known = resident.has_plies(table);
            compare_counts(&stored, counts, plies_known)?;
            let values = resident.values(table);
            let sample = self.account.sample.shared(self.game.size(table));
            self.account.remember(sample.into_iter().map(|index| {
                Known {
                    table,
                    index,
                    value: values
                        .node(self.game.node(&self.game.unrank(table, index)))
                        .value(),
                    exact: plies_known,
                }
            }));
            tables.push((table, numbered));
        }
        self.progress.phase("sweeping");
        let compare_plies = self.account.compares_plies(planned, resident);
        let sweep = Sweep {
            game: self.game,
            group: &group,
            tables: &tables,
            read: &read,
            resident,
            budget: self.budget,
            compare_plies,
            sample: self.account.sample,
            progress: self.progress,
        };
        if let Some(mismatch) = sweep.first_mismatch()? {
            return Err(SolveError::Differs(mismatch));
        }
        let shown = self.account.shown(planned, compare_plies);
        self.progress
            .verified(&planned.name(), planned.positions(), shown);
        Ok(None)
    }
}

/// The counts of a table's positions.
fn count_all<G: Group>(numbered: &Numbered<'_, G>, nodes: &[NodeValue]) -> Counts {
    let size = numbered.positions();
    let tasks = size.div_ceil(POSITIONS_PER_TASK);
    let of_task = |task: u64| {
        let start = task * POSITIONS_PER_TASK;
        let positions: Range<u64> = start..size.min(start + POSITIONS_PER_TASK);
        let mut codes = Vec::new();
        numbered.gather(nodes, positions, &mut codes);
        Counts::of(&codes, start)
    };
    let counts = Mutex::new(Counts::default());
    (0..tasks).into_par_iter().for_each(|task| {
        let of_task = of_task(task);
        counts.lock().expect("adding does not panic").add(&of_task);
    });
    counts.into_inner().expect("adding does not panic")
}
