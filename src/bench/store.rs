//! `endmill bench store`: how fast tables are read and stored.

use std::io::Write;

use anyhow::Context;
use endmill_dbformat::{Kind, Store};
use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_solver::copy_table;
use serde::Serialize;

use crate::db;
use crate::machine::{self, Stopwatch};

/// Read stored tables as a build does, and store them again in a directory that is then removed.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Where the database is; by default as for `endmill probe`
    #[arg(long, value_name = "DIR", default_value_os_t = db::usual(), hide_default_value = true)]
    db: std::path::PathBuf,
    /// The tables, e.g. 5v4,4v4; all that are stored by default
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = crate::machine::threads)]
    threads: Option<usize>,
    /// For programs
    #[arg(long)]
    json: bool,
}

/// What one table, or all of them, took.
#[derive(Default, Serialize)]
struct Measured {
    positions: u64,
    reading_cpu_seconds: f64,
    reading_wall_seconds: f64,
    storing_cpu_seconds: f64,
    storing_wall_seconds: f64,
    outcome_bytes: u64,
    ply_bytes: u64,
}

#[derive(Serialize)]
struct Report {
    ruleset: String,
    threads: usize,
    tables: Vec<(String, Measured)>,
    total: Measured,
    machine: String,
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let ruleset = Ruleset::open(&self.ruleset)?;
        endmill_layout::visit(ruleset, BenchStore { args: &self, out })
    }
}

struct BenchStore<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for BenchStore<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let BenchStore { args, out } = self;
        let rules = endmill_dbformat::Rules::of(&game);
        let from = Store::new(&args.db, rules.clone());
        let scratch = tempfile::tempdir_in(&args.db).context("no directory to store in")?;
        let to = Store::new(scratch.path(), rules);
        std::fs::create_dir_all(to.directory())?;
        let mut names = args.tables.clone();
        if names.is_empty() {
            let files = from.list()?.into_iter();
            let outcomes = files.filter(|file| file.kind == Kind::Outcomes);
            names.extend(outcomes.map(|file| file.table));
        }
        let pool = machine::pool(args.threads)?;
        let mut report = Report {
            ruleset: game.description().id,
            threads: pool.current_num_threads(),
            tables: Vec::new(),
            total: Measured::default(),
            machine: Stopwatch::start().read().machine,
        };
        if !args.json {
            writeln!(
                out,
                "{:<22}{:>14}{:>14}{:>14}{:>14}{:>14}",
                "table", "positions", "read ns/pos", "store ns/pos", ".wld bytes", ".dtw bytes"
            )?;
        }
        for name in names {
            let table = game.parse_table(&name)?;
            let measured = pool.install(|| measure(&game, table, [&from, &to]))?;
            report.total.add(&measured);
            if !args.json {
                measured.write(out, &name)?;
                out.flush()?;
            }
            report.tables.push((name, measured));
        }
        if args.json {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        report.total.write(out, "all")?;
        let Measured {
            reading_cpu_seconds,
            storing_cpu_seconds,
            storing_wall_seconds,
            ..
        } = report.total;
        writeln!(
            out,
            "{reading_cpu_seconds:.2} CPU seconds for reading, {storing_cpu_seconds:.2} for storing ({storing_wall_seconds:.2} s of wall-clock time)"
        )?;
        Ok(())
    }
}

fn measure<G: Layout>(game: &G, table: G::Table, stores: [&Store; 2]) -> anyhow::Result<Measured> {
    let mut watch = Stopwatch::start();
    let mut taken = Vec::new();
    copy_table(game, table, stores, || {
        taken.push(watch.read());
        watch = Stopwatch::start();
    })?;
    let [_, reading, storing] = &taken[..] else {
        unreachable!("three steps");
    };
    let bytes = |kind| {
        let path = stores[1].path(&table.to_string(), kind);
        let bytes = path.metadata().map_or(0, |found| found.len());
        // Gone at once: the tables of a whole game need not lie there side by side.
        let _ = std::fs::remove_file(path);
        bytes
    };
    Ok(Measured {
        positions: game.size(table),
        reading_cpu_seconds: reading.cpu_seconds,
        reading_wall_seconds: reading.wall_seconds,
        storing_cpu_seconds: storing.cpu_seconds,
        storing_wall_seconds: storing.wall_seconds,
        outcome_bytes: bytes(Kind::Outcomes),
        ply_bytes: bytes(Kind::Plies),
    })
}

impl Measured {
    fn add(&mut self, other: &Measured) {
        self.positions += other.positions;
        self.reading_cpu_seconds += other.reading_cpu_seconds;
        self.reading_wall_seconds += other.reading_wall_seconds;
        self.storing_cpu_seconds += other.storing_cpu_seconds;
        self.storing_wall_seconds += other.storing_wall_seconds;
        self.outcome_bytes += other.outcome_bytes;
        self.ply_bytes += other.ply_bytes;
    }

    fn write(&self, out: &mut dyn Write, name: &str) -> std::io::Result<()> {
        let each = |seconds: f64| seconds * 1e9 / self.positions.max(1) as f64;
        writeln!(
            out,
            "{name:<22}{:>14}{:>14.1}{:>14.1}{:>14}{:>14}",
            self.positions,
            each(self.reading_cpu_seconds),
            each(self.storing_cpu_seconds),
            self.outcome_bytes,
            self.ply_bytes
        )
    }
}
