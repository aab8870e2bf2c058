//! One sector file: its name, its header, its cells and its exceptions.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use endmill_games::morris::{Morris, Table};
use endmill_games::{Numbering, Rules};

use crate::cell::{CELL, Cell};
use crate::error::{Error, Result};
use crate::variant::Variant;

/// The size of the header in bytes.
pub(crate) const HEADER: u64 = 64;
const VERSION: i32 = 2;
/// The maximum number of exceptions in a file; real files have few.
const MOST_EXCEPTIONS: i32 = 1 << 26;

/// The material of a sector, the side to move first: men on the board, then men in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sector {
    /// The mover's men on the board, and the opponent's.
    pub men: [u8; 2],
    /// The mover's men in hand, and the opponent's.
    pub hand: [u8; 2],
}

impl Sector {
    /// The sector of a table.
    pub fn of(table: Table) -> Sector {
        let (mover, opponent) = (table.mover(), table.opponent());
        Sector {
            men: [mover.men(), opponent.men()],
            hand: [mover.hand(), opponent.hand()],
        }
    }

    /// Every sector of a game, sorted.
    pub fn all(game: &Morris) -> Vec<Sector> {
        let mut all: Vec<Sector> = game.tables(None).into_iter().map(Sector::of).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The table of the sector, if the game has it.
    pub fn table(self, game: &Morris) -> Option<Table> {
        let mut tables = game.tables(None).into_iter();
        tables.find(|&table| Sector::of(table) == self)
    }

    /// The name of its file.
    pub fn file_name(self, variant: &Variant) -> String {
        let Sector {
            men: [own, other],
            hand: [own_hand, other_hand],
        } = self;
        format!(
            "{}_{own}_{other}_{own_hand}_{other_hand}.sec2",
            variant.name
        )
    }

    /// The sector whose file has this name.
    pub fn from_file_name(name: &str, variant: &Variant) -> Option<Sector> {
        let numbers = name.strip_prefix(variant.name)?.strip_prefix('_')?;
        let numbers = numbers.strip_suffix(".sec2")?.split('_');
        let numbers: Option<Vec<u8>> = numbers.map(|number| number.parse().ok()).collect();
        let &[own, other, own_hand, other_hand] = &numbers?[..] else {
            return None;
        };
        let sector = Sector {
            men: [own, other],
            hand: [own_hand, other_hand],
        };
        (sector.file_name(variant) == name).then_some(sector)
    }
}

impl fmt::Display for Sector {
    /// Formats the sector as in a `.secval`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([own, other], [own_hand, other_hand]) = (self.men, self.hand);
        write!(f, "{own} {other} {own_hand} {other_hand}")
    }
}

/// The bytes before the cells.
pub(crate) fn header(variant: &Variant) -> [u8; HEADER as usize] {
    let mut bytes = [0; HEADER as usize];
    let numbers = [VERSION, CELL as i32, variant.first_bits as i32];
    for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// A sector file, read row by row.
pub(crate) struct SectorFile {
    path: PathBuf,
    input: BufReader<File>,
    variant: &'static Variant,
    /// The exceptions by slot.
    exceptions: BTreeMap<u64, i32>,
}

impl SectorFile {
    /// Opens the file of a sector that must have `slots` slots, and reads its exceptions.
    pub(crate) fn open(path: &Path, variant: &'static Variant, slots: u64) -> Result<SectorFile> {
        let file = File::open(path).map_err(Error::io(path))?;
        let length = file.metadata().map_err(Error::io(path))?.len();
        let mut opened = SectorFile {
            path: path.into(),
            input: BufReader::with_capacity(1 << 20, file),
            variant,
            exceptions: BTreeMap::new(),
        };
        let end = HEADER + slots * CELL as u64;
        if length < end + 4 {
            return Err(opened.bad(format!(
                "it has {length} bytes, but {slots} cells need at least {}",
                end + 4
            )));
        }
        opened.check_header()?;
        opened.seek(end)?;
        opened.read_exceptions(slots, length - end)?;
        opened.seek(HEADER)?;
        Ok(opened)
    }

    /// The error for this file.
    pub(crate) fn bad(&self, why: String) -> Error {
        Error::BadSector {
            file: self.path.clone(),
            why,
        }
    }

    fn check_header(&mut self) -> Result<()> {
        let expected = [
            ("version", VERSION),
            ("number of bytes per cell", CELL as i32),
            ("field2_offset", self.variant.first_bits as i32),
        ];
        for (what, expected) in expected {
            let found = self.read_number()?;
            if found != expected {
                return Err(self.bad(format!("its {what} is {found} instead of {expected}")));
            }
        }
        let [flag] = self.read_bytes()?;
        if flag != 0 {
            return Err(self.bad(format!("its byte 12 is {flag} instead of 0")));
        }
        Ok(())
    }

    fn read_exceptions(&mut self, slots: u64, bytes: u64) -> Result<()> {
        let count = self.read_number()?;
        let expected = 4 + 8 * u64::try_from(count).unwrap_or(u64::MAX >> 8);
        if !(0..=MOST_EXCEPTIONS).contains(&count) || bytes != expected {
            return Err(self.bad(format!(
                "it claims {count} exceptions in {} bytes",
                bytes - 4
            )));
        }
        for _ in 0..count {
            let (slot, value) = (self.read_number()?, self.read_number()?);
            let number = u64::try_from(slot).ok().filter(|&slot| slot < slots);
            let Some(number) = number else {
                return Err(self.bad(format!("an exception is of slot {slot} of {slots}")));
            };
            if self.exceptions.insert(number, value).is_some() {
                return Err(self.bad(format!("slot {slot} has two exceptions")));
            }
        }
        Ok(())
    }

    /// Reads the next cells.
    pub(crate) fn read_bytes_of(&mut self, cells: &mut [u8]) -> Result<()> {
        let read = self.input.read_exact(cells);
        read.map_err(Error::io(&self.path))
    }

    /// The cell of a slot, by its bytes.
    pub(crate) fn cell(&self, slot: u64, bytes: [u8; CELL]) -> Result<Cell> {
        let (first, second) = Cell::unpack(bytes, self.variant);
        let second = match second {
            Some(second) => second,
            None => *self
                .exceptions
                .get(&slot)
                .ok_or_else(|| self.bad(format!("slot {slot} should be among the exceptions")))?,
        };
        Ok(Cell { first, second })
    }

    fn seek(&mut self, to: u64) -> Result<()> {
        let sought = self.input.seek(SeekFrom::Start(to));
        sought.map(drop).map_err(Error::io(&self.path))
    }

    fn read_bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read_bytes_of(&mut bytes)?;
        Ok(bytes)
    }

    fn read_number(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.read_bytes()?))
    }
}

/// The id of a ruleset, for messages.
pub(crate) fn id(game: &Morris) -> String {
    game.description().id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::VARIANTS;
    use endmill_games::morris;

    /// The numbers of sectors are those of the official lists.
    #[test]
    fn every_table_is_a_sector() {
        for (id, sectors) in [("nine", 498), ("lasker", 3070), ("twelve", 1216)] {
            let game = morris::find(id).unwrap();
            let all = Sector::all(&game);
            assert_eq!(all.len(), sectors);
            for sector in all.into_iter().step_by(41) {
                let table = sector.table(&game).unwrap();
                assert_eq!(Sector::of(table), sector);
            }
        }
    }

    #[test]
    fn names_of_files_are_read_as_they_are_written() {
        let game = morris::nine();
        let [std, lask, _] = &VARIANTS;
        let table = game.parse_table("3+2v4+1").unwrap();
        let sector = Sector::of(table);
        assert_eq!(sector.file_name(std), "std_3_4_2_1.sec2");
        assert_eq!(
            Sector::from_file_name("std_3_4_2_1.sec2", std),
            Some(sector)
        );
        for name in [
            "std_3_4_2_1.sec2",
            "lask_3_4_2.sec2",
            "lask_03_4_2_1.sec2",
            "lask_3_4_2_1",
        ] {
            assert_eq!(Sector::from_file_name(name, lask), None, "{name}");
        }
    }
}
