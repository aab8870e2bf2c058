//! `endmill bench solve`: how fast this machine solves.

use std::io::Write;

use games::{Game, Ruleset, Visitor};
use serde::Serialize;
use solver::{Plan, Room, Shelf};

use crate::machine::{Stopwatch, Taken};
use crate::scope::Scope;
use crate::size::Size;

/// Solve in memory, store nothing.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    /// Threads; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// For programs
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(BenchSolve { args: &self, out })
    }
}

/// What was measured of a group, or of all.
#[derive(Serialize)]
struct Measured {
    tables: Vec<String>,
    positions: u64,
    wall_seconds: f64,
    cpu_seconds: f64,
    positions_per_second: f64,
}

#[derive(Serialize)]
struct Report {
    ruleset: String,
    threads: usize,
    groups: Vec<Measured>,
    total: Measured,
    peak_memory_bytes: Option<u64>,
    machine: String,
}

impl Measured {
    fn new(taken: &Taken, tables: Vec<String>, positions: u64) -> Measured {
        Measured {
            tables,
            positions,
            wall_seconds: taken.wall_seconds,
            cpu_seconds: taken.cpu_seconds,
            positions_per_second: positions as f64 / taken.wall_seconds,
        }
    }

    fn write(&self, out: &mut dyn Write, name: &str) -> std::io::Result<()> {
        let Measured {
            positions,
            wall_seconds,
            cpu_seconds,
            positions_per_second,
            ..
        } = *self;
        let millions = positions_per_second / 1e6;
        writeln!(
            out,
            "{name:<22}{positions:>14}{wall_seconds:>10.2}{cpu_seconds:>10.2}{millions:>12.1}"
        )
    }
}

struct BenchSolve<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for BenchSolve<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let BenchSolve { args, out } = self;
        let plan = args.scope.plan(&game)?;
        let threads = args.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        if !args.json {
            writeln!(
                out,
                "{:<22}{:>14}{:>10}{:>10}{:>12}",
                "tables", "positions", "wall s", "CPU s", "M pos/s"
            )?;
            out.flush()?;
        }
        let all = Stopwatch::start();
        let mut groups = Vec::new();
        solve(&game, &plan, &pool, |measured| {
            if !args.json {
                measured.write(out, &measured.tables.join(" "))?;
                out.flush()?;
            }
            groups.push(measured);
            Ok(())
        })?;
        let taken = all.read();
        let report = Report {
            ruleset: game.description().id,
            threads: pool.current_num_threads(),
            groups,
            total: Measured::new(&taken, Vec::new(), plan.positions()),
            peak_memory_bytes: taken.peak_memory_bytes,
            machine: taken.machine,
        };
        if args.json {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        report.total.write(out, "all")?;
        if let Some(bytes) = report.peak_memory_bytes {
            writeln!(
                out,
                "{} threads, peak memory {}",
                report.threads,
                Size::of(bytes)
            )?;
        }
        Ok(())
    }
}

/// Solves a plan, keeping only what is still needed.
fn solve<G: Game>(
    game: &G,
    plan: &Plan<G::Table>,
    pool: &rayon::ThreadPool,
    mut measured: impl FnMut(Measured) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut shelf = Shelf::new();
    for (i, group) in plan.groups.iter().enumerate() {
        let watch = Stopwatch::start();
        let solved = pool.install(|| {
            solver::solve(
                &game.group(group.tables[0].0),
                &shelf,
                &Room::unlimited(),
                &(),
            )
        })?;
        for (table, nodes) in solved {
            shelf.put(table, nodes);
        }
        let names = group
            .tables
            .iter()
            .map(|(table, _)| table.to_string())
            .collect();
        measured(Measured::new(&watch.read(), names, group.positions()))?;
        let needed = plan.needed_after(i);
        shelf.keep(|table| needed.contains(&table));
    }
    Ok(())
}
