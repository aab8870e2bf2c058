//! Shows how far a long run has got: bars on a terminal, lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use dbformat::Statistics;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use solver::{BuildProgress, Progress};

/// Two bars, one for everything and one for the group at hand; or plain lines.
pub struct Watch {
    started: Instant,
    overall: ProgressBar,
    group: ProgressBar,
    lines: bool,
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

    /// How long it has been going.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
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
}

impl BuildProgress for Watch {
    fn group(&self, name: &str, positions: u64) {
        self.group
            .set_prefix(format!("{name} ({positions} positions)"));
    }

    fn phase(&self, phase: &str) {
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
