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

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Mutex;

use bitvec::prelude::*;
use endmill_dbformat::{Kind, Store};
use endmill_games::Features;
use endmill_layout::{Group, Layout, NodeValue};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::counts::Counts;
use crate::derive;
use crate::load::{self, Stored, load_seen};
use crate::mismatch::Mismatch;
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::prover::Prover;
use crate::resident::{Form, Resident};
use crate::rows::Sweep;
use crate::sample::{Known, Sample};
use crate::schedule::{self, Schedule, Source, Turn, Visitor};
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

/// What is stored, and what has been shown of it so far.
pub(crate) struct Account<T> {
    /// For each group of the plan whether all that it takes to verify it is stored.
    can: BitVec,
    /// Tables whose plies are stored, or left out.
    with_plies: BTreeSet<T>,
    /// Tables whose plies are left out.
    left_out: BTreeSet<T>,
    /// Tables that were only found consistent.
    consistent: BTreeSet<T>,
    pub(crate) sample: Sample,
    verified: Verified<T>,
}

impl<T: Copy + Ord + std::fmt::Display> Account<T> {
    fn new<G: Features<Table = T>>(
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
            let own = group.tables.iter().map(|(table, _)| *table);
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
        let is_there = |table: T| outcomes.contains(table.to_string().as_str());
        let mut readable = BTreeMap::new();
        let can = plan.groups.iter().map(|group| {
            let own = group.tables.iter().map(|(table, _)| *table);
            let mut needed = own.chain(group.depends_on.iter().copied());
            needed.all(|table| can_be_read(game, table, &is_there, &left_out, &mut readable))
        });
        Ok(Account {
            can: can.collect(),
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

    /// A group that cannot be verified is left out, which is noted.
    pub(crate) fn turn(&mut self, number: usize, group: &PlannedGroup<T>) -> Turn {
        if self.can[number] {
            return Turn::Visit;
        }
        let tables = group.tables.iter().map(|(table, _)| *table);
        self.verified.left_out.extend(tables);
        Turn::Skip
    }

    /// Whether the plies of a table are left out, and those that they follow from are known.
    pub(crate) fn is_derived<G: Features<Table = T>>(
        &self,
        game: &G,
        table: T,
        resident: &Resident<T>,
    ) -> bool {
        let mut ahead = derive::ahead(game, table).into_iter();
        self.left_out.contains(&table) && ahead.all(|table| resident.knows_plies(table))
    }

    /// What has to be resident before a table can be had in a form.
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

    /// Whether outcomes show outcomes: no circle can support itself.
    pub(crate) fn outcomes_do(&self, group: &PlannedGroup<T>) -> bool {
        let mut tables = group.tables.iter();
        group.sweeps && !tables.all(|(table, _)| self.with_plies.contains(table))
    }

    /// In which form values are compared with those of a group.
    pub(crate) fn needs(&self, group: &PlannedGroup<T>) -> Form {
        match group.sweeps {
            false => Form::Nodes,
            true if self.outcomes_do(group) => Form::Outcomes,
            true => Form::Bytes,
        }
    }

    /// Whether plies are known of all tables that a group's values are compared with.
    pub(crate) fn compares_plies(&self, group: &PlannedGroup<T>, resident: &Resident<T>) -> bool {
        let own = group.tables.iter().map(|(table, _)| table);
        let mut involved = own.chain(&group.depends_on);
        !self.outcomes_do(group) && involved.all(|&table| resident.knows_plies(table))
    }

    /// Takes down a sample of a table that has been read.
    pub(crate) fn remember(&mut self, values: impl IntoIterator<Item = Known<T>>) {
        self.verified.known.extend(values);
    }

    /// Takes down that a group was found right, as far as the tables it leads to are.
    pub(crate) fn shown(&mut self, group: &PlannedGroup<T>, compared_plies: bool) -> Shown {
        let mut outside = group.depends_on.iter();
        let outside_right = !outside.any(|table| self.consistent.contains(table));
        let shown = match outside_right && (compared_plies || self.outcomes_do(group)) {
            true => Shown::Right,
            false => Shown::Consistent,
        };
        if shown == Shown::Consistent {
            let tables = group.tables.iter().map(|(table, _)| *table);
            self.consistent.extend(tables);
        }
        self.verified.shown = self.verified.shown.min(shown);
        self.verified.positions += group.positions();
        shown
    }
}

/// Whether a table is there, and all that its positions are resolved from, or its plies derived.
fn can_be_read<G: Features>(
    game: &G,
    table: G::Table,
    is_there: &impl Fn(G::Table) -> bool,
    left_out: &BTreeSet<G::Table>,
    known: &mut BTreeMap<G::Table, bool>,
) -> bool {
    if let Some(&can) = known.get(&table) {
        return can;
    }
    let mut from = game.resolved_from(table);
    if left_out.contains(&table) {
        from.extend(derive::ahead(game, table));
    }
    let mut from = from.into_iter();
    let can =
        is_there(table) && from.all(|table| can_be_read(game, table, is_there, left_out, known));
    known.insert(table, can);
    can
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
    type Rest = Infallible;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.account.needs(group)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        match self.account.outcomes_do(group) {
            true => group.memory,
            false => group.memory_with_plies,
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
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        if form > Form::Outcomes && self.account.is_derived(self.game, table, resident) {
            let nodes = derive::by_rows(self.game, table, resident, self.budget, self.progress)?;
            resident.put(table, nodes);
            return Ok(());
        }
        let stored = Stored::open_for(form, self.game, self.store, table)?;
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
            let form = self.account.needs(planned);
            let stored = Stored::open_for(form, self.game, self.store, table)?;
            let counts = Mutex::new(Counts::default());
            let count = |first, codes: &[NodeValue]| {
                let some = Counts::of(codes, first);
                counts.lock().expect("adding does not panic").add(&some);
            };
            let (budget, progress) = (self.budget, self.progress);
            let nodes = load_seen(&stored, &numbered, resident, budget, progress, count)?;
            let mut counts = counts.into_inner().expect("adding does not panic");
            let is_derived =
                form > Form::Outcomes && self.account.is_derived(self.game, table, resident);
            let plies_known = if is_derived {
                let derived = derive::by_rows(self.game, table, resident, budget, progress)?;
                let index = |node| numbered.position_of_node(node);
                derive::compare_outcomes(&table, &nodes, &derived, index)?;
                counts = count_all(&numbered, derived.codes());
                resident.put(table, derived);
                true
            } else {
                read.insert(table);
                stored.put(nodes, resident)
            };
            compare_counts(&stored, counts, plies_known)?;
            let nodes = resident.get(table).expect("it has just been read").codes();
            let sample = self.account.sample.shared(self.game.size(table));
            self.account.remember(sample.into_iter().map(|index| Known {
                table,
                index,
                value: nodes[self.game.node(&self.game.unrank(table, index))].value(),
                exact: plies_known,
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
