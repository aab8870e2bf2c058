//! The nodes and time that a search may use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::level::Limits;

/// The number of nodes between two checks of the clock.
const LOOK_EVERY: u64 = 1024;

/// The search must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The nodes and time used, and their limits.
pub(crate) struct Budget<'a> {
    limits: Limits,
    stop: &'a AtomicBool,
    begun: Instant,
    nodes: u64,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: Limits, stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            limits,
            stop,
            begun: Instant::now(),
            nodes: 0,
        }
    }

    /// Counts one node.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) && self.is_over() {
            return Err(Stopped);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let time = self.limits.time;
        self.stop.load(Ordering::Relaxed) || time.is_some_and(|most| self.time() >= most)
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn time(&self) -> Duration {
        self.begun.elapsed()
    }
}
