//! The directory of one ruleset: which file is where, which are there, which are as they were
//! made.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checksum::blake3_of_file;
use crate::error::{Error, Part, Result};
use crate::header::Kind;
use crate::lock::Lock;
use crate::manifest::{FileRecord, Manifest};
use crate::rules::Rules;
use crate::source::Source;
use crate::table::{Expected, OutcomeTable, PlyTable};

/// `<db>/<ruleset>`, for one set of rules. The directory need not exist.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    rules: Rules,
}

/// A file of a store: one that is in the directory, in the manifest, or in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the table.
    pub table: String,
    /// What the file holds.
    pub kind: Kind,
    /// Its size in the directory; `None` if it is missing there.
    pub bytes: Option<u64>,
    /// What the manifest says of it; `None` if it was not recorded.
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

    /// The right to write, for one process at a time.
    pub fn lock(&self) -> Result<Lock> {
        Lock::acquire(&self.directory)
    }

    /// The manifest; empty if there is none yet.
    pub fn manifest(&self) -> Result<Manifest> {
        let path = self.manifest_path();
        let manifest = match Manifest::read(&path) {
            Err(Error::Missing { .. }) => Manifest::new(self.rules.clone()),
            read => read?,
        };
        if manifest.rules != self.rules {
            return Err(Error::RulesDiffer {
                file: path,
                expected: self.rules.to_string(),
                found: manifest.rules.to_string(),
            });
        }
        Ok(manifest)
    }

    /// Adds a finished file to the manifest. The lock is borrowed exclusively so that two threads
    /// cannot overwrite each other's records.
    pub fn record(&self, _: &mut Lock, table: &str, kind: Kind, record: FileRecord) -> Result<()> {
        let mut manifest = self.manifest()?;
        manifest.files.insert(file_name(table, kind), record);
        manifest.write(&self.manifest_path())
    }

    /// All files, by table and kind. Other files in the directory are not looked at.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let mut files: BTreeMap<_, (Option<u64>, Option<FileRecord>)> = BTreeMap::new();
        for (name, record) in self.manifest()?.files {
            files.entry(name).or_default().1 = Some(record);
        }
        let at = Error::io;
        let directory = &self.directory;
        let entries = match fs::read_dir(directory).map_err(at(directory)) {
            Err(Error::Missing { .. }) => None,
            entries => Some(entries?),
        };
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(at(directory))?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if table_and_kind(&name).is_some() {
                let metadata = entry.metadata().map_err(at(&entry.path()))?;
                files.entry(name).or_default().0 = Some(metadata.len());
            }
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

    /// Compares a whole file with the manifest.
    pub fn verify_file(&self, table: &str, kind: Kind, record: &FileRecord) -> Result<()> {
        let path = self.path(table, kind);
        if blake3_of_file(&path)? == record.blake3 {
            Ok(())
        } else {
            Err(Error::damaged(&path, Part::Contents))
        }
    }

    /// Opens the outcomes of a table.
    pub fn outcomes(&self, table: &str, positions: u64) -> Result<OutcomeTable> {
        let source = Source::open(&self.path(table, Kind::Outcomes))?;
        OutcomeTable::open(source, &self.expected(table, positions))
    }

    /// Opens the plies of a table whose outcomes are open.
    pub fn plies(&self, outcomes: &OutcomeTable) -> Result<PlyTable> {
        let header = outcomes.file().header();
        let source = Source::open(&self.path(&header.table, Kind::Plies))?;
        PlyTable::open(
            source,
            &self.expected(&header.table, header.positions),
            outcomes,
        )
    }

    /// Maps the outcomes of a table into memory.
    ///
    /// # Safety
    /// As for [`Source::map`].
    pub unsafe fn map_outcomes(&self, table: &str, positions: u64) -> Result<OutcomeTable> {
        // SAFETY: the caller's promise.
        let source = unsafe { Source::map(&self.path(table, Kind::Outcomes)) }?;
        OutcomeTable::open(source, &self.expected(table, positions))
    }

    /// Maps the plies of a table whose outcomes are open into memory.
    ///
    /// # Safety
    /// As for [`Source::map`].
    pub unsafe fn map_plies(&self, outcomes: &OutcomeTable) -> Result<PlyTable> {
        let header = outcomes.file().header();
        // SAFETY: the caller's promise.
        let source = unsafe { Source::map(&self.path(&header.table, Kind::Plies)) }?;
        PlyTable::open(
            source,
            &self.expected(&header.table, header.positions),
            outcomes,
        )
    }

    fn expected<'a>(&'a self, table: &'a str, positions: u64) -> Expected<'a> {
        Expected {
            rules: &self.rules,
            table,
            positions,
        }
    }
}

fn file_name(table: &str, kind: Kind) -> String {
    format!("{table}.{}", kind.extension())
}

fn table_and_kind(name: &str) -> Option<(&str, Kind)> {
    let (table, extension) = name.rsplit_once('.')?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.extension() == extension)?;
    (!table.is_empty() && !table.starts_with('.')).then_some((table, kind))
}
