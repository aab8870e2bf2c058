//! The rulesets that a server knows, each with its tables as they were when they were last listed.
//!
//! Tables that are built while the server runs are seen: the directory is listed again now and
//! then, and when the server's own build has finished a ruleset. Questions that are under way go
//! on with the listing that they began with.

mod building;
mod opened;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::UNIX_EPOCH;

use endmill_dbformat::{Kind, file_name};
use endmill_games::Ruleset;
use endmill_probe::answers::{RulesetAnswer, TableAnswer};
use endmill_probe::{AnyDatabase, Options};

pub use self::building::{BuildingAnswer, Builds};
pub use self::opened::{Opened, Random, ToPlay, fill_in};

/// A ruleset with its tables at one moment.
pub struct Edition {
    /// The id.
    pub id: &'static str,
    /// Changes whenever an answer could: for `ETag`.
    pub tag: [u8; 16],
    /// The tables and the engine.
    pub opened: Box<dyn Opened>,
    /// What is told of the ruleset.
    pub about: RulesetAnswer,
    directory: PathBuf,
    /// BLAKE3 by the names of files.
    checksums: OnceLock<BTreeMap<String, String>>,
    tables: OnceLock<Vec<TableAnswer>>,
}

impl Edition {
    /// The tables.
    pub fn any(&self) -> &dyn AnyDatabase {
        self.opened.any()
    }

    /// Every table there is with all its counts. The first to ask reads the headers of all files.
    pub fn tables(&self) -> endmill_probe::Result<&[TableAnswer]> {
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let tables = self.any().tables()?.into_iter();
        let tables = tables.map(|table| self.with_checksums(table)).collect();
        Ok(self.tables.get_or_init(|| tables))
    }

    /// One table with all its counts, and the checksums of its files.
    pub fn table(&self, name: &str) -> endmill_probe::Result<TableAnswer> {
        Ok(self.with_checksums(self.any().table(name)?))
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

    /// The checksums of the files; none where nothing is recorded, or nothing that can be read:
    /// answers come from the files, which are checked block by block.
    fn read_checksums(&self) -> BTreeMap<String, String> {
        match self.opened.recorded(&self.directory) {
            Ok(recorded) => {
                let files = recorded.files.into_iter();
                let files = files.map(|(name, file)| (name, file.blake3.to_hex().to_string()));
                files.collect()
            }
            Err(error) => {
                tracing::warn!(ruleset = self.id, %error, "the checksums cannot be read");
                BTreeMap::new()
            }
        }
    }
}

struct Slot {
    ruleset: Ruleset,
    current: RwLock<Arc<Edition>>,
}

/// All rulesets.
pub struct Rulesets {
    directory: PathBuf,
    options: Options,
    slots: Vec<Slot>,
}

impl Rulesets {
    /// Lists the tables of rulesets in a database. A directory that is not there has none.
    pub fn open(
        directory: &Path,
        rulesets: &[Ruleset],
        options: Options,
    ) -> endmill_probe::Result<Rulesets> {
        let slots = rulesets.iter().map(|&ruleset| {
            let edition = open(directory, ruleset, &options)?;
            Ok(Slot {
                ruleset,
                current: RwLock::new(Arc::new(edition)),
            })
        });
        Ok(Rulesets {
            slots: slots.collect::<endmill_probe::Result<_>>()?,
            directory: directory.to_owned(),
            options,
        })
    }

    /// A ruleset by its id.
    pub fn find(&self, id: &str) -> Option<Arc<Edition>> {
        let mut slots = self.slots.iter();
        let slot = slots.find(|slot| slot.ruleset.id() == id)?;
        Some(slot.now())
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Arc<Edition>> {
        self.slots.iter().map(Slot::now)
    }

    /// Whether no ruleset has any table.
    pub fn is_empty(&self) -> bool {
        let tables = |edition: Arc<Edition>| edition.about.coverage.map_or(0, |has| has.tables);
        self.all().map(tables).sum::<usize>() == 0
    }

    /// Lists again whatever has changed on the disk. What cannot be listed stays as it is.
    pub fn refresh(&self) {
        for slot in &self.slots {
            let old = slot.now();
            if tag(&self.directory, old.id, &*old.opened) == old.tag {
                continue;
            }
            match open(&self.directory, slot.ruleset, &self.options) {
                Ok(edition) => {
                    let tables = edition.about.coverage.map_or(0, |has| has.tables);
                    tracing::info!(ruleset = old.id, tables, "tables listed again");
                    let current = slot.current.write();
                    *current.unwrap_or_else(PoisonError::into_inner) = Arc::new(edition);
                }
                Err(error) => tracing::warn!(ruleset = old.id, %error, "cannot list tables"),
            }
        }
    }
}

impl Slot {
    fn now(&self) -> Arc<Edition> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current)
    }
}

fn open(directory: &Path, ruleset: Ruleset, options: &Options) -> endmill_probe::Result<Edition> {
    let opened = opened::open(directory, ruleset, options)?;
    Ok(Edition {
        id: ruleset.id(),
        tag: tag(directory, ruleset.id(), &*opened),
        about: in_cells(opened.any().ruleset()),
        directory: directory.to_owned(),
        checksums: OnceLock::new(),
        opened,
        tables: OnceLock::new(),
    })
}

/// The board in whole numbers, as the page draws it: places are at columns and rows that count from
/// 0, and the width is the number of columns.
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

/// Names, sizes and times of the files, the rules, and the version of the program.
fn tag(directory: &Path, id: &str, opened: &dyn Opened) -> [u8; 16] {
    let mut files: Vec<_> = std::fs::read_dir(directory.join(id))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let kept = [".wld", ".dtw", ".record", "manifest.json"];
            let kept = kept.iter().any(|end| name.ends_with(end));
            let about = entry.metadata().ok().filter(|_| kept)?;
            let made = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            Some(format!("{name} {} {}\n", about.len(), made.as_nanos()))
        })
        .collect();
    files.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(id.as_bytes());
    hasher.update(opened.rules_text().as_bytes());
    for file in files {
        hasher.update(file.as_bytes());
    }
    let mut tag = [0; 16];
    tag.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    tag
}
