//! The machine: threads, and signals that become errors.

#[cfg(unix)]
use std::sync::Arc;

use anyhow::Context;
use endmill_bench::processors;

use crate::drawing::counted;

/// Parses `--threads`. A number that would not help is reduced, with a message.
fn parse_threads(text: &str) -> Result<usize, String> {
    let asked: usize = text.parse().map_err(|_| "expected a number".to_owned())?;
    if asked == 0 {
        return Err("expected at least 1".to_owned());
    }
    let cpus = processors();
    let most = (4 * cpus).max(16);
    if asked > most {
        let processors = counted(cpus as u64, "processor");
        eprintln!("endmill: using {most} threads; more would not help on {processors}");
    }
    Ok(asked.min(most))
}

/// The option `--threads`.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads; all processors by default. Does not change the result
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

impl Threads {
    /// The number of threads.
    pub fn count(&self) -> usize {
        self.threads.unwrap_or_else(processors)
    }

    /// Starts a pool of this number of threads.
    pub fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        pool(self.count())
    }
}

/// Starts a pool of threads. All parallel work runs in such a pool: rayon's global pool panics if no
/// thread can start.
pub fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().context("cannot start threads")
}

/// Makes writing beyond the largest allowed file (`ulimit -f`) an error instead of the end of the
/// process. Rust's runtime ignores SIGPIPE already.
pub fn survive_large_files() -> std::io::Result<()> {
    // A handler, because child processes would inherit an ignored signal.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parse_threads as threads;

    #[test]
    fn threads_are_bounded_by_what_helps() {
        assert_eq!(threads("1"), Ok(1));
        assert!(threads("3000").is_ok_and(|most| (16..3000).contains(&most)));
        assert!(threads("0").is_err() && threads("-1").is_err() && threads("many").is_err());
    }
}
