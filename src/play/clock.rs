//! The time of a game on the console.

use std::sync::LazyLock;
use std::time::Instant;

/// Milliseconds since the start of the program.
pub fn now_ms() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_millis() as u64
}

/// Formats a time as `4:05`.
pub fn format_time(ms: u64) -> String {
    let seconds = ms / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
