//! `endmill bench`: how fast this machine works.

mod probe;
mod solve;

use std::io::Write;

/// Measure how fast this machine solves and probes.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Solve(solve::Args),
    Probe(probe::Args),
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.what {
            What::Solve(args) => args.run(out),
            What::Probe(args) => args.run(out),
        }
    }
}
