//! `endmill stats`: the contents of a database, from the headers of its files.

use std::collections::BTreeMap;
use std::io::Write;

use endmill_bench::Usage;
use endmill_dbformat::{Kind, Store};
use endmill_games::Game;
use endmill_probe::answers::{RankCount, StatisticsAnswer, TableAnswer};
use endmill_probe::{Access, Options, open_any};
use serde::Serialize;

use crate::build::Run;
use crate::columns::{Column, columns, write_columns};
use crate::db::Target;
use crate::progress::StepUsage;

/// Print the counts, longest wins and sizes of all tables.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Print JSON, with the number of positions decided at each ply
    #[arg(long)]
    json: bool,
    /// Also show a position of a longest win of each table (JSON always has them)
    #[arg(long)]
    examples: bool,
}

impl Args {
    /// Prints the statistics.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let options = Options {
            access: Access::POSITIONED,
            ..Options::default()
        };
        let database = open_any(&self.target.db, &self.target.ruleset, &options)?;
        let statistics = StatisticsAnswer::of(database.ruleset().id, database.tables()?);
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&statistics)?)?;
            return Ok(());
        }
        self.write_text(&statistics, out)
    }

    fn write_text(&self, of: &StatisticsAnswer, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut heads = vec![Column::Left("table"), Column::Right("positions")];
        heads.extend(["win %", "draw %", "loss %", "l.win", "l.loss"].map(Column::Right));
        heads.extend(["wld b/p", "dtw b/p"].map(Column::Right));
        if self.examples {
            heads.push(Column::Left("longest win from"));
        }
        let mut rows = columns(&heads);
        for table in &of.tables {
            let mut row = row(table, table.table.as_deref().unwrap_or_default());
            if self.examples {
                row.push(table.longest_win_position.clone().unwrap_or_default());
            }
            rows.add_row(row);
        }
        for layer in &of.by_hand {
            rows.add_row(row(&layer.sum, &format!("{} in hand", layer.in_hand)));
        }
        rows.add_row(row(&of.total, "all"));
        write_columns(&rows, out)?;
        Ok(())
    }
}

fn row(of: &TableAnswer, name: &str) -> Vec<String> {
    // Only all and none are 100 % and 0 %: one draw in a million is not 0.00 %.
    let share = |count: u64| match count {
        0 => "0.00".to_owned(),
        count if count == of.positions => "100.00".to_owned(),
        count => {
            let share = 100.0 * count as f64 / of.positions.max(1) as f64;
            format!("{:.2}", share.clamp(0.01, 99.99))
        }
    };
    let bits = |bytes: u64| format!("{:.3}", 8.0 * bytes as f64 / of.positions.max(1) as f64);
    vec![
        name.to_owned(),
        of.positions.to_string(),
        share(of.win),
        share(of.draw),
        share(of.loss),
        of.longest_win.to_string(),
        of.longest_loss.to_string(),
        bits(of.wld_bytes),
        bits(of.dtw_bytes),
    ]
}

/// The report of a build: its tables and its cost.
pub struct BuildReport {
    statistics: StatisticsAnswer,
    /// The time and memory of the build.
    pub build: Option<BuildUsage>,
}

impl BuildReport {
    /// JSON that is easy to compare, one table per line.
    pub fn to_lines(&self) -> serde_json::Result<String> {
        let StatisticsAnswer {
            ruleset,
            tables,
            by_hand,
            total,
        } = &self.statistics;
        let mut parts = vec![
            format!("\"ruleset\": {}", serde_json::to_string(ruleset)?),
            format!("\"tables\": {}", lines(tables)?),
        ];
        if !by_hand.is_empty() {
            parts.push(format!("\"by_hand\": {}", lines(by_hand)?));
        }
        parts.push(format!("\"total\": {}", serde_json::to_string(total)?));
        if let Some(build) = &self.build {
            parts.push(format!("\"build\": {}", serde_json::to_string(build)?));
        }
        Ok(format!("{{\n{}\n}}\n", parts.join(",\n")))
    }
}

/// A JSON array, one element per line.
fn lines<T: Serialize>(elements: &[T]) -> serde_json::Result<String> {
    let lines = elements.iter().map(serde_json::to_string);
    let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]", lines.join(",\n")))
}

/// The time and memory of a build.
#[derive(Serialize)]
pub struct BuildUsage {
    /// All runs together.
    #[serde(flatten)]
    pub taken: Usage,
    /// The number of runs: a resumed build has several.
    pub runs: usize,
    /// Threads of the last run.
    pub threads: usize,
    /// An upper bound of the share of time in which only one thread had work: exact if all threads
    /// worked the rest of the time. A thread that waits for a processor has work, a thread that waits
    /// for a disk has none. Undefined for one thread.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub one_thread_share: Option<f64>,
    /// Each kind of step.
    pub steps: BTreeMap<String, StepUsage>,
}

impl BuildUsage {
    /// Sums over all logged runs, with the machine of the last.
    pub fn of_runs(runs: &[Run], last: Usage, threads: usize) -> BuildUsage {
        // A run that finds nothing to do does not count.
        let idle = |run: &&Run| run.built.is_empty() && run.ended.as_deref() == Some("complete");
        let runs: Vec<&Run> = runs.iter().filter(|run| !idle(run)).collect();
        let sum = |of: fn(&Usage) -> f64| runs.iter().map(|run| of(&run.taken)).sum();
        let peak = runs.iter().filter_map(|run| run.taken.peak_memory_bytes);
        let mut steps: BTreeMap<String, StepUsage> = BTreeMap::new();
        for (name, taken) in runs.iter().flat_map(|run| &run.steps) {
            steps.entry(name.clone()).or_default().add(*taken);
        }
        let wall: f64 = sum(|taken| taken.wall_seconds);
        let cpu: f64 = sum(|taken| taken.cpu_seconds);
        let queued: f64 = sum(|taken| taken.queued_seconds.unwrap_or(0.0));
        let of_threads = |run: &&Run| run.threads as f64 * run.taken.wall_seconds;
        let of_threads: f64 = runs.iter().map(of_threads).sum();
        let (idle, others) = (of_threads - cpu - queued, of_threads - wall);
        BuildUsage {
            one_thread_share: (others > 0.0).then(|| (idle / others).clamp(0.0, 1.0)),
            taken: Usage {
                wall_seconds: wall,
                cpu_seconds: cpu,
                queued_seconds: Some(queued),
                peak_memory_bytes: peak.max(),
                machine: last.machine,
            },
            runs: runs.len(),
            threads,
            steps,
        }
    }
}

/// Reads the headers of all tables, in the order of pieces in hand and on the board.
pub fn collect<G: Game>(game: &G, store: &Store) -> endmill_dbformat::Result<BuildReport> {
    let listed = store.list()?;
    let mut tables: Vec<G::Table> = listed
        .iter()
        .filter(|file| file.kind == Kind::Outcomes && file.bytes.is_some())
        .filter_map(|file| game.parse_table(&file.table).ok())
        .collect();
    tables.sort_by_key(|&table| (game.pieces(table), table));
    let counted = tables.into_iter().map(|table| {
        let name = table.to_string();
        let bytes = |kind| {
            let file = listed
                .iter()
                .find(|file| file.table == name && file.kind == kind);
            file.and_then(|file| file.bytes).unwrap_or(0)
        };
        let opened = store.open(&name, game.size(table))?;
        let bytes = Kind::ALL.map(bytes);
        let ranks = match bytes[2] {
            0 => None,
            _ => {
                store.open_draws(&opened)?;
                opened.draw_file().map(|file| file.codec().list())
            }
        };
        Ok(TableAnswer {
            draw_ranks: ranks.map(|list| list.ranks.iter().map(RankCount::from).collect()),
            ..TableAnswer::new(game, table, opened.statistics(), bytes)
        })
    });
    let counted = counted.collect::<endmill_dbformat::Result<Vec<_>>>()?;
    Ok(BuildReport {
        statistics: StatisticsAnswer::of(game.description().id, counted),
        build: None,
    })
}
