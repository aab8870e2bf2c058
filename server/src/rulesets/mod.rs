//! The rulesets of a server, each with the tables of its last listing.
//!
//! The directory is listed again from time to time, and after each build of the server, so tables
//! that are added while the server runs are found. A running question keeps its snapshot.

mod building;
mod served;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::UNIX_EPOCH;

use endmill_dbformat::{Kind, file_name};
use endmill_games::Ruleset;
use endmill_probe::answers::{RulesetAnswer, TableAnswer};
use endmill_probe::{Options, ProbeError};

pub use self::building::{BuildingAnswer, Builds};
pub use self::served::{EngineMove, MoveRequest, ServedDatabase};
use crate::error::ApiError;

/// A ruleset with its tables at one moment.
pub struct RulesetSnapshot {
    /// The id.
    pub id: &'static str,
    /// Changes whenever an answer may change: for `ETag`.
    pub tag: [u8; 16],
    /// The tables and the engine.
    pub database: Box<dyn ServedDatabase>,
    /// The description of the ruleset.
    pub about: RulesetAnswer,
    directory: PathBuf,
    /// BLAKE3 by file name.
    checksums: OnceLock<BTreeMap<String, String>>,
    tables: OnceLock<Vec<TableAnswer>>,
}

impl RulesetSnapshot {
    /// All tables with all counts. The first call reads the headers of all files.
    pub fn tables(&self) -> Result<&[TableAnswer], ProbeError> {
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let tables = self.database.tables()?.into_iter();
        let tables = tables.map(|table| self.with_checksums(table)).collect();
        Ok(self.tables.get_or_init(|| tables))
    }

    /// One table with all counts and the checksums of its files.
    pub fn table(&self, name: &str) -> Result<TableAnswer, ProbeError> {
        Ok(self.with_checksums(self.database.table(name)?))
    }

    fn with_checksums(&self, table: TableAnswer) -> TableAnswer {
        let name = table.table.as_deref().unwrap_or_default();
        let checksums = self.checksums.get_or_init(|| self.read_checksums());
        let checksum = |kind| checksums.get(&file_name(name, kind)).cloned();
        TableAnswer {
            wld_checksum: checksum(Kind::Outcomes),
            dtw_checksum: checksum(Kind::Plies),
            ..table
        }
    }

    /// The recorded checksums of the files. Empty if nothing is recorded or the record cannot be
    /// read: answers do not depend on it, because the files are checked block by block.
    fn read_checksums(&self) -> BTreeMap<String, String> {
        match self.database.recorded(&self.directory) {
            Ok(recorded) => {
                let files = recorded.files.into_iter();
                let files = files.map(|(name, file)| (name, file.blake3.to_hex().to_string()));
                files.collect()
            }
            Err(error) => {
                tracing::warn!(ruleset = self.id, %error, "cannot read the checksums");
                BTreeMap::new()
            }
        }
    }

    fn table_count(&self) -> usize {
        self.about.coverage.map_or(0, |coverage| coverage.tables)
    }
}

struct Slot {
    ruleset: Ruleset,
    current: RwLock<Arc<RulesetSnapshot>>,
}

/// All rulesets.
pub struct Rulesets {
    directory: PathBuf,
    options: Options,
    slots: Vec<Slot>,
}

impl Rulesets {
    /// Lists the tables of the rulesets in a database. A missing directory has none.
    pub fn open(
        directory: &Path,
        rulesets: &[Ruleset],
        options: Options,
    ) -> Result<Rulesets, ProbeError> {
        let slots = rulesets.iter().map(|&ruleset| {
            let snapshot = open(directory, ruleset, &options)?;
            Ok(Slot {
                ruleset,
                current: RwLock::new(Arc::new(snapshot)),
            })
        });
        Ok(Rulesets {
            slots: slots.collect::<Result<_, ProbeError>>()?,
            directory: directory.to_owned(),
            options,
        })
    }

    /// A ruleset by its id.
    pub fn find(&self, id: &str) -> Option<Arc<RulesetSnapshot>> {
        let mut slots = self.slots.iter();
        let slot = slots.find(|slot| slot.ruleset.id() == id)?;
        Some(slot.snapshot())
    }

    /// A ruleset by its id, or the error for the client.
    pub fn get(&self, id: &str) -> Result<Arc<RulesetSnapshot>, ApiError> {
        let missing = || ApiError::not_found(format!("there is no ruleset {id:?}"));
        self.find(id).ok_or_else(missing)
    }

    /// All rulesets.
    pub fn all(&self) -> impl Iterator<Item = Arc<RulesetSnapshot>> {
        self.slots.iter().map(Slot::snapshot)
    }

    /// Whether no ruleset has any table.
    pub fn is_empty(&self) -> bool {
        self.all().all(|snapshot| snapshot.table_count() == 0)
    }

    /// Lists the tables again where the files have changed. If a listing fails, the old one stays.
    pub fn refresh(&self) {
        for slot in &self.slots {
            let old = slot.snapshot();
            if tag(&self.directory, old.id, &*old.database) == old.tag {
                continue;
            }
            match open(&self.directory, slot.ruleset, &self.options) {
                Ok(snapshot) => {
                    let tables = snapshot.table_count();
                    tracing::info!(ruleset = old.id, tables, "tables listed again");
                    let current = slot.current.write();
                    *current.unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
                }
                Err(error) => tracing::warn!(ruleset = old.id, %error, "cannot list the tables"),
            }
        }
    }
}

impl Slot {
    fn snapshot(&self) -> Arc<RulesetSnapshot> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current)
    }
}

fn open(
    directory: &Path,
    ruleset: Ruleset,
    options: &Options,
) -> Result<RulesetSnapshot, ProbeError> {
    let database = served::open(directory, ruleset, options)?;
    Ok(RulesetSnapshot {
        id: ruleset.id(),
        tag: tag(directory, ruleset.id(), &*database),
        about: in_cells(database.ruleset()),
        directory: directory.to_owned(),
        checksums: OnceLock::new(),
        database,
        tables: OnceLock::new(),
    })
}

/// Converts the geometry to whole numbers, which the HTTP interface has promised: columns and rows
/// count from 0, and the width is the number of columns.
fn in_cells(mut about: RulesetAnswer) -> RulesetAnswer {
    let board = &mut about.geometry;
    match board.kind {
        "squares" => {
            for place in &mut board.points {
                place.x -= 0.5;
                place.y -= 0.5;
            }
        }
        _ => {
            board.width += 1.0;
            board.height += 1.0;
        }
    }
    about
}

/// A hash of the names, sizes and times of the files, the rules, and the version of the program.
fn tag(directory: &Path, id: &str, database: &dyn ServedDatabase) -> [u8; 16] {
    let mut files: Vec<_> = std::fs::read_dir(directory.join(id))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let relevant = [".wld", ".dtw", ".record", "manifest.json"];
            let relevant = relevant.iter().any(|end| name.ends_with(end));
            let metadata = entry.metadata().ok().filter(|_| relevant)?;
            let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            Some(format!(
                "{name} {} {}\n",
                metadata.len(),
                modified.as_nanos()
            ))
        })
        .collect();
    files.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(id.as_bytes());
    hasher.update(database.rules_text().as_bytes());
    for file in files {
        hasher.update(file.as_bytes());
    }
    let mut tag = [0; 16];
    tag.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    tag
}
