//! The time and memory that a run uses, and the machine it runs on.

use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

/// A running measurement.
pub struct Stopwatch {
    wall: Instant,
    cpu: ProcessTime,
}

/// What a run used.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Wall-clock time.
    pub wall_seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: f64,
    /// The time that runnable threads waited for a processor, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued_seconds: Option<f64>,
    /// The peak memory, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// The number of processors, and their model if the system reports it.
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

    /// Returns the usage since the start.
    pub fn read(&self) -> Usage {
        Usage {
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
            queued_seconds: queued(),
            peak_memory_bytes: peak_memory(),
            machine: machine(),
        }
    }
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The time for which the current threads of this process have waited for a processor.
fn queued() -> Option<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let of_thread = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        // Time on a processor, time in the queue for one, time slices.
        nanoseconds += of_thread.split(' ').nth(1)?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}

fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = field(&status, "VmHWM")?.strip_suffix("kB")?;
    Some(kilobytes.trim().parse::<u64>().ok()? << 10)
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    format!("{} × {model}", processors())
}

/// The value of a line `name: value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}
