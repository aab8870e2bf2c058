//! `endmill bench`: how fast this machine works, and how well the engine plays.

mod draw;
mod engine;
mod probe;
mod solve;
mod store;

use std::io::Write;

/// Measure how fast this machine solves and probes, and how well the engine plays.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Solve(solve::Args),
    Store(store::Args),
    Probe(probe::Args),
    Engine(engine::Args),
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.what {
            What::Solve(args) => args.run(out),
            What::Store(args) => args.run(out),
            What::Probe(args) => args.run(out),
            What::Engine(args) => args.run(out),
        }
    }
}
