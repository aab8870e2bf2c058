//! What a store has of a table: one fact, made from its record, its files and their headers.

use std::fs::{self, File};
use std::io::Read;

use crate::error::{Error, Part, Result};
use crate::header::{HEADER, Header, Kind};
use crate::record::Manifest;
use crate::regular;
use crate::store::{Record, Store};

/// What a store has of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// All that is recorded of the table is there.
    Finished(Plies),
    /// The table is not there, or not all that was stored of it.
    Unfinished {
        /// Whether its record, or what is left of its files, says that it had plies.
        had_plies: bool,
    },
}

/// What the files of a finished table say about plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    /// Nothing.
    Unknown,
    /// All, in a `.dtw`.
    Stored,
    /// They follow from the tables one turn ahead.
    LeftOut,
}

impl Presence {
    /// Returns true if the table is finished; if `plies`, only with its plies, stored or left out.
    pub fn is_finished(self, plies: bool) -> bool {
        match self {
            Presence::Finished(Plies::Unknown) => !plies,
            Presence::Finished(Plies::Stored | Plies::LeftOut) => true,
            Presence::Unfinished { .. } => false,
        }
    }

    /// Returns true if the table has plies, stored or left out, or had them before it was damaged.
    pub fn had_plies(self) -> bool {
        match self {
            Presence::Finished(plies) => plies != Plies::Unknown,
            Presence::Unfinished { had_plies } => had_plies,
        }
    }

    /// Returns true if the table is finished with its plies left out.
    pub fn leaves_plies_out(self) -> bool {
        self == Presence::Finished(Plies::LeftOut)
    }
}

impl Store {
    /// What is recorded of a table: in its own record or, if it has none, as in databases of version
    /// 0.1, in `manifest`. A damaged record lists nothing.
    pub fn recorded_of(&self, table: &str, manifest: &Manifest) -> Result<Record> {
        match self.record(table) {
            Ok(Some(record)) => Ok(record),
            Ok(None) => Ok(self.in_manifest(manifest, table)),
            Err(Error::Damaged { .. }) => Ok(Record::new()),
            Err(error) => Err(error),
        }
    }

    /// Returns what the store has of a table. Compares sizes with the record; reads no contents.
    pub fn presence(&self, table: &str, manifest: &Manifest) -> Result<Presence> {
        let record = self.recorded_of(table, manifest)?;
        let size = |kind| {
            let metadata = fs::metadata(self.path(table, kind)).ok();
            let file = metadata.filter(fs::Metadata::is_file);
            file.map(|file| file.len())
        };
        let recorded = |kind| record.get(&kind).map(|file| file.bytes);
        let [outcomes, plies] = Kind::VALUES.map(|kind| (recorded(kind), size(kind)));
        let header = self.header_alone(table);
        let in_header = header.as_ref().map(plies_in_header);
        let had_plies = || match in_header {
            Some(InHeader::Told | InHeader::LeftOut) => true,
            _ => plies != (None, None),
        };
        let whole = outcomes.0.is_some() && outcomes.0 == outcomes.1 && plies.0 == plies.1;
        let found = match (whole, plies.0, in_header) {
            (true, Some(_), Some(InHeader::Told | InHeader::NothingToTell)) => Some(Plies::Stored),
            (true, None, Some(InHeader::LeftOut)) => Some(Plies::LeftOut),
            (true, None, Some(InHeader::Untold | InHeader::NothingToTell)) => Some(Plies::Unknown),
            // The record, the files and the header contradict each other.
            _ => None,
        };
        Ok(match found {
            Some(plies) => Presence::Finished(plies),
            None => Presence::Unfinished {
                had_plies: had_plies(),
            },
        })
    }

    /// Marks a damaged file, so that its table counts as unfinished: plies and ranks are removed, outcomes cut
    /// down to their header, which still shows whether the table had plies.
    pub fn discard(&self, table: &str, kind: Kind) -> Result<()> {
        if kind != Kind::Outcomes || self.header_alone(table).is_none() {
            return self.remove(table, kind);
        }
        let path = self.path(table, kind);
        let cut = || {
            let file = File::options().write(true).open(&path)?;
            file.set_len(HEADER as u64)?;
            file.sync_all()
        };
        cut().map_err(Error::io(&path))
    }

    /// The header of a table's outcomes, even if the rest of the file is damaged; `None` if it cannot
    /// be read, or is that of another table.
    fn header_alone(&self, table: &str) -> Option<Header> {
        let path = self.path(table, Kind::Outcomes);
        let (mut file, _) = regular::open(&path).ok()?;
        let mut start = [0; HEADER];
        file.read_exact(&mut start).ok()?;
        let header = Header::parse_alone(&path, &start).ok()?;
        let own = header.kind == Kind::Outcomes && header.table == table;
        (own && header.rules == *self.rules()).then_some(header)
    }

    /// Returns true if both files of a table can be opened and were made together.
    pub fn check_pair(&self, table: &str, positions: u64) -> Result<()> {
        let outcomes = self.open(table, positions)?;
        if outcomes.leaves_plies_out() {
            let file = self.path(table, Kind::Plies);
            return Err(Error::damaged(&file, Part::Contents));
        }
        self.open_plies(&outcomes)
    }
}

/// What the header of a `.wld` says about plies.
#[derive(Clone, Copy)]
enum InHeader {
    /// Nothing, though some positions are decided.
    Untold,
    /// Nothing, because no position is decided.
    NothingToTell,
    /// How many positions are decided in how many plies.
    Told,
    /// The same, without a `.dtw`.
    LeftOut,
}

fn plies_in_header(header: &Header) -> InHeader {
    let decided = header
        .statistics
        .wins
        .saturating_add(header.statistics.losses);
    match (header.plies_left_out, header.layout.histogram, decided) {
        (true, ..) => InHeader::LeftOut,
        (false, 0, 0) => InHeader::NothingToTell,
        (false, 0, _) => InHeader::Untold,
        (false, ..) => InHeader::Told,
    }
}
