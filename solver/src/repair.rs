//! Finding what is damaged in a store, so that a build repairs it.
//!
//! A build treats a file of the right size as finished. Repairing compares every file with its record.
//! A file that differs is [discarded](Store::discard), and its record stays: the table is not finished
//! until a build has stored everything that the record lists, even if the repair is stopped. If a
//! record is missing or cannot be read, the files whose checksums are right are recorded. The manifest
//! is derived from the records.
//!
//! Each group is claimed while its files are compared: another process may be storing it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use endmill_dbformat::{Error, FileRecord, Kind, Manifest, Record, Store, clean_leftovers};
use endmill_games::Features;

use crate::build::BuildOptions;
use crate::claiming::{claim, claims_of, seal, wait_for};
use crate::plan::{Plan, PlannedGroup};
use crate::{Progress, SolveError};

/// Discards every damaged file of a plan, and reports each to `found`. Missing files are left to the
/// build.
pub fn repair<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    options: &BuildOptions,
    progress: &impl Progress,
    mut found: impl FnMut(&Path, &Error),
) -> Result<(), SolveError> {
    fs::create_dir_all(store.directory()).map_err(|source| Error::Io {
        file: store.directory().into(),
        source,
    })?;
    clean_leftovers(store.directory())?;
    let claims = claims_of(store, options.claims, progress)?;
    let groups = plan.groups.iter().flat_map(|group| &group.tables);
    let mut tables: BTreeSet<G::Table> = groups.map(|(table, _)| *table).collect();
    let manifest = match store.manifest() {
        Err(error @ (Error::Damaged { .. } | Error::Io { .. })) => {
            found(&store.manifest_path(), &error);
            remove(&store.manifest_path())?;
            // What it listed is lost, also for tables outside the plan.
            for (name, _, _) in store.files()? {
                let known = game.parse_table(&name).ok();
                tables.extend(known.filter(|table| table.to_string() == name));
            }
            Manifest::new(store.rules().clone())
        }
        manifest => manifest?,
    };
    let tables: Vec<G::Table> = tables.into_iter().collect();
    for group in Plan::only(game, &tables).groups {
        let _claim = loop {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            match claim(store, &claims, &group, &options.holder)? {
                Some(claim) => break claim,
                None => wait(store, &group, progress)?,
            }
        };
        for &(table, positions) in &group.tables {
            let name = table.to_string();
            progress.phase(&format!("checking {name}"));
            let table = StoredTable {
                store,
                name: &name,
                positions,
            };
            table.check(&manifest, &mut found)?;
        }
    }
    seal(store)
}

fn wait<T: Copy + std::fmt::Display>(
    store: &Store,
    group: &PlannedGroup<T>,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    if let Some(held) = wait_for(store, group.own_tables())? {
        progress.waiting(&held.group, &held.holder);
    }
    Ok(())
}

/// A table that is checked.
struct StoredTable<'a> {
    store: &'a Store,
    name: &'a str,
    positions: u64,
}

impl StoredTable<'_> {
    fn check(
        &self,
        manifest: &Manifest,
        found: &mut impl FnMut(&Path, &Error),
    ) -> Result<(), SolveError> {
        match self.store.record(self.name) {
            // An empty record belongs to a table that was being stored: it will be built.
            Ok(Some(record)) => self.compare(&record, found),
            Ok(None) => match self.store.in_manifest(manifest, self.name) {
                record if record.is_empty() => self.record_sound_files(found),
                record => self.compare(&record, found),
            },
            Err(error @ (Error::Damaged { .. } | Error::Io { .. })) => {
                found(&self.store.record_path(self.name), &error);
                self.record_sound_files(found)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Compares the files with their record, and with each other.
    fn compare(
        &self,
        record: &Record,
        found: &mut impl FnMut(&Path, &Error),
    ) -> Result<(), SolveError> {
        let mut all_sound = true;
        for (&kind, file) in record {
            match self.store.verify_file(self.name, kind, file) {
                Ok(()) => {}
                Err(Error::Missing { .. }) => all_sound = false,
                Err(error) => {
                    all_sound = false;
                    self.discard(kind, &error, found)?;
                }
            }
        }
        if all_sound
            && record.contains_key(&Kind::Plies)
            && let Err(error) = self.store.check_pair(self.name, self.positions)
        {
            self.discard(Kind::Plies, &error, found)?;
        }
        Ok(())
    }

    /// Records the files with right checksums of header, index and blocks that belong together, and
    /// discards the others.
    fn record_sound_files(&self, found: &mut impl FnMut(&Path, &Error)) -> Result<(), SolveError> {
        let mut record = Record::new();
        for kind in Kind::ALL {
            match self.check_alone(kind) {
                Ok(file) => {
                    record.insert(kind, file);
                }
                Err(Error::Missing { .. }) if !self.store.path(self.name, kind).exists() => {}
                Err(error) => self.discard(kind, &error, found)?,
            }
            if record.is_empty() {
                // Plies without outcomes cannot be checked; they are written again with them.
                break;
            }
        }
        if !record.is_empty() || self.store.record_path(self.name).exists() {
            self.store.write_record(self.name, &record)?;
        }
        Ok(())
    }

    fn discard(
        &self,
        kind: Kind,
        error: &Error,
        found: &mut impl FnMut(&Path, &Error),
    ) -> Result<(), SolveError> {
        found(&self.store.path(self.name, kind), error);
        Ok(self.store.discard(self.name, kind)?)
    }

    /// The record of a file whose checksums are right.
    fn check_alone(&self, kind: Kind) -> endmill_dbformat::Result<FileRecord> {
        self.store.verify_blocks(self.name, self.positions, kind)?;
        if kind == Kind::Plies {
            self.store.check_pair(self.name, self.positions)?;
        }
        FileRecord::of_file(&self.store.path(self.name, kind))
    }
}

fn remove(path: &Path) -> endmill_dbformat::Result<()> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Io {
            file: path.into(),
            source,
        }),
        _ => Ok(()),
    }
}
