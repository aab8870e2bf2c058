//! Building a database: group by group, resumably.
//!
//! A group counts as done when all its files are in the manifest. Files come into being under
//! temporary names and are recorded after they are renamed, so whatever moment a build is stopped
//! at, the same command goes on from the last whole group, and since nothing in a file depends on
//! time, host or threads, it ends in the same bytes.

use std::sync::atomic::{AtomicBool, Ordering};

use dbformat::{Kind, Lock, Statistics, Store, clean_leftovers};
use games::Game;
use games::group::Group;

use crate::load::load_table;
use crate::numbered::Numbered;
use crate::plan::{Plan, PlannedGroup};
use crate::save::{Saving, SolvedTable};
use crate::shelf::Shelf;
use crate::{Progress, SolveError, retrograde};

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Bytes of memory that solved tables may take beside the group that is being solved.
    pub memory: u64,
    /// Whether to store plies.
    pub plies: bool,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            memory: 4 << 30,
            plies: true,
        }
    }
}

/// Is told how far a build has got.
pub trait BuildProgress: Progress {
    /// A group is about to be solved; `done` of its positions' total are solved already.
    fn group(&self, name: &str, positions: u64);
    /// The work on the group has reached a phase.
    fn phase(&self, phase: &str);
    /// A group was found finished.
    fn skipped(&self, name: &str, positions: u64);
    /// A table was stored.
    fn stored(&self, table: &str, statistics: &Statistics);
}

/// Builds whatever of a plan is missing in a store. Stops between two steps when `stop` is set.
pub fn build<G: Game>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    options: &BuildOptions,
    progress: &impl BuildProgress,
    stop: &AtomicBool,
) -> Result<(), SolveError> {
    let mut lock = store.lock()?;
    clean_leftovers(&lock)?;
    let mut shelf = Shelf::new();
    for (i, group) in plan.groups.iter().enumerate() {
        let name = group_name(group);
        if is_finished(store, group, options.plies)? {
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
            stop,
        };
        builder.build(group, &mut shelf)?;
        let needed = plan.needed_after(i);
        shelf.keep(|table| needed.contains(&table));
        if shelf.bytes() > options.memory {
            shelf = Shelf::new();
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
    stop: &'a AtomicBool,
}

impl<G: Game, P: BuildProgress> Builder<'_, G, P> {
    fn build(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        shelf: &mut Shelf<G::Table>,
    ) -> Result<(), SolveError> {
        for &table in &planned.depends_on {
            if shelf.get(table).is_none() {
                enter(&format!("reading {table}"), self.progress, self.stop)?;
                shelf.put(table, load_table(self.game, self.store, table)?);
            }
        }
        enter("solving", self.progress, self.stop)?;
        let group = self.game.group(planned.tables[0].0);
        let solved = retrograde::solve(&group, shelf, self.progress)?;

        let mut saving = Saving {
            store: self.store,
            lock: self.lock,
            plies: self.options.plies,
        };
        let rows = group.tables();
        for ((table, nodes), (_, rows)) in solved.into_iter().zip(rows) {
            enter(&format!("storing {table}"), self.progress, self.stop)?;
            let statistics = saving.save(&SolvedTable {
                game: self.game,
                table,
                numbered: Numbered::new(&group, rows, self.game.size(table)),
                nodes: &nodes,
            })?;
            self.progress.stored(&table.to_string(), &statistics);
            shelf.put(table, nodes);
        }
        Ok(())
    }
}

/// Enters a phase, unless the build is to stop.
fn enter(phase: &str, progress: &impl BuildProgress, stop: &AtomicBool) -> Result<(), SolveError> {
    if stop.load(Ordering::Relaxed) {
        return Err(SolveError::Stopped);
    }
    progress.phase(phase);
    Ok(())
}
