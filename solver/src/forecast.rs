//! The peak memory of a build: a dry run of the [schedule](crate::schedule), with the sizes of tables
//! instead of tables.
//!
//! The budget counts the nodes of tables. A process takes more: the samples that models learn from,
//! the models, the buffers of threads, lists of parts, the program itself. What the budget does not
//! count was measured; the constants below hold it.

mod sizes;

use endmill_layout::Layout;

use self::sizes::Sizes;
use crate::budget::Budget;
use crate::codecs::{learning_bytes, learning_seconds};
use crate::held::Form;
use crate::plan::{Memory, Plan, PlannedGroup, PlyChoice};
use crate::retrograde::parts_per_batch;
use crate::schedule::{self, PendingSave, Schedule, Source, Visitor, Way};
use crate::{SolveError, derive, wanted_memory};

/// The program itself, including the mapped part of its file.
const PROGRAM: u64 = 16 << 20;
/// The stack and the buffers of a thread that solves, reads and codes.
const PER_THREAD: u64 = 1 << 20;
/// The models of a table, while they are learnt and when its blocks are coded.
const PER_MODEL: u64 = 2 << 20;

/// Nanoseconds of a processor for each position that is stored.
const STORING: f64 = 67.0;
/// The share of seeding in the time of a position: by its end all nodes of a group are in memory.
const SEEDING: f64 = 1.0 / 3.0;

/// More bytes than any machine has: a plan that takes more is not dry-run.
const BEYOND_ALL: u64 = 1 << 46;

/// The resources of a build, and what it stores.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The number of threads.
    pub threads: usize,
    /// Bytes of working memory, as in [`BuildOptions`](crate::BuildOptions); by default an amount that
    /// suits the plan.
    pub memory: Option<u64>,
    /// Which tables get plies.
    pub plies: PlyChoice,
    /// Whether plies that follow from other tables are left out.
    pub compact: bool,
}

/// Forecasts the memory of builds of a game.
#[derive(Debug)]
pub struct Forecast<'a, G> {
    game: &'a G,
    means: Means,
}

impl<'a, G: Layout> Forecast<'a, G> {
    /// A forecast of builds with these means.
    pub fn new(game: &'a G, means: Means) -> Forecast<'a, G> {
        Forecast { game, means }
    }

    /// The peak memory of a build of a plan, in bytes. Tables that it leads to and does not build are
    /// read.
    pub fn peak(&self, plan: &Plan<G::Table>) -> u64 {
        let wanted = wanted_memory(plan, self.means.plies);
        let limit = self.means.memory.unwrap_or(wanted);
        if wanted > BEYOND_ALL {
            return wanted.min(limit);
        }
        let budget = Budget::new(limit, ".".into());
        let mut sizes = Sizes::new(self.game, &budget);
        let mut builder = DryBuilder {
            game: self.game,
            means: self.means,
            beside: None,
        };
        let schedule = Schedule::for_threads(self.means.threads, plan, &budget);
        let run = schedule.run_in(&mut sizes, &mut builder, &());
        debug_assert!(run.is_ok(), "sizes cannot fail to be read or solved");
        let threads = self.means.threads as u64;
        PROGRAM + threads * PER_THREAD + sizes.peak
    }

    /// The peak memory of a build of one group alone.
    pub fn peak_of(&self, group: &PlannedGroup<G::Table>) -> u64 {
        self.peak(&Plan {
            groups: vec![group.clone()],
        })
    }
}

/// What storing a group takes.
#[derive(Clone, Copy)]
struct Storing {
    /// Bytes until the group is stored, in addition to the tables that are resident.
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

/// A group that is solved, and not stored yet.
struct DrySave<'a, G: Layout> {
    game: &'a G,
    means: Means,
    is_short: bool,
    tables: Vec<G::Table>,
}

impl<G: Layout> DrySave<'_, G> {
    /// What storing it takes. One thread learns one table at a time.
    fn storing(&self, sizes: &Sizes<'_, G>) -> Storing {
        let positions = || self.tables.iter().map(|&table| self.game.size(table));
        let learning = positions().map(learning_bytes);
        let one_by_one = self.means.threads == 1 || self.is_short;
        let unshared = self.tables.iter();
        let unshared = unshared.filter(|&table| sizes.form(*table) != Some(Form::Nodes));
        let unshared: u64 = unshared.map(|&table| sizes.size(table, Form::Nodes)).sum();
        let models = PER_MODEL * self.tables.len() as u64;
        Storing {
            lasting: models + if self.is_short { 0 } else { unshared },
            learning: match one_by_one {
                true => learning.max().unwrap_or(0),
                false => learning.sum(),
            },
            unshared,
            kept: unshared + positions().map(learning_bytes).sum::<u64>(),
            learning_seconds: positions().map(learning_seconds).sum(),
            cpu_seconds: positions().sum::<u64>() as f64 * STORING / 1e9,
        }
    }
}

impl<'a, G: Layout> PendingSave<G::Table, Sizes<'a, G>> for DrySave<'a, G> {
    fn tables(&self) -> Vec<G::Table> {
        self.tables.clone()
    }

    fn memory(&self, sizes: &Sizes<'a, G>) -> u64 {
        self.storing(sizes).kept
    }

    fn finish(self) -> Result<(), SolveError> {
        Ok(())
    }

    fn finish_beside(self) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Visits groups as a build does, but only records what they take.
struct DryBuilder<'a, G> {
    game: &'a G,
    means: Means,
    /// The group before, if it is stored while the next one is solved.
    beside: Option<Storing>,
}

impl<G: Layout> DryBuilder<'_, G> {
    /// Records what is taken while a group is solved and the one before is stored. The nodes of the
    /// first come into memory while they are seeded; what models learn from, and later the nodes that
    /// are stored, may be gone by then.
    fn record_beside(
        &self,
        group: &PlannedGroup<G::Table>,
        work: u64,
        storing: Storing,
        sizes: &mut Sizes<'_, G>,
    ) {
        let plies = self.means.plies.of(group);
        let each = self.game.cost(group.tables[0].0, plies).nanoseconds;
        let seeding = group.positions() as f64 * each * SEEDING / 1e9;
        let part = |cpu_seconds: f64| (cpu_seconds / seeding).min(1.0);
        let learnt = part(storing.learning_seconds * self.means.threads as f64);
        let stored = part(storing.cpu_seconds);
        let some = |part: f64| (work as f64 * part) as u64;
        sizes.beside = storing.lasting + storing.learning;
        sizes.record(some(learnt));
        sizes.beside = storing.lasting;
        sizes.record(some(stored));
        sizes.beside = match (learnt < 1.0, stored < 1.0) {
            (false, _) => storing.lasting + storing.learning,
            (true, false) => storing.lasting,
            (true, true) => 0,
        };
        sizes.record(work);
    }

    /// The bytes that solving the group of a table takes.
    fn work(&self, table: G::Table, sizes: &Sizes<'_, G>) -> u64 {
        let tables = self.game.solved_together(table);
        let own = tables.iter().map(|&own| sizes.size(own, Form::Nodes));
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
}

impl<'a, G: Layout> Visitor<G::Table, Sizes<'a, G>> for DryBuilder<'a, G> {
    type Pending = DrySave<'a, G>;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        self.means.plies.form_for(group)
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        self.means.plies.memory(group)
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        let Means { plies, compact, .. } = self.means;
        let plies = plies.of_table(self.game, table);
        let left_out = compact && self.game.leaves_plies_out(table);
        if form == Form::Outcomes || (plies && !left_out) {
            schedule::files(self.game, table, form)
        } else if plies {
            derive::source(self.game, table)
        } else {
            schedule::group(self.game, table)
        }
    }

    fn fetch(
        &mut self,
        table: G::Table,
        _: Form,
        way: Way,
        sizes: &mut Sizes<'a, G>,
    ) -> Result<(), SolveError> {
        match way {
            Way::Read | Way::Derive => {
                sizes.record(sizes.size(table, Form::Nodes));
                sizes.put_nodes(&[table]);
            }
            Way::Solve => {
                sizes.record(self.work(table, sizes));
                sizes.put_nodes(&self.game.solved_together(table));
            }
        }
        Ok(())
    }

    fn visit(
        &mut self,
        group: &PlannedGroup<G::Table>,
        sizes: &mut Sizes<'a, G>,
    ) -> Result<Option<DrySave<'a, G>>, SolveError> {
        let table = group.tables[0].0;
        let used = sizes.in_scratch_of(&group.depends_on);
        let work = self.work(table, sizes).saturating_add(used);
        match self.beside.take() {
            None => sizes.record(work),
            Some(storing) => self.record_beside(group, work, storing, sizes),
        }
        let tables = self.game.solved_together(table);
        sizes.put_nodes(&tables);
        sizes.stored.clone_from(&tables);
        Ok(Some(DrySave {
            game: self.game,
            means: self.means,
            is_short: sizes.is_short(),
            tables,
        }))
    }

    fn finish(
        &mut self,
        pending: DrySave<'a, G>,
        sizes: &mut Sizes<'a, G>,
    ) -> Result<(), SolveError> {
        let storing = pending.storing(sizes);
        sizes.stored.clear();
        sizes.unshared = 0;
        sizes.beside = storing.lasting + storing.learning;
        sizes.record(0);
        sizes.beside = 0;
        Ok(())
    }

    fn begin_beside(&mut self, pending: &DrySave<'a, G>, sizes: &mut Sizes<'a, G>) {
        let storing = pending.storing(sizes);
        sizes.stored.clear();
        sizes.unshared = storing.unshared;
        sizes.beside = storing.lasting + storing.learning;
        self.beside = Some(storing);
    }
}
