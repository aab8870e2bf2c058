//! The file of a game. Nothing that was saved is ever lost.
//!
//! The game is saved after every turn. The program overwrites what it saved by itself in this run; a
//! game that was there before, or that the user saved, is only continued. A game that no longer
//! continues it, because turns were taken back, goes to a new file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::saved::Text;

/// The file of the current game, and its contents.
#[derive(Default)]
pub struct Keeper {
    /// The file that the user named.
    file: Option<PathBuf>,
    /// Its contents, which must not be lost.
    safe: Option<Text>,
    /// The file that this run has written by itself, and its contents.
    written: Option<(PathBuf, String)>,
}

impl Keeper {
    /// For a game in this file, with these contents if the file exists.
    pub fn new(file: &Path, text: Option<Text>) -> Keeper {
        Keeper {
            file: Some(file.to_owned()),
            safe: text,
            written: None,
        }
    }

    /// Whether the user has named a file.
    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Saves the game on request: to the named file, which may be overwritten, or to the file of the
    /// game.
    pub fn save(&mut self, file: Option<&Path>, fresh: &str, text: Text) -> anyhow::Result<&Path> {
        let target = match (file, &self.file, &self.written) {
            (Some(file), _, _) => file.to_owned(),
            (None, Some(own), _) => own.clone(),
            (None, None, Some((journal, _))) => journal.clone(),
            (None, None, None) => unused(fresh),
        };
        // A file that the user named remains; a file that was saved automatically is removed.
        if self.safe.is_none() && self.file.as_ref().is_some_and(|own| *own != target) {
            let own = self.file.as_ref();
            self.written.take_if(|(journal, _)| Some(&*journal) == own);
        }
        self.write(&target, &text)?;
        self.written = None;
        self.safe = Some(text);
        Ok(self.file.insert(target))
    }

    /// Saves the game automatically: to its file if that loses nothing, or else to a new one.
    pub fn keep(&mut self, fresh: &str, text: &Text) -> anyhow::Result<&Path> {
        let target = match (&self.file, &self.safe, &self.written) {
            (Some(own), None, _) => own.clone(),
            (Some(own), Some(safe), _) if text.continues(safe) => own.clone(),
            (_, _, Some((journal, _))) if Some(journal) != self.file.as_ref() => journal.clone(),
            _ => unused(fresh),
        };
        self.write(&target, text)?;
        let whole = text.whole(&target).to_owned();
        let (file, _) = self.written.insert((target, whole));
        Ok(file)
    }

    /// Removes what was saved automatically in this run.
    pub fn forget(&mut self) -> anyhow::Result<()> {
        let Some((journal, _)) = self.written.take() else {
            return Ok(());
        };
        match &self.safe {
            Some(safe) if Some(&journal) == self.file.as_ref() => {
                let whole = safe.whole(&journal);
                endmill_dbformat::write_whole(&journal, whole.as_bytes())?;
            }
            _ => fs::remove_file(&journal)?,
        }
        Ok(())
    }

    fn write(&mut self, target: &Path, text: &Text) -> anyhow::Result<()> {
        let whole = text.whole(target);
        let there = self.written.as_ref();
        if there.is_some_and(|(file, text)| file == target && text == whole) {
            return Ok(());
        }
        endmill_dbformat::write_whole(target, whole.as_bytes())
            .with_context(|| format!("cannot save to {}", target.display()))?;
        // The game was in another file until now: restore that file.
        if there.is_some_and(|(file, _)| file != target) {
            self.forget()?;
        }
        Ok(())
    }
}

/// The first of `nine-1.game`, `nine-2.game`, … that does not exist.
fn unused(name: &str) -> PathBuf {
    let files = (1..).map(|number| PathBuf::from(format!("{name}-{number}.game")));
    let mut free = files.filter(|file| !file.exists());
    free.next().expect("there is always a next number")
}
