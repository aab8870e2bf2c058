//! What a run took, and on which machine: for reports that people compare. What the machine gives:
//! threads, and errors in the place of signals.

#[cfg(unix)]
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

/// A running measurement.
pub struct Stopwatch {
    wall: Instant,
    cpu: ProcessTime,
}

/// What a run took.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Taken {
    /// By the clock.
    pub wall_seconds: f64,
    /// Of all threads together.
    pub cpu_seconds: f64,
    /// How long threads that had work waited for a processor, all together, where the system says
    /// so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued_seconds: Option<f64>,
    /// The most memory at once, where the system says so.
    pub peak_memory_bytes: Option<u64>,
    /// The processor, where the system says so, and how many of them.
    pub machine: String,
}

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Stopwatch {
        Stopwatch {
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        }
    }

    /// What it has taken so far.
    pub fn read(&self) -> Taken {
        Taken {
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
            queued_seconds: queued(),
            peak_memory_bytes: peak_memory(),
            machine: machine(),
        }
    }
}

/// How long the threads that this process has now have waited for a processor since they began.
fn queued() -> Option<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let of_thread = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        // Time on a processor, time in the queue for one, turns.
        nanoseconds += of_thread.split(' ').nth(1)?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}

/// The most memory this process has had at once.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = field(&status, "VmHWM")?.strip_suffix("kB")?;
    Some(kilobytes.trim().parse::<u64>().ok()? << 10)
}

/// Reads `--threads`: as many as can help, and says so if that is fewer than asked for.
pub fn threads(text: &str) -> Result<usize, String> {
    let asked: usize = text.parse().map_err(|_| "expected a number".to_owned())?;
    if asked == 0 {
        return Err("there must be one at least".to_owned());
    }
    let cpus = processors();
    let most = (4 * cpus).max(16);
    if asked > most {
        let processors = if cpus == 1 { "processor" } else { "processors" };
        eprintln!(
            "endmill: more than {most} threads do not help on {cpus} {processors}: {most} it is"
        );
    }
    Ok(asked.min(most))
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A pool of this number of threads; of one for each processor by default. What is done in parallel
/// is done in one of these: the global pool of rayon panics if no thread can be started.
pub fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    pool.build().context("cannot start threads")
}

/// Makes writing beyond the largest file that this process may have (`ulimit -f`) an error instead
/// of the end of the process. SIGPIPE is ignored by Rust's runtime already.
pub fn survive_large_files() -> std::io::Result<()> {
    // A handler, because whatever is ignored stays so in programs that this one starts.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

fn machine() -> String {
    let cpus = processors();
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    format!("{cpus} × {model}")
}

/// The value of a line `name: value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn threads_are_bounded_by_what_helps() {
        assert_eq!(threads("1"), Ok(1));
        assert!(threads("3000").is_ok_and(|most| (16..3000).contains(&most)));
        assert!(threads("0").is_err() && threads("-1").is_err() && threads("many").is_err());
    }
}
