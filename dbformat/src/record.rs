//! What was finished: the files of one ruleset, or of one table of it.
//!
//! Both are the same list. Each table has a *record*, `5v4.record`, of its files; the builder of the
//! table writes it when both files have their names. The records are authoritative. The *manifest*,
//! `manifest.json`, is derived from them: a single list to copy and compare, which may be stale.
//!
//! They are JSON, one fact per line and sorted, so that two of them can be compared by eye and by
//! `diff`, and [sealed](crate::sealed): a flipped bit anywhere is noticed. Nothing in them depends
//! on time, host or the order of building.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic::write_whole;
use crate::checksum::blake3_of_file;
use crate::error::{Error, Part, Result};
use crate::header::{FORMAT_VERSION, USUAL_VERSION};
use crate::regular;
use crate::rules::Rules;
use crate::sealed::{hexadecimal, seal, unseal};
use crate::writer::FileSummary;

/// The files of one ruleset, or of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The rules that all of them were made for.
    pub rules: Rules,
    /// By file name.
    pub files: BTreeMap<String, FileRecord>,
}

/// What one file must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its size.
    pub bytes: u64,
    /// The BLAKE3 of all its bytes.
    #[serde(with = "hexadecimal")]
    pub blake3: blake3::Hash,
}

impl FileRecord {
    /// What a file is now.
    pub fn of_file(path: &Path) -> Result<FileRecord> {
        let bytes = path.metadata().map_err(Error::io(path))?.len();
        let blake3 = blake3_of_file(path)?;
        Ok(FileRecord { bytes, blake3 })
    }
}

impl From<FileSummary> for FileRecord {
    fn from(summary: FileSummary) -> FileRecord {
        FileRecord {
            bytes: summary.bytes,
            blake3: summary.blake3,
        }
    }
}

/// The list as it stands in the file, without the seal.
#[derive(Serialize, Deserialize)]
struct Raw {
    format: u16,
    ruleset: String,
    #[serde(with = "hexadecimal")]
    rules: blake3::Hash,
    files: BTreeMap<String, FileRecord>,
}

impl Manifest {
    /// The list of a ruleset that has no files yet.
    pub fn new(rules: Rules) -> Manifest {
        Manifest {
            rules,
            files: BTreeMap::new(),
        }
    }

    /// Reads a list and checks that nothing in it has changed.
    pub fn read(path: &Path) -> Result<Manifest> {
        let (mut file, _) = regular::open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        Manifest::parse(path, &bytes)
    }

    /// The same for the list of the given rules.
    pub(crate) fn read_for(path: &Path, rules: &Rules) -> Result<Manifest> {
        let manifest = Manifest::read(path)?;
        if manifest.rules != *rules {
            return Err(Error::RulesDiffer {
                file: path.into(),
                expected: rules.to_string(),
                found: manifest.rules.to_string(),
            });
        }
        Ok(manifest)
    }

    /// The same for bytes that are in memory; `path` stands for them in errors.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest> {
        let damaged = || Error::damaged(path, Part::Manifest);
        let body = unseal(bytes).ok_or_else(damaged)?;
        let raw: Raw = serde_json::from_str(&body).map_err(|_| damaged())?;
        if raw.format > FORMAT_VERSION {
            return Err(Error::FormatTooNew {
                file: path.into(),
                found: raw.format,
                supported: FORMAT_VERSION,
            });
        }
        Ok(Manifest {
            rules: Rules {
                id: raw.ruleset,
                fingerprint: raw.rules.into(),
            },
            files: raw.files,
        })
    }

    /// Writes the list in place of the one before, or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let raw = Raw {
            format: USUAL_VERSION,
            ruleset: self.rules.id.clone(),
            rules: self.rules.fingerprint.into(),
            files: self.files.clone(),
        };
        write_whole(path, seal(&raw).as_bytes())
    }
}
