//! `endmill bench probe`: how fast positions are answered.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::probe::{Database, Options};
use games::{Game, Ruleset, Visitor};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;

/// How often the positions are asked about again from the cache.
const ROUNDS: usize = 20;
/// Positions that the cache is asked about: few enough to be all there.
const CACHED: usize = 2_000;

/// Probe random positions, drawn evenly from all positions of the database.
///
/// Every position is asked about twice before it is measured, so that files and tables are warm.
/// "Uncached" is without the cache of decoded units, as for the first question about a place.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// Positions to ask about
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20_000)]
    positions: usize,
    /// Threads for the cached questions
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Another draw of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For programs
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(BenchProbe { args: &self, out })
    }
}

/// Microseconds that a question took.
#[derive(Serialize)]
struct Latency {
    p50: f64,
    p99: f64,
    worst: f64,
}

impl Latency {
    fn of(mut times: Vec<Duration>) -> Latency {
        times.sort_unstable();
        let at = |share: f64| {
            let place = (times.len() as f64 * share) as usize;
            let time = times.get(place.min(times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        Latency {
            p50: at(0.5),
            p99: at(0.99),
            worst: at(1.0),
        }
    }
}

#[derive(Serialize)]
struct Report {
    ruleset: String,
    positions: usize,
    outcome_microseconds: Latency,
    value_microseconds: Latency,
    cached_per_second: f64,
    threads: usize,
}

struct BenchProbe<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for BenchProbe<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let BenchProbe { args, out } = self;
        let uncached = Options {
            cache_bytes: 0,
            ..Options::default()
        };
        let id = game.description().id;
        let database = Database::open_with(&args.db, game, &uncached)?;
        let positions = draw(&database, args)?;
        let outcome = |position: &G::Position| database.probe_outcome(position).map(drop);
        let value = |position: &G::Position| database.probe(position).map(drop);
        let report = Report {
            ruleset: id,
            positions: positions.len(),
            outcome_microseconds: measure(&positions, outcome)?,
            value_microseconds: measure(&positions, value)?,
            cached_per_second: Ruleset::find(&args.ruleset)?.visit(Cached { args })?,
            threads: args.threads,
        };
        if args.json {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(out, "{} positions, microseconds:", report.positions)?;
        writeln!(out, "{:<28}{:>10}{:>10}{:>10}", "", "p50", "p99", "worst")?;
        for (name, Latency { p50, p99, worst }) in [
            ("outcome, uncached", &report.outcome_microseconds),
            ("outcome and plies, uncached", &report.value_microseconds),
        ] {
            writeln!(out, "{name:<28}{p50:>10.1}{p99:>10.1}{worst:>10.1}")?;
        }
        let millions = report.cached_per_second / 1e6;
        writeln!(
            out,
            "cached outcomes: {millions:.1} million a second, {} threads",
            args.threads
        )?;
        Ok(())
    }
}

/// Positions drawn evenly from all tables.
fn draw<G: Game>(database: &Database<G>, args: &Args) -> anyhow::Result<Vec<G::Position>> {
    let game = database.game();
    let tables = database.coverage().tables.into_iter();
    let tables: Vec<_> = tables
        .map(|covered| (covered.table, game.size(covered.table)))
        .collect();
    let all: u64 = tables.iter().map(|(_, size)| size).sum();
    anyhow::ensure!(all > 0, "there is no table in {}", args.db.display());
    let mut random = StdRng::seed_from_u64(args.seed);
    let positions = (0..args.positions).map(|_| {
        let mut index = random.random_range(0..all);
        for &(table, size) in &tables {
            if index < size {
                return game.unrank(table, index);
            }
            index -= size;
        }
        unreachable!("the index is below the sum of the sizes")
    });
    Ok(positions.collect())
}

/// Asks about every position, and once more with the clock running.
fn measure<P>(
    positions: &[P],
    mut ask: impl FnMut(&P) -> ::probe::Result<()>,
) -> anyhow::Result<Latency> {
    for position in positions {
        ask(position)?;
    }
    let mut times = Vec::with_capacity(positions.len());
    for position in positions {
        let started = Instant::now();
        ask(position)?;
        times.push(started.elapsed());
    }
    Ok(Latency::of(times))
}

/// Questions a second, of all threads together, about places that are in the cache.
struct Cached<'a> {
    args: &'a Args,
}

impl Visitor for Cached<'_> {
    type Output = anyhow::Result<f64>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<f64> {
        let Cached { args } = self;
        let database = Database::open(&args.db, game)?;
        let mut positions = draw(&database, args)?;
        positions.truncate(CACHED);
        let ask = || -> ::probe::Result<()> {
            for position in positions.iter().cycle().take(positions.len() * ROUNDS) {
                database.probe_outcome(position)?;
            }
            Ok(())
        };
        ask()?;
        let started = Instant::now();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..args.threads).map(|_| scope.spawn(ask)).collect();
            let mut threads = threads.into_iter();
            threads.try_for_each(|thread| thread.join().expect("probing does not panic"))
        })?;
        let asked = args.threads * positions.len() * ROUNDS;
        Ok(asked as f64 / started.elapsed().as_secs_f64())
    }
}
