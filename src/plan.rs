//! `endmill plan`: what a build will take.

use std::io::Write;

use games::{Game, Ruleset, Visitor};
use serde::Serialize;
use solver::{Plan, PlyChoice};

use crate::plies::PlyOptions;
use crate::scope::Scope;
use crate::size::Size;

/// Show the tables that would be built, their order, and what that takes.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    plies: PlyOptions,
    /// For programs
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// As a graph for Graphviz
    #[arg(long)]
    dot: bool,
}

impl Args {
    /// Shows the plan.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Show { args: &self, out })
    }
}

#[derive(Serialize)]
struct Planned {
    table: String,
    positions: u64,
    group: usize,
    depends_on: Vec<String>,
    memory_bytes: u64,
}

#[derive(Serialize)]
struct Total {
    tables: usize,
    groups: usize,
    positions: u64,
    peak_memory_bytes: u64,
    disk_bytes: u64,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct Report {
    ruleset: String,
    tables: Vec<Planned>,
    total: Total,
}

impl Report {
    fn new<G: Game>(game: &G, plan: &Plan<G::Table>, plies: PlyChoice) -> Report {
        let mut tables = Vec::new();
        for (number, group) in plan.groups.iter().enumerate() {
            for &(table, positions) in &group.tables {
                let outside = game.outside(table).into_iter();
                tables.push(Planned {
                    table: table.to_string(),
                    positions,
                    group: number,
                    depends_on: outside.map(|table| table.to_string()).collect(),
                    memory_bytes: plies.memory(group).all,
                });
            }
        }
        let positions = plan.positions();
        let memory = plan
            .groups
            .iter()
            .map(|group| plies.memory(group).all)
            .max();
        let cost = plan.cost(game, |group| plies.of(group));
        let total = Total {
            tables: tables.len(),
            groups: plan.groups.len(),
            positions,
            peak_memory_bytes: memory.unwrap_or(0),
            disk_bytes: cost.bytes as u64,
            cpu_seconds: (cost.nanoseconds / 1e9).round(),
        };
        let ruleset = game.description().id;
        Report {
            ruleset,
            tables,
            total,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{:<14}{:>16}{:>12}  depends on",
            "table", "positions", "memory"
        )?;
        for planned in &self.tables {
            let memory = Size::of(planned.memory_bytes).to_string();
            let depends_on = planned.depends_on.join(" ");
            writeln!(
                out,
                "{:<14}{:>16}{memory:>12}  {depends_on}",
                planned.table, planned.positions
            )?;
        }
        let Total {
            tables,
            positions,
            peak_memory_bytes,
            disk_bytes,
            cpu_seconds,
            ..
        } = self.total;
        writeln!(
            out,
            "\n{tables} tables, {positions} positions; about {} of memory (beyond --memory: \
             scratch files on disk), {} on disk and {:.0} minutes of one processor",
            Size::of(peak_memory_bytes),
            Size::of(disk_bytes),
            (cpu_seconds / 60.0).ceil()
        )?;
        Ok(())
    }

    fn write_dot(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "digraph \"{}\" {{", self.ruleset)?;
        for planned in &self.tables {
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
}

struct Show<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Show<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let plies = self.args.plies.choice(&game);
        let report = Report::new(&game, &self.args.scope.plan(&game)?, plies);
        if self.args.json {
            serde_json::to_writer(&mut *self.out, &report)?;
            writeln!(self.out)?;
            Ok(())
        } else if self.args.dot {
            report.write_dot(self.out)
        } else {
            report.write_text(self.out)
        }
    }
}
