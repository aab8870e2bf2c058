//! How much memory a build takes at its peak: a dry run of the [schedule](crate::schedule), with the
//! sizes of tables instead of tables.
//!
//! The budget counts the nodes of tables. A process takes more: what models learn from, the models
//! and the buffers of threads, lists of parts, the program itself. What the budget does not count
//! was measured; it is in the constants below.

mod held;

use std::collections::BTreeMap;

use endmill_games::value::OUTCOMES_PER_BYTE;
use endmill_layout::Layout;

use self::held::Held;
use crate::budget::Budget;
use crate::codecs::{learning_bytes, learning_seconds};
use crate::held::Form;
use crate::plan::{Memory, Plan, PlannedGroup, PlyChoice};
use crate::retrograde::parts_per_batch;
use crate::schedule::{self, Beside, Schedule, Source, left_for_tables};
use crate::{derive, wanted_memory};

/// The program itself, with what it maps of its own file.
const PROGRAM: u64 = 16 << 20;
/// The stack and the buffers of a thread that solves, reads and codes.
const PER_THREAD: u64 = 1 << 20;
/// The models of a table, while they are learnt and when its blocks are coded.
const PER_MODEL: u64 = 2 << 20;

/// Nanoseconds of a processor for each position that is stored.
const STORING: f64 = 67.0;
/// The part of a position's time that seeding takes: by then all nodes of a group are in memory.
const SEEDING: f64 = 1.0 / 3.0;

/// Bytes that no machine has: a plan that takes more is not walked through.
const BEYOND_ALL: u64 = 1 << 46;

/// What a build has to work with, and what it stores.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Threads.
    pub threads: usize,
    /// Bytes of working memory, as in [`BuildOptions`](crate::BuildOptions); by default what makes
    /// sense for the plan.
    pub memory: Option<u64>,
    /// Which tables get plies.
    pub plies: PlyChoice,
    /// Whether plies that follow from other tables are left out.
    pub compact: bool,
}

/// The memory that builds of a game take.
#[derive(Debug)]
pub struct Forecast<'a, G> {
    game: &'a G,
    means: Means,
}

impl<'a, G: Layout> Forecast<'a, G> {
    /// For builds with these means.
    pub fn new(game: &'a G, means: Means) -> Forecast<'a, G> {
        Forecast { game, means }
    }

    /// Bytes of memory that a build of a plan takes at its peak. The tables that it leads to and does
    /// not build are read.
    pub fn peak(&self, plan: &Plan<G::Table>) -> u64 {
        let wanted = wanted_memory(plan, self.means.plies);
        let limit = self.means.memory.unwrap_or(wanted);
        if wanted > BEYOND_ALL {
            return wanted.min(limit);
        }
        let budget = Budget::new(limit, ".".into());
        let mut walk = Walk {
            game: self.game,
            means: self.means,
            limit,
            plan,
            schedule: Schedule::new(plan, &budget),
            held: Held::new(),
            spilled: BTreeMap::new(),
            is_short: false,
            unshared: 0,
            beside: 0,
            peak: 0,
        };
        walk.run();
        let threads = self.means.threads as u64;
        PROGRAM + threads * PER_THREAD + walk.peak
    }

    /// The same of a build of one group alone.
    pub fn peak_of(&self, group: &PlannedGroup<G::Table>) -> u64 {
        self.peak(&Plan {
            groups: vec![group.clone()],
        })
    }
}

/// What storing a group takes.
struct Storing {
    /// Bytes until the group is stored, beside the tables that are resident.
    lasting: u64,
    /// Bytes while models are learnt.
    learning: u64,
    /// Bytes of nodes that are not resident any more.
    unshared: u64,
    /// Bytes that the schedule keeps room for.
    kept: u64,
    learning_seconds: f64,
    cpu_seconds: f64,
}

/// Where a dry run is.
struct Walk<'a, G: Layout> {
    game: &'a G,
    means: Means,
    limit: u64,
    plan: &'a Plan<G::Table>,
    schedule: Schedule<'a, G::Table>,
    /// The tables that are resident.
    held: Held<G::Table>,
    /// The tables that had to leave memory.
    spilled: BTreeMap<G::Table, Form>,
    /// Whether the group at hand takes more than the limit.
    is_short: bool,
    /// Bytes of nodes that are being stored, and not resident any more.
    unshared: u64,
    /// What storing the group before takes, beside the tables that are resident.
    beside: u64,
    peak: u64,
}

impl<G: Layout> Walk<'_, G> {
    fn run(&mut self) {
        let mut before: Option<Vec<G::Table>> = None;
        for number in 0..self.plan.groups.len() {
            let mut beside = None;
            if let Some(solved) = before.take() {
                let storing = self.storing(&solved);
                if self.has_room_beside(&solved, &storing, number) {
                    beside = Some((solved, storing));
                } else {
                    self.store(&storing);
                }
            }
            before = Some(self.visit(number, beside.as_ref()));
        }
        if let Some(last) = before {
            self.store(&self.storing(&last));
        }
    }

    /// Notes what is taken now: the tables, so many bytes more that the budget counts, and what is
    /// stored beside. Where memory is short, nodes beyond the budget are in scratch files.
    fn see(&mut self, more: u64) {
        let mut counted = self.held.in_memory().saturating_add(more);
        if self.is_short {
            counted = counted.min(self.limit);
        }
        self.peak = self.peak.max(counted.saturating_add(self.beside));
    }

    fn store(&mut self, storing: &Storing) {
        self.beside = storing.lasting + storing.learning;
        self.see(0);
        self.beside = 0;
    }

    /// What storing a group takes. One thread learns one table at a time.
    fn storing(&self, tables: &[G::Table]) -> Storing {
        let sizes = || tables.iter().map(|&table| self.game.size(table));
        let learning = sizes().map(learning_bytes);
        let one_by_one = self.means.threads == 1 || self.is_short;
        let unshared = tables.iter();
        let unshared = unshared.filter(|&table| self.held.form(*table) != Some(Form::Nodes));
        let unshared: u64 = unshared.map(|&table| self.size(table, Form::Nodes)).sum();
        let models = PER_MODEL * tables.len() as u64;
        Storing {
            lasting: models + if self.is_short { 0 } else { unshared },
            learning: match one_by_one {
                true => learning.max().unwrap_or(0),
                false => learning.sum(),
            },
            unshared,
            kept: unshared + sizes().map(learning_bytes).sum::<u64>(),
            learning_seconds: sizes().map(learning_seconds).sum(),
            cpu_seconds: sizes().sum::<u64>() as f64 * STORING / 1e9,
        }
    }

    fn has_room_beside(&self, before: &[G::Table], storing: &Storing, number: usize) -> bool {
        if self.means.threads == 1 || self.is_short {
            return false;
        }
        let group = &self.plan.groups[number];
        let staying = before.iter();
        let staying = staying.filter(|table| !group.depends_on.contains(table));
        let beside = Beside {
            memory: self.memory(group),
            resident: self.held.bytes(),
            there: self.held.bytes_of(&group.depends_on),
            staying: staying.map(|table| self.held.bytes_of(&[*table])).sum(),
            kept: storing.kept,
        };
        beside.fits(self.limit)
    }

    /// Solves a group, while the one before is stored, if that is to be; gives its tables.
    fn visit(&mut self, number: usize, before: Option<&(Vec<G::Table>, Storing)>) -> Vec<G::Table> {
        let group = &self.plan.groups[number];
        self.is_short = self.memory(group).all > self.limit;
        let kept = before.map(|(tables, storing)| (&tables[..], storing.kept));
        if let Some((_, storing)) = before {
            self.unshared = storing.unshared;
            self.beside = storing.lasting + storing.learning;
        }
        self.make_room(number, kept);
        let form = self.form_for(group);
        for &table in &group.depends_on {
            self.fetch(number, table, form);
        }
        self.make_room(number, kept);
        let table = group.tables[0].0;
        let looked_at = self.held.in_scratch_of(&group.depends_on);
        let work = self.work(table).saturating_add(looked_at);
        match before {
            None => self.see(work),
            Some((_, storing)) => self.see_beside(group, work, storing),
        }
        let tables = self.game.solved_together(table);
        self.hold_nodes(&tables);
        self.tidy(number + 1, &tables);
        (self.unshared, self.beside) = (0, 0);
        tables
    }

    /// Notes what is taken while a group is solved and the one before is stored. The nodes of the
    /// first come into memory while they are seeded; what models learn from, and later the nodes that
    /// are stored, may be gone by then.
    fn see_beside(&mut self, group: &PlannedGroup<G::Table>, work: u64, storing: &Storing) {
        let plies = self.means.plies.of(group);
        let each = self.game.cost(group.tables[0].0, plies).nanoseconds;
        let seeding = group.positions() as f64 * each * SEEDING / 1e9;
        let part = |cpu_seconds: f64| (cpu_seconds / seeding).min(1.0);
        let learnt = part(storing.learning_seconds * self.means.threads as f64);
        let stored = part(storing.cpu_seconds);
        let some = |part: f64| (work as f64 * part) as u64;
        self.beside = storing.lasting + storing.learning;
        self.see(some(learnt));
        self.beside = storing.lasting;
        self.see(some(stored));
        self.beside = match (learnt < 1.0, stored < 1.0) {
            (false, _) => storing.lasting + storing.learning,
            (true, false) => storing.lasting,
            (true, true) => 0,
        };
        self.see(work);
    }

    /// The bytes that solving the group of a table takes.
    fn work(&self, table: G::Table) -> u64 {
        let tables = self.game.solved_together(table);
        let own = tables.iter().map(|&own| self.size(own, Form::Nodes));
        let own = own.fold(0, u64::saturating_add);
        if !self.game.has_inside_turns(table) {
            return own;
        }
        let more = match self.game.part_sizes(table) {
            Some(parts) => {
                let nodes = usize::try_from(parts.nodes).unwrap_or(usize::MAX);
                let batch = parts_per_batch(nodes, self.means.threads) as u64;
                // Both phases of each.
                let at_once = parts.in_layer.min(batch).saturating_mul(2);
                at_once.saturating_mul(2 * parts.nodes) + parts.list_bytes
            }
            // The second phase of a table that is its own partner.
            None if tables.len() == 1 => own,
            None => 0,
        };
        own.saturating_add(more)
    }

    /// Makes a table resident, as the schedule does.
    fn fetch(&mut self, number: usize, table: G::Table, form: Form) {
        if self.held.form(table).is_some_and(|held| held >= form) {
            return;
        }
        if let Some(&away) = self.spilled.get(&table).filter(|away| **away >= form) {
            self.see(self.size(table, away));
            self.hold(table, away);
            return;
        }
        let (source, is_read) = self.source(table, form);
        for needed in source.tables {
            self.fetch(number, needed, source.form);
        }
        match is_read {
            true => {
                self.see(self.size(table, Form::Nodes));
                self.hold_nodes(&[table]);
            }
            false => {
                self.see(self.work(table));
                self.hold_nodes(&self.game.solved_together(table));
            }
        }
        let later = self.form_from(number, table);
        self.reduce(table, later.map_or(form, |later| later.max(form)));
    }

    /// What a table comes from, and whether no group is solved again for it.
    fn source(&self, table: G::Table, form: Form) -> (Source<G::Table>, bool) {
        let Means { plies, compact, .. } = self.means;
        let swept = !self.game.has_inside_turns(table) && self.game.pieces_in_hand(table) > 0;
        let plies = if swept { plies.swept } else { plies.solved };
        let left_out = compact && self.game.leaves_plies_out(table);
        if form == Form::Outcomes || (plies && !left_out) {
            (schedule::files(self.game, table, form), true)
        } else if plies {
            (derive::source(self.game, table), true)
        } else {
            (schedule::group(self.game, table), false)
        }
    }

    fn make_room(&mut self, number: usize, kept: Option<(&[G::Table], u64)>) {
        let group = &self.plan.groups[number];
        let there = self.held.bytes_of(&group.depends_on);
        let kept_bytes = kept.map_or(0, |(_, bytes)| bytes);
        let limit = left_for_tables(self.limit, self.memory(group), there, kept_bytes);
        if self.held.bytes() <= limit {
            return;
        }
        let must_stay = |table: &G::Table| {
            kept.is_some_and(|(tables, _)| tables.contains(table))
                || group.depends_on.contains(table)
        };
        let tables = self.held.tables().into_iter();
        let mut tables: Vec<(usize, G::Table)> = tables
            .filter(|table| !must_stay(table))
            .map(|table| {
                let next = self.schedule.users_from(number, table).first();
                (next.copied().unwrap_or(usize::MAX), table)
            })
            .collect();
        tables.sort_unstable();
        while self.held.bytes() > limit
            && let Some((next, table)) = tables.pop()
        {
            if let Some(form) = self.held.forget(table)
                && next != usize::MAX
            {
                let away = self.spilled.entry(table).or_insert(form);
                *away = form.max(*away);
            }
        }
    }

    /// Forgets what no later group needs, and reduces the others; what is to be stored stays.
    fn tidy(&mut self, number: usize, stored: &[G::Table]) {
        let schedule = &self.schedule;
        let is_used = |table: G::Table| !schedule.users_from(number, table).is_empty();
        self.spilled.retain(|&table, _| is_used(table));
        for table in self.held.tables() {
            if !stored.contains(&table) && !is_used(table) {
                self.held.forget(table);
            }
        }
        for table in self.held.tables() {
            let later = self.form_from(number, table);
            if let Some(later) = later.filter(|&later| Some(later) < self.held.form(table)) {
                self.reduce(table, later);
                if stored.contains(&table) {
                    self.unshared += self.size(table, Form::Nodes);
                    self.beside += self.size(table, Form::Nodes);
                }
            }
        }
    }

    /// Holds a table in a smaller form.
    fn reduce(&mut self, table: G::Table, form: Form) {
        if self.held.form(table).is_some_and(|held| held > form) {
            self.see(self.size(table, form));
            self.hold(table, form);
        }
    }

    /// Holds a table in a form: in memory, or, where the budget is used up, in a scratch file.
    fn hold(&mut self, table: G::Table, form: Form) {
        let bytes = self.size(table, form);
        let used = self.held.in_memory().saturating_add(self.unshared);
        let is_scratch = used.saturating_add(bytes) > self.limit;
        self.held.put(table, form, bytes, is_scratch);
    }

    /// Holds tables that have just been solved or read.
    fn hold_nodes(&mut self, tables: &[G::Table]) {
        for &table in tables {
            let bytes = self.size(table, Form::Nodes);
            self.held.put(table, Form::Nodes, bytes, false);
        }
    }

    fn size(&self, table: G::Table, form: Form) -> u64 {
        let nodes = self.game.nodes(table);
        match form {
            Form::Outcomes => nodes.div_ceil(OUTCOMES_PER_BYTE as u64),
            Form::Bytes => nodes,
            Form::Nodes => nodes.saturating_mul(2),
        }
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        self.means.plies.memory(group)
    }

    fn form_for(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.means.plies.form_for(group)
    }

    fn form_from(&self, number: usize, table: G::Table) -> Option<Form> {
        let users = self.schedule.users_from(number, table).iter();
        users
            .map(|&user| self.form_for(&self.plan.groups[user]))
            .max()
    }
}
