//! Shows how far a long run has got: bars on a terminal, lines elsewhere.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dbformat::Statistics;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Serialize;
use solver::{BuildProgress, Progress};

use crate::machine::Stopwatch;

/// Two bars, one for everything and one for the group at hand; or plain lines.
pub struct Watch {
    started: Instant,
    overall: ProgressBar,
    group: ProgressBar,
    lines: bool,
    /// What each kind of step has taken so far, and the one at hand.
    steps: Mutex<Steps>,
    stop: Arc<AtomicBool>,
}

/// Seconds by the first word of a phase: `reading`, `solving`, `storing`.
#[derive(Default)]
struct Steps {
    taken: BTreeMap<String, StepTaken>,
    current: Option<(String, Stopwatch)>,
}

/// What one kind of step took.
#[derive(Clone, Copy, Default, Serialize)]
pub struct StepTaken {
    wall_seconds: f64,
    cpu_seconds: f64,
}

impl Steps {
    fn enter(&mut self, step: Option<&str>) {
        if let Some((name, stopwatch)) = self.current.take() {
            let taken = stopwatch.read();
            let sum = self.taken.entry(name).or_default();
            sum.wall_seconds += taken.wall_seconds;
            sum.cpu_seconds += taken.cpu_seconds;
        }
        self.current = step.map(|step| (step.to_owned(), Stopwatch::start()));
    }
}

impl Watch {
    /// For so many positions in all.
    pub fn new(positions: u64) -> Watch {
        let lines = !std::io::stderr().is_terminal();
        let bars = MultiProgress::new();
        let overall = bars.add(ProgressBar::new(positions));
        let style = "{bar:40} {human_pos}/{human_len} positions, {per_sec}, {eta} left";
        overall.set_style(ProgressStyle::with_template(style).expect("a fixed template"));
        let group = bars.add(ProgressBar::new_spinner());
        let style = "{spinner} {prefix} {msg}";
        group.set_style(ProgressStyle::with_template(style).expect("a fixed template"));
        if !lines {
            overall.enable_steady_tick(Duration::from_millis(500));
            group.enable_steady_tick(Duration::from_millis(200));
        }
        Watch {
            started: Instant::now(),
            overall,
            group,
            lines,
            steps: Mutex::default(),
            stop: Arc::default(),
        }
    }

    /// Says a line that stays.
    pub fn say(&self, line: &str) {
        if self.lines {
            eprintln!("{line}");
        } else {
            self.overall.println(line);
        }
    }

    /// Set it, and the work is given up at the next occasion.
    pub fn stop_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// How long it has been going.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the kinds of steps took; ends the one at hand.
    pub fn steps(&self) -> BTreeMap<String, StepTaken> {
        self.enter(None);
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.taken.clone()
    }

    fn enter(&self, step: Option<&str>) {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.enter(step);
    }

    /// Counts the positions of a group as done.
    pub fn done(&self, positions: u64) {
        self.overall.inc(positions);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.group.finish_and_clear();
        self.overall.finish_and_clear();
    }
}

impl Progress for Watch {
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
}

impl BuildProgress for Watch {
    fn group(&self, name: &str, positions: u64) {
        self.group
            .set_prefix(format!("{name} ({positions} positions)"));
    }

    fn phase(&self, phase: &str) {
        self.enter(phase.split(' ').next());
        self.group.set_message(phase.to_owned());
    }

    fn skipped(&self, name: &str, positions: u64) {
        self.overall.inc(positions);
        self.overall.reset_eta();
        self.say(&format!("{name}: there already"));
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
        let seconds = self.elapsed().as_secs_f64();
        self.say(&format!(
            "{table}: {wins} won, {draws} drawn, {losses} lost, longest {} plies ({seconds:.1} s)",
            longest.unwrap_or(0)
        ));
    }
}
