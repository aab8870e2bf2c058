//! Shows how far a long run has got: bars on a terminal, lines elsewhere.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use endmill_dbformat::Statistics;
use endmill_games::Charset;
use endmill_solver::{Progress, Shown};
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::drawing::{charset, counted};
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
    /// By what values are verified.
    method: &'static str,
    reckoning: Mutex<Reckoning>,
}

/// What it is called when one group is stored while another is worked on: nobody can tell which of
/// them a second of a processor went to.
const OVERLAPPING: &str = "overlapping";

/// Seconds by the first word of a phase: `reading`, `solving`, `storing`; or [`OVERLAPPING`].
#[derive(Default)]
struct Steps {
    taken: BTreeMap<String, StepTaken>,
    /// The step at hand, whether it overlaps with storing, and what it takes.
    current: Option<(String, bool, Stopwatch)>,
    /// The group that is worked on, with its positions.
    group: String,
    /// The group that is stored meanwhile.
    stored: Option<String>,
}

/// What one kind of step took.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct StepTaken {
    wall_seconds: f64,
    cpu_seconds: f64,
}

impl StepTaken {
    /// Adds what the same kind of step took in another run.
    pub fn add(&mut self, other: StepTaken) {
        self.wall_seconds += other.wall_seconds;
        self.cpu_seconds += other.cpu_seconds;
    }
}

/// What all groups are reckoned to take, in seconds of one processor: for an estimate that learns.
#[derive(Default)]
struct Reckoning {
    all: f64,
    /// Of groups that were there.
    spared: f64,
    /// Of groups that were built.
    spent: f64,
}

impl Steps {
    fn enter(&mut self, step: Option<&str>) {
        if let Some((name, overlaps, stopwatch)) = self.current.take() {
            let taken = stopwatch.read();
            let name = if overlaps { OVERLAPPING } else { &name };
            let sum = self.taken.entry(name.to_owned()).or_default();
            sum.wall_seconds += taken.wall_seconds;
            sum.cpu_seconds += taken.cpu_seconds;
        }
        let overlaps = self.stored.is_some();
        self.current = step.map(|step| (step.to_owned(), overlaps, Stopwatch::start()));
    }

    /// Adds up what was taken so far, and goes on.
    fn add_up(&mut self) {
        let step = self.current.as_ref().map(|(name, ..)| name.clone());
        self.enter(step.as_deref());
    }

    /// What is being worked on.
    fn groups(&self) -> String {
        match &self.stored {
            None => self.group.clone(),
            Some(stored) => format!("storing {stored}; {}", self.group),
        }
    }
}

impl Watch {
    /// For this number of positions in all.
    pub fn new(positions: u128) -> Watch {
        Watch::counting(u64::try_from(positions).unwrap_or(u64::MAX), "positions")
    }

    /// For this number of something.
    pub fn counting(number: u64, what: &str) -> Watch {
        let lines = !std::io::stderr().is_terminal();
        let bars = MultiProgress::new();
        let overall = bars.add(ProgressBar::new(number));
        let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec}}{{msg}}");
        overall.set_style(styled(&style));
        let group = bars.add(ProgressBar::new_spinner());
        let style = "{spinner} {prefix} {msg}";
        group.set_style(styled(style));
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
            method: "",
            reckoning: Mutex::default(),
        }
    }

    /// For a verification by this method.
    pub fn verifying(positions: u128, method: &'static str) -> Watch {
        let mut watch = Watch::new(positions);
        watch.method = method;
        let style = "{bar:40} {human_pos}/{human_len} positions, {per_sec}, {eta} left";
        watch.overall.set_style(styled(style));
        watch
    }

    /// Has Ctrl-C stop the work at the next occasion.
    pub fn heed_interrupts(&self) -> anyhow::Result<()> {
        let stop = Arc::clone(&self.stop);
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))
            .context("cannot listen for Ctrl-C")
    }

    /// Says a line that stays.
    pub fn say(&self, line: &str) {
        if self.lines {
            eprintln!("{line}");
        } else {
            self.overall.println(line);
        }
    }

    /// How long it has been going.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What the kinds of steps took; ends the one at hand.
    pub fn steps(&self) -> BTreeMap<String, StepTaken> {
        self.with_steps(|steps| {
            steps.enter(None);
            steps.taken.clone()
        })
    }

    /// What the kinds of steps have taken so far, the one at hand included.
    pub fn steps_so_far(&self) -> BTreeMap<String, StepTaken> {
        self.with_steps(|steps| {
            steps.add_up();
            steps.taken.clone()
        })
    }

    /// Says what all groups together are reckoned to take one processor.
    pub fn expect(&self, seconds: f64) {
        self.reckon(|reckoning| reckoning.all = seconds);
    }

    /// A group that was reckoned to take this was there already.
    pub fn spared(&self, seconds: f64) {
        self.reckon(|reckoning| reckoning.spared += seconds);
    }

    /// A group that was reckoned to take this was built.
    pub fn spent(&self, seconds: f64) {
        self.reckon(|reckoning| reckoning.spent += seconds);
    }

    fn reckon(&self, change: impl FnOnce(&mut Reckoning)) {
        let mut reckoning = self
            .reckoning
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        change(&mut reckoning);
        drop(reckoning);
        if let Some(left) = self.left() {
            self.overall
                .set_message(format!(", about {} left", span(left)));
        }
    }

    /// The seconds that are left: what is reckoned, corrected by what the groups so far took
    /// compared with what they were reckoned to take.
    fn left(&self) -> Option<f64> {
        let reckoning = self
            .reckoning
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Reckoning { all, spared, spent } = *reckoning;
        let left = (all - spared - spent).max(0.0);
        (spent > 0.0).then(|| self.elapsed().as_secs_f64() * left / spent)
    }

    fn with_steps<T>(&self, look: impl FnOnce(&mut Steps) -> T) -> T {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        look(&mut steps)
    }

    /// Goes on to another group, to be worked on or to be stored.
    fn change(&self, change: impl FnOnce(&mut Steps)) {
        self.with_steps(|steps| {
            change(steps);
            steps.add_up();
            self.group.set_prefix(steps.groups());
        });
    }

    /// The time that it has taken, and the time that is left at this rate.
    fn times(&self) -> String {
        let seconds = self.elapsed().as_secs_f64();
        let done = self.overall.position();
        let all = self.overall.length().unwrap_or(done).max(done);
        match done {
            0 => format!("{seconds:.1} s"),
            _ if done == all => format!("{seconds:.1} s"),
            _ => {
                // Verifying has no reckoning: what is left goes by positions.
                let left = seconds * (all - done) as f64 / done as f64;
                format!("{seconds:.1} s, about {} left", span(left))
            }
        }
    }
}

/// Bars and spinners of a fixed template, in characters that the console has.
fn styled(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("a fixed template");
    match charset() {
        Charset::Unicode => style,
        Charset::Ascii => style.progress_chars("#-").tick_chars("|/-\\ "),
    }
}

/// Seconds as people read them.
pub fn span(seconds: f64) -> HumanDuration {
    HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
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

    fn group(&self, name: &str, positions: u64) {
        let group = format!("{name} ({})", counted(positions, "position"));
        self.change(|steps| steps.group = group);
    }

    fn phase(&self, phase: &str) {
        self.with_steps(|steps| steps.enter(phase.split(' ').next()));
        self.group.set_message(phase.to_owned());
    }

    fn skipped(&self, name: &str, positions: u64) {
        self.overall.inc(positions);
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

    fn verified(&self, name: &str, positions: u64, shown: Shown) {
        self.overall.inc(positions);
        let shown = match shown {
            Shown::Right => self.method,
            Shown::Consistent => "consistent only",
        };
        self.say(&format!("{name}: {shown} ({})", self.times()));
    }
}
