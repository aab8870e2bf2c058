//! Writes the sectors of some tables, and the list of all sectors.
//!
//! A sector is written under a temporary name, logged and then renamed; later exports skip it. All
//! threads encode parts of its cells, which are written in order, so the bytes do not depend on the
//! number of threads.

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
use crate::orbits::{SectorSlots, count_slots};
use crate::sector::{HEADER, Sector, header, id};
use crate::secval::SectorValues;
use crate::variant::Variant;
use crate::verdicts::TableVerdicts;

/// About the number of cells per task, but at least the slots of an orbit.
const CELLS_PER_TASK: usize = 1 << 16;
/// The number of tasks between two writes.
const TASKS: usize = 32;

/// An export of tables as sectors.
pub struct Export<'a> {
    database: &'a Database<Morris>,
    variant: &'static Variant,
    values: SectorValues,
    tables: Vec<Table>,
    directory: PathBuf,
}

/// The size of an export on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The number of sector files.
    pub sectors: usize,
    /// The number of their slots.
    pub slots: u64,
    /// Their size with the list, in bytes and without exceptions.
    pub bytes: u64,
    /// The size of the files that are not written yet.
    pub missing_bytes: u64,
    /// The number of slots of the files that are not written yet.
    pub missing_slots: u64,
}

/// A sector after an export.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenSector {
    /// The name of its file.
    pub file: String,
    /// Its table.
    pub table: String,
    /// The number of its slots.
    pub slots: u64,
    /// The number of its exceptions.
    pub exceptions: usize,
    /// The size of the file.
    pub bytes: u64,
    /// Whether it existed before.
    pub there_already: bool,
}

impl<'a> Export<'a> {
    /// Prepares an export of tables into a directory, with these sector values or 0. Writes nothing.
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

    /// The game in Malom's terms.
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Returns the value of a sector if the keys of a win, a loss and a draw fit.
    fn check_value(&self, sector: Sector) -> Result<i32> {
        let most = self.variant.most_first();
        let value = self.values.get(sector).ok_or_else(|| Error::BadValues {
            file: SectorValues::file_name(self.variant).into(),
            line: 1,
            why: format!("sector {sector} has no value"),
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

    /// The size of the export. Fails if a file is in the way that the export did not write.
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

    /// Checks that the disk has room for the missing files. Creates the directory.
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

    /// Writes the missing sectors; calls `report` for every sector.
    pub fn run(
        &self,
        progress: &dyn Progress,
        mut report: impl FnMut(&WrittenSector),
    ) -> Result<()> {
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
            report(&written);
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

    /// Returns whether the list exists. It must be ours, since other values would change the meaning of
    /// existing cells.
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

    /// The log entry of a finished sector. Fails if its name is taken by another file.
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
        let slots = SectorSlots::new(self.database.game(), table);
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
        // If the process dies in between, the entry has no file, and the next export writes it.
        // In the other order the file would look like one that the export did not write.
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

    /// Encodes the cells of some orbits.
    fn part(
        &self,
        orbits: std::ops::Range<usize>,
        slots: &SectorSlots,
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
                    // The number of slots of any sector fits an i32.
                    let slot = (orbit * slots.width() + column) as i32;
                    part.exceptions.push((slot, cell.second));
                }
            }
        }
        part
    }
}

/// The result of one task.
struct EncodedOrbits {
    cells: Vec<u8>,
    exceptions: Vec<(i32, i32)>,
}

/// The bytes after the cells.
fn exceptions_in_bytes(exceptions: &[(i32, i32)]) -> Vec<u8> {
    let mut bytes = (exceptions.len() as i32).to_le_bytes().to_vec();
    for (slot, value) in exceptions {
        bytes.extend(slot.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes
}
