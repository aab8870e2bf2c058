//! The progress of a long run: bars on a terminal, lines elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use endmill_bench::Stopwatch;
use endmill_dbformat::Statistics;
use endmill_games::Charset;
use endmill_solver::{Progress, VerifyLevel};
use indicatif::{
    HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressState, ProgressStyle,
};
use serde::{Deserialize, Serialize};

use crate::drawing::charset;

/// Two bars, for the whole run and for the current group; or plain lines.
pub struct ConsoleProgress {
    started: Instant,
    overall: ProgressBar,
    group: ProgressBar,
    lines: bool,
    /// The usage of each kind of step.
    steps: Mutex<Steps>,
    stop: Arc<AtomicBool>,
    /// The method of a verification.
    method: &'static str,
    estimate: Mutex<TimeEstimate>,
}

/// The kind of step while one group is stored and another solved: processor time cannot be divided
/// between them.
const OVERLAPPING: &str = "overlapping";

/// Seconds by the first word of a phase: `reading`, `solving`, `storing`; or [`OVERLAPPING`].
#[derive(Default)]
struct Steps {
    usage: BTreeMap<String, StepUsage>,
    /// The current step, and whether it overlaps with storing.
    current: Option<(String, bool, Stopwatch)>,
    /// The current group, with its number of positions.
    group: String,
    /// The group that is stored at the same time.
    stored: Option<String>,
}

/// The time of one kind of step.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct StepUsage {
    wall_seconds: f64,
    cpu_seconds: f64,
}

impl StepUsage {
    /// Adds the time of the same kind of step in another run.
    pub fn add(&mut self, other: StepUsage) {
        self.wall_seconds += other.wall_seconds;
        self.cpu_seconds += other.cpu_seconds;
    }
}

/// The estimated cost of all groups, in seconds of one processor.
#[derive(Default)]
struct TimeEstimate {
    all: f64,
    /// Of groups that were built before.
    skipped: f64,
    /// Of groups that this run built.
    built: f64,
}

impl TimeEstimate {
    /// The seconds left: the estimate, corrected by the ratio of actual to estimated time so far.
    fn seconds_left(&self, elapsed: Duration) -> Option<f64> {
        let left = (self.all - self.skipped - self.built).max(0.0);
        (self.built > 0.0).then(|| elapsed.as_secs_f64() * left / self.built)
    }
}

impl Steps {
    fn enter(&mut self, step: Option<&str>) {
        if let Some((name, overlaps, stopwatch)) = self.current.take() {
            let usage = stopwatch.read();
            let name = if overlaps { OVERLAPPING } else { &name };
            let sum = self.usage.entry(name.to_owned()).or_default();
            sum.wall_seconds += usage.wall_seconds;
            sum.cpu_seconds += usage.cpu_seconds;
        }
        let overlaps = self.stored.is_some();
        self.current = step.map(|step| (step.to_owned(), overlaps, Stopwatch::start()));
    }

    /// Adds up the time so far, and continues the step.
    fn add_up(&mut self) {
        let step = self.current.as_ref().map(|(name, ..)| name.clone());
        self.enter(step.as_deref());
    }

    /// The groups in progress.
    fn groups(&self) -> String {
        match &self.stored {
            None => self.group.clone(),
            Some(stored) => format!("storing {stored}; {}", self.group),
        }
    }
}

impl ConsoleProgress {
    /// Progress by positions.
    pub fn new(positions: u128) -> ConsoleProgress {
        ConsoleProgress::counting(u64::try_from(positions).unwrap_or(u64::MAX), "positions")
    }

    /// Progress by anything that can be counted.
    pub fn counting(number: u64, what: &str) -> ConsoleProgress {
        let lines = !std::io::stderr().is_terminal();
        let bars = MultiProgress::new();
        let overall = bars.add(ProgressBar::new(number));
        let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{rate}}{{msg}}");
        overall.set_style(styled(&style));
        let group = bars.add(ProgressBar::new_spinner());
        let style = "{spinner} {prefix} {msg}";
        group.set_style(styled(style));
        if !lines {
            overall.enable_steady_tick(Duration::from_millis(500));
            group.enable_steady_tick(Duration::from_millis(200));
        }
        ConsoleProgress {
            started: Instant::now(),
            overall,
            group,
            lines,
            steps: Mutex::default(),
            stop: Arc::default(),
            method: "",
            estimate: Mutex::default(),
        }
    }

    /// The progress of a verification.
    pub fn verifying(positions: u128, method: &'static str) -> ConsoleProgress {
        let mut watch = ConsoleProgress::new(positions);
        watch.method = method;
        let style = "{bar:40} {human_pos}/{human_len} positions, {rate}, {eta} left";
        watch.overall.set_style(styled(style));
        watch
    }

    /// Makes Ctrl-C stop the work at the next opportunity.
    pub fn stop_on_interrupt(&self) -> anyhow::Result<()> {
        let stop = Arc::clone(&self.stop);
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))
            .map_err(|error| anyhow!("cannot handle Ctrl-C: {error}"))
    }

    /// Prints a line that stays.
    pub fn say(&self, line: &str) {
        if self.lines {
            eprintln!("{line}");
        } else {
            self.overall.println(line);
        }
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time of each kind of step; ends the current one.
    pub fn steps(&self) -> BTreeMap<String, StepUsage> {
        self.with_steps(|steps| {
            steps.enter(None);
            steps.usage.clone()
        })
    }

    /// The time of each kind of step so far, including the current one.
    pub fn steps_so_far(&self) -> BTreeMap<String, StepUsage> {
        self.with_steps(|steps| {
            steps.add_up();
            steps.usage.clone()
        })
    }

    /// Sets the estimated cost of all groups, in seconds of one processor.
    pub fn expect(&self, seconds: f64) {
        self.update_estimate(|estimate| estimate.all = seconds);
    }

    /// A group with this estimated cost was built before.
    pub fn skipped_cost(&self, seconds: f64) {
        self.update_estimate(|estimate| estimate.skipped += seconds);
    }

    /// A group with this estimated cost was built.
    pub fn built_cost(&self, seconds: f64) {
        self.update_estimate(|estimate| estimate.built += seconds);
    }

    fn update_estimate(&self, change: impl FnOnce(&mut TimeEstimate)) {
        let mut estimate = self.estimate.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut estimate);
        let left = estimate.seconds_left(self.elapsed());
        drop(estimate);
        if let Some(left) = left {
            let left = match left {
                ..1.0 => String::new(),
                _ => format!(", about {} left", span(left)),
            };
            self.overall.set_message(left);
        }
    }

    fn with_steps<T>(&self, look: impl FnOnce(&mut Steps) -> T) -> T {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        look(&mut steps)
    }

    /// Changes the groups in progress.
    fn change(&self, change: impl FnOnce(&mut Steps)) {
        self.with_steps(|steps| {
            change(steps);
            steps.add_up();
            self.group.set_prefix(steps.groups());
        });
    }

    /// The elapsed time, and the time left at this rate.
    fn times(&self) -> String {
        let seconds = self.elapsed().as_secs_f64();
        let done = self.overall.position();
        let all = self.overall.length().unwrap_or(done).max(done);
        match done {
            0 => format!("{seconds:.1} s"),
            _ if done == all => format!("{seconds:.1} s"),
            _ => {
                // A verification has no cost estimate: use the number of positions.
                let left = seconds * (all - done) as f64 / done as f64;
                format!("{seconds:.1} s, about {} left", span(left))
            }
        }
    }
}

/// Bars and spinners of a fixed template, in characters that the console has.
fn styled(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{} per second", HumanCount(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template).expect("a fixed template");
    let style = style.with_key("rate", rate);
    match charset() {
        Charset::Unicode => style,
        Charset::Ascii => style.progress_chars("#-").tick_chars("|/-\\ "),
    }
}

/// A number of seconds in words.
pub fn span(seconds: f64) -> HumanDuration {
    HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

impl Drop for ConsoleProgress {
    fn drop(&mut self) {
        self.group.finish_and_clear();
        self.overall.finish_and_clear();
    }
}

impl Progress for ConsoleProgress {
    fn at_ply(&self, ply: u16) {
        self.group.set_message(format!("solving, ply {ply}"));
    }

    fn at_layer(&self, layer: usize, layers: usize) {
        let message = format!("solving, layer {} of {layers}", layer + 1);
        self.group.set_message(message);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn group(&self, name: &str, positions: u64) {
        let group = format!("{name} ({} positions)", HumanCount(positions));
        self.change(|steps| steps.group = group);
    }

    fn phase(&self, phase: &str) {
        self.with_steps(|steps| steps.enter(phase.split(' ').next()));
        self.group.set_message(phase.to_owned());
    }

    fn skipped(&self, name: &str, positions: u64) {
        self.overall.inc(positions);
        self.say(&format!("{name}: built before"));
    }

    fn stored(&self, table: &str, statistics: &Statistics) {
        let Statistics {
            wins,
            draws,
            losses,
            ..
        } = *statistics;
        self.overall.inc(wins + draws + losses);
        let longest = statistics.longest_win().max(statistics.longest_loss());
        let longest = match longest {
            None => String::new(),
            Some(1) => ", longest 1 ply".to_owned(),
            Some(plies) => format!(", longest {plies} plies"),
        };
        let seconds = self.elapsed().as_secs_f64();
        self.say(&format!(
            "{table}: {wins} won, {draws} drawn, {losses} lost{longest} ({seconds:.1} s)"
        ));
    }

    fn storing_beside(&self, group: &str) {
        self.change(|steps| steps.stored = Some(group.to_owned()));
    }

    fn finished(&self, group: &str) {
        self.change(|steps| steps.stored = steps.stored.take().filter(|stored| stored != group));
    }

    fn derived(&self, positions: u64) {
        self.overall.inc(positions);
    }

    fn verified(&self, name: &str, positions: u64, level: VerifyLevel) {
        self.overall.inc(positions);
        let shown = match level {
            VerifyLevel::Right => self.method,
            VerifyLevel::Consistent => "consistent only",
        };
        self.say(&format!("{name}: {shown} ({})", self.times()));
    }
}
