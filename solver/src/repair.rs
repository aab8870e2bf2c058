//! Finding what is damaged in a store, so that a build makes it again.
//!
//! A build takes a file of the right size for finished. Repairing compares every file with what was
//! recorded of it, and what differs is struck off the record and removed: then it is not finished,
//! whatever moment the repair is stopped at. Where a record is missing or cannot be read it is made
//! anew from the files that are sound by themselves; the manifest is derived from the records.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use endmill_dbformat::{Error, FileRecord, Kind, Manifest, Record, Store, clean_leftovers};
use endmill_games::Features;

use crate::build::seal;
use crate::plan::Plan;
use crate::{Progress, SolveError};

/// Strikes off its record, and removes, every file of a plan that is not as it was written;
/// `found` is told of each. What is not there at all is left to the build.
pub fn repair<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    progress: &impl Progress,
    mut found: impl FnMut(&Path, &Error),
) -> Result<(), SolveError> {
    fs::create_dir_all(store.directory()).map_err(|source| Error::Io {
        file: store.directory().into(),
        source,
    })?;
    clean_leftovers(store.directory())?;
    let groups = plan.groups.iter().flat_map(|group| &group.tables);
    let mut tables: BTreeSet<G::Table> = groups.map(|(table, _)| *table).collect();
    let manifest = match store.manifest() {
        Err(error @ (Error::Damaged { .. } | Error::Io { .. })) => {
            found(&store.manifest_path(), &error);
            remove(&store.manifest_path())?;
            // Whatever it said is gone, of tables outside the plan too.
            for (name, _, _) in store.files()? {
                let known = game.parse_table(&name).ok();
                tables.extend(known.filter(|table| table.to_string() == name));
            }
            Manifest::new(store.rules().clone())
        }
        manifest => manifest?,
    };
    for table in tables {
        if progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let name = table.to_string();
        let checked = Checked {
            store,
            name: &name,
            positions: game.size(table),
        };
        progress.phase(&format!("checking {name}"));
        match store.record(&name) {
            Ok(Some(record)) => checked.compare(&record, &mut found)?,
            Ok(None) => match store.in_manifest(&manifest, &name) {
                record if record.is_empty() => checked.remake(&mut found)?,
                record => checked.compare(&record, &mut found)?,
            },
            Err(error @ (Error::Damaged { .. } | Error::Io { .. })) => {
                found(&store.record_path(&name), &error);
                checked.remake(&mut found)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    seal(store)
}

/// A table that is looked at.
struct Checked<'a> {
    store: &'a Store,
    name: &'a str,
    positions: u64,
}

impl Checked<'_> {
    /// Compares the files with their record.
    fn compare(
        &self,
        record: &Record,
        found: &mut impl FnMut(&Path, &Error),
    ) -> Result<(), SolveError> {
        for (&kind, file) in record {
            let path = self.store.path(self.name, kind);
            match self.store.verify_file(self.name, kind, file) {
                Ok(()) | Err(Error::Missing { .. }) => {}
                Err(error) => {
                    found(&path, &error);
                    self.store.forget(self.name, kind)?;
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Records every file that opens and whose blocks all have their checksums; removes the others.
    fn remake(&self, found: &mut impl FnMut(&Path, &Error)) -> Result<(), SolveError> {
        let mut record = Record::new();
        for kind in Kind::ALL {
            let path = self.store.path(self.name, kind);
            match check_alone(self.store, self.name, kind, self.positions) {
                Ok(file) => {
                    record.insert(kind, file);
                }
                Err(Error::Missing { .. }) if !path.exists() => {}
                Err(error) => {
                    found(&path, &error);
                    remove(&path)?;
                }
            }
        }
        if !record.is_empty() || self.store.record_path(self.name).exists() {
            self.store.write_record(self.name, &record)?;
        }
        Ok(())
    }
}

/// Whether a file is sound as far as it can say itself; gives what should be recorded of it.
fn check_alone(
    store: &Store,
    name: &str,
    kind: Kind,
    positions: u64,
) -> endmill_dbformat::Result<FileRecord> {
    store.verify_blocks(name, positions, kind)?;
    FileRecord::of_file(&store.path(name, kind))
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
