//! Compares sector files with a database: every slot, outcome and plies.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use endmill_games::morris::{Morris, Table};
use endmill_games::{Notation, Outcome};
use endmill_probe::{Database, Verdict};
use rayon::prelude::*;
use serde::Serialize;

use crate::Progress;
use crate::cell::{CELL, Cell, Meaning};
use crate::error::{Error, Result};
use crate::orbits::SectorSlots;
use crate::sector::{Sector, SectorFile};
use crate::secval::SectorValues;
use crate::variant::Variant;
use crate::verdicts::TableVerdicts;

/// About the number of cells read at a time.
const CELLS_AT_A_TIME: usize = 1 << 20;
/// The number of differences listed per sector.
const SHOWN: usize = 5;

/// The result of comparing a sector with a table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparison {
    /// The name of the file.
    pub file: String,
    /// The table.
    pub table: String,
    /// The number of slots, all compared.
    pub slots: u64,
    /// The number of slots that redirect to a symmetric position.
    pub redirections: u64,
    /// Whether plies were compared. False if the database has only outcomes.
    pub plies_compared: bool,
    /// The number of slots with another outcome.
    pub other_outcome: u64,
    /// The number of slots with the same outcome and other plies.
    pub other_plies: u64,
    /// The number of redirections to different values, or to none.
    pub bad_redirections: u64,
    /// The first differences.
    pub differences: Vec<Difference>,
}

/// A slot that differs.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The slot.
    pub slot: u64,
    /// The position.
    pub position: String,
    /// The value in the file.
    pub file: String,
    /// The value in the database.
    pub database: String,
}

/// The value of a slot after following redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundValue {
    /// An outcome with its plies; a draw has none.
    Value(Outcome, Option<i32>),
    /// A redirection to slots with different values.
    Contradiction,
    /// A redirection to slots that are all redirections.
    Nowhere,
}

impl Comparison {
    /// Returns whether there are no differences.
    pub fn is_equal(&self) -> bool {
        self.differing() == 0
    }

    /// The number of slots that differ, or have no value.
    pub fn differing(&self) -> u64 {
        self.other_outcome + self.other_plies + self.bad_redirections
    }

    fn add(&mut self, other: Comparison) {
        self.redirections += other.redirections;
        self.other_outcome += other.other_outcome;
        self.other_plies += other.other_plies;
        self.bad_redirections += other.bad_redirections;
        self.differences.extend(other.differences);
        self.differences.truncate(SHOWN);
    }
}

/// The sectors with a file in a directory, with their tables, sorted by name.
pub fn sectors_in(directory: &Path, game: &Morris) -> Result<Vec<(Sector, Table)>> {
    let variant = Variant::of(game)?;
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(Error::io(directory))? {
        let name = entry.map_err(Error::io(directory))?.file_name();
        let sector = name
            .to_str()
            .and_then(|name| Sector::from_file_name(name, variant));
        found.extend(sector);
    }
    let tables = found.into_iter();
    let tables = tables.filter_map(|sector| Some((sector, sector.table(game)?)));
    Ok(tables.collect())
}

/// Compares the file of a table with the table.
pub fn compare(
    database: &Database<Morris>,
    table: Table,
    directory: &Path,
    values: &SectorValues,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let game = database.game();
    let variant = Variant::of(game)?;
    let sector = Sector::of(table);
    let name = sector.file_name(variant);
    let value = values.get(sector).ok_or_else(|| Error::BadSector {
        file: directory.join(&name),
        why: format!("{} has no value of it", SectorValues::file_name(variant)),
    })?;
    let slots = SectorSlots::new(game, table);
    progress.sector(&name, slots.len());
    let mut file = SectorFile::open(&directory.join(&name), variant, slots.len())?;
    let stored = TableVerdicts::read(database, table, progress)?;
    let mut whole = Comparison {
        file: name,
        table: table.to_string(),
        slots: slots.len(),
        plies_compared: database.covers_with_plies(table)?,
        ..Comparison::default()
    };
    let at_a_time = (CELLS_AT_A_TIME / slots.width()).max(1);
    let mut cells = Vec::new();
    for first in (0..slots.orbits()).step_by(at_a_time) {
        if progress.stopped() {
            return Err(Error::Stopped);
        }
        let orbits = first..slots.orbits().min(first + at_a_time);
        cells.resize(orbits.len() * slots.width() * CELL, 0);
        file.read_bytes_of(&mut cells)?;
        let rows = cells.par_chunks(slots.width() * CELL).zip(orbits.clone());
        let compared: Vec<Comparison> = rows
            .map(|(cells, orbit)| {
                let row = OrbitCells::new(&file, &slots, orbit, cells, value, values)?;
                row.compare(game, table, &stored)
            })
            .collect::<Result<_>>()?;
        compared.into_iter().for_each(|row| whole.add(row));
        progress.done((orbits.len() * slots.width()) as u64);
    }
    Ok(whole)
}

/// The slots of one orbit, read.
struct OrbitCells<'a> {
    slots: &'a SectorSlots,
    orbit: usize,
    meanings: Vec<Meaning>,
}

impl<'a> OrbitCells<'a> {
    fn new(
        file: &SectorFile,
        slots: &'a SectorSlots,
        orbit: usize,
        cells: &[u8],
        sector: i32,
        values: &SectorValues,
    ) -> Result<OrbitCells<'a>> {
        let first = (orbit * slots.width()) as u64;
        let cells = cells.chunks_exact(CELL).zip(first..);
        let meanings = cells.map(|(bytes, slot)| {
            let bytes = [bytes[0], bytes[1], bytes[2]];
            let cell: Cell = file.cell(slot, bytes)?;
            Ok(cell.meaning(sector, values.win, values.loss))
        });
        Ok(OrbitCells {
            slots,
            orbit,
            meanings: meanings.collect::<Result<_>>()?,
        })
    }

    /// The value of a column after following redirections.
    fn found(&self, column: usize) -> FoundValue {
        if let Some(found) = value_of(self.meanings[column]) {
            return found;
        }
        let symmetric = self.slots.symmetric(self.orbit, column).into_iter();
        let mut values = symmetric.filter_map(|column| value_of(self.meanings[column]));
        match values.next() {
            None => FoundValue::Nowhere,
            Some(first) if values.all(|other| other == first) => first,
            Some(_) => FoundValue::Contradiction,
        }
    }

    fn compare(
        &self,
        game: &Morris,
        table: Table,
        stored: &TableVerdicts<'_>,
    ) -> Result<Comparison> {
        let mut compared = Comparison::default();
        for (column, men) in self.slots.of_orbit(self.orbit).enumerate() {
            let redirected = self.meanings[column] == Meaning::Elsewhere;
            compared.redirections += u64::from(redirected);
            let found = self.found(column);
            let verdict = stored.of(men);
            match &found {
                FoundValue::Value(outcome, _) if *outcome != verdict.outcome() => {
                    compared.other_outcome += 1;
                }
                FoundValue::Value(_, plies) if differ(*plies, verdict) => compared.other_plies += 1,
                FoundValue::Value(..) => continue,
                FoundValue::Contradiction | FoundValue::Nowhere => compared.bad_redirections += 1,
            }
            if compared.differences.len() < SHOWN {
                let position = game.position_unchecked(table, men);
                compared.differences.push(Difference {
                    slot: (self.orbit * self.slots.width() + column) as u64,
                    position: game.format_position(&position),
                    file: found.to_string(),
                    database: verdict.to_string(),
                });
            }
        }
        Ok(compared)
    }
}

/// Returns whether both plies are known and differ.
fn differ(found: Option<i32>, verdict: Verdict) -> bool {
    let known = verdict.plies().map(i32::from);
    found.is_some() && known.is_some() && found != known
}

fn value_of(meaning: Meaning) -> Option<FoundValue> {
    match meaning {
        Meaning::Win(plies) => Some(FoundValue::Value(Outcome::Win, Some(plies))),
        Meaning::Loss(plies) => Some(FoundValue::Value(Outcome::Loss, Some(plies))),
        Meaning::Draw => Some(FoundValue::Value(Outcome::Draw, None)),
        Meaning::Elsewhere => None,
    }
}

impl std::fmt::Display for FoundValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FoundValue::Value(outcome, Some(plies)) => write!(f, "{outcome} in {plies}"),
            FoundValue::Value(outcome, None) => outcome.fmt(f),
            FoundValue::Contradiction => f.write_str("a redirection to slots that differ"),
            FoundValue::Nowhere => f.write_str("a redirection to redirections"),
        }
    }
}
