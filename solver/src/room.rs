//! Where working memory comes from, and how much there may be.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;

use crate::nodes::Nodes;

/// Gives out working memory up to a limit, and beyond it files in a scratch directory that are
/// mapped like memory: slower, but the work goes on.
#[derive(Clone, Debug)]
pub struct Room {
    limit: u64,
    used: Arc<AtomicU64>,
    scratch: Option<PathBuf>,
}

/// A share of the room, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    bytes: u64,
    used: Arc<AtomicU64>,
}

impl Room {
    /// As much as the system has.
    pub fn unlimited() -> Room {
        Room {
            limit: u64::MAX,
            used: Arc::default(),
            scratch: None,
        }
    }

    /// So many bytes of memory; beyond them, files in a directory.
    pub fn new(limit: u64, scratch: PathBuf) -> Room {
        Room {
            limit,
            used: Arc::default(),
            scratch: Some(scratch),
        }
    }

    /// Bytes of memory that may be given out altogether.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Memory for so many nodes, all zero.
    pub fn nodes(&self, count: usize) -> io::Result<Nodes> {
        let bytes = (count * 2).max(1);
        let before = self.used.fetch_add(bytes as u64, Relaxed);
        let share = Share {
            bytes: bytes as u64,
            used: Arc::clone(&self.used),
        };
        let memory = match &self.scratch {
            Some(scratch) if before + bytes as u64 > self.limit => {
                let file = tempfile::tempfile_in(scratch)?;
                file.set_len(bytes as u64)?;
                // SAFETY: the file has no name, so nobody else can change or truncate it.
                unsafe { MmapMut::map_mut(&file)? }
            }
            _ => MmapMut::map_anon(bytes)?,
        };
        Ok(Nodes::new(memory, count, share))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Relaxed);
    }
}
