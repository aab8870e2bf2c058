//! How far a build in the background has got. Who builds is not the server's business: the program
//! hands it a closure that tells of its progress here.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use serde::Serialize;
use utoipa::ToSchema;

/// A ruleset whose tables are being built.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BuildingAnswer {
    /// Positions done.
    pub done: u64,
    /// Positions in all.
    pub of: u64,
    /// What is being done.
    pub phase: String,
    /// At the pace so far; `null` before that is known.
    pub seconds_left: Option<f64>,
}

struct Build {
    done: u64,
    of: u64,
    phase: String,
    begun: Option<Instant>,
}

/// The builds of a server.
#[derive(Default)]
pub struct Builds {
    running: Mutex<BTreeMap<String, Build>>,
    stop: AtomicBool,
    when_done: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl Builds {
    /// A ruleset will be built, with this number of positions.
    pub fn announce(&self, ruleset: &str, positions: u64) {
        let build = Build {
            done: 0,
            of: positions,
            phase: "waiting".to_owned(),
            begun: None,
        };
        self.lock().insert(ruleset.to_owned(), build);
    }

    /// What is being done now.
    pub fn phase(&self, ruleset: &str, phase: &str) {
        if let Some(build) = self.lock().get_mut(ruleset) {
            build.begun.get_or_insert_with(Instant::now);
            phase.clone_into(&mut build.phase);
        }
    }

    /// So many positions more are done.
    pub fn done(&self, ruleset: &str, positions: u64) {
        if let Some(build) = self.lock().get_mut(ruleset) {
            build.begun.get_or_insert_with(Instant::now);
            build.done = (build.done + positions).min(build.of);
        }
    }

    /// A ruleset is built, or given up.
    pub fn end(&self, ruleset: &str) {
        // The tables are seen before the build is said to be over.
        if let Some(when_done) = self.when_done.get() {
            when_done();
        }
        self.lock().remove(ruleset);
    }

    /// What is done when a ruleset is built.
    pub(crate) fn when_done(&self, act: impl Fn() + Send + Sync + 'static) {
        let _ = self.when_done.set(Box::new(act));
    }

    /// How far a ruleset has got; `None` if it is not being built.
    pub fn of(&self, ruleset: &str) -> Option<BuildingAnswer> {
        let running = self.lock();
        let build = running.get(ruleset)?;
        let seconds_left = build.begun.filter(|_| build.done > 0).map(|begun| {
            let left = (build.of - build.done) as f64 / build.done as f64;
            (begun.elapsed().as_secs_f64() * left * 10.0).round() / 10.0
        });
        Some(BuildingAnswer {
            done: build.done,
            of: build.of,
            phase: build.phase.clone(),
            seconds_left,
        })
    }

    /// Whether the server is stopping: a build should end at the next occasion.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Build>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
