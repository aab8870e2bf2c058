//! Converts a full database into a compact one and back, without solving.
//!
//! Both forms have the same `.wld` files but for a field of the header. Compacting marks the tables
//! whose plies [follow](endmill_games::Features::leaves_plies_out) from others, and removes their
//! `.dtw`. Expanding [derives](crate::derive) these plies by rows and codes them as a build does, so
//! that the bytes are those of a build.
//!
//! A conversion proceeds table by table, in place or into another directory. A table is unrecorded
//! before it is replaced, and recorded when it is complete. So every value is stored, or follows from
//! stored ones, whenever the conversion is stopped; the same command resumes it.

use std::collections::BTreeSet;

use endmill_dbformat::{
    FileRecord, Kind, Record, Store, clean_leftovers, copy_file, mark_plies_left_out,
};
use endmill_games::Numbering;
use endmill_layout::Layout;

use crate::budget::Budget;
use crate::build::BuildOptions;
use crate::claiming::seal;
use crate::derive;
use crate::expand::expand;
use crate::{Progress, SolveError};

/// Which plies a database stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseForm {
    /// All.
    Full,
    /// Those that do not follow from tables one turn ahead.
    Compact,
}

/// The result of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted<T> {
    /// Tables that were brought into the form.
    pub converted: Vec<T>,
    /// Tables that stay full although a compact database would leave their plies out: a table that
    /// they lead to is missing, or its plies are.
    pub kept: Vec<T>,
}

/// Brings every table of `from` into a form, in `to`, which may be the same store.
pub fn convert<G: Layout>(
    game: &G,
    from: &Store,
    to: &Store,
    form: DatabaseForm,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Converted<G::Table>, SolveError> {
    let directory = to.directory();
    std::fs::create_dir_all(directory).map_err(|source| SolveError::Disk {
        directory: directory.into(),
        source,
    })?;
    // No build may run here: it would read and write the same files.
    let holder = BuildOptions::default().holder;
    let _claim = to.claims()?.take_whole(&format!("{holder}, converting"))?;
    clean_leftovers(directory)?;
    let conversion = Conversion {
        game,
        from,
        to,
        progress,
    };
    let tables = stored_tables(game, from)?;
    let done = match form {
        DatabaseForm::Compact => conversion.compact(&tables),
        DatabaseForm::Full => conversion.full(&tables, budget),
    };
    // Even after an error, the manifest lists what is finished.
    seal(to)?;
    done
}

/// The tables of a store, in the order of building.
fn stored_tables<G: Numbering>(game: &G, store: &Store) -> Result<Vec<G::Table>, SolveError> {
    let files = store.files()?.into_iter();
    let outcomes = files.filter(|(_, kind, _)| *kind == Kind::Outcomes);
    let names: BTreeSet<String> = outcomes.map(|(name, ..)| name).collect();
    let mut tables = game.tables(None);
    tables.retain(|table| names.contains(&table.to_string()));
    Ok(tables)
}

struct Conversion<'a, G, P> {
    game: &'a G,
    from: &'a Store,
    to: &'a Store,
    progress: &'a P,
}

impl<G: Layout, P: Progress> Conversion<'_, G, P> {
    fn compact(&self, tables: &[G::Table]) -> Result<Converted<G::Table>, SolveError> {
        let mut done = Converted {
            converted: Vec::new(),
            kept: Vec::new(),
        };
        for &table in tables {
            self.begin(table)?;
            let name = table.to_string();
            let may_be_left_out = self.game.leaves_plies_out(table)
                && (self.from.path(&name, Kind::Plies).is_file() || self.was_stopped_at(table)?);
            match may_be_left_out && self.plies_are_ahead(table) {
                true => {
                    self.leave_plies_out(&name, self.game.size(table))?;
                    done.converted.push(table);
                }
                false => {
                    self.copy(table)?;
                    done.kept.extend(may_be_left_out.then_some(table));
                }
            }
            self.progress.finished(&name);
        }
        Ok(done)
    }

    fn full(
        &self,
        tables: &[G::Table],
        budget: &Budget,
    ) -> Result<Converted<G::Table>, SolveError> {
        let mut missing = Vec::new();
        for &table in tables {
            let name = table.to_string();
            if !self.lacks_plies(table)? {
                self.begin(table)?;
                self.copy(table)?;
                self.progress.finished(&name);
            } else if !self.is_whole(&name)? {
                missing.push(table);
            }
        }
        expand(
            self.game,
            self.from,
            self.to,
            &missing,
            budget,
            self.progress,
        )?;
        if !self.in_place() {
            for &table in &missing {
                let name = table.to_string();
                let mut record = recorded(self.to, &name)?;
                if let Some(draws) = self.draws(&name, self.game.size(table))? {
                    record.insert(Kind::Draws, draws);
                    self.to.write_record(&name, &record)?;
                }
            }
        }
        Ok(Converted {
            converted: missing,
            kept: Vec::new(),
        })
    }

    fn begin(&self, table: G::Table) -> Result<(), SolveError> {
        if self.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let name = table.to_string();
        self.progress.group(&name, self.game.size(table));
        Ok(())
    }

    fn in_place(&self) -> bool {
        self.from.directory() == self.to.directory()
    }

    /// Returns true if all tables that a table leads to are stored with their plies.
    fn plies_are_ahead(&self, table: G::Table) -> bool {
        let mut ahead = derive::ahead(self.game, table).into_iter();
        ahead.all(|ahead| derive::is_stored(self.from, ahead))
    }

    /// Returns true if the plies of a table must be derived: they are left out, or a conversion was
    /// stopped after it wrote the outcomes.
    fn lacks_plies(&self, table: G::Table) -> Result<bool, SolveError> {
        let name = table.to_string();
        if !self.game.leaves_plies_out(table) {
            return Ok(false);
        }
        let is_stored = self.from.path(&name, Kind::Plies).is_file();
        Ok(self.from.leaves_plies_out(&name)? || (!is_stored && self.was_stopped_at(table)?))
    }

    /// Returns true if a table has no record, because a conversion was stopped, and was made with
    /// plies, stored or left out.
    fn was_stopped_at(&self, table: G::Table) -> Result<bool, SolveError> {
        let name = table.to_string();
        if !recorded(self.from, &name)?.is_empty() {
            return Ok(false);
        }
        let outcomes = self.from.open(&name, self.game.size(table))?;
        let counts = outcomes.statistics();
        Ok(!counts.histogram.is_empty() || counts.wins + counts.losses == 0)
    }

    /// Returns true if the target has and records both files of a table.
    fn is_whole(&self, name: &str) -> Result<bool, SolveError> {
        let record = recorded(self.to, name)?;
        let there = |kind| {
            let size = self.to.path(name, kind).metadata().map(|file| file.len());
            record
                .get(&kind)
                .is_some_and(|file| size.is_ok_and(|size| size == file.bytes))
        };
        Ok(Kind::VALUES.into_iter().all(there))
    }

    /// Marks the outcomes of a table, then drops its plies.
    fn leave_plies_out(&self, name: &str, positions: u64) -> Result<(), SolveError> {
        self.progress.phase(&format!("compacting {name}"));
        let from = self.from.path(name, Kind::Outcomes);
        let target = self.to.path(name, Kind::Outcomes);
        if !self.in_place() && self.to.leaves_plies_out(name)? {
            let record = FileRecord::of_file(&target)?;
            if recorded(self.to, name)?.get(&Kind::Outcomes) == Some(&record) {
                return Ok(());
            }
        }
        match recorded(self.from, name)?.get(&Kind::Outcomes) {
            Some(record) => self.from.verify_file(name, Kind::Outcomes, record)?,
            // A conversion was stopped here: only the checksums of the file are left.
            None => self.from.verify_blocks(name, positions, Kind::Outcomes)?,
        }
        self.to.unrecord(name)?;
        let file = mark_plies_left_out(&from, &target)?;
        self.to.remove(name, Kind::Plies)?;
        let mut record = Record::from([(Kind::Outcomes, file)]);
        record.extend(
            self.draws(name, positions)?
                .map(|draws| (Kind::Draws, draws)),
        );
        Ok(self.to.write_record(name, &record)?)
    }

    /// The draw ranks of a table, copied unless they are in place: they do not depend on the form.
    fn draws(&self, name: &str, positions: u64) -> Result<Option<FileRecord>, SolveError> {
        let pair = self.from.open(name, positions)?.pair();
        let Some(record) = self.from.draws_of(name, pair)? else {
            return Ok(None);
        };
        if self.in_place() {
            return Ok(Some(record));
        }
        self.from.verify_file(name, Kind::Draws, &record)?;
        let [from, to] = [self.from, self.to].map(|store| store.path(name, Kind::Draws));
        Ok(Some(copy_file(&from, &to)?))
    }

    /// Copies a table unchanged.
    fn copy(&self, table: G::Table) -> Result<(), SolveError> {
        let name = &table.to_string();
        let wanted = recorded(self.from, name)?;
        let has_record = !wanted.is_empty();
        if (self.in_place() || recorded(self.to, name)? == wanted) && has_record {
            return Ok(());
        }
        if self.in_place() && !self.game.leaves_plies_out(table) {
            // No conversion has changed it.
            return Ok(());
        }
        self.progress.phase(&format!("copying {name}"));
        let mut record = Record::new();
        for kind in Kind::ALL {
            let [from, to] = [self.from, self.to].map(|store| store.path(name, kind));
            if !from.is_file() {
                continue;
            }
            if !has_record {
                // Only the checksums of the file are left.
                (self.from).verify_blocks(name, self.game.size(table), kind)?;
            }
            let file = match self.in_place() {
                true => FileRecord::of_file(&from)?,
                false => {
                    self.to.unrecord(name)?;
                    copy_file(&from, &to)?
                }
            };
            record.insert(kind, file);
        }
        for (&kind, file) in &wanted {
            if record.get(&kind) != Some(file) {
                self.from.verify_file(name, kind, file)?;
            }
        }
        Ok(self.to.write_record(name, &record)?)
    }
}

/// Returns the record of a table.
fn recorded(store: &Store, name: &str) -> Result<Record, SolveError> {
    Ok(store.recorded_of(name, &store.manifest()?)?)
}
