//! Where a game is kept, so that none is lost: what was played is never overwritten by less.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::saved;

/// The file of the game at hand, and what stands there.
#[derive(Default)]
pub struct Keeper {
    file: Option<PathBuf>,
    /// The text that was read from the file or written to it; `None` before that.
    text: Option<String>,
}

impl Keeper {
    /// For a game that goes to this file, where this text stands already.
    pub fn new(file: &Path, text: Option<String>) -> Keeper {
        Keeper {
            file: Some(file.to_owned()),
            text,
        }
    }

    /// Whether the game has a file of its own.
    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Saves because somebody says so: to the file named, or to that of the game.
    pub fn save(
        &mut self,
        file: Option<&Path>,
        fresh: &str,
        text: String,
    ) -> anyhow::Result<&Path> {
        let target = match (file, &self.file) {
            (Some(file), _) => {
                refuse_others(file)?;
                file.to_owned()
            }
            (None, Some(own)) => own.clone(),
            (None, None) => unused(fresh),
        };
        self.write(target, text)
    }

    /// Saves because the game is left: to its file if that loses nothing, or else to a new one.
    pub fn keep(&mut self, fresh: &str, text: String) -> anyhow::Result<&Path> {
        let target = match (&self.file, &self.text) {
            (Some(own), None) => own.clone(),
            (Some(own), Some(kept)) if text.starts_with(kept) => own.clone(),
            _ => unused(fresh),
        };
        self.write(target, text)
    }

    fn write(&mut self, target: PathBuf, text: String) -> anyhow::Result<&Path> {
        if self.file.as_deref() != Some(&target) || self.text.as_ref() != Some(&text) {
            dbformat::write_whole(&target, text.as_bytes())
                .with_context(|| format!("cannot save to {}", target.display()))?;
        }
        self.text = Some(text);
        Ok(self.file.insert(target))
    }
}

/// Of a file that somebody named: what is not a saved game is not written over.
fn refuse_others(file: &Path) -> anyhow::Result<()> {
    if !saved::may_replace(file) {
        let problem = format!("{} is there and is not a saved game", file.display());
        bail!(io::Error::new(io::ErrorKind::AlreadyExists, problem));
    }
    Ok(())
}

/// The first of `nine-1.game`, `nine-2.game` … that is not there.
fn unused(name: &str) -> PathBuf {
    let files = (1..).map(|number| PathBuf::from(format!("{name}-{number}.game")));
    let mut free = files.filter(|file| !file.exists());
    free.next().expect("there is always a next number")
}
