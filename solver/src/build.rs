//! Building a database: group by group, resumable, by any number of processes.
//!
//! A table is finished when its files are recorded. Files are written under temporary names and
//! recorded after they are renamed, so a build may be stopped at any moment: the same command resumes
//! after the last complete group. Nothing in a file depends on time, host or threads, so it ends with
//! the same bytes.
//!
//! A builder claims a group before it solves it. Groups that another builder has claimed, and groups
//! that lead to missing tables, wait. Builders know of each other only from the directory.

use std::sync::atomic::{AtomicBool, Ordering};

use endmill_dbformat::{Claim, ClaimWay, Claims, Error, Kind, Store, clean_leftovers, host};
use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::claiming::{claim, claims_of, seal, wait_for};
use crate::derive;
use crate::held::Form;
use crate::inventory::Inventory;
use crate::needs::check_room_for;
use crate::nodes::Solution;
use crate::plan::{Memory, Plan, PlannedGroup, PlyChoice};
use crate::reader::Reader;
use crate::resident::Resident;
use crate::rows::check_solved;
use crate::save::Contents;
use crate::schedule::{self, Decision, Schedule, Source, Visitor, Way};
use crate::solved_group::{Seals, SolvedGroup, ToStore};
use crate::solving::{check_sizes, solve_again, solve_group};
use crate::{Progress, SolveError};

/// How to build a database.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Bytes of working memory; a group that needs more is solved in scratch files in the database's
    /// directory.
    pub memory: u64,
    /// Which tables get plies; by default those with inside turns. (The program also stores those of
    /// the others unless there are very many.)
    pub plies: PlyChoice,
    /// Whether plies that follow from other tables one turn ahead are left out. A table that is
    /// stored either way is finished.
    pub compact: bool,
    /// How groups are claimed; by default in a way that works in the directory.
    pub claims: Option<ClaimWay>,
    /// The name of this builder in its claims.
    pub holder: String,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            memory: 6 << 30,
            plies: PlyChoice {
                solved: true,
                swept: false,
            },
            compact: false,
            claims: None,
            holder: format!("{}, process {}", host(), std::process::id()),
        }
    }
}

/// Builds the groups of a plan that are missing in a store. Tables that the plan leads to and does not
/// build must exist.
pub fn build<G: Layout>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    options: &BuildOptions,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    check_sizes(game, plan)?;
    let directory = store.directory();
    std::fs::create_dir_all(directory).map_err(|source| SolveError::Disk {
        directory: directory.into(),
        source,
    })?;
    clean_leftovers(directory)?;
    let claims = claims_of(store, options.claims, progress)?;
    let budget = Budget::new(options.memory, directory.into());
    let (seals, failed) = (Seals::new(), AtomicBool::new(false));
    let mut builder = Builder {
        game,
        store,
        claims,
        claim: None,
        options,
        progress,
        budget: &budget,
        inventory: Inventory::new(game, store, options)?,
        waiting_for: String::new(),
        failed: &failed,
        seals: &seals,
    };
    let tables = plan.groups.iter().flat_map(PlannedGroup::own_tables);
    builder.inventory.find_plies(tables)?;
    builder.inventory.check_dependencies(plan)?;
    let built = Schedule::new(plan, &budget).run(&mut builder, progress);
    builder.claim = None;
    // However it ended, finished tables are listed, and nothing of this process is left.
    let listed = match seal(store) {
        // A stale manifest is not an error.
        Err(SolveError::File(Error::Locked { .. })) => Ok(()),
        sealed => sealed,
    };
    let ended = built.and(listed).and_then(|()| Ok(builder.claims.clean()?));
    match ended {
        Err(SolveError::File(_) | SolveError::Disk { .. }) if !directory.is_dir() => {
            Err(SolveError::Vanished {
                directory: directory.into(),
            })
        }
        ended => ended,
    }
}

struct Builder<'a, G: Layout, P> {
    game: &'a G,
    store: &'a Store,
    claims: Claims,
    /// The claim on the group that is being solved.
    claim: Option<Claim>,
    options: &'a BuildOptions,
    progress: &'a P,
    budget: &'a Budget,
    inventory: Inventory<'a, G>,
    /// The group that was last reported to be waited for.
    waiting_for: String,
    /// Set if a group could not be stored.
    failed: &'a AtomicBool,
    seals: &'a Seals,
}

/// The progress of solving, which also stops when the group before could not be stored.
struct Solving<'a, P> {
    progress: &'a P,
    failed: &'a AtomicBool,
}

impl<P: Progress> Progress for Solving<'_, P> {
    fn at_ply(&self, ply: u16) {
        self.progress.at_ply(ply);
    }

    fn at_layer(&self, layer: usize, layers: usize) {
        self.progress.at_layer(layer, layers);
    }

    fn stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.progress.stopped()
    }
}

impl<'a, G: Layout, P: Progress> Visitor<G::Table> for Builder<'a, G, P> {
    type Pending = SolvedGroup<'a, G, P>;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        match group.sweeps {
            false => Form::Nodes,
            true if self.inventory.wants_plies(group) => Form::Bytes,
            true => Form::Outcomes,
        }
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        match self.needs(group) {
            Form::Outcomes => group.memory,
            Form::Bytes | Form::Nodes => group.memory_with_plies,
        }
    }

    fn decide(&mut self, _: usize, group: &PlannedGroup<G::Table>) -> Result<Decision, SolveError> {
        if self.inventory.are_finished(group.own_tables())? {
            self.inventory.restore_records(group, &self.claims)?;
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Decision::Skip);
        }
        if !self
            .inventory
            .are_finished(group.depends_on.iter().copied())?
        {
            return Ok(Decision::Postpone);
        }
        let holder = &self.options.holder;
        let Some(claim) = claim(self.store, &self.claims, group, holder)? else {
            return Ok(Decision::Postpone);
        };
        // The previous holder of the claim may have finished since the files were looked up.
        if self.inventory.are_finished(group.own_tables())? {
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Decision::Skip);
        }
        self.inventory.find_plies(group.own_tables())?;
        // Not earlier: what another builder is writing takes room already.
        check_room_for(self.game, self.store, group, self.options)?;
        self.claim = Some(claim);
        self.waiting_for.clear();
        Ok(Decision::Visit)
    }

    fn wait(&mut self, group: &PlannedGroup<G::Table>) -> Result<(), SolveError> {
        if let Some(held) = wait_for(self.store, group.involved())?
            && self.waiting_for != held.group
        {
            self.progress.waiting(&held.group, &held.holder);
            self.waiting_for = held.group;
        }
        Ok(())
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        let has_plies = || self.store.path(&table.to_string(), Kind::Plies).is_file();
        if form == Form::Outcomes || has_plies() {
            schedule::files(self.game, table, form)
        } else if derive::can_be_derived(self.game, self.store, table) {
            derive::source(self.game, table)
        } else {
            schedule::group(self.game, table)
        }
    }

    /// Reads a table. If its plies are needed and not stored, they are derived from the tables one turn
    /// ahead if these have them; otherwise the table is solved again.
    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        match way {
            Way::Read | Way::Derive => {
                let reader = Reader {
                    game: self.game,
                    store: self.store,
                    budget: self.budget,
                    progress: self.progress,
                };
                reader.fetch_rows(table, form, way, resident)
            }
            Way::Solve => {
                self.progress.phase(&format!("solving {table} again"));
                solve_again(self.game, table, resident, self.budget, self.progress)
            }
        }
    }

    /// Solves a group. Storing it is left pending.
    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<SolvedGroup<'a, G, P>>, SolveError> {
        self.progress.group(&planned.name(), planned.positions());
        self.progress.phase("solving");
        let group = self.game.group(planned.tables[0].0);
        let solving = Solving {
            progress: self.progress,
            failed: self.failed,
        };
        let outside = &planned.depends_on;
        let mut solutions = solve_group(&group, outside, resident, self.budget, &solving)?;
        let plies = self.inventory.wants_plies(planned);
        if !plies && !planned.sweeps {
            // Without plies, a later verification can only show consistency: it is checked now.
            self.progress.phase("checking");
            check_solved(self.game, &group, resident, self.budget, &solving)?;
        }
        let mut tables = Vec::new();
        for (table, _) in group.tables() {
            let solution = solutions.remove(&table).expect("it has just been solved");
            let contents = match (plies, solution) {
                (false, solution) => Contents::Outcomes(solution.outcomes()),
                (true, Solution::Exact(nodes)) => {
                    match self.inventory.can_leave_plies_out(table, planned)? {
                        true => Contents::PliesLeftOut(nodes),
                        false => Contents::Plies(nodes),
                    }
                }
                (true, Solution::Outcomes(_)) => {
                    return Err(SolveError::without_plies(table, table));
                }
            };
            if matches!(contents, Contents::Plies(_)) {
                self.inventory.stored_plies.insert(table);
            }
            tables.push(ToStore { table, contents });
        }
        self.inventory.finished.extend(planned.own_tables());
        Ok(Some(SolvedGroup {
            game: self.game,
            group,
            name: planned.name(),
            tables,
            store: self.store,
            claim: self.claim.take(),
            budget: self.budget,
            progress: self.progress,
            failed: self.failed,
            seals: self.seals,
        }))
    }
}
