//! Reading tables as a build does, and storing them again.

use std::io;
use std::path::Path;

use anyhow::Context;
use endmill_dbformat::{Kind, Rules, Store};
use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::copy_table;
use rayon::ThreadPool;
use serde::Serialize;

use crate::usage::Stopwatch;

/// What one table took, or all tables.
#[derive(Default, Serialize)]
pub struct TableUsage {
    /// Positions.
    pub positions: u64,
    /// Reading, processor time.
    pub reading_cpu_seconds: f64,
    /// Reading, wall-clock time.
    pub reading_wall_seconds: f64,
    /// Storing, processor time.
    pub storing_cpu_seconds: f64,
    /// Storing, wall-clock time.
    pub storing_wall_seconds: f64,
    /// The size of the file of outcomes.
    pub outcome_bytes: u64,
    /// The size of the file of plies.
    pub ply_bytes: u64,
}

/// What reading and storing took.
#[derive(Serialize)]
pub struct StoreReport {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The number of threads.
    pub threads: usize,
    /// Each table.
    pub tables: Vec<(String, TableUsage)>,
    /// All tables.
    pub total: TableUsage,
    /// The processors.
    pub machine: String,
}

/// Reads these tables of a database, or all if there are none, and stores them in a temporary
/// directory next to them. `each` is called after every table.
pub fn store<G: Game + Layout>(
    game: &G,
    database: &Path,
    mut tables: Vec<String>,
    pool: &ThreadPool,
    mut each: impl FnMut(&str, &TableUsage) -> io::Result<()>,
) -> anyhow::Result<StoreReport> {
    let rules = Rules::of(game);
    let from = Store::new(database, rules.clone());
    let scratch = tempfile::tempdir_in(database).context("cannot create a temporary directory")?;
    let to = Store::new(scratch.path(), rules);
    std::fs::create_dir_all(to.directory())?;
    if tables.is_empty() {
        let files = from.list()?.into_iter();
        let outcomes = files.filter(|file| file.kind == Kind::Outcomes);
        tables.extend(outcomes.map(|file| file.table));
    }
    let mut report = StoreReport {
        ruleset: game.description().id,
        threads: pool.current_num_threads(),
        tables: Vec::new(),
        total: TableUsage::default(),
        machine: Stopwatch::start().read().machine,
    };
    for name in tables {
        let table = game.parse_table(&name)?;
        let usage = pool.install(|| measure(game, table, [&from, &to]))?;
        report.total.add(&usage);
        each(&name, &usage)?;
        report.tables.push((name, usage));
    }
    Ok(report)
}

fn measure<G: Layout>(
    game: &G,
    table: G::Table,
    stores: [&Store; 2],
) -> anyhow::Result<TableUsage> {
    let mut stopwatch = Stopwatch::start();
    let mut steps = Vec::new();
    copy_table(game, table, stores, || {
        steps.push(stopwatch.read());
        stopwatch = Stopwatch::start();
    })?;
    let [_, reading, storing] = &steps[..] else {
        unreachable!("three steps");
    };
    let bytes = |kind| {
        let path = stores[1].path(&table.to_string(), kind);
        let bytes = path.metadata().map_or(0, |found| found.len());
        // Removed at once: there may be no room for the tables of a whole game.
        let _ = std::fs::remove_file(path);
        bytes
    };
    Ok(TableUsage {
        positions: game.size(table),
        reading_cpu_seconds: reading.cpu_seconds,
        reading_wall_seconds: reading.wall_seconds,
        storing_cpu_seconds: storing.cpu_seconds,
        storing_wall_seconds: storing.wall_seconds,
        outcome_bytes: bytes(Kind::Outcomes),
        ply_bytes: bytes(Kind::Plies),
    })
}

impl TableUsage {
    fn add(&mut self, other: &TableUsage) {
        self.positions += other.positions;
        self.reading_cpu_seconds += other.reading_cpu_seconds;
        self.reading_wall_seconds += other.reading_wall_seconds;
        self.storing_cpu_seconds += other.storing_cpu_seconds;
        self.storing_wall_seconds += other.storing_wall_seconds;
        self.outcome_bytes += other.outcome_bytes;
        self.ply_bytes += other.ply_bytes;
    }
}
