//! `endmill bench probe`: how fast positions are answered.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::time::{Duration, Instant};

use endmill_games::{Game, Ruleset, Visitor};
use endmill_probe::{Database, Options};
use serde::Serialize;

use super::draw::Draw;
use crate::db::Db;
use crate::size::Size;

/// How often the positions are asked about again from the cache.
const ROUNDS: usize = 200;
/// Positions that the cache is asked about: few enough to be all there.
const CACHED: usize = 2_000;

/// Positions that threads are compared with that have no cache.
const UNCACHED: usize = 20_000;

/// Probe random positions, drawn evenly from all positions of the database.
///
/// Every position is asked about once before it is measured, so that files and tables are warm, and
/// without the cache of decoded units, as for the first question about a place. With `--cache` as
/// many other positions are asked about instead; those of small tables are then mostly in the
/// cache. A turn is outside if it leads to another material: a capture, a crowning, a placement.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    db: Db,
    /// Positions to ask about
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20_000)]
    positions: usize,
    /// Draw from these tables only, e.g. 5v4,4v4
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// Measure every table on its own, with N positions each
    #[arg(long)]
    each: bool,
    /// Measure the tables with as many men in hand together, with N positions each
    #[arg(long, conflicts_with = "each")]
    by_hand: bool,
    /// A cache of decoded units of this size, e.g. 64M, and other positions to warm the files up
    #[arg(long, value_name = "SIZE")]
    cache: Option<Size>,
    /// Threads for the cached questions, compared with one
    #[arg(long, value_name = "N", default_value_t = 2)]
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
        Ruleset::open(&self.ruleset)?.visit(BenchProbe { args: &self, out })
    }
}

/// Microseconds that a question took.
#[derive(Serialize)]
struct Latency {
    positions: usize,
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
            positions: times.len(),
            p50: at(0.5),
            p99: at(0.99),
            worst: at(1.0),
        }
    }
}

#[derive(Serialize)]
struct Report {
    ruleset: String,
    outcome_microseconds: Latency,
    outcome_microseconds_inside_only: Latency,
    outcome_microseconds_with_outside: Latency,
    value_microseconds: Latency,
    /// Of tables whose plies a compact database leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    value_microseconds_left_out: Option<Latency>,
    /// Of all values together: databases that answer the same have the same.
    answers: String,
    values_per_second: f64,
    values_per_second_of_threads: f64,
    cached_per_second: f64,
    threads: usize,
    cached_per_second_of_threads: f64,
}

/// With `--each` or `--by-hand`.
#[derive(Serialize)]
struct PartReport {
    part: String,
    outcome_microseconds: Latency,
    value_microseconds: Latency,
}

struct BenchProbe<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for BenchProbe<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let BenchProbe { args, out } = self;
        let options = Options {
            cache_bytes: args.cache.map_or(0, Size::bytes) as usize,
            ..args.db.read.options()
        };
        let database = Database::open_with(&args.db.directory, game, &options)?;
        let draw = chosen(&database, args)?;
        if args.each || args.by_hand {
            let parts = measure_parts(&database, &draw, args)?;
            return print_parts(&parts, args.json, out);
        }
        let positions = Drawn::new(&draw, args);
        let report = measure_all(&database, &positions, args)?;
        print(&report, args.json, out)
    }
}

fn measure_all<G: Game>(
    database: &Database<G>,
    drawn: &Drawn<G::Position>,
    args: &Args,
) -> anyhow::Result<Report> {
    let game = database.game();
    let mut turns = Vec::new();
    let mut has_outside = |position: &G::Position| {
        game.turns(position, &mut turns);
        turns.iter().any(|turn| !game.is_inside(position, turn))
    };
    let outcome = drawn.measure(|position| database.probe_outcome(position).map(drop))?;
    let timed = || drawn.measured.iter().zip(outcome.iter().copied());
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (position, time) in timed() {
        match has_outside(position) {
            true => outside.push(time),
            false => inside.push(time),
        }
    }
    let value = drawn.measure(|position| database.probe(position).map(drop))?;
    let mut answers = DefaultHasher::new();
    for position in &drawn.measured {
        format!("{:?}", database.probe(position)?).hash(&mut answers);
    }
    let tables = database.coverage().tables.into_iter();
    let left_out: Vec<G::Table> = tables
        .filter(|covered| covered.leaves_plies_out())
        .map(|covered| covered.table)
        .collect();
    let is_left_out = |position: &G::Position| {
        let table = game.table_of(position);
        table.is_some_and(|table| left_out.contains(&table))
    };
    let timed = drawn.measured.iter().zip(&value);
    let derived = timed.filter(|(position, _)| is_left_out(position));
    let derived: Vec<Duration> = derived.map(|(_, time)| *time).collect();
    let ruleset = Ruleset::open(&args.ruleset)?;
    let cached = |threads| ruleset.visit(Cached { args, threads });
    let values = |threads| {
        let some = &drawn.measured[..drawn.measured.len().min(UNCACHED)];
        per_second(threads, some.len(), || {
            some.iter()
                .try_for_each(|position| database.probe(position).map(drop))
        })
    };
    Ok(Report {
        ruleset: game.description().id,
        outcome_microseconds: Latency::of(outcome),
        outcome_microseconds_inside_only: Latency::of(inside),
        outcome_microseconds_with_outside: Latency::of(outside),
        value_microseconds: Latency::of(value),
        value_microseconds_left_out: (!derived.is_empty()).then(|| Latency::of(derived)),
        answers: format!("{:016x}", answers.finish()),
        values_per_second: values(1)?,
        values_per_second_of_threads: values(args.threads)?,
        cached_per_second: cached(1)?,
        threads: args.threads,
        cached_per_second_of_threads: cached(args.threads)?,
    })
}

fn print(report: &Report, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, report)?;
        return Ok(writeln!(out)?);
    }
    heading(out, "microseconds")?;
    for (name, latency) in [
        ("outcome", &report.outcome_microseconds),
        (
            "  no outside turn",
            &report.outcome_microseconds_inside_only,
        ),
        (
            "  an outside turn",
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
        "values: {:.0} a second on one thread, {:.0} on {}",
        report.values_per_second, report.values_per_second_of_threads, report.threads
    )?;
    writeln!(
        out,
        "cached outcomes: {:.1} million a second on one thread, {:.1} on {}",
        report.cached_per_second / 1e6,
        report.cached_per_second_of_threads / 1e6,
        report.threads
    )?;
    writeln!(
        out,
        "all answers together: {} (the same wherever they are the same)",
        report.answers
    )?;
    Ok(())
}

/// Each table, or each number of men in hand, on its own.
fn measure_parts<G: Game>(
    database: &Database<G>,
    draw: &Draw<'_, G>,
    args: &Args,
) -> anyhow::Result<Vec<PartReport>> {
    let game = database.game();
    let mut parts: BTreeMap<(u32, Option<G::Table>), String> = BTreeMap::new();
    let part = |table| {
        let hand = game.pieces_in_hand(table);
        (hand, args.each.then_some(table))
    };
    for table in draw.tables() {
        let (hand, own) = part(table);
        let name = own.map_or_else(|| format!("{hand} in hand"), |table| table.to_string());
        parts.insert((hand, own), name);
    }
    let report = |(key, name): (_, String)| {
        let chosen = Draw::new(database, |table| {
            part(table) == key && draw.tables().any(|drawn| drawn == table)
        })?;
        let drawn = Drawn::new(&chosen, args);
        let outcome = drawn.measure(|position| database.probe_outcome(position).map(drop))?;
        let value = drawn.measure(|position| database.probe(position).map(drop))?;
        Ok(PartReport {
            part: name,
            outcome_microseconds: Latency::of(outcome),
            value_microseconds: Latency::of(value),
        })
    };
    parts.into_iter().map(report).collect()
}

fn print_parts(parts: &[PartReport], json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, parts)?;
        return Ok(writeln!(out)?);
    }
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

/// The tables to draw from.
fn chosen<'a, G: Game>(database: &'a Database<G>, args: &Args) -> anyhow::Result<Draw<'a, G>> {
    let names = args.tables.iter();
    let wanted = names.map(|name| database.game().parse_table(name));
    let wanted: Vec<G::Table> = wanted.collect::<Result<_, _>>()?;
    Draw::new(database, |table| {
        wanted.is_empty() || wanted.contains(&table)
    })
}

/// Positions to ask about with the clock running, and those to ask about before.
struct Drawn<P> {
    /// The same, so that everything they need is warm; with a cache others, so that it does not
    /// know the answers.
    before: Vec<P>,
    measured: Vec<P>,
}

impl<P: Copy> Drawn<P> {
    fn new<G: Game<Position = P>>(draw: &Draw<'_, G>, args: &Args) -> Drawn<P> {
        let measured = draw.positions(args.positions, args.seed);
        let before = match args.cache {
            None => measured.clone(),
            Some(_) => draw.positions(args.positions, args.seed.wrapping_add(1 << 32)),
        };
        Drawn { before, measured }
    }

    fn measure(
        &self,
        mut ask: impl FnMut(&P) -> endmill_probe::Result<()>,
    ) -> anyhow::Result<Vec<Duration>> {
        for position in &self.before {
            ask(position)?;
        }
        let mut times = Vec::with_capacity(self.measured.len());
        for position in &self.measured {
            let started = Instant::now();
            ask(position)?;
            times.push(started.elapsed());
        }
        Ok(times)
    }
}

/// Questions a second, of all threads together, about places that are in the cache.
struct Cached<'a> {
    args: &'a Args,
    threads: usize,
}

impl Visitor for Cached<'_> {
    type Output = anyhow::Result<f64>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<f64> {
        let Cached { args, threads } = self;
        let database = args.db.open(game)?;
        let count = args.positions.min(CACHED);
        let positions = chosen(&database, args)?.positions(count, args.seed);
        let ask = || -> endmill_probe::Result<()> {
            for position in positions.iter().cycle().take(positions.len() * ROUNDS) {
                database.probe_outcome(position)?;
            }
            Ok(())
        };
        ask()?;
        per_second(threads, positions.len() * ROUNDS, ask)
    }
}

/// Questions a second, of all threads together, each of which asks this many.
fn per_second(
    threads: usize,
    questions: usize,
    ask: impl Fn() -> endmill_probe::Result<()> + Sync,
) -> anyhow::Result<f64> {
    let started = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&ask)).collect();
        let mut threads = threads.into_iter();
        threads.try_for_each(|thread| thread.join().expect("probing does not panic"))
    })?;
    Ok((threads * questions) as f64 / started.elapsed().as_secs_f64())
}
