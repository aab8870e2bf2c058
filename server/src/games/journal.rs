//! The journal of all games: every event is appended to it before any client sees it.
//!
//! A line is a checksum and a record in JSON. One thread writes: it appends all waiting records
//! together, forces them to disk once (`fdatasync`), then answers their senders. The file is read and
//! compacted to one line per game at the start, and compacted when it has grown. A truncated last
//! line was never acknowledged, and is dropped.

mod file;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::oneshot;

use self::file::{Contents, line, read, rewrite};
use crate::referee::{Event, Referee};
use crate::sync::lock;

const NAME: &str = "games.journal";
/// The file is compacted when it is larger than this, and than four times its compacted length.
const LARGE: u64 = 16 << 20;
/// The number of appends that are forced to disk together.
const MAX_GROUP: usize = 256;

/// Why the journal cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another server uses the directory.
    #[error("{}: another server stores its games there", .0.display())]
    InUse(PathBuf),
    /// An I/O error.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The error.
        source: io::Error,
    },
}

/// A record of the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A game: new, or at the time of a compaction.
    Game(Box<Referee>),
    /// An event of a game.
    Event {
        /// The id of the game.
        game: String,
        /// The number of the event.
        seq: u64,
        /// The event.
        event: Event,
    },
    /// A game was deleted.
    Gone(String),
}

/// An open journal.
pub struct Journal {
    /// `None` when it is closed.
    writer: Mutex<Option<WriterThread>>,
}

struct WriterThread {
    appends: Sender<Append>,
    thread: JoinHandle<()>,
}

struct Append {
    lines: Vec<u8>,
    done: oneshot::Sender<bool>,
}

/// The journal could not be written: nothing was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreError;

impl Journal {
    /// Opens the journal in a directory, which is created if it is missing, and resumes its games at
    /// `now_ms`: the time since their last turns does not count. This is stored before any other
    /// event, so that reading the journal later gives the same clocks.
    pub fn open(directory: &Path, now_ms: u64) -> Result<(Journal, Vec<Referee>), JournalError> {
        let at = |file: &Path| {
            let file = file.to_owned();
            move |source| JournalError::Io { file, source }
        };
        std::fs::create_dir_all(directory).map_err(at(directory))?;
        let lock_path = directory.join("lock");
        let lock = File::create(&lock_path).map_err(at(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(JournalError::InUse(directory.to_owned()));
            }
            Err(std::fs::TryLockError::Error(error)) => return Err(at(&lock_path)(error)),
        }
        let path = directory.join(NAME);
        let Contents { mut games, damaged } = read(&path).map_err(at(&path))?;
        if damaged {
            let copy = path.with_extension("damaged");
            std::fs::copy(&path, &copy).map_err(at(&copy))?;
            tracing::error!(copy = %copy.display(), "the journal of games is damaged");
        }
        for game in games.values_mut() {
            game.resume(now_ms);
        }
        let (file, length) = rewrite(&path, &games).map_err(at(&path))?;
        let writer = Writer {
            _lock: lock,
            path: path.clone(),
            file,
            length,
            compacted: length,
            broken: false,
        };
        let (appends, inbox) = channel();
        let thread = std::thread::Builder::new().name("journal".to_owned());
        let thread = thread
            .spawn(move || writer.work(&inbox))
            .map_err(at(&path))?;
        let journal = Journal {
            writer: Mutex::new(Some(WriterThread { appends, thread })),
        };
        Ok((journal, games.into_values().collect()))
    }

    /// Appends records, and returns when they are on disk.
    pub async fn append(&self, records: &[Record]) -> Result<(), StoreError> {
        let mut lines = Vec::new();
        for record in records {
            line(record, &mut lines).map_err(|_| StoreError)?;
        }
        let (done, stored) = oneshot::channel();
        self.send(Append { lines, done })?;
        match stored.await {
            Ok(true) => Ok(()),
            _ => Err(StoreError),
        }
    }

    fn send(&self, append: Append) -> Result<(), StoreError> {
        let writer = lock(&self.writer);
        let appends = &writer.as_ref().ok_or(StoreError)?.appends;
        appends.send(append).map_err(|_| StoreError)
    }

    /// Refuses new records, and returns when everything is written and another server may use the
    /// directory.
    pub fn close(&self) {
        let writer = lock(&self.writer).take();
        if let Some(WriterThread { appends, thread }) = writer {
            drop(appends);
            // The thread ends after the last append.
            let _ = thread.join();
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.close();
    }
}

struct Writer {
    /// Locked while the journal is open.
    _lock: File,
    path: PathBuf,
    file: File,
    /// The length of the valid part of the file.
    length: u64,
    /// The length after the last compaction.
    compacted: u64,
    /// A failed write could not be undone: no record may follow it.
    broken: bool,
}

impl Writer {
    fn work(mut self, inbox: &Receiver<Append>) {
        let mut lines = Vec::new();
        let mut waiting = Vec::new();
        while let Ok(first) = inbox.recv() {
            lines.clear();
            let appends = std::iter::once(first).chain(inbox.try_iter());
            for append in appends.take(MAX_GROUP) {
                lines.extend_from_slice(&append.lines);
                waiting.push(append.done);
            }
            let stored = self.write(&lines);
            for done in waiting.drain(..) {
                let _ = done.send(stored);
            }
            if self.length > LARGE.max(4 * self.compacted) {
                self.compact();
            }
        }
    }

    fn write(&mut self, lines: &[u8]) -> bool {
        if self.broken {
            return false;
        }
        let written = self.file.write_all(lines);
        match written.and_then(|()| self.file.sync_data()) {
            Ok(()) => {
                self.length += lines.len() as u64;
                true
            }
            Err(error) => {
                tracing::error!(%error, "cannot write the journal of games");
                // A truncated line would damage the next one.
                self.broken = self.file.set_len(self.length).is_err();
                false
            }
        }
    }

    /// Rewrites the file with one line per game.
    fn compact(&mut self) {
        let written = read(&self.path).and_then(|contents| rewrite(&self.path, &contents.games));
        match written {
            Ok((file, length)) => {
                tracing::info!(before = self.length, after = length, "journal compacted");
                (self.file, self.length, self.compacted) = (file, length, length);
            }
            Err(error) => {
                tracing::error!(%error, "cannot compact the journal of games");
                // Do not try again at every append.
                self.compacted = self.length;
            }
        }
    }
}
