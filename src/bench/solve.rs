//! `endmill bench solve`: how fast this machine solves.

use std::io::Write;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_solver::{Budget, Plan, PlannedGroup, Progress, SolveError, solve_plan};
use indicatif::HumanBytes;
use serde::Serialize;

use crate::drawing::counted;
use crate::machine::{self, Stopwatch, Taken};
use crate::scope::Scope;

/// Solve in memory, store nothing.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = crate::machine::threads)]
    threads: Option<usize>,
    /// For programs
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        endmill_layout::visit(
            Ruleset::open(&self.ruleset)?,
            BenchSolve { args: &self, out },
        )
    }
}

/// What was measured of a group, or of all.
#[derive(Serialize)]
struct Measured {
    tables: Vec<String>,
    positions: u128,
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
    fn new(taken: &Taken, tables: Vec<String>, positions: u128) -> Measured {
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

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let BenchSolve { args, out } = self;
        let plan = args.scope.plan(&game)?;
        let pool = machine::pool(args.threads)?;
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
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| -> anyhow::Result<()> {
            let (game, plan, pool) = (&game, &plan, &pool);
            let solving = scope.spawn(move || pool.install(|| solve(game, plan, &tell)));
            for measured in told {
                if !args.json {
                    measured.write(out, &measured.tables.join(" "))?;
                    out.flush()?;
                }
                groups.push(measured);
            }
            Ok(solving.join().expect("solving does not panic")?)
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
                "{}, peak memory {}",
                counted(report.threads as u64, "thread"),
                HumanBytes(bytes)
            )?;
        }
        Ok(())
    }
}

/// Starts anew with every group.
struct Clock(Mutex<Stopwatch>);

impl Progress for Clock {
    fn group(&self, _: &str, _: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Stopwatch::start();
    }
}

/// Solves a plan, keeping only what is still needed; tells what each group took.
fn solve<G: Layout>(
    game: &G,
    plan: &Plan<G::Table>,
    tell: &mpsc::Sender<Measured>,
) -> Result<(), SolveError> {
    let clock = Clock(Mutex::new(Stopwatch::start()));
    let solved = |group: &PlannedGroup<G::Table>, _: &_| {
        let clock = clock.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names = group.tables.iter().map(|(table, _)| table.to_string());
        let positions = u128::from(group.positions());
        // Nobody listens any more if the output has failed.
        let _ = tell.send(Measured::new(&clock.read(), names.collect(), positions));
    };
    solve_plan(game, plan, &Budget::unlimited(), &clock, solved)
}
