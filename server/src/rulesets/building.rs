//! The progress of a build in the background, which the program reports.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use serde::Serialize;
use utoipa::ToSchema;

use crate::sync::lock;

/// A ruleset whose tables are being built.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BuildingAnswer {
    /// Positions done so far.
    pub done: u64,
    /// Positions in all.
    pub of: u64,
    /// The current step.
    pub phase: String,
    /// At the speed so far; `null` before it is known.
    #[schema(required)]
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
    /// Announces the build of a ruleset with this number of positions.
    pub fn announce(&self, ruleset: &str, positions: u64) {
        let build = Build {
            done: 0,
            of: positions,
            phase: "waiting".to_owned(),
            begun: None,
        };
        lock(&self.running).insert(ruleset.to_owned(), build);
    }

    /// Reports the current step.
    pub fn phase(&self, ruleset: &str, phase: &str) {
        if let Some(build) = lock(&self.running).get_mut(ruleset) {
            build.begun.get_or_insert_with(Instant::now);
            phase.clone_into(&mut build.phase);
        }
    }

    /// Reports more positions as done.
    pub fn done(&self, ruleset: &str, positions: u64) {
        if let Some(build) = lock(&self.running).get_mut(ruleset) {
            build.begun.get_or_insert_with(Instant::now);
            build.done = (build.done + positions).min(build.of);
        }
    }

    /// Ends a build, finished or not.
    pub fn end(&self, ruleset: &str) {
        // The tables are listed before the build is reported as ended.
        if let Some(when_done) = self.when_done.get() {
            when_done();
        }
        lock(&self.running).remove(ruleset);
    }

    /// Sets the action after each build.
    pub(crate) fn when_done(&self, act: impl Fn() + Send + Sync + 'static) {
        let _ = self.when_done.set(Box::new(act));
    }

    /// The progress of a ruleset; `None` if it is not being built.
    pub fn of(&self, ruleset: &str) -> Option<BuildingAnswer> {
        let running = lock(&self.running);
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

    /// Whether the server is stopping: a build should stop at its next step.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
