//! Where a game is kept, so that none is lost: what was saved is never overwritten by less.
//!
//! The game is written down after every turn. What this run of the program has written it may write over;
//! what stood there before, or was saved because somebody said so, it only adds to. A game that
//! has left that behind, because turns were taken back, goes to a new file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::saved::Text;

/// The file of the game at hand, and what stands there.
#[derive(Default)]
pub struct Keeper {
    /// The file that was named for the game.
    file: Option<PathBuf>,
    /// What stands there and is not to be lost.
    safe: Option<Text>,
    /// The file in which the game stands now, and its text, if this run of the program has written it.
    written: Option<(PathBuf, String)>,
}

impl Keeper {
    /// For a game that goes to this file, where this text stands already.
    pub fn new(file: &Path, text: Option<Text>) -> Keeper {
        Keeper {
            file: Some(file.to_owned()),
            safe: text,
            written: None,
        }
    }

    /// Whether the game has a file of its own.
    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Saves because somebody says so: to the file named, which may be written over, or to that of
    /// the game.
    pub fn save(&mut self, file: Option<&Path>, fresh: &str, text: Text) -> anyhow::Result<&Path> {
        let target = match (file, &self.file, &self.written) {
            (Some(file), _, _) => file.to_owned(),
            (None, Some(own), _) => own.clone(),
            (None, None, Some((journal, _))) => journal.clone(),
            (None, None, None) => unused(fresh),
        };
        // A file that was named for the game stays where it is: only what nobody asked for goes.
        if self.safe.is_none() && self.file.as_ref().is_some_and(|own| *own != target) {
            let own = self.file.as_ref();
            self.written.take_if(|(journal, _)| Some(&*journal) == own);
        }
        self.write(&target, &text)?;
        self.written = None;
        self.safe = Some(text);
        Ok(self.file.insert(target))
    }

    /// Writes the game down: to its file if that loses nothing, or else to a new one.
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

    /// Takes back what this run of the program has written down and nobody has saved.
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
        // The same game, in another file until now: what stood there before stands there again.
        if there.is_some_and(|(file, _)| file != target) {
            self.forget()?;
        }
        Ok(())
    }
}

/// The first of `nine-1.game`, `nine-2.game` … that is not there.
fn unused(name: &str) -> PathBuf {
    let files = (1..).map(|number| PathBuf::from(format!("{name}-{number}.game")));
    let mut free = files.filter(|file| !file.exists());
    free.next().expect("there is always a next number")
}
