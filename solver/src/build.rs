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

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use endmill_dbformat::{
    Claim, ClaimWay, Claims, Error, Kind, Lock, Manifest, Record, Store, clean_leftovers, host,
};
use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::derive;
use crate::load::{self, Stored};
use crate::needs::check_room_for;
use crate::plan::{Memory, Plan, PlannedGroup, PlyChoice};
use crate::resident::{Form, Resident};
use crate::rows::check_solved;
use crate::save::SavedPlies;
use crate::schedule::{self, Schedule, Source, Turn, Visitor};
use crate::solved_group::{Seals, SolvedGroup, ToStore};
use crate::solving::{check_sizes, solve_group};
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
    let claims = match options.claims {
        Some(way) => Claims::made_by(directory, way),
        None => {
            let claims = store.claims()?;
            progress.claims(claims.way());
            claims
        }
    };
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
        waiting_for: String::new(),
        failed: &failed,
        seals: &seals,
    };
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
        let name = table.to_string();
        let record = match self.store.record(&name) {
            Ok(Some(record)) => record,
            Ok(None) => self.store.in_manifest(&self.before, &name),
            // It cannot be trusted: the table is built again.
            Err(Error::Damaged { .. }) => Record::new(),
            Err(error) => return Err(error.into()),
        };
        let plies = match self.game.has_inside_turns(table) {
            true => self.options.plies.solved,
            false => self.options.plies.swept,
        };
        let is_there = |kind| {
            let size = self.store.path(&name, kind).metadata();
            let size = size.ok().filter(|found| found.is_file());
            record
                .get(&kind)
                .is_some_and(|file| size.is_some_and(|size| size.len() == file.bytes))
        };
        let finished = is_there(Kind::Outcomes)
            && (!plies || is_there(Kind::Plies) || self.leaves_plies_out(table)?);
        if finished {
            self.finished.insert(table);
        }
        Ok(finished)
    }

    /// Whether a table was stored with its plies left out.
    fn leaves_plies_out(&self, table: G::Table) -> Result<bool, SolveError> {
        if !self.game.leaves_plies_out(table) {
            return Ok(false);
        }
        match self.store.leaves_plies_out(&table.to_string()) {
            Err(Error::Damaged { .. }) => Ok(false),
            told => Ok(told?),
        }
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
    type Rest = SolvedGroup<'a, G, P>;

    fn needs(&self, group: &PlannedGroup<G::Table>) -> Form {
        match group.sweeps {
            false => Form::Nodes,
            true if self.options.plies.needed_for(group) => Form::Bytes,
            true => Form::Outcomes,
        }
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        self.options.plies.memory(group)
    }

    fn turn(&mut self, _: usize, group: &PlannedGroup<G::Table>) -> Result<Turn, SolveError> {
        if self.are_finished(tables_of(group))? {
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Turn::Skip);
        }
        if !self.are_finished(group.depends_on.iter().copied())? {
            return Ok(Turn::Later);
        }
        let name = group.tables[0].0.to_string();
        let Some(claim) = self.claims.take(&name, &self.options.holder)? else {
            return Ok(Turn::Later);
        };
        // Whoever had the claim may have finished since the files were looked at.
        if self.are_finished(tables_of(group))? {
            self.progress.skipped(&group.name(), group.positions());
            return Ok(Turn::Skip);
        }
        // Not before: what another is writing takes room already.
        check_room_for(self.game, self.store, group, self.options)?;
        self.claim = Some(claim);
        self.waiting_for.clear();
        Ok(Turn::Visit)
    }

    fn wait(&mut self, group: &PlannedGroup<G::Table>) -> Result<(), SolveError> {
        let held: BTreeMap<String, String> = self.claims.held()?.into_iter().collect();
        let names = tables_of(group).chain(group.depends_on.iter().copied());
        let mut holders = names.filter_map(|table| held.get_key_value(&table.to_string()));
        let (table, holder) = match holders.next().or_else(|| held.first_key_value()) {
            Some((table, holder)) => (table.as_str(), holder.as_str()),
            // Somebody has just finished.
            None => ("", ""),
        };
        if !table.is_empty() && self.waiting_for != table {
            self.waiting_for = table.to_owned();
            self.progress.waiting(table, holder);
        }
        thread::sleep(PAUSE);
        Ok(())
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        if self.is_stored(table, form) {
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
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        if self.is_stored(table, form) {
            let stored = Stored::open_for(form, self.game, self.store, table)?;
            load::fetch(&stored, resident, self.budget, self.progress)
        } else if derive::can_be_derived(self.game, self.store, table) {
            let nodes = derive::by_rows(self.game, table, resident, self.budget, self.progress)?;
            resident.put(table, nodes);
            Ok(())
        } else {
            self.progress.phase(&format!("solving {table} again"));
            let group = self.game.group(table);
            solve_group(&group, resident, self.budget, self.progress)
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
        solve_group(&group, resident, self.budget, &solving)?;
        let plies = self.options.plies.of(planned);
        if !plies && !planned.sweeps {
            // What is stored can later only be shown to be consistent: it is checked now.
            self.progress.phase("checking");
            check_solved(self.game, &group, resident, self.budget, &solving)?;
        }
        self.finished.extend(tables_of(planned));
        let tables = group.tables().into_iter().map(|(table, _)| ToStore {
            table,
            nodes: resident.share(table).expect("it has just been solved"),
            plies: match plies {
                false => SavedPlies::Untold,
                true if self.options.compact && self.game.leaves_plies_out(table) => {
                    SavedPlies::LeftOut
                }
                true => SavedPlies::Stored,
            },
        });
        let tables = tables.collect();
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

impl<G: Layout, P> Builder<'_, G, P> {
    /// Whether a table can be read in a form.
    fn is_stored(&self, table: G::Table, form: Form) -> bool {
        form == Form::Outcomes || self.store.path(&table.to_string(), Kind::Plies).is_file()
    }
}
