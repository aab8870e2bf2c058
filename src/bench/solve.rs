//! `endmill bench solve`: how fast this machine solves.

use std::io::Write;

use endmill_bench::{GroupUsage, solve};
use endmill_games::Game;
use endmill_layout::Layout;
use indicatif::HumanBytes;

use crate::by_game::{self, GameCommand};
use crate::drawing::counted;
use crate::machine::Threads;
use crate::scope::Scope;

/// Solve in memory, without storing.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures, and prints the result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.ruleset, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let plan = self.scope.plan(&game)?;
        let pool = self.threads.pool()?;
        if !self.json {
            writeln!(
                out,
                "{:<22}{:>14}{:>10}{:>10}{:>12}",
                "tables", "positions", "wall s", "CPU s", "M pos/s"
            )?;
            out.flush()?;
        }
        let report = solve(&game, &plan, &pool, |group| {
            if !self.json {
                write(out, group, &group.tables.join(" "))?;
                out.flush()?;
            }
            Ok(())
        })?;
        if self.json {
            return super::write_json(out, &report);
        }
        write(out, &report.total, "all")?;
        if let Some(bytes) = report.peak_memory_bytes {
            let threads = counted(report.threads as u64, "thread");
            writeln!(out, "{threads}, peak memory {}", HumanBytes(bytes))?;
        }
        Ok(())
    }
}

fn write(out: &mut dyn Write, usage: &GroupUsage, name: &str) -> std::io::Result<()> {
    let GroupUsage {
        positions,
        wall_seconds,
        cpu_seconds,
        positions_per_second,
        ..
    } = *usage;
    let millions = positions_per_second / 1e6;
    writeln!(
        out,
        "{name:<22}{positions:>14}{wall_seconds:>10.2}{cpu_seconds:>10.2}{millions:>12.1}"
    )
}
