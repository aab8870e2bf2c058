//! The log of the sectors that an export has finished: `endmill-export.json`.
//!
//! A sector is logged just before its file gets its name, which was free until then. So a file with
//! the logged name and size is complete, and an entry without a file is unfinished.
//!
//! An export resumes with the sectors that are logged with the same size, rules and value. Any other
//! file with the name of a sector was written by another program, and is not overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use endmill_dbformat::write_whole;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

const NAME: &str = "endmill-export.json";

/// The log: sectors that are finished if their files exist.
#[derive(Serialize, Deserialize)]
pub(crate) struct ExportLog {
    /// The rules, as files of a database name them.
    rules: String,
    sectors: BTreeMap<String, FinishedSector>,
    #[serde(skip)]
    path: PathBuf,
}

/// The size and value of a finished sector.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FinishedSector {
    pub(crate) bytes: u64,
    /// The value of its sector.
    pub(crate) value: i32,
}

impl ExportLog {
    /// Reads the log of a directory. It is empty if the log is of other rules.
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
            // The log is of another export, so no file is ours.
            Ok(_) | Err(_) => Ok(fresh(path)),
        }
    }

    /// Returns whether a sector was finished with this size and value.
    pub(crate) fn has(&self, name: &str, finished: FinishedSector) -> bool {
        self.sectors.get(name) == Some(&finished)
    }

    /// Logs a sector that is about to get its name.
    pub(crate) fn add(&mut self, name: &str, finished: FinishedSector) -> Result<()> {
        self.sectors.insert(name.to_owned(), finished);
        let mut text = serde_json::to_string_pretty(self).expect("names and numbers");
        text.push('\n');
        Ok(write_whole(&self.path, text.as_bytes())?)
    }
}
