//! Building a database: group by group, resumably, by as many processes as there are.
//!
//! A table counts as done when its files are recorded. Files come into being under temporary names
//! and are recorded after they are renamed, so whatever moment a build is stopped at, the same
//! command goes on from the last whole group, and since nothing in a file depends on time, host or
//! threads, it ends in the same bytes.
//!
//! A builder claims a group before it solves it. What another has claimed, and what leads to tables
//! that are not there yet, waits; what a builder needs to know of others it reads from the
//! directory.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use endmill_dbformat::{
    Claim, ClaimWay, Claims, Error, HeldClaim, Kind, Lock, Manifest, Plies, Presence, Store,
    clean_leftovers, host,
};
use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::derive;
use crate::held::Form;
use crate::load::{self, Stored};
use crate::needs::check_room_for;
use crate::nodes::Solution;
use crate::plan::{Memory, Plan, PlannedGroup, PlyChoice};
use crate::resident::Resident;
use crate::rows::check_solved;
use crate::save::Contents;
use crate::schedule::{self, Schedule, Source, Turn, Visitor, Way};
use crate::solved_group::{Seals, SolvedGroup, ToStore};
use crate::solving::{check_sizes, solve_again, solve_group};
use crate::{Progress, SolveError};

/// How long to wait for another process that writes the manifest.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait before the directory is looked at again for what others have built.
const PAUSE: Duration = Duration::from_millis(250);

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Bytes of working memory; a group that takes more is solved in scratch files in the database's
    /// directory.
    pub memory: u64,
    /// Which tables get plies; by default those with inside turns, whereas the program stores
    /// those of the others too unless there are very many.
    pub plies: PlyChoice,
    /// Whether plies that follow from other tables one turn ahead are left out. A table that is
    /// there in either way is finished.
    pub compact: bool,
    /// How groups are claimed; by default in the way that works in the directory.
    pub claims: Option<ClaimWay>,
    /// How this builder is called in its claims.
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

/// Builds whatever of a plan is missing in a store. Tables that the plan leads to and does not
/// build must be there.
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
    let claims = claims_of(store, options, progress)?;
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
        before: store.manifest()?,
        finished: BTreeSet::new(),
        had_plies: BTreeSet::new(),
        stored_plies: BTreeSet::new(),
        waiting_for: String::new(),
        failed: &failed,
        seals: &seals,
    };
    builder.find_plies(plan.groups.iter().flat_map(tables_of))?;
    builder.check_dependencies(plan)?;
    let built = Schedule::new(plan, &budget).run(&mut builder, progress);
    builder.claim = None;
    // However it ended, what is finished is listed, and nothing of this process is left.
    let listed = match seal(store) {
        // One that lags behind is no error.
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

/// The claims that a builder makes.
pub(crate) fn claims_of(
    store: &Store,
    options: &BuildOptions,
    progress: &impl Progress,
) -> Result<Claims, SolveError> {
    if let Some(way) = options.claims {
        return Ok(Claims::made_by(store.directory(), way));
    }
    let claims = store.claims()?;
    progress.claims(claims.way());
    Ok(claims)
}

/// Claims a group, unless another process has claimed it or the whole database.
pub(crate) fn claim<T: std::fmt::Display>(
    store: &Store,
    claims: &Claims,
    group: &PlannedGroup<T>,
    holder: &str,
) -> Result<Option<Claim>, SolveError> {
    let Some(claim) = claims.take(&group.tables[0].0.to_string(), holder)? else {
        return Ok(None);
    };
    // Looked for after the claim is made: of two processes that claim at once one finds the other.
    let held = Claims::held_in(store.directory())?;
    let is_free = held.iter().all(|claim| claim.group != Claims::WHOLE);
    Ok(is_free.then_some(claim))
}

/// Waits a moment for another process that has claimed one of these tables, or something else that
/// is in the way; returns its claim.
pub(crate) fn wait_for<T: std::fmt::Display>(
    store: &Store,
    tables: impl Iterator<Item = T>,
) -> Result<Option<HeldClaim>, SolveError> {
    let mut held = Claims::held_in(store.directory())?;
    let mut names = tables.map(|table| table.to_string());
    let found = names.find_map(|name| held.iter().position(|claim| claim.group == name));
    thread::sleep(PAUSE);
    // None is left if another process has just finished.
    let in_the_way = found.unwrap_or(0);
    Ok((in_the_way < held.len()).then(|| held.swap_remove(in_the_way)))
}

/// Derives the manifest from the records, as soon as nobody else does so.
pub fn seal(store: &Store) -> Result<(), SolveError> {
    let lock = Lock::acquire_within(store.directory(), PATIENCE, || ())?;
    store.seal(&lock)?;
    Ok(())
}

struct Builder<'a, G: Layout, P> {
    game: &'a G,
    store: &'a Store,
    claims: Claims,
    /// On the group that is being solved.
    claim: Option<Claim>,
    options: &'a BuildOptions,
    progress: &'a P,
    budget: &'a Budget,
    /// The manifest as it was found: of tables without a record it tells alone.
    before: Manifest,
    /// Tables that were found finished, or that this builder has solved: it stores them before it
    /// stores what leads to them.
    finished: BTreeSet<G::Table>,
    /// Tables that had plies when they were last looked at, finished or not. A build never stores
    /// less of a table than was stored before.
    had_plies: BTreeSet<G::Table>,
    /// Tables that this builder has stored, or is storing, with a `.dtw`.
    stored_plies: BTreeSet<G::Table>,
    /// What was last said to be waited for.
    waiting_for: String,
    /// Whether a group could not be stored.
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

impl<G: Layout, P: Progress> Builder<'_, G, P> {
    /// Whether the files of a table are recorded, and there.
    fn is_finished(&mut self, table: G::Table) -> Result<bool, SolveError> {
        if self.finished.contains(&table) {
            return Ok(true);
        }
        let plies = self.options.plies.of_table(self.game, table);
        let finished = self.presence(table)?.is_finished(plies);
        if finished {
            self.finished.insert(table);
        }
        Ok(finished)
    }

    fn presence(&self, table: G::Table) -> Result<Presence, SolveError> {
        Ok(self.store.presence(&table.to_string(), &self.before)?)
    }

    /// Writes the records of finished tables that only the manifest lists, as in databases of version
    /// 0.1 or after a record was removed.
    fn restore_records(&self, group: &PlannedGroup<G::Table>) -> Result<(), SolveError> {
        let has_record = |table: G::Table| self.store.record_path(&table.to_string()).exists();
        if tables_of(group).all(has_record) {
            return Ok(());
        }
        let holder = &self.options.holder;
        let Some(_claim) = claim(self.store, &self.claims, group, holder)? else {
            return Ok(());
        };
        for table in tables_of(group).filter(|&table| !has_record(table)) {
            if self.presence(table)?.is_finished(false) {
                let name = table.to_string();
                let record = self.store.in_manifest(&self.before, &name);
                self.store.write_record(&name, &record)?;
            }
        }
        Ok(())
    }

    /// Looks which of these tables have plies, or had them.
    fn find_plies(&mut self, tables: impl Iterator<Item = G::Table>) -> Result<(), SolveError> {
        for table in tables {
            if self.presence(table)?.had_plies() {
                self.had_plies.insert(table);
            }
        }
        Ok(())
    }

    /// Whether a group gets plies: it was asked for, or the group had them before.
    fn wants_plies(&self, group: &PlannedGroup<G::Table>) -> bool {
        self.options.plies.of(group)
            || tables_of(group).any(|table| self.had_plies.contains(&table))
    }

    /// Whether the plies of a table that is about to be stored follow from what is stored of the
    /// tables one turn ahead; `own` are those it is stored with.
    fn can_leave_plies_out(
        &self,
        table: G::Table,
        own: &PlannedGroup<G::Table>,
    ) -> Result<bool, SolveError> {
        if !self.options.compact || !self.game.leaves_plies_out(table) {
            return Ok(false);
        }
        for ahead in derive::ahead(self.game, table) {
            let is_stored = self.stored_plies.contains(&ahead)
                || tables_of(own).any(|table| table == ahead)
                || self.presence(ahead)? == Presence::Finished(Plies::Stored);
            if !is_stored {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_finished(
        &mut self,
        tables: impl IntoIterator<Item = G::Table>,
    ) -> Result<bool, SolveError> {
        for table in tables {
            if !self.is_finished(table)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Refuses a plan that leads to tables which are neither in it nor in the store.
    fn check_dependencies(&mut self, plan: &Plan<G::Table>) -> Result<(), SolveError> {
        let own = plan.groups.iter().flat_map(|group| &group.tables);
        let own: BTreeSet<G::Table> = own.map(|(table, _)| *table).collect();
        let mut missing = BTreeSet::new();
        for group in &plan.groups {
            if self.are_finished(tables_of(group))? {
                continue;
            }
            for &table in &group.depends_on {
                if !own.contains(&table) && !self.is_finished(table)? {
                    missing.insert(table);
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(SolveError::Dependencies {
            group: plan
                .groups
                .last()
                .map(PlannedGroup::name)
                .unwrap_or_default(),
            directory: self.store.directory().into(),
            missing: missing.iter().map(|table| table.to_string()).collect(),
        })
    }
}

fn tables_of<T: Copy>(group: &PlannedGroup<T>) -> impl Iterator<Item = T> {
    group.tables.iter().map(|(table, _)| *table)
}

impl<'a, G: Layout, P: Progress> Visitor<G::Table> for Builder<'a, G, P> {
    type Pending = SolvedGroup<'a, G, P>;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        match group.sweeps {
            false => Form::Nodes,
            true if self.wants_plies(group) => Form::Bytes,
            true => Form::Outcomes,
        }
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        match self.needs(group) {
            Form::Outcomes => group.memory,
            Form::Bytes | Form::Nodes => group.memory_with_plies,
        }
    }

    fn turn(&mut self, _: usize, group: &PlannedGroup<G::Table>) -> Result<Turn, SolveError> {
        if self.are_finished(tables_of(group))? {
            self.restore_records(group)?;
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Turn::Skip);
        }
        if !self.are_finished(group.depends_on.iter().copied())? {
            return Ok(Turn::Later);
        }
        let holder = &self.options.holder;
        let Some(claim) = claim(self.store, &self.claims, group, holder)? else {
            return Ok(Turn::Later);
        };
        // Whoever had the claim may have finished since the files were looked at.
        if self.are_finished(tables_of(group))? {
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Turn::Skip);
        }
        self.find_plies(tables_of(group))?;
        // Not before: what another is writing takes room already.
        check_room_for(self.game, self.store, group, self.options)?;
        self.claim = Some(claim);
        self.waiting_for.clear();
        Ok(Turn::Visit)
    }

    fn wait(&mut self, group: &PlannedGroup<G::Table>) -> Result<(), SolveError> {
        let tables = tables_of(group).chain(group.depends_on.iter().copied());
        if let Some(held) = wait_for(self.store, tables)?
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

    /// Reads a table; if its plies are needed and were not stored, derives it from the tables one
    /// turn ahead where these have them, and solves it again where not.
    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        match way {
            Way::Read => {
                let stored = Stored::in_form(form, self.game, self.store, table)?;
                load::fetch(&stored, resident, self.budget, self.progress)
            }
            Way::Derive => {
                let (game, budget, progress) = (self.game, self.budget, self.progress);
                let nodes = derive::by_rows(game, table, resident, budget, progress)?;
                resident.put(table, nodes);
                Ok(())
            }
            Way::Solve => {
                self.progress.phase(&format!("solving {table} again"));
                solve_again(self.game, table, resident, self.budget, self.progress)
            }
        }
    }

    /// Solves a group. Storing it is left to do.
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
        let plies = self.wants_plies(planned);
        if !plies && !planned.sweeps {
            // What is stored can later only be shown to be consistent: it is checked now.
            self.progress.phase("checking");
            check_solved(self.game, &group, resident, self.budget, &solving)?;
        }
        let mut tables = Vec::new();
        for (table, _) in group.tables() {
            let solution = solutions.remove(&table).expect("it has just been solved");
            let contents = match (plies, solution) {
                (false, solution) => Contents::Outcomes(solution.outcomes()),
                (true, Solution::Exact(nodes)) => {
                    match self.can_leave_plies_out(table, planned)? {
                        true => Contents::PliesLeftOut(nodes),
                        false => Contents::Plies(nodes),
                    }
                }
                (true, Solution::Outcomes(_)) => {
                    return Err(SolveError::without_plies(table, table));
                }
            };
            if matches!(contents, Contents::Plies(_)) {
                self.stored_plies.insert(table);
            }
            tables.push(ToStore { table, contents });
        }
        self.finished.extend(tables_of(planned));
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
