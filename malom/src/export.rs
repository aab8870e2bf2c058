//! Writes the sectors of some tables, and the list of all sectors.
//!
//! A sector is written under a temporary name and appears whole; it is logged before it appears,
//! and not written again once it is there. Its cells are worked out in parts by all threads and written in order, so the
//! bytes do not depend on the number of threads.

use std::fs;
use std::path::{Path, PathBuf};

use endmill_dbformat::{AtomicFile, Lock, Rules, clean_leftovers, write_whole};
use endmill_games::morris::{Morris, Table};
use endmill_probe::{Database, ProbeError};
use rayon::prelude::*;
use serde::Serialize;

use crate::Progress;
use crate::cell::{CELL, Cell};
use crate::error::{Error, Result};
use crate::log::{ExportLog, FinishedSector};
use crate::orbits::{Slots, count_slots};
use crate::sector::{HEADER, Sector, header, id};
use crate::secval::SectorValues;
use crate::variant::Variant;
use crate::verdicts::TableVerdicts;

/// Cells that one task works out, about; no part is less than the slots of an orbit.
const CELLS_PER_TASK: usize = 1 << 16;
/// Tasks between two writes.
const TASKS: usize = 32;

/// Tables that are to be written as sectors.
pub struct Export<'a> {
    database: &'a Database<Morris>,
    variant: &'static Variant,
    values: SectorValues,
    tables: Vec<Table>,
    directory: PathBuf,
}

/// What an export takes on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Sector files.
    pub sectors: usize,
    /// Their slots.
    pub slots: u64,
    /// Their bytes, if none needs an exception, and those of the list.
    pub bytes: u64,
    /// Bytes of those that are not there yet.
    pub missing_bytes: u64,
    /// Slots of those that are not there yet.
    pub missing_slots: u64,
}

/// What became of a sector.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenSector {
    /// The name of its file.
    pub file: String,
    /// Its table.
    pub table: String,
    /// Its slots.
    pub slots: u64,
    /// How many of them have their plies among the exceptions.
    pub exceptions: usize,
    /// The size of the file.
    pub bytes: u64,
    /// Whether it was there already.
    pub there_already: bool,
}

impl<'a> Export<'a> {
    /// Of some tables into a directory, with sector values of choice or 0. Nothing is written yet.
    pub fn new(
        database: &'a Database<Morris>,
        tables: Vec<Table>,
        directory: &Path,
        values: Option<SectorValues>,
    ) -> Result<Export<'a>> {
        let variant = Variant::of(database.game())?;
        let values = values.unwrap_or_else(|| SectorValues::zero(database.game(), variant));
        let export = Export {
            database,
            variant,
            values,
            tables,
            directory: directory.into(),
        };
        for &table in &export.tables {
            export.check_value(Sector::of(table))?;
            if !database.covers_with_plies(table)? {
                return Err(ProbeError::PliesMissing {
                    table: table.to_string(),
                }
                .into());
            }
        }
        Ok(export)
    }

    /// Which of malom's games it is.
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The keys of a win, a loss and a draw must fit.
    fn check_value(&self, sector: Sector) -> Result<i32> {
        let most = self.variant.most_first();
        let value = self.values.get(sector).ok_or_else(|| Error::BadValues {
            file: SectorValues::file_name(self.variant).into(),
            line: 1,
            why: format!("there is no value of sector {sector}"),
        })?;
        let fits = |absolute: i32| {
            absolute
                .checked_sub(value)
                .is_some_and(|key| key.abs() <= most)
        };
        if [self.values.win, self.values.loss, 0].into_iter().all(fits) {
            return Ok(value);
        }
        Err(Error::ValueTooLarge {
            sector: sector.to_string(),
            value,
            most,
        })
    }

    /// What it takes. Refuses where a file is in the way that it did not write.
    pub fn sizes(&self) -> Result<Sizes> {
        let log = self.log()?;
        let list = self.values.to_text();
        let missing_bytes = match self.check_list(&list)? {
            true => 0,
            false => list.len() as u64,
        };
        let mut sizes = Sizes {
            sectors: self.tables.len(),
            bytes: list.len() as u64,
            missing_bytes,
            ..Sizes::default()
        };
        for &table in &self.tables {
            let slots = count_slots(self.database.game(), table);
            let bytes = HEADER + slots * CELL as u64 + 4;
            sizes.slots += slots;
            sizes.bytes += bytes;
            if self.finished(&log, table)?.is_none() {
                sizes.missing_slots += slots;
                sizes.missing_bytes += bytes;
            }
        }
        Ok(sizes)
    }

    /// Whether the disk has room for what is missing; makes the directory.
    pub fn check_room(&self, sizes: &Sizes) -> Result<()> {
        fs::create_dir_all(&self.directory).map_err(Error::io(&self.directory))?;
        let free = fs4::available_space(&self.directory).map_err(Error::io(&self.directory))?;
        if free < sizes.missing_bytes {
            return Err(Error::Room {
                directory: self.directory.clone(),
                free,
                needed: sizes.missing_bytes,
            });
        }
        Ok(())
    }

    /// Writes what is missing; `told` hears of every sector.
    pub fn run(&self, progress: &dyn Progress, mut told: impl FnMut(&WrittenSector)) -> Result<()> {
        let _lock = Lock::acquire(&self.directory)?;
        clean_leftovers(&self.directory)?;
        let mut log = self.log()?;
        let list = self.values.to_text();
        self.check_list(&list)?;
        write_whole(
            &self.path(&SectorValues::file_name(self.variant)),
            list.as_bytes(),
        )?;
        for &table in &self.tables {
            let name = Sector::of(table).file_name(self.variant);
            let written = match self.finished(&log, table)? {
                Some(finished) => self.there(table, name, finished),
                None => self.write(table, name, &mut log, progress)?,
            };
            told(&written);
        }
        Ok(())
    }

    fn log(&self) -> Result<ExportLog> {
        let rules = Rules::of(self.database.game()).to_string();
        ExportLog::read(&self.directory, rules)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The list must be ours: with other values the cells that are there would mean other things.
    /// Whether it is there.
    fn check_list(&self, list: &str) -> Result<bool> {
        let path = self.path(&SectorValues::file_name(self.variant));
        match fs::read(&path) {
            Ok(there) if there != list.as_bytes() => Err(self.not_ours(path)),
            Ok(_) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    fn not_ours(&self, file: PathBuf) -> Error {
        Error::NotOurs {
            file,
            ruleset: id(self.database.game()),
        }
    }

    /// What was finished of a table before; an error if its name is taken by something else.
    fn finished(&self, log: &ExportLog, table: Table) -> Result<Option<FinishedSector>> {
        let sector = Sector::of(table);
        let name = sector.file_name(self.variant);
        let path = self.path(&name);
        let bytes = match fs::metadata(&path) {
            Ok(there) => there.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        let value = self.check_value(sector)?;
        let finished = FinishedSector { bytes, value };
        match log.has(&name, finished) {
            true => Ok(Some(finished)),
            false => Err(self.not_ours(path)),
        }
    }

    fn there(&self, table: Table, file: String, finished: FinishedSector) -> WrittenSector {
        let slots = count_slots(self.database.game(), table);
        let bytes = finished.bytes;
        let exceptions = (bytes - HEADER - slots * CELL as u64 - 4) / 8;
        WrittenSector {
            file,
            table: table.to_string(),
            slots,
            exceptions: exceptions as usize,
            bytes,
            there_already: true,
        }
    }

    fn write(
        &self,
        table: Table,
        name: String,
        log: &mut ExportLog,
        progress: &dyn Progress,
    ) -> Result<WrittenSector> {
        let slots = Slots::new(self.database.game(), table);
        progress.sector(&name, slots.len());
        let values = TableVerdicts::read(self.database, table, progress)?;
        let value = self.check_value(Sector::of(table))?;
        let mut file = AtomicFile::create(&self.path(&name))?;
        file.write(&header(self.variant))?;
        let mut exceptions = Vec::new();
        let per_task = (CELLS_PER_TASK / slots.width()).max(1);
        let mut orbit = 0;
        while orbit < slots.orbits() {
            if progress.stopped() {
                return Err(Error::Stopped);
            }
            let end = slots.orbits().min(orbit + per_task * TASKS);
            let parts: Vec<usize> = (orbit..end).step_by(per_task).collect();
            let parts: Vec<EncodedOrbits> = parts
                .into_par_iter()
                .map(|first| self.part(first..end.min(first + per_task), &slots, &values, value))
                .collect();
            for part in parts {
                file.write(&part.cells)?;
                exceptions.extend(part.exceptions);
            }
            progress.done(((end - orbit) * slots.width()) as u64);
            orbit = end;
        }
        file.write(&exceptions_in_bytes(&exceptions))?;
        let bytes = HEADER + slots.len() * CELL as u64 + 4 + 8 * exceptions.len() as u64;
        // Whoever is killed between the two leaves an entry without its file, which is written
        // again. The other way round the file would look like somebody else's.
        log.add(&name, FinishedSector { bytes, value })?;
        file.commit()?;
        Ok(WrittenSector {
            file: name,
            table: table.to_string(),
            slots: slots.len(),
            exceptions: exceptions.len(),
            bytes,
            there_already: false,
        })
    }

    /// The cells of some orbits.
    fn part(
        &self,
        orbits: std::ops::Range<usize>,
        slots: &Slots,
        values: &TableVerdicts<'_>,
        sector: i32,
    ) -> EncodedOrbits {
        let mut part = EncodedOrbits {
            cells: Vec::with_capacity(orbits.len() * slots.width() * CELL),
            exceptions: Vec::new(),
        };
        for orbit in orbits {
            for (column, men) in slots.of_orbit(orbit).enumerate() {
                let value = values.of(men).value().expect("plies were asked for");
                let cell = Cell::of(value, self.variant, sector);
                part.cells.extend_from_slice(&cell.pack(self.variant));
                if cell.is_exception(self.variant) {
                    // No sector has as many slots as an i32 has numbers.
                    let slot = (orbit * slots.width() + column) as i32;
                    part.exceptions.push((slot, cell.second));
                }
            }
        }
        part
    }
}

/// What one task has worked out.
struct EncodedOrbits {
    cells: Vec<u8>,
    exceptions: Vec<(i32, i32)>,
}

/// What stands behind the cells.
fn exceptions_in_bytes(exceptions: &[(i32, i32)]) -> Vec<u8> {
    let mut bytes = (exceptions.len() as i32).to_le_bytes().to_vec();
    for (slot, value) in exceptions {
        bytes.extend(slot.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes
}
