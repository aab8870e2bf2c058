//! `endmill bench probe`: how fast positions are answered.

use std::io::Write;

use endmill_bench::{Latency, PartLatency, ProbeParts, ProbeReport, ProbeRun, probe, probe_parts};
use endmill_games::Game;
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};
use crate::db::Db;
use crate::size::Size;

/// Probe random positions, drawn evenly from all positions of the database.
///
/// Every position is probed once before it is measured, so that files and tables are warm, but
/// without the cache of decoded units, as for the first question about a place. With `--cache` other
/// positions are probed before, as many; those of small tables are then mostly in the cache. An
/// outside move leads to another material: a capture, a crowning, a placement.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    db: Db,
    /// The number of positions to probe
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20_000)]
    positions: usize,
    /// Draw from these tables only, e.g. 5v4,4v4
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// Measure every table separately, with N positions each
    #[arg(long)]
    each: bool,
    /// Measure the tables with the same number of men in hand together, with N positions each
    #[arg(long, conflicts_with = "each")]
    by_hand: bool,
    /// Use a cache of decoded units of this size, e.g. 64M, and warm the files up with other positions
    #[arg(long, value_name = "SIZE")]
    cache: Option<Size>,
    /// Threads for the cached questions, compared with one
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
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
        let run = ProbeRun {
            database: &self.db.directory,
            options: self.db.read.options(),
            cache: self.cache.map(Size::bytes),
            positions: self.positions,
            tables: &self.tables,
            threads: self.threads,
            seed: self.seed,
        };
        let parts = match (self.each, self.by_hand) {
            (true, _) => ProbeParts::Tables,
            (_, true) => ProbeParts::ByHand,
            _ => {
                let report = probe(game, &run)?;
                return match self.json {
                    true => super::write_json(out, &report),
                    false => print(&report, out),
                };
            }
        };
        let parts = probe_parts(game, &run, parts)?;
        match self.json {
            true => super::write_json(out, &parts),
            false => print_parts(&parts, out),
        }
    }
}

fn print(report: &ProbeReport, out: &mut dyn Write) -> anyhow::Result<()> {
    heading(out, "microseconds")?;
    for (name, latency) in [
        ("outcome", &report.outcome_microseconds),
        (
            "  no outside move",
            &report.outcome_microseconds_inside_only,
        ),
        (
            "  an outside move",
            &report.outcome_microseconds_with_outside,
        ),
        ("outcome and plies", &report.value_microseconds),
    ] {
        line(out, name, latency)?;
    }
    if let Some(latency) = &report.value_microseconds_left_out {
        line(out, "  plies left out", latency)?;
    }
    writeln!(
        out,
        "values: {:.0} per second on one thread, {:.0} on {}",
        report.values_per_second, report.values_per_second_of_threads, report.threads
    )?;
    writeln!(
        out,
        "cached outcomes: {:.1} million per second on one thread, {:.1} on {}",
        report.cached_per_second / 1e6,
        report.cached_per_second_of_threads / 1e6,
        report.threads
    )?;
    writeln!(
        out,
        "hash of all answers: {} (databases that answer alike have the same)",
        report.answers
    )?;
    Ok(())
}

fn print_parts(parts: &[PartLatency], out: &mut dyn Write) -> anyhow::Result<()> {
    heading(out, "outcome, microseconds")?;
    for part in parts {
        line(out, &part.part, &part.outcome_microseconds)?;
    }
    heading(out, "outcome and plies")?;
    for part in parts {
        line(out, &part.part, &part.value_microseconds)?;
    }
    Ok(())
}

fn heading(out: &mut dyn Write, title: &str) -> std::io::Result<()> {
    writeln!(
        out,
        "{title:<32}{:>10}{:>10}{:>10}{:>10}",
        "positions", "p50", "p99", "worst"
    )
}

fn line(out: &mut dyn Write, name: &str, latency: &Latency) -> std::io::Result<()> {
    let Latency {
        positions,
        p50,
        p99,
        worst,
    } = latency;
    writeln!(
        out,
        "{name:<32}{positions:>10}{p50:>10.1}{p99:>10.1}{worst:>10.1}"
    )
}
