//! What a run took, and on which machine: for reports that people compare.

use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;

/// A running measurement.
pub struct Stopwatch {
    wall: Instant,
    cpu: ProcessTime,
}

/// What a run took.
#[derive(Serialize)]
pub struct Taken {
    /// By the clock.
    pub wall_seconds: f64,
    /// Of all threads together.
    pub cpu_seconds: f64,
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
            peak_memory_bytes: peak_memory(),
            machine: machine(),
        }
    }
}

/// The most memory this process has had at once.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = field(&status, "VmHWM")?.strip_suffix("kB")?;
    Some(kilobytes.trim().parse::<u64>().ok()? << 10)
}

/// Three quarters of the memory that is free now; 4 GiB where the system does not say.
pub fn usable_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = field(&info, "MemAvailable").and_then(|value| value.strip_suffix("kB"));
    let kilobytes = kilobytes.and_then(|value| value.trim().parse::<u64>().ok());
    kilobytes.map_or(4 << 30, |kilobytes| (kilobytes << 10) / 4 * 3)
}

fn machine() -> String {
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    format!("{cpus} × {model}")
}

/// The value of a line `name: value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}
