//! What an export has finished, in a small file beside the sectors: `endmill-export.json`.
//!
//! A sector is noted here just before it appears under its name, which was free then: a file of that
//! name and size is the export's, whole, and one that is not there yet was not finished.
//!
//! An export goes on where it was stopped only with sectors that stand here with their size, of the
//! same rules and with the same value. Everything else under the name of a sector is somebody
//! else's, and is not overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use endmill_dbformat::write_whole;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

const NAME: &str = "endmill-export.json";

/// The sectors that are finished, if they are there.
#[derive(Serialize, Deserialize)]
pub(crate) struct ExportLog {
    /// The rules, as files of a database name them.
    rules: String,
    sectors: BTreeMap<String, FinishedSector>,
    #[serde(skip)]
    path: PathBuf,
}

/// A file as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FinishedSector {
    pub(crate) bytes: u64,
    /// The value of its sector.
    pub(crate) value: i32,
}

impl ExportLog {
    /// What stands in a directory about exports of these rules; nothing if they are others.
    pub(crate) fn read(directory: &Path, rules: String) -> Result<ExportLog> {
        let path = directory.join(NAME);
        let fresh = |path| ExportLog {
            rules: rules.clone(),
            sectors: BTreeMap::new(),
            path,
        };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(fresh(path)),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        match serde_json::from_slice::<ExportLog>(&text) {
            Ok(log) if log.rules == rules => Ok(ExportLog { path, ..log }),
            // What it was about is not known here: no file is ours.
            Ok(_) | Err(_) => Ok(fresh(path)),
        }
    }

    /// Whether a sector was finished like this.
    pub(crate) fn has(&self, name: &str, finished: FinishedSector) -> bool {
        self.sectors.get(name) == Some(&finished)
    }

    /// Notes a sector that is about to appear under its name.
    pub(crate) fn add(&mut self, name: &str, finished: FinishedSector) -> Result<()> {
        self.sectors.insert(name.to_owned(), finished);
        let mut text = serde_json::to_string_pretty(self).expect("names and numbers");
        text.push('\n');
        Ok(write_whole(&self.path, text.as_bytes())?)
    }
}
