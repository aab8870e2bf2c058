//! The log of a build: what each run did, when and where.
//!
//! Records and the manifest do not depend on time, host or order; the log has these. Every run
//! appends to its own file in `.log`, one JSON event per line, so that builders do not interfere, and
//! a killed one leaves at most half a line. `endmill status` and the report of a resumed build read
//! all files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use endmill_bench::{Stopwatch, Usage};
use endmill_dbformat::{ClaimWay, LEASE_EXPIRY, Statistics, Store, host};
use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::{
    Plan, PlannedGroup, PlyChoice, Progress, SolveError, VerifyLevel, draw_cost, ranks_of,
};
use serde::{Deserialize, Serialize};

use crate::progress::{ConsoleProgress, StepUsage};

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
        /// The estimated cost of each group, in seconds of one processor.
        #[serde(default)]
        groups: BTreeMap<String, f64>,
    },
    /// A group was built before.
    There { group: String, cost_seconds: f64 },
    Group {
        time: f64,
        group: String,
        positions: u64,
    },
    /// A step of the current group begins; the usage of the run so far.
    Phase {
        time: f64,
        phase: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<Usage>,
    },
    /// A group is stored while the current one is solved.
    Beside { time: f64, group: String },
    /// A group is stored; the usage of the run so far.
    Done {
        time: f64,
        group: String,
        cost_seconds: f64,
        taken: Usage,
        steps: BTreeMap<String, StepUsage>,
    },
    End {
        time: f64,
        how: String,
        taken: Usage,
        steps: BTreeMap<String, StepUsage>,
    },
}

/// Shows the progress of a build, and logs it.
pub struct LoggedProgress<'a> {
    progress: &'a ConsoleProgress,
    stopwatch: Stopwatch,
    log: Mutex<File>,
    /// The estimated cost of each group, in seconds of one processor.
    costs: BTreeMap<String, f64>,
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

impl<'a> LoggedProgress<'a> {
    /// Starts a log in the directory of a ruleset.
    pub fn start<G: Game + Layout>(
        progress: &'a ConsoleProgress,
        game: &G,
        store: &Store,
        plan: &Plan<G::Table>,
        plies: PlyChoice,
        draws: bool,
        threads: usize,
    ) -> anyhow::Result<LoggedProgress<'a>> {
        let directory = store.directory().join(LOGS);
        let cannot = || format!("cannot write to {}", directory.display());
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
        let mut costs: BTreeMap<String, f64> = costs.collect();
        if draws {
            let cost = |group: &PlannedGroup<G::Table>| {
                let tables = group.tables.iter();
                let nanoseconds =
                    tables.map(|&(table, size)| draw_cost(game, table).nanoseconds * size as f64);
                nanoseconds.sum::<f64>() / 1e9
            };
            let ranking = plan
                .groups
                .iter()
                .map(|group| (ranks_of(group), cost(group)));
            costs.extend(ranking);
        }
        let logged = LoggedProgress {
            progress,
            stopwatch: Stopwatch::start(),
            log: Mutex::new(log),
            costs,
        };
        progress.expect(logged.costs.values().sum());
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

    /// Logs the end of the run.
    pub fn end(&self, built: &Result<(), SolveError>) {
        let how = match built {
            Ok(()) => "complete".to_owned(),
            Err(error) => error.to_string(),
        };
        self.write(&Event::End {
            time: now(),
            how,
            taken: self.stopwatch.read(),
            steps: self.progress.steps(),
        });
    }

    /// Ignores errors: a build does not fail because its log cannot be written.
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

impl Progress for LoggedProgress<'_> {
    fn group(&self, name: &str, positions: u64) {
        self.write(&Event::Group {
            time: now(),
            group: name.to_owned(),
            positions,
        });
        self.progress.group(name, positions);
    }

    fn phase(&self, phase: &str) {
        self.write(&Event::Phase {
            time: now(),
            phase: phase.to_owned(),
            taken: Some(self.stopwatch.read()),
        });
        self.progress.phase(phase);
    }

    fn at_ply(&self, ply: u16) {
        self.progress.at_ply(ply);
    }

    fn at_layer(&self, layer: usize, layers: usize) {
        self.progress.at_layer(layer, layers);
    }

    fn skipped(&self, name: &str, positions: u64) {
        let cost_seconds = self.cost(name);
        self.write(&Event::There {
            group: name.to_owned(),
            cost_seconds,
        });
        self.progress.skipped(name, positions);
        self.progress.skipped_cost(cost_seconds);
    }

    fn stored(&self, table: &str, statistics: &Statistics) {
        self.progress.stored(table, statistics);
    }

    fn storing_beside(&self, name: &str) {
        self.write(&Event::Beside {
            time: now(),
            group: name.to_owned(),
        });
        self.progress.storing_beside(name);
    }

    fn finished(&self, name: &str) {
        let cost_seconds = self.cost(name);
        self.progress.finished(name);
        self.write(&Event::Done {
            time: now(),
            group: name.to_owned(),
            cost_seconds,
            taken: self.stopwatch.read(),
            steps: self.progress.steps_so_far(),
        });
        self.progress.built_cost(cost_seconds);
    }

    fn derived(&self, positions: u64) {
        self.progress.derived(positions);
    }

    fn verified(&self, name: &str, positions: u64, level: VerifyLevel) {
        self.progress.verified(name, positions, level);
    }

    fn claims(&self, way: ClaimWay) {
        if way == ClaimWay::Leases {
            self.progress.say(&format!(
                "file locks do not work here: using leases that expire after {} seconds",
                LEASE_EXPIRY.as_secs()
            ));
        }
    }

    fn waiting(&self, table: &str, holder: &str) {
        self.progress
            .say(&format!("waiting for {table}, which {holder} is building"));
    }

    fn stopped(&self) -> bool {
        self.progress.stopped()
    }
}

/// One run of a build, according to its log.
#[derive(Clone, Default, Serialize)]
pub struct Run {
    /// The name of the machine.
    pub host: String,
    /// The process id.
    pub process: u32,
    /// The start, in seconds since 1970.
    pub started: f64,
    /// The command line.
    pub command: String,
    /// The number of threads.
    pub threads: usize,
    /// The positions of all tables in the plan.
    pub positions: u64,
    /// The estimated cost of the plan, in seconds of one processor.
    pub cost_seconds: f64,
    /// The estimated cost of each group. Empty in logs of earlier versions.
    #[serde(skip)]
    pub groups: BTreeMap<String, f64>,
    /// The groups that exist, built by this run or before, with their estimated cost.
    #[serde(skip)]
    pub finished: BTreeMap<String, f64>,
    /// Of these, the groups that this run built.
    pub built: BTreeSet<String>,
    /// The current group.
    pub group: Option<String>,
    /// The current step.
    pub phase: Option<String>,
    /// The start of the step, in seconds since 1970.
    pub since: f64,
    /// The group that is stored at the same time, and the start of that.
    pub stored_beside: Option<(String, f64)>,
    /// The usage so far.
    pub taken: Usage,
    /// The usage of each kind of step.
    pub steps: BTreeMap<String, StepUsage>,
    /// How the run ended; `None` if it is running or was killed.
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

    /// The name of the run in its claims.
    pub fn holder(&self) -> String {
        format!("{}, process {}", self.host, self.process)
    }

    /// The step of the group with this first table, and for how long it has been running.
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

/// Returns all logged runs in the directory of a ruleset, in the order of their start. Skips lines
/// that cannot be parsed, as a killed process leaves them.
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
