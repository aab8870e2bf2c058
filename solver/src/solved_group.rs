//! Storing a solved group: with all threads, or while the next group is solved.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use endmill_dbformat::{Claim, Store};
use endmill_layout::{Group, Layout};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::codecs::learning_bytes;
use crate::numbered::Numbered;
use crate::resident::Resident;
use crate::save::{Contents, Saving, SolvedTable};
use crate::schedule::PendingSave;
use crate::{Progress, SolveError};

/// The least time between two updates of the manifest during a build.
const BETWEEN_SEALS: Duration = Duration::from_secs(20);

/// A solved group that is to be stored, with the claim on it.
pub(crate) struct SolvedGroup<'a, G: Layout, P> {
    pub(crate) game: &'a G,
    pub(crate) group: G::Group<'a>,
    /// The names of its tables.
    pub(crate) name: String,
    pub(crate) tables: Vec<ToStore<G::Table>>,
    pub(crate) store: &'a Store,
    /// Released when the group is stored.
    pub(crate) claim: Option<Claim>,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a P,
    /// Set if storing has failed: then solving stops.
    pub(crate) failed: &'a AtomicBool,
    pub(crate) seals: &'a Seals,
}

/// One of its tables.
pub(crate) struct ToStore<T> {
    pub(crate) table: T,
    pub(crate) contents: Contents,
}

/// When the manifest was last derived.
pub(crate) struct Seals(Mutex<Instant>);

impl Seals {
    /// The manifest was derived just now.
    pub(crate) fn new() -> Seals {
        Seals(Mutex::new(Instant::now()))
    }

    /// Derives the manifest if it is due and not locked: at the end of the build it is derived anyway.
    fn seal_sometimes(&self, store: &Store) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= BETWEEN_SEALS {
            *last = Instant::now();
            let _ = store.lock().and_then(|lock| store.seal(&lock));
        }
    }
}

impl<G: Layout, P: Progress> SolvedGroup<'_, G, P> {
    /// Stores the group, and releases the claim on it.
    fn store_and_record(mut self, beside: bool) -> Result<(), SolveError> {
        let saved = self.save(beside);
        self.failed.fetch_or(saved.is_err(), Ordering::Relaxed);
        saved?;
        self.claim = None;
        self.progress.finished(&self.name);
        self.seals.seal_sometimes(self.store);
        Ok(())
    }

    /// Writes the files of every table, and records them. Reports its phases unless it runs beside
    /// another group.
    fn save(&self, beside: bool) -> Result<(), SolveError> {
        let phase = |phase: &str| {
            if !beside {
                self.progress.phase(phase);
            }
        };
        phase(&format!("storing {}: learning", self.name));
        let rows = self.group.tables();
        let tables = self.tables.iter().map(|to_store| {
            let saving = Saving {
                store: self.store,
                budget: self.budget,
            };
            let own = rows.iter().find(|(table, _)| *table == to_store.table);
            let (table, rows) = own.expect("it is a table of the group").clone();
            let solved = SolvedTable {
                game: self.game,
                table,
                numbered: Numbered::new(&self.group, rows, self.game.size(table)),
                contents: &to_store.contents,
            };
            (saving, solved)
        });
        let tables: Vec<_> = tables.collect();
        // Few threads can learn one model, so those of a group are learnt at once, if memory allows.
        let choose =
            |(saving, solved): &(Saving<'_>, SolvedTable<'_, G, _>)| saving.choose_codecs(solved);
        let codecs: Result<Vec<_>, SolveError> = match self.budget.is_short() {
            true => tables.iter().map(choose).collect(),
            false => tables.par_iter().map(choose).collect(),
        };
        for ((saving, solved), codecs) in tables.iter().zip(&codecs?) {
            phase(&format!("storing {}", solved.table));
            let statistics = saving.save(solved, codecs, self.progress)?;
            self.progress.stored(&solved.table.to_string(), &statistics);
        }
        Ok(())
    }
}

impl<G: Layout, P: Progress> PendingSave<G::Table> for SolvedGroup<'_, G, P> {
    fn tables(&self) -> Vec<G::Table> {
        self.tables.iter().map(|to_store| to_store.table).collect()
    }

    fn memory(&self, resident: &Resident<G::Table>) -> u64 {
        let tables = self.tables.iter();
        let bytes = tables.map(|own| {
            let nodes = own.contents.nodes();
            let nodes = match resident.has_these(own.table, nodes) {
                true => 0,
                false => nodes.bytes(),
            };
            nodes + learning_bytes(self.game.size(own.table))
        });
        bytes.sum()
    }

    fn finish(self) -> Result<(), SolveError> {
        self.store_and_record(false)
    }

    fn finish_beside(self) -> Result<(), SolveError> {
        self.progress.storing_beside(&self.name);
        self.store_and_record(true)
    }
}
