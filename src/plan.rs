//! `endmill plan`: the cost of a build.

use std::io::Write;

use endmill_games::Game;
use endmill_layout::Layout;
use endmill_probe::answers::{PlanAnswer, PlanTotal, PlannedTable};
use endmill_solver::{Forecast, Means, Plan, PlyChoice, draw_cost, learning_seconds};
use indicatif::HumanBytes;

use crate::by_game::{self, GameCommand};
use crate::columns::{Column, columns, write_columns};
use crate::drawing::counted;
use crate::plies::PlyOptions;
use crate::progress::span;
use crate::scope::Scope;
use crate::size::Size;

/// Print the plan of a build and its cost.
///
/// Lists the tables in the order of building, with the memory, disk space and time they need.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    plies: PlyOptions,
    /// Plan a compact database, which omits plies that can be derived, as `build --compact`
    #[arg(long, conflicts_with = "no_plies")]
    compact: bool,
    /// Include the ranks of draws, as `build --draws`
    #[arg(long)]
    draws: bool,
    /// Estimate memory and wall-clock time for N threads, if memory holds two groups at once; by
    /// default the memory for all processors, and the time of one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Estimate the memory of `build --memory SIZE`; by default of a build without a limit
    #[arg(long, value_name = "SIZE", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// Print JSON
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print a graph for Graphviz
    #[arg(long)]
    dot: bool,
    /// Print the totals only
    #[arg(long, conflicts_with_all = ["json", "dot"])]
    summary: bool,
}

impl Args {
    /// Prints the plan.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.ruleset, out)
    }
}

/// A plan with its cost.
fn answer<G: Game + Layout>(
    game: &G,
    plan: &Plan<G::Table>,
    plies: PlyChoice,
    args: &Args,
) -> PlanAnswer {
    let threads = args.threads;
    let forecast = Forecast::new(
        game,
        Means {
            threads: threads.map_or_else(rayon::current_num_threads, |threads| threads as usize),
            memory: args.memory.map(Size::bytes),
            plies,
            compact: args.compact,
        },
    );
    let stored = |group: &_, table| plies.stores(game, group, table, args.compact);
    let mut tables = Vec::new();
    for (number, group) in plan.groups.iter().enumerate() {
        let memory_bytes = forecast.peak_of(group);
        for &(table, positions) in &group.tables {
            let outside = game.outside(table).into_iter();
            let mut each = game.cost(table, stored(group, table));
            if args.draws {
                let ranking = draw_cost(game, table);
                each.nanoseconds += ranking.nanoseconds;
                each.bytes += ranking.bytes;
            }
            let all = |each: f64| each * positions as f64;
            tables.push(PlannedTable {
                table: table.to_string(),
                positions,
                group: number,
                depends_on: outside.map(|table| table.to_string()).collect(),
                memory_bytes,
                disk_bytes: all(each.bytes) as u64,
                // To a millisecond: more digits would only look exact.
                cpu_seconds: all(each.nanoseconds / 1e6).round() / 1e3,
            });
        }
    }
    let positions = plan.positions();
    let total = PlanTotal {
        tables: tables.len(),
        groups: plan.groups.len(),
        positions,
        peak_memory_bytes: forecast.peak(plan),
        disk_bytes: tables
            .iter()
            .map(|table| table.disk_bytes as f64)
            .sum::<f64>() as u64,
        cpu_seconds: tables
            .iter()
            .map(|table| table.cpu_seconds)
            .sum::<f64>()
            .round(),
        threads,
        wall_seconds: threads.map(|threads| by_the_clock(&tables, threads)),
    };
    PlanAnswer {
        ruleset: game.description().id,
        tables,
        total,
    }
}

/// Wall-clock seconds on a number of threads, if memory holds two groups at once. While one is stored
/// the next is solved, so that all threads have work, but no group takes less time than training its
/// slowest model.
fn by_the_clock(tables: &[PlannedTable], threads: u32) -> f64 {
    let groups = tables.chunk_by(|one, other| one.group == other.group);
    let seconds = groups.map(|group| {
        let shared: f64 = group.iter().map(|table| table.cpu_seconds).sum();
        let learning = group.iter().map(|table| learning_seconds(table.positions));
        (shared / f64::from(threads)).max(learning.fold(0.0, f64::max))
    });
    seconds.sum::<f64>().round()
}

/// A number of bytes; the largest number means "more".
fn size(bytes: u64) -> String {
    match bytes {
        u64::MAX => "more than 16 EiB".to_owned(),
        bytes => HumanBytes(bytes).to_string(),
    }
}

fn write_text(plan: &PlanAnswer, summary: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let PlanTotal {
        tables,
        positions,
        peak_memory_bytes,
        disk_bytes,
        cpu_seconds,
        threads,
        wall_seconds,
        ..
    } = plan.total;
    let time = match (threads, wall_seconds) {
        (Some(threads), Some(seconds)) => format!(
            "{} on {}",
            span(seconds.max(1.0)),
            counted(threads, "thread")
        ),
        _ => format!("{} of one processor", span(cpu_seconds.max(1.0))),
    };
    writeln!(
        out,
        "{}, {}; {}{} of memory (less with --memory: scratch files on disk), {} on disk and {time}",
        counted(tables as u64, "table"),
        counted(positions, "position"),
        if peak_memory_bytes == u64::MAX {
            ""
        } else {
            "about "
        },
        size(peak_memory_bytes),
        size(disk_bytes),
    )?;
    if summary {
        return Ok(());
    }
    let mut tables = columns(&[
        Column::Left("table"),
        Column::Right("positions"),
        Column::Right("memory"),
        Column::Left("depends on"),
    ]);
    tables.add_rows(plan.tables.iter().map(|planned| {
        [
            planned.table.clone(),
            planned.positions.to_string(),
            size(planned.memory_bytes),
            planned.depends_on.join(" "),
        ]
    }));
    writeln!(out)?;
    write_columns(&tables, out)?;
    Ok(())
}

fn write_dot(plan: &PlanAnswer, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "digraph \"{}\" {{", plan.ruleset)?;
    for planned in &plan.tables {
        writeln!(
            out,
            "  \"{}\" [label=\"{0}\\n{}\"];",
            planned.table, planned.positions
        )?;
        for next in &planned.depends_on {
            writeln!(out, "  \"{}\" -> \"{next}\";", planned.table)?;
        }
    }
    writeln!(out, "}}")?;
    Ok(())
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let plies = self.plies.choice(&game);
        let plan = self.scope.plan(&game)?;
        let plan = answer(&game, &plan, plies, self);
        if self.json {
            serde_json::to_writer(&mut *out, &plan)?;
            Ok(writeln!(out)?)
        } else if self.dot {
            write_dot(&plan, out)
        } else {
            write_text(&plan, self.summary, out)
        }
    }
}
