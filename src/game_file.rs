//! Files of games.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use endmill_records::{RecordError, Transcript, transcripts};
use thiserror::Error;

/// The maximum length of a file: more than the largest collections of games.
const LONGEST: u64 = 256 << 20;

/// A game in a file cannot be read.
#[derive(Debug, Error)]
#[error("{}, {error}", .file.display())]
pub struct BadGame {
    pub file: PathBuf,
    pub error: RecordError,
}

impl BadGame {
    pub fn new(file: &Path, error: RecordError) -> BadGame {
        let file = match file.to_str() {
            Some("-") => "standard input".into(),
            _ => file.to_owned(),
        };
        BadGame { file, error }
    }
}

/// Reads a file, or standard input for `-`. Bytes that are not UTF-8 are replaced: usually they belong
/// to a name or comment.
pub fn contents(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut read = |source: &mut dyn Read| source.take(LONGEST + 1).read_to_end(&mut bytes);
    let done = match file.to_str() {
        Some("-") => read(&mut io::stdin().lock()),
        _ => File::open(file).and_then(|mut open| read(&mut open)),
    };
    done.with_context(|| format!("cannot read {}", file.display()))?;
    if bytes.len() as u64 > LONGEST {
        anyhow::bail!(
            "{} is too long for a file of games (limit 256 MB)",
            file.display()
        );
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The games of a text, at least one.
pub fn games(file: &Path, text: &str) -> Result<Vec<Transcript>, BadGame> {
    transcripts(text).map_err(|error| BadGame::new(file, error))
}
