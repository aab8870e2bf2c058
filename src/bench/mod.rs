//! `endmill bench`: how fast this machine works, and how well the engine plays.

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
    #[command(subcommand)]
    Engine(engine::Command),
}

impl Args {
    /// Measures, and prints the result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.what {
            What::Solve(args) => args.run(out),
            What::Store(args) => args.run(out),
            What::Probe(args) => args.run(out),
            What::Engine(command) => command.run(out),
        }
    }
}

/// Writes a report as one line of JSON.
fn write_json(out: &mut dyn Write, report: &impl serde::Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    Ok(writeln!(out)?)
}
