//! The journal of all games: a file to which every event is added before anybody hears of it.
//!
//! A line is a checksum and a record in JSON. One thread writes: whatever waits at a moment is
//! written together and forced to the disk once (`fdatasync`), then everybody who waited is told.
//! At the start the file is read again and written anew with one line a game; the same happens
//! when it has grown. A last line that a kill has cut short was never acknowledged, and is dropped.

mod file;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::oneshot;

use self::file::{Kept, line, read, write_anew};
use crate::referee::{Event, Referee};

const NAME: &str = "games.journal";
/// The file is written anew when it has grown beyond this, and to four times of what it was.
const LARGE: u64 = 16 << 20;
/// Records that are forced to the disk together.
const TOGETHER: usize = 256;

/// Why games cannot be kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Two servers must not write the same journal.
    #[error("{}: another server keeps its games there", .0.display())]
    InUse(PathBuf),
    /// The system said no.
    #[error("{}: {source}", .file.display())]
    Io {
        /// Where.
        file: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

/// What is kept.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A game, new or as it was when the file was written anew.
    Game(Box<Referee>),
    /// Something happened.
    Event {
        /// In which game.
        game: String,
        /// The number that the event gets.
        seq: u64,
        /// What.
        event: Event,
    },
    /// A game has expired.
    Gone(String),
}

/// A journal that is open.
pub struct Journal {
    /// `None` when it is closed.
    writing: Mutex<Option<Writing>>,
}

struct Writing {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

struct Order {
    lines: Vec<u8>,
    done: oneshot::Sender<bool>,
}

/// The journal cannot be written: nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotKept;

impl Journal {
    /// Opens the journal in a directory, which is made if it is not there, and takes its games up
    /// again at `now_ms`: the time since their last turns counts for nobody, and that is written
    /// down before anything else happens, so that a journal read later tells the same clocks.
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
        let Kept { mut games, damaged } = read(&path).map_err(at(&path))?;
        if damaged {
            let aside = path.with_extension("damaged");
            std::fs::copy(&path, &aside).map_err(at(&aside))?;
            tracing::error!(kept = %aside.display(), "the journal of games is damaged");
        }
        for game in games.values_mut() {
            game.resume(now_ms);
        }
        let (file, length) = write_anew(&path, &games).map_err(at(&path))?;
        let writer = Writer {
            _lock: lock,
            path: path.clone(),
            file,
            length,
            anew: length,
            broken: false,
        };
        let (orders, inbox) = channel();
        let thread = std::thread::Builder::new().name("journal".to_owned());
        let thread = thread
            .spawn(move || writer.work(&inbox))
            .map_err(at(&path))?;
        let journal = Journal {
            writing: Mutex::new(Some(Writing { orders, thread })),
        };
        Ok((journal, games.into_values().collect()))
    }

    /// Adds records, and returns when they are on the disk.
    pub async fn keep(&self, records: &[Record]) -> Result<(), NotKept> {
        let mut lines = Vec::new();
        for record in records {
            line(record, &mut lines).map_err(|_| NotKept)?;
        }
        let (done, told) = oneshot::channel();
        self.send(Order { lines, done })?;
        match told.await {
            Ok(true) => Ok(()),
            _ => Err(NotKept),
        }
    }
}

impl Journal {
    fn send(&self, order: Order) -> Result<(), NotKept> {
        let writing = self.lock();
        let orders = &writing.as_ref().ok_or(NotKept)?.orders;
        orders.send(order).map_err(|_| NotKept)
    }

    /// Takes nothing more, and returns when everything is written and the directory is free for
    /// another server.
    pub fn close(&self) {
        let writing = self.lock().take();
        if let Some(Writing { orders, thread }) = writing {
            drop(orders);
            // The thread ends when there are no orders left.
            let _ = thread.join();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Writing>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.close();
    }
}

struct Writer {
    /// Held as long as the journal is open.
    _lock: File,
    path: PathBuf,
    file: File,
    /// Of what is good in the file.
    length: u64,
    /// What it was when it was last written anew.
    anew: u64,
    /// A failed write could not be undone: nothing may follow it.
    broken: bool,
}

impl Writer {
    fn work(mut self, inbox: &Receiver<Order>) {
        let mut lines = Vec::new();
        let mut waiting = Vec::new();
        while let Ok(first) = inbox.recv() {
            lines.clear();
            let orders = std::iter::once(first).chain(inbox.try_iter());
            for order in orders.take(TOGETHER) {
                lines.extend_from_slice(&order.lines);
                waiting.push(order.done);
            }
            let kept = self.write(&lines);
            for done in waiting.drain(..) {
                let _ = done.send(kept);
            }
            if self.length > LARGE.max(4 * self.anew) {
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
                tracing::error!(%error, "the journal of games cannot be written");
                // Half a line would hide what follows it.
                self.broken = self.file.set_len(self.length).is_err();
                false
            }
        }
    }

    /// Writes the file anew, with one line a game.
    fn compact(&mut self) {
        let written = read(&self.path).and_then(|kept| write_anew(&self.path, &kept.games));
        match written {
            Ok((file, length)) => {
                tracing::info!(before = self.length, after = length, "journal written anew");
                (self.file, self.length, self.anew) = (file, length, length);
            }
            Err(error) => {
                tracing::error!(%error, "the journal of games cannot be written anew");
                // Not at every turn again.
                self.anew = self.length;
            }
        }
    }
}
