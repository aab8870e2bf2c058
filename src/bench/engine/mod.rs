//! `endmill bench engine`: how well the engine plays.

mod endings;
mod matches;
mod outside;
mod player;
mod random;

use std::io::Write;

/// Measure how well the engine plays.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Match(matches::Args),
    Endings(endings::Args),
    Outside(outside::Args),
    Random(random::Args),
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.what {
            What::Match(args) => args.run(out),
            What::Endings(args) => args.run(out),
            What::Outside(args) => args.run(out),
            What::Random(args) => args.run(out),
        }
    }
}
