//! `endmill bench`: how fast this machine solves.

use std::io::Write;
use std::time::Instant;

use cpu_time::ProcessTime;
use games::{Game, Ruleset, Visitor};
use serde::Serialize;
use solver::{Plan, Shelf};

use crate::scope::Scope;
use crate::size::Size;

/// Measure how fast this machine works.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Solve(Solve),
}

/// Solve in memory, store nothing.
#[derive(clap::Args)]
struct Solve {
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
        let What::Solve(args) = self.what;
        Ruleset::find(&args.ruleset)?.visit(BenchSolve { args: &args, out })
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
}

/// A running measurement.
struct Watch {
    wall: Instant,
    cpu: ProcessTime,
}

impl Watch {
    fn start() -> Watch {
        Watch {
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        }
    }

    fn read(&self, tables: Vec<String>, positions: u64) -> Measured {
        let wall_seconds = self.wall.elapsed().as_secs_f64();
        Measured {
            tables,
            positions,
            wall_seconds,
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
            positions_per_second: positions as f64 / wall_seconds,
        }
    }
}

impl Measured {
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
    args: &'a Solve,
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
        let all = Watch::start();
        let mut groups = Vec::new();
        solve(&game, &plan, &pool, |measured| {
            if !args.json {
                measured.write(out, &measured.tables.join(" "))?;
                out.flush()?;
            }
            groups.push(measured);
            Ok(())
        })?;
        let report = Report {
            ruleset: game.description().id,
            threads: pool.current_num_threads(),
            groups,
            total: all.read(Vec::new(), plan.positions()),
            peak_memory_bytes: peak_memory(),
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
        let watch = Watch::start();
        let solved = pool.install(|| solver::solve(&game.group(group.tables[0].0), &shelf, &()))?;
        for (table, nodes) in solved {
            shelf.put(table, nodes);
        }
        let names = group
            .tables
            .iter()
            .map(|(table, _)| table.to_string())
            .collect();
        measured(watch.read(names, group.positions()))?;
        let needed = plan.needed_after(i);
        shelf.keep(|table| needed.contains(&table));
    }
    Ok(())
}

/// The most memory this process has had at once, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
