//! The directory of one ruleset: where its files are, which exist, and which are intact.

#![allow(unsafe_code, reason = "maps files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checksum::{PairId, ScoresId, blake3_of_file};
use crate::claim::Claims;
use crate::codec::draws::DrawCodec;
use crate::error::{Error, Part, Result};
use crate::file::{Expected, TableFile, header_of};
use crate::header::Kind;
use crate::lock::Lock;
use crate::record::{FileRecord, Manifest};
use crate::rules::Rules;
use crate::source::Source;
use crate::table::Table;
use crate::writer::FinishedFile;

/// `<db>/<ruleset>`, for one set of rules. The directory need not exist.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    rules: Rules,
}

/// The extension of the records.
const RECORD: &str = "record";

/// The record of a table: its finished files.
pub type Record = BTreeMap<Kind, FileRecord>;

/// A file of a store: one that is in the directory, recorded, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the table.
    pub table: String,
    /// What the file holds.
    pub kind: Kind,
    /// Its size in the directory; `None` if it is missing there.
    pub bytes: Option<u64>,
    /// What was recorded of it; `None` if nothing was.
    pub record: Option<FileRecord>,
}

impl Store {
    /// The directory of these rules in a database.
    pub fn new(database: &Path, rules: Rules) -> Store {
        Store {
            directory: database.join(&rules.id),
            rules,
        }
    }

    /// Where the files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The rules that all files must be made for.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Where the file of a table is, or would be.
    pub fn path(&self, table: &str, kind: Kind) -> PathBuf {
        self.directory.join(file_name(table, kind))
    }

    /// Where the manifest is, or would be.
    pub fn manifest_path(&self) -> PathBuf {
        self.directory.join("manifest.json")
    }

    /// Where the record of a table is, or would be.
    pub fn record_path(&self, table: &str) -> PathBuf {
        self.directory.join(format!("{table}.{RECORD}"))
    }

    /// The claims on groups of this ruleset, made in the way that works in its directory.
    pub fn claims(&self) -> Result<Claims> {
        Claims::new(&self.directory)
    }

    /// The right to write the manifest, for one process at a time.
    pub fn lock(&self) -> Result<Lock> {
        Lock::acquire(&self.directory)
    }

    /// Reads the manifest; empty if it does not exist yet.
    pub fn manifest(&self) -> Result<Manifest> {
        match Manifest::read_for(&self.manifest_path(), &self.rules) {
            Err(Error::Missing { .. }) => Ok(Manifest::new(self.rules.clone())),
            read => read,
        }
    }

    /// Reads the record of a table; `None` if it has none, as in databases of version 0.1, which have
    /// only a manifest.
    pub fn record(&self, table: &str) -> Result<Option<Record>> {
        let path = self.record_path(table);
        let files = match Manifest::read_for(&path, &self.rules) {
            Err(Error::Missing { .. }) => return Ok(None),
            read => read?.files,
        };
        let kinds = Kind::ALL.into_iter();
        let kinds = kinds.filter_map(|kind| Some((kind, *files.get(&file_name(table, kind))?)));
        Ok(Some(kinds.collect()))
    }

    /// Replaces the record of a table.
    pub fn write_record(&self, table: &str, record: &Record) -> Result<()> {
        let names = record.iter();
        let files = names.map(|(&kind, &record)| (file_name(table, kind), record));
        let own = Manifest {
            rules: self.rules.clone(),
            files: files.collect(),
        };
        own.write(&self.record_path(table))
    }

    /// Replaces the files of a table: its outcomes, and its plies or none. Draw ranks stay if they were
    /// coded for the same outcomes. The table has no record while its files change, and a file of plies
    /// or ranks is never in the directory with outcomes that it was not written for.
    pub fn replace(
        &self,
        table: &str,
        outcomes: FinishedFile,
        plies: Option<FinishedFile>,
    ) -> Result<()> {
        let draws = self.draws_of(table, outcomes.pair())?;
        self.unrecord(table)?;
        if plies.is_none() {
            self.remove(table, Kind::Plies)?;
        }
        if draws.is_none() {
            self.remove(table, Kind::Draws)?;
        }
        // A reader looks for plies first: where it finds them, the outcomes are the new ones too.
        let mut record = Record::from([(Kind::Outcomes, outcomes.publish()?.into())]);
        if let Some(plies) = plies {
            record.insert(Kind::Plies, plies.publish()?.into());
        }
        record.extend(draws.map(|draws| (Kind::Draws, draws)));
        self.write_record(table, &record)
    }

    /// Adds the draw ranks of a finished table, in place of any others.
    pub fn add_draws(&self, table: &str, draws: FinishedFile) -> Result<()> {
        let mut record = self.recorded_of(table, &self.manifest()?)?;
        if record.remove(&Kind::Draws).is_some() {
            self.write_record(table, &record)?;
        }
        record.insert(Kind::Draws, draws.publish()?.into());
        self.write_record(table, &record)
    }

    /// Returns true if the draw ranks of a table are recorded and there.
    pub fn has_draws(&self, table: &str, manifest: &Manifest) -> Result<bool> {
        let record = self.recorded_of(table, manifest)?;
        let recorded = record.get(&Kind::Draws).map(|file| file.bytes);
        let path = self.path(table, Kind::Draws);
        let there = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        Ok(recorded.is_some() && recorded == there.map(|file| file.len()))
    }

    /// The scores by which the draws of a table are ranked; `None` if it has no ranks.
    pub fn draw_scores(&self, table: &str) -> Result<Option<ScoresId>> {
        match Source::open(&self.path(table, Kind::Draws)) {
            Err(Error::Missing { .. }) => Ok(None),
            source => Ok(Some(header_of(&source?)?.draw_scores)),
        }
    }

    /// The record of the draw ranks of a table, if they were coded for the outcomes of this pair. Ranks
    /// without a record, as a stopped process leaves them, count if their checksums are right.
    pub fn draws_of(&self, table: &str, pair: PairId) -> Result<Option<FileRecord>> {
        let path = self.path(table, Kind::Draws);
        let is_own = |source: &Source| header_of(source).is_ok_and(|header| header.pair == pair);
        let Some(source) = Source::open(&path).ok().filter(is_own) else {
            return Ok(None);
        };
        let recorded = self.recorded_of(table, &self.manifest()?)?;
        if let Some(&record) = recorded.get(&Kind::Draws) {
            return Ok((record.bytes == source.length()).then_some(record));
        }
        let file = TableFile::<DrawCodec>::open(source);
        match file.and_then(|file| file.verify_blocks()) {
            Ok(()) => Ok(Some(FileRecord::of_file(&path)?)),
            Err(_) => Ok(None),
        }
    }

    /// Removes a file of a table, if it is there.
    pub fn remove(&self, table: &str, kind: Kind) -> Result<()> {
        let path = self.path(table, kind);
        match fs::remove_file(&path).map_err(Error::io(&path)) {
            Err(Error::Missing { .. }) => Ok(()),
            removed => removed,
        }
    }

    /// Takes a table off its record, and off the manifest where only that has it: it is about to be
    /// written again.
    pub fn unrecord(&self, table: &str) -> Result<()> {
        let is_recorded = match self.record(table) {
            Ok(Some(record)) => !record.is_empty(),
            Ok(None) => !self.in_manifest(&self.manifest()?, table).is_empty(),
            Err(Error::Damaged { .. }) => true,
            Err(error) => return Err(error),
        };
        if is_recorded {
            self.write_record(table, &Record::new())?;
        }
        Ok(())
    }

    /// The part of a manifest that is about a table.
    pub fn in_manifest(&self, manifest: &Manifest, table: &str) -> Record {
        let record = |kind| Some((kind, *manifest.files.get(&file_name(table, kind))?));
        Kind::ALL.into_iter().filter_map(record).collect()
    }

    /// Every finished file, by name: what the records say, and of tables without one what the
    /// manifest says.
    pub fn recorded(&self) -> Result<Manifest> {
        let mut all = self.manifest()?;
        for table in self.tables_with_records()? {
            let Some(record) = self.record(&table)? else {
                continue;
            };
            for kind in Kind::ALL {
                let name = file_name(&table, kind);
                match record.get(&kind) {
                    Some(&record) => all.files.insert(name, record),
                    None => all.files.remove(&name),
                };
            }
        }
        Ok(all)
    }

    /// Derives the manifest from the records, if it does not say the same already.
    pub fn seal(&self, _: &Lock) -> Result<Manifest> {
        let all = self.recorded()?;
        if all != self.manifest()? || !self.manifest_path().exists() {
            all.write(&self.manifest_path())?;
        }
        Ok(all)
    }

    fn tables_with_records(&self) -> Result<Vec<String>> {
        let names = self.names()?.into_iter();
        let tables = names.filter_map(|name| {
            let (table, extension) = name.rsplit_once('.')?;
            (extension == RECORD && is_table(table)).then(|| table.to_owned())
        });
        Ok(tables.collect())
    }

    /// The names in the directory, in no order; none if it does not exist.
    fn names(&self) -> Result<Vec<String>> {
        let directory = &self.directory;
        let entries = match fs::read_dir(directory).map_err(Error::io(directory)) {
            Err(Error::Missing { .. }) => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::io(directory))?;
            names.extend(entry.file_name().into_string());
        }
        Ok(names)
    }

    /// Table, kind and size of every table file in the directory, in no order. Only regular files,
    /// and links to them, count.
    ///
    /// A build may be running: files that are removed or renamed meanwhile are not listed.
    pub fn files(&self) -> Result<Vec<(String, Kind, u64)>> {
        let mut files = Vec::new();
        for name in self.names()? {
            // First of all: temporary files come and go.
            let Some((table, kind)) = table_and_kind(&name) else {
                continue;
            };
            let path = self.directory.join(&name);
            match fs::metadata(&path).map_err(Error::io(&path)) {
                Ok(metadata) if metadata.is_file() => {
                    files.push((table.to_owned(), kind, metadata.len()));
                }
                Ok(_) | Err(Error::Missing { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(files)
    }

    /// All files, by table and kind. Other files in the directory are not looked at.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let mut files: BTreeMap<_, (Option<u64>, Option<FileRecord>)> = BTreeMap::new();
        for (name, record) in self.recorded()?.files {
            files.entry(name).or_default().1 = Some(record);
        }
        for (table, kind, bytes) in self.files()? {
            files.entry(file_name(&table, kind)).or_default().0 = Some(bytes);
        }
        let listed = files.into_iter().filter_map(|(name, (bytes, record))| {
            let (table, kind) = table_and_kind(&name)?;
            Some(Listed {
                table: table.into(),
                kind,
                bytes,
                record,
            })
        });
        Ok(listed.collect())
    }

    /// Compares a whole file with what was recorded of it.
    pub fn verify_file(&self, table: &str, kind: Kind, record: &FileRecord) -> Result<()> {
        let path = self.path(table, kind);
        if blake3_of_file(&path)? == record.blake3 {
            Ok(())
        } else {
            Err(Error::damaged(&path, Part::Contents))
        }
    }

    /// Opens a file of a table and compares the checksums of all its blocks.
    pub fn verify_blocks(&self, table: &str, positions: u64, kind: Kind) -> Result<()> {
        let opened = self.open(table, positions)?;
        match kind {
            Kind::Outcomes => opened.outcome_file().verify_blocks(),
            Kind::Plies => {
                self.open_plies(&opened)?;
                opened
                    .ply_file()
                    .map_or(Ok(()), |file| file.verify_blocks())
            }
            Kind::Draws => {
                self.open_draws(&opened)?;
                opened
                    .draw_file()
                    .map_or(Ok(()), |file| file.verify_blocks())
            }
        }
    }

    /// Returns true if a table has no plies because they follow from other tables one turn ahead.
    /// Reads the header of its outcomes; false for a table that does not exist.
    pub fn leaves_plies_out(&self, table: &str) -> Result<bool> {
        match Source::open(&self.path(table, Kind::Outcomes)) {
            Err(Error::Missing { .. }) => Ok(false),
            source => Ok(header_of(&source?)?.plies_left_out),
        }
    }

    /// Opens the outcomes of a table, with one system call per block that is read.
    pub fn open(&self, table: &str, positions: u64) -> Result<Table> {
        let source = Source::open(&self.path(table, Kind::Outcomes))?;
        Table::open(source, &self.expected(table, positions))
    }

    /// Opens the plies of a table.
    pub fn open_plies(&self, table: &Table) -> Result<()> {
        let name = &table.outcome_file().header().table;
        table.add_plies(Source::open(&self.path(name, Kind::Plies))?)
    }

    /// Opens the draw ranks of a table.
    pub fn open_draws(&self, table: &Table) -> Result<()> {
        let name = &table.outcome_file().header().table;
        table.add_draws(Source::open(&self.path(name, Kind::Draws))?)
    }

    /// Maps the outcomes of a table into memory.
    ///
    /// # Safety
    /// As for [`Source::map`].
    pub unsafe fn map(&self, table: &str, positions: u64) -> Result<Table> {
        // SAFETY: the caller's promise.
        let source = unsafe { Source::map(&self.path(table, Kind::Outcomes)) }?;
        Table::open(source, &self.expected(table, positions))
    }

    /// Maps the plies of a table into memory.
    ///
    /// # Safety
    /// As for [`Source::map`].
    pub unsafe fn map_plies(&self, table: &Table) -> Result<()> {
        let name = &table.outcome_file().header().table;
        // SAFETY: the caller's promise.
        table.add_plies(unsafe { Source::map(&self.path(name, Kind::Plies)) }?)
    }

    /// Maps the draw ranks of a table into memory.
    ///
    /// # Safety
    /// As for [`Source::map`].
    pub unsafe fn map_draws(&self, table: &Table) -> Result<()> {
        let name = &table.outcome_file().header().table;
        // SAFETY: the caller's promise.
        table.add_draws(unsafe { Source::map(&self.path(name, Kind::Draws)) }?)
    }

    fn expected<'a>(&'a self, table: &'a str, positions: u64) -> Expected<'a> {
        Expected {
            rules: &self.rules,
            table,
            positions,
        }
    }
}

/// The name of a file of a table.
pub fn file_name(table: &str, kind: Kind) -> String {
    format!("{table}.{}", kind.extension())
}

fn table_and_kind(name: &str) -> Option<(&str, Kind)> {
    let (table, extension) = name.rsplit_once('.')?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.extension() == extension)?;
    is_table(table).then_some((table, kind))
}

fn is_table(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.')
}
