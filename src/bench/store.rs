//! `endmill bench store`: how fast tables are read and stored.

use std::io::Write;

use endmill_bench::{TableUsage, store};
use endmill_games::Game;
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};
use crate::db::Target;
use crate::machine::Threads;

/// Read stored tables as a build does, and store them again in a temporary directory.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// The tables, e.g. 5v4,4v4; all that are stored by default
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures, and prints the result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.target.ruleset, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let pool = self.threads.pool()?;
        if !self.json {
            writeln!(
                out,
                "{:<22}{:>14}{:>14}{:>14}{:>14}{:>14}",
                "table", "positions", "read ns/pos", "store ns/pos", ".wld bytes", ".dtw bytes"
            )?;
        }
        let tables = self.tables.clone();
        let report = store(&game, &self.target.db, tables, &pool, |name, usage| {
            if !self.json {
                write(out, usage, name)?;
                out.flush()?;
            }
            Ok(())
        })?;
        if self.json {
            return super::write_json(out, &report);
        }
        write(out, &report.total, "all")?;
        let TableUsage {
            reading_cpu_seconds,
            storing_cpu_seconds,
            storing_wall_seconds,
            ..
        } = report.total;
        writeln!(
            out,
            "{reading_cpu_seconds:.2} CPU seconds for reading, {storing_cpu_seconds:.2} for storing \
             ({storing_wall_seconds:.2} s of wall-clock time)"
        )?;
        Ok(())
    }
}

fn write(out: &mut dyn Write, usage: &TableUsage, name: &str) -> std::io::Result<()> {
    let each = |seconds: f64| seconds * 1e9 / usage.positions.max(1) as f64;
    writeln!(
        out,
        "{name:<22}{:>14}{:>14.1}{:>14.1}{:>14}{:>14}",
        usage.positions,
        each(usage.reading_cpu_seconds),
        each(usage.storing_cpu_seconds),
        usage.outcome_bytes,
        usage.ply_bytes
    )
}
