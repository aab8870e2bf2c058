//! The log of a build: what each run of it did, when and where.
//!
//! Records and manifest hold nothing of time, host or order; this is where those go. Every run
//! appends to a file of its own in `.log`, an event a line, as JSON, so that several builders do
//! not meet, and a killed one leaves at most half a line. `endmill status` and the report of a
//! resumed build read all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use endmill_dbformat::{ClaimWay, LEASE_EXPIRY, Statistics, Store, host};
use endmill_games::Game;
use endmill_solver::{Plan, PlannedGroup, PlyChoice, Progress, Shown, SolveError};
use serde::{Deserialize, Serialize};

use crate::machine::{Stopwatch, Taken};
use crate::watch::{StepTaken, Watch};

/// The directory of the logs.
const LOGS: &str = ".log";

/// A line of a log.
#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event {
    Start {
        time: f64,
        host: String,
        process: u32,
        threads: usize,
        command: String,
        positions: u64,
        cost_seconds: f64,
        /// What each group is estimated to take.
        #[serde(default)]
        groups: BTreeMap<String, f64>,
    },
    /// A group was there already.
    There { group: String, cost_seconds: f64 },
    Group {
        time: f64,
        group: String,
        positions: u64,
    },
    /// A step of it begins; what the run has taken so far.
    Phase {
        time: f64,
        phase: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<Taken>,
    },
    /// A group is being stored while the one above is worked on.
    Beside { time: f64, group: String },
    /// A group is stored; what the run has taken so far.
    Done {
        time: f64,
        group: String,
        cost_seconds: f64,
        taken: Taken,
        steps: BTreeMap<String, StepTaken>,
    },
    End {
        time: f64,
        how: String,
        taken: Taken,
        steps: BTreeMap<String, StepTaken>,
    },
}

/// Shows how far a build has got, and writes it down.
pub struct Logged<'a> {
    watch: &'a Watch,
    stopwatch: Stopwatch,
    log: Mutex<File>,
    /// What building each group is reckoned to take one processor, in seconds.
    costs: BTreeMap<String, f64>,
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

impl<'a> Logged<'a> {
    /// Begins a log in the directory of a ruleset.
    pub fn start<G: Game>(
        watch: &'a Watch,
        game: &G,
        store: &Store,
        plan: &Plan<G::Table>,
        plies: PlyChoice,
        threads: usize,
    ) -> anyhow::Result<Logged<'a>> {
        let directory = store.directory().join(LOGS);
        let cannot = || format!("cannot write in {}", directory.display());
        fs::create_dir_all(&directory).with_context(cannot)?;
        let process = std::process::id();
        let name = format!("{}-{process}-{:.0}.jsonl", host(), now() * 1e3);
        let log = File::options()
            .create(true)
            .append(true)
            .open(directory.join(name))
            .with_context(cannot)?;
        let cost = |group: &PlannedGroup<G::Table>| {
            group.cost(game, |_| plies.of(group)).nanoseconds / 1e9
        };
        let costs = plan.groups.iter().map(|group| (group.name(), cost(group)));
        let costs: BTreeMap<String, f64> = costs.collect();
        let logged = Logged {
            watch,
            stopwatch: Stopwatch::start(),
            log: Mutex::new(log),
            costs,
        };
        watch.expect(logged.costs.values().sum());
        let words = std::env::args().collect::<Vec<_>>();
        logged.write(&Event::Start {
            time: now(),
            host: host().to_owned(),
            process,
            threads,
            command: words.join(" "),
            positions: u64::try_from(plan.positions()).unwrap_or(u64::MAX),
            cost_seconds: logged.costs.values().sum(),
            groups: logged.costs.clone(),
        });
        Ok(logged)
    }

    /// Writes down how the run ended.
    pub fn end(&self, built: &Result<(), SolveError>) {
        let how = match built {
            Ok(()) => "complete".to_owned(),
            Err(error) => error.to_string(),
        };
        self.write(&Event::End {
            time: now(),
            how,
            taken: self.stopwatch.read(),
            steps: self.watch.steps(),
        });
    }

    /// A log that cannot be written (a full disk) does not end a build: the tables tell.
    fn write(&self, event: &Event) {
        let mut line = serde_json::to_string(event).expect("numbers and strings");
        line.push('\n');
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = log.write_all(line.as_bytes());
    }

    fn cost(&self, group: &str) -> f64 {
        self.costs.get(group).copied().unwrap_or(0.0)
    }
}

impl Progress for Logged<'_> {
    fn group(&self, name: &str, positions: u64) {
        self.write(&Event::Group {
            time: now(),
            group: name.to_owned(),
            positions,
        });
        self.watch.group(name, positions);
    }

    fn phase(&self, phase: &str) {
        self.write(&Event::Phase {
            time: now(),
            phase: phase.to_owned(),
            taken: Some(self.stopwatch.read()),
        });
        self.watch.phase(phase);
    }

    fn at_ply(&self, ply: u16) {
        self.watch.at_ply(ply);
    }

    fn at_layer(&self, layer: usize, layers: usize) {
        self.watch.at_layer(layer, layers);
    }

    fn skipped(&self, name: &str, positions: u64) {
        let cost_seconds = self.cost(name);
        self.write(&Event::There {
            group: name.to_owned(),
            cost_seconds,
        });
        self.watch.skipped(name, positions);
        self.watch.spared(cost_seconds);
    }

    fn stored(&self, table: &str, statistics: &Statistics) {
        self.watch.stored(table, statistics);
    }

    fn storing_beside(&self, name: &str) {
        self.write(&Event::Beside {
            time: now(),
            group: name.to_owned(),
        });
        self.watch.storing_beside(name);
    }

    fn finished(&self, name: &str) {
        let cost_seconds = self.cost(name);
        self.watch.finished(name);
        self.write(&Event::Done {
            time: now(),
            group: name.to_owned(),
            cost_seconds,
            taken: self.stopwatch.read(),
            steps: self.watch.steps_so_far(),
        });
        self.watch.spent(cost_seconds);
    }

    fn derived(&self, positions: u64) {
        self.watch.derived(positions);
    }

    fn verified(&self, name: &str, positions: u64, shown: Shown) {
        self.watch.verified(name, positions, shown);
    }

    fn claims(&self, way: ClaimWay) {
        if way == ClaimWay::Leases {
            self.watch.say(&format!(
                "locks do not work here: groups are claimed by leases that expire after {} seconds",
                LEASE_EXPIRY.as_secs()
            ));
        }
    }

    fn waiting(&self, table: &str, holder: &str) {
        self.watch
            .say(&format!("waiting for {table}, which {holder} builds"));
    }

    fn stopped(&self) -> bool {
        self.watch.stopped()
    }
}

/// One run of a build, as its log tells.
#[derive(Clone, Default, Serialize)]
pub struct Run {
    /// The machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// When it began, in seconds since 1970.
    pub started: f64,
    /// What was typed.
    pub command: String,
    /// Its threads.
    pub threads: usize,
    /// Positions of all tables that it was to build.
    pub positions: u64,
    /// What all of it was reckoned to take one processor, in seconds.
    pub cost_seconds: f64,
    /// What each group of its plan was reckoned to take. Logs of earlier versions do not tell.
    #[serde(skip)]
    pub groups: BTreeMap<String, f64>,
    /// The groups that were there or that it has built, and what each was reckoned to take.
    #[serde(skip)]
    pub finished: BTreeMap<String, f64>,
    /// Of these, those that it has built itself.
    pub built: BTreeSet<String>,
    /// The group at hand, and its step.
    pub group: Option<String>,
    /// What is done with it.
    pub phase: Option<String>,
    /// Since when, in seconds since 1970.
    pub since: f64,
    /// The group that is stored meanwhile, and since when.
    pub stored_beside: Option<(String, f64)>,
    /// What it has taken so far.
    pub taken: Taken,
    /// By kind of step.
    pub steps: BTreeMap<String, StepTaken>,
    /// How it ended; `None` if it goes on or was killed.
    pub ended: Option<String>,
}

impl Run {
    fn add(&mut self, event: Event) {
        match event {
            Event::Start {
                time,
                host,
                process,
                threads,
                command,
                positions,
                cost_seconds,
                groups,
            } => {
                (self.started, self.since) = (time, time);
                (self.host, self.process, self.command) = (host, process, command);
                self.threads = threads;
                (self.positions, self.cost_seconds) = (positions, cost_seconds);
                self.groups = groups;
            }
            Event::There {
                group,
                cost_seconds,
            } => {
                self.finished.insert(group, cost_seconds);
            }
            Event::Group { time, group, .. } => {
                self.since = time;
                self.group = Some(group);
            }
            Event::Phase { time, phase, taken } => {
                self.since = time;
                self.phase = Some(phase);
                if let Some(taken) = taken {
                    self.taken = taken;
                }
            }
            Event::Beside { time, group } => self.stored_beside = Some((group, time)),
            Event::Done {
                group,
                cost_seconds,
                taken,
                steps,
                ..
            } => {
                match &self.stored_beside {
                    Some((stored, _)) if *stored == group => self.stored_beside = None,
                    _ => (self.group, self.phase) = (None, None),
                }
                self.finished.insert(group.clone(), cost_seconds);
                self.built.insert(group);
                (self.taken, self.steps) = (taken, steps);
            }
            Event::End {
                how, taken, steps, ..
            } => {
                self.ended = Some(how);
                (self.group, self.phase, self.stored_beside) = (None, None, None);
                (self.taken, self.steps) = (taken, steps);
            }
        }
    }

    /// What it calls itself in its claims.
    pub fn holder(&self) -> String {
        format!("{}, process {}", self.host, self.process)
    }

    /// What it does with the group that a table is the first of, and for how long it has done so.
    pub fn at(&self, table: &str) -> (Option<String>, Duration) {
        let is_first = |group: &str| group.split(" & ").next() == Some(table);
        let (phase, since) = match &self.stored_beside {
            Some((group, since)) if is_first(group) => (Some("storing".to_owned()), *since),
            _ => (self.phase.clone(), self.since),
        };
        let busy = Duration::try_from_secs_f64(now() - since).unwrap_or_default();
        (phase, busy)
    }
}

/// All runs of which there is a log in the directory of a ruleset, by their beginnings. Lines that
/// cannot be read, as a killed process leaves, are passed over.
pub fn runs(directory: &Path) -> Vec<Run> {
    let Ok(logs) = fs::read_dir(directory.join(LOGS)) else {
        return Vec::new();
    };
    let texts = logs.filter_map(|log| fs::read_to_string(log.ok()?.path()).ok());
    let mut runs: Vec<Run> = texts
        .map(|text| {
            let mut run = Run::default();
            let events = text.lines().map(serde_json::from_str);
            events
                .filter_map(Result::ok)
                .for_each(|event| run.add(event));
            run
        })
        .collect();
    runs.sort_by(|one, other| one.started.total_cmp(&other.started));
    runs
}
