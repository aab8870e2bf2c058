//! Malom's sector files: the database of nine men's morris, Lasker morris and Morabaraba that
//! Sanmill and Malom read. They are [written](Export) from a database of Endmill, and
//! [compared](compare()) with one.
//!
//! A *sector* is a table: `std_3_4_0_0.sec2` has the positions in which the side to move has three
//! men on the board and none in hand, against four. Unlike a table it has a *slot* for every set of
//! opposing men and every orbit of the mover's men, so that symmetric positions may have several
//! slots. `docs/sector-files.md` describes every byte.
//!
//! | module | content |
//! |---|---|
//! | [`variant`] | the rulesets with such files, and the numbers in which they differ |
//! | `points` | the order of the points, and the symmetries in it |
//! | `orbits` | the slots of positions |
//! | `cell` | the three bytes of a slot |
//! | `sector` | one file: its name, header, cells and exceptions |
//! | `secval` | the list of all sectors with their values |
//! | `verdicts` | a whole table of the database in memory |
//! | `export`, `log` | writing sectors, and the log of finished ones |
//! | `compare` | comparing sectors with a database |

#![forbid(unsafe_code)]

mod cell;
mod compare;
mod error;
mod export;
mod log;
mod orbits;
mod points;
mod sector;
mod secval;
pub mod variant;
mod verdicts;

pub use compare::{Comparison, Difference, FoundValue, compare, sectors_in};
pub use error::{Error, Result};
pub use export::{Export, Sizes, WrittenSector};
pub use orbits::count_slots;
pub use sector::Sector;
pub use secval::SectorValues;
pub use variant::Variant;

/// Reports the progress of long work, and stops it.
pub trait Progress: Sync {
    /// Work on a sector has begun.
    fn sector(&self, name: &str, slots: u64);

    /// This number of slots has been written or compared.
    fn done(&self, slots: u64);

    /// Returns whether to stop.
    fn stopped(&self) -> bool;
}

/// Ignores progress.
impl Progress for () {
    fn sector(&self, _: &str, _: u64) {}

    fn done(&self, _: u64) {}

    fn stopped(&self) -> bool {
        false
    }
}
