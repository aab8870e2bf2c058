//! Building a database: group by group, resumably.
//!
//! A group counts as done when all its files are in the manifest. Files come into being under
//! temporary names and are recorded after they are renamed, so whatever moment a build is stopped
//! at, the same command goes on from the last whole group, and since nothing in a file depends on
//! time, host or threads, it ends in the same bytes.

use dbformat::{Kind, Lock, Statistics, Store, clean_leftovers};
use games::Game;
use games::group::Group;

use crate::load::{load_outcomes, load_table};
use crate::numbered::Numbered;
use crate::plan::{Plan, PlannedGroup, PlyChoice};
use crate::room::Room;
use crate::save::{Saving, SolvedTable};
use crate::shelf::Shelf;
use crate::verify::prove_solved;
use crate::{Progress, SolveError, retrograde};

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Bytes of working memory; beyond them scratch files in the database's directory are used.
    pub memory: u64,
    /// Which tables get plies; by default those with inside turns, whereas the program stores
    /// those of the others too unless there are very many.
    pub plies: PlyChoice,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            memory: 6 << 30,
            plies: PlyChoice {
                solved: true,
                swept: false,
            },
        }
    }
}

/// Is told how far a build has got.
pub trait BuildProgress: Progress {
    /// A group is about to be solved.
    fn group(&self, name: &str, positions: u64);
    /// The work on the group has reached a phase.
    fn phase(&self, phase: &str);
    /// A group was found finished.
    fn skipped(&self, name: &str, positions: u64);
    /// A table was stored.
    fn stored(&self, table: &str, statistics: &Statistics);
}

/// Builds whatever of a plan is missing in a store.
pub fn build<G: Game>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    options: &BuildOptions,
    progress: &impl BuildProgress,
) -> Result<(), SolveError> {
    let mut lock = store.lock()?;
    clean_leftovers(&lock)?;
    let room = Room::new(options.memory, store.directory().into());
    let mut shelf = Shelf::new();
    for (i, group) in plan.groups.iter().enumerate() {
        let name = group_name(group);
        if is_finished(store, group, options.plies.of(group))? {
            progress.skipped(&name, group.positions());
            continue;
        }
        progress.group(&name, group.positions());
        let mut builder = Builder {
            game,
            store,
            lock: &mut lock,
            options,
            progress,
            room: &room,
            plan,
            number: i,
        };
        builder.build(group, &mut shelf)?;
        let needed = plan.needed_after(i);
        shelf.keep(|table| needed.contains(&table));
        for table in needed {
            let needs_plies = |group: &PlannedGroup<_>| options.plies.needed_for(group);
            if plan.next_use(i + 1, table, needs_plies).is_none() {
                shelf.forget_plies(table, &room)?;
            } else if plan.only_sweeps_need(i + 1, table) {
                shelf.shorten(table, &room)?;
            }
        }
    }
    Ok(())
}

/// The names of the tables of a group, `5v4+4v5`.
pub fn group_name<T: std::fmt::Display>(group: &PlannedGroup<T>) -> String {
    let names: Vec<String> = group
        .tables
        .iter()
        .map(|(table, _)| table.to_string())
        .collect();
    names.join(" & ")
}

/// Whether all files of a group are there, as the manifest has them.
fn is_finished<T: std::fmt::Display>(
    store: &Store,
    group: &PlannedGroup<T>,
    plies: bool,
) -> dbformat::Result<bool> {
    let listed = store.list()?;
    let kinds: &[Kind] = if plies { &Kind::ALL } else { &[Kind::Outcomes] };
    Ok(group.tables.iter().all(|(table, _)| {
        let name = table.to_string();
        kinds.iter().all(|&kind| {
            listed.iter().any(|file| {
                file.table == name
                    && file.kind == kind
                    && file.bytes.is_some()
                    && file.bytes == file.record.as_ref().map(|record| record.bytes)
            })
        })
    }))
}

struct Builder<'a, G: Game, P> {
    game: &'a G,
    store: &'a Store,
    lock: &'a mut Lock,
    options: &'a BuildOptions,
    progress: &'a P,
    room: &'a Room,
    plan: &'a Plan<G::Table>,
    /// Of the group in the plan.
    number: usize,
}

impl<G: Game, P: BuildProgress> Builder<'_, G, P> {
    /// Solves a group and stores it.
    fn build(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        shelf: &mut Shelf<G::Table>,
    ) -> Result<(), SolveError> {
        self.make_room(planned, shelf);
        if self.options.plies.needed_for(planned) {
            self.fetch(&planned.depends_on, shelf, planned.sweeps)?;
        } else {
            self.fetch_outcomes(&planned.depends_on, shelf)?;
        }
        // What was read only to resolve others may be in the way.
        self.make_room(planned, shelf);
        let plies = self.options.plies.of(planned);
        self.progress.phase("solving");
        let group = self.game.group(planned.tables[0].0);
        for (table, nodes) in retrograde::solve(&group, shelf, self.room, self.progress)? {
            shelf.put(table, nodes);
        }
        if !plies && !planned.sweeps {
            // What is stored can later only be shown to be consistent: it is proved now.
            self.progress.phase("proving");
            if let Some(mismatch) = prove_solved(self.game, &group, shelf) {
                return Err(SolveError::Wrong(mismatch));
            }
        }
        let mut saving = Saving {
            store: self.store,
            lock: self.lock,
            plies,
        };
        for (table, rows) in group.tables() {
            self.progress.phase(&format!("storing {table}"));
            let nodes = shelf.get(table).expect("it has just been solved");
            let solved = SolvedTable {
                game: self.game,
                table,
                numbered: Numbered::new(&group, rows, self.game.size(table)),
                nodes,
            };
            let statistics = saving.save(&solved, self.progress)?;
            self.progress.stored(&table.to_string(), &statistics);
        }
        Ok(())
    }

    /// Takes from the shelf what a group does not need, if memory is short: the tables that are
    /// needed last go first.
    fn make_room(&self, planned: &PlannedGroup<G::Table>, shelf: &mut Shelf<G::Table>) {
        let memory = self.options.plies.memory(planned);
        let needed = memory.still_needed(shelf.bytes_of(&planned.depends_on));
        shelf.shrink(self.room.limit().saturating_sub(needed), |table| {
            let may_go = !planned.depends_on.contains(&table);
            may_go.then(|| self.plan.next_use(self.number, table, |_| true))
        });
    }

    /// Sees to it that the outcomes of tables are on the shelf.
    fn fetch_outcomes(
        &self,
        tables: &[G::Table],
        shelf: &mut Shelf<G::Table>,
    ) -> Result<(), SolveError> {
        for &table in tables {
            if shelf.has(table) {
                continue;
            }
            if self.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            self.fetch_outcomes(&self.game.resolved_from(table), shelf)?;
            self.progress.phase(&format!("reading {table}"));
            let nodes = load_outcomes(self.game, self.store, table, shelf, self.room)?;
            shelf.put_outcomes(table, &nodes, self.room)?;
        }
        Ok(())
    }

    /// Sees to it that tables are on the shelf, for a sweep in a byte a node: reads them, after
    /// those that they are resolved from, or solves them again if their plies were not stored.
    fn fetch(
        &self,
        tables: &[G::Table],
        shelf: &mut Shelf<G::Table>,
        sweeps: bool,
    ) -> Result<(), SolveError> {
        for &table in tables {
            if shelf.get(table).is_some() || (sweeps && shelf.has_plies(table)) {
                continue;
            }
            if self.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            if self.store.path(&table.to_string(), Kind::Plies).exists() {
                self.fetch(&self.game.resolved_from(table), shelf, false)?;
                self.progress.phase(&format!("reading {table}"));
                let (nodes, _) = load_table(self.game, self.store, table, shelf, self.room)?;
                shelf.put(table, nodes);
            } else {
                let group = self.game.group(table);
                for (own, _) in group.tables() {
                    let sweeps = !group.has_inside_turns();
                    self.fetch(&self.game.outside(own), shelf, sweeps)?;
                }
                self.progress.phase(&format!("solving {table} again"));
                for (own, nodes) in retrograde::solve(&group, shelf, self.room, self.progress)? {
                    shelf.put(own, nodes);
                }
            }
            if sweeps && self.plan.only_sweeps_need(self.number, table) {
                shelf.shorten(table, self.room)?;
            }
        }
        Ok(())
    }
}
