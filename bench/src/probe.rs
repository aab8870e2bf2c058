//! The latency of the probe.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use endmill_games::Game;
use endmill_probe::{Database, Options, Result};
use serde::Serialize;

use crate::draw::Draw;

/// Repetitions of the questions that the cache answers.
const ROUNDS: usize = 200;
/// Positions for the questions that the cache answers: few enough to fit.
const CACHED: usize = 2_000;
/// Positions for the comparison of threads without a cache.
const UNCACHED: usize = 20_000;

/// What to measure.
pub struct ProbeRun<'a> {
    /// The directory of the database.
    pub database: &'a Path,
    /// How to read it, with the default cache.
    pub options: Options,
    /// The cache of the single questions, in bytes. Without one the measured positions are probed
    /// before; with one, others are.
    pub cache: Option<u64>,
    /// The number of positions.
    pub positions: usize,
    /// Draw from these tables; from all if there are none.
    pub tables: &'a [String],
    /// Threads for the questions that many threads ask.
    pub threads: usize,
    /// The seed of the positions.
    pub seed: u64,
}

/// How to divide the tables, each part with its own positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProbeParts {
    /// Every table.
    Tables,
    /// The tables with the same number of men in hand.
    ByHand,
}

/// Microseconds per question.
#[derive(Serialize)]
pub struct Latency {
    /// The number of positions.
    pub positions: usize,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The maximum.
    pub worst: f64,
}

/// The latency of single questions, and the throughput of many.
#[derive(Serialize)]
pub struct ProbeReport {
    /// The id of the ruleset.
    pub ruleset: String,
    /// Outcomes.
    pub outcome_microseconds: Latency,
    /// Outcomes of positions whose turns all stay in the table.
    pub outcome_microseconds_inside_only: Latency,
    /// Outcomes of positions with a turn that leaves the table.
    pub outcome_microseconds_with_outside: Latency,
    /// Values: outcomes and plies.
    pub value_microseconds: Latency,
    /// Values in tables whose plies a compact database omits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_microseconds_left_out: Option<Latency>,
    /// A hash of all values: equal for databases that answer alike.
    pub answers: String,
    /// Values per second on one thread.
    pub values_per_second: f64,
    /// Values per second on several threads.
    pub values_per_second_of_threads: f64,
    /// Cached outcomes per second on one thread.
    pub cached_per_second: f64,
    /// The number of threads.
    pub threads: usize,
    /// Cached outcomes per second on several threads.
    pub cached_per_second_of_threads: f64,
}

/// The latency in a part of the tables.
#[derive(Serialize)]
pub struct PartLatency {
    /// Its name.
    pub part: String,
    /// Outcomes.
    pub outcome_microseconds: Latency,
    /// Values: outcomes and plies.
    pub value_microseconds: Latency,
}

impl Latency {
    fn of(mut times: Vec<Duration>) -> Latency {
        times.sort_unstable();
        let at = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            let time = times.get(index.min(times.len().saturating_sub(1)));
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

impl ProbeRun<'_> {
    fn open<G: Game>(&self, game: G) -> Result<Database<G>> {
        let options = Options {
            cache_bytes: self.cache.unwrap_or(0) as usize,
            ..self.options
        };
        Database::open_with(self.database, game, &options)
    }

    /// The tables to draw from.
    fn draw<'d, G: Game>(&self, database: &'d Database<G>) -> anyhow::Result<Draw<'d, G>> {
        let names = self.tables.iter();
        let wanted = names.map(|name| database.game().parse_table(name));
        let wanted: Vec<G::Table> = wanted.collect::<std::result::Result<_, _>>()?;
        Draw::new(database, |table| {
            wanted.is_empty() || wanted.contains(&table)
        })
    }
}

/// Measures the latency of random positions.
pub fn probe<G: Game>(game: G, run: &ProbeRun<'_>) -> anyhow::Result<ProbeReport> {
    let database = run.open(game)?;
    let game = database.game();
    let drawn = Drawn::new(&run.draw(&database)?, run);
    let mut turns = Vec::new();
    let mut has_outside = |position: &G::Position| {
        game.turns(position, &mut turns);
        turns.iter().any(|turn| !game.is_inside(position, turn))
    };
    let outcome = drawn.measure(|position| database.probe_outcome(position).map(drop))?;
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (position, &time) in drawn.measured.iter().zip(&outcome) {
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
    let values = |threads| {
        let some = &drawn.measured[..drawn.measured.len().min(UNCACHED)];
        per_second(threads, some.len(), || {
            some.iter()
                .try_for_each(|position| database.probe(position).map(drop))
        })
    };
    let (values_per_second, values_per_second_of_threads) = (values(1)?, values(run.threads)?);
    let ruleset = game.description().id;
    let (game, cached_per_second) = cached_per_second(database.into_game(), run, 1)?;
    let (_, cached_per_second_of_threads) = self::cached_per_second(game, run, run.threads)?;
    Ok(ProbeReport {
        ruleset,
        outcome_microseconds: Latency::of(outcome),
        outcome_microseconds_inside_only: Latency::of(inside),
        outcome_microseconds_with_outside: Latency::of(outside),
        value_microseconds: Latency::of(value),
        value_microseconds_left_out: (!derived.is_empty()).then(|| Latency::of(derived)),
        answers: format!("{:016x}", answers.finish()),
        values_per_second,
        values_per_second_of_threads,
        cached_per_second,
        threads: run.threads,
        cached_per_second_of_threads,
    })
}

/// Measures the latency of random positions in each part of the tables.
pub fn probe_parts<G: Game>(
    game: G,
    run: &ProbeRun<'_>,
    parts: ProbeParts,
) -> anyhow::Result<Vec<PartLatency>> {
    let database = run.open(game)?;
    let game = database.game();
    let draw = run.draw(&database)?;
    let mut names: BTreeMap<(u32, Option<G::Table>), String> = BTreeMap::new();
    let part = |table| {
        let hand = game.pieces(table).in_hand;
        (hand, (parts == ProbeParts::Tables).then_some(table))
    };
    for table in draw.tables() {
        let (hand, own) = part(table);
        let name = own.map_or_else(|| format!("{hand} in hand"), |table| table.to_string());
        names.insert((hand, own), name);
    }
    let report = |(key, name): (_, String)| {
        let chosen = Draw::new(&database, |table| {
            part(table) == key && draw.tables().any(|drawn| drawn == table)
        })?;
        let drawn = Drawn::new(&chosen, run);
        let outcome = drawn.measure(|position| database.probe_outcome(position).map(drop))?;
        let value = drawn.measure(|position| database.probe(position).map(drop))?;
        Ok(PartLatency {
            part: name,
            outcome_microseconds: Latency::of(outcome),
            value_microseconds: Latency::of(value),
        })
    };
    names.into_iter().map(report).collect()
}

/// Positions to probe with the clock running, and those to probe before.
struct Drawn<P> {
    /// The same, so that everything is warm; with a cache others, so that it does not know the
    /// answers.
    before: Vec<P>,
    measured: Vec<P>,
}

impl<P: Copy> Drawn<P> {
    fn new<G: Game<Position = P>>(draw: &Draw<'_, G>, run: &ProbeRun<'_>) -> Drawn<P> {
        let measured = draw.positions(run.positions, run.seed);
        let before = match run.cache {
            None => measured.clone(),
            Some(_) => draw.positions(run.positions, run.seed.wrapping_add(1 << 32)),
        };
        Drawn { before, measured }
    }

    fn measure(&self, mut ask: impl FnMut(&P) -> Result<()>) -> anyhow::Result<Vec<Duration>> {
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

/// Questions per second, of all threads together, that the cache answers.
fn cached_per_second<G: Game>(
    game: G,
    run: &ProbeRun<'_>,
    threads: usize,
) -> anyhow::Result<(G, f64)> {
    let database = Database::open_with(run.database, game, &run.options)?;
    let count = run.positions.min(CACHED);
    let positions = run.draw(&database)?.positions(count, run.seed);
    let ask = || -> Result<()> {
        for position in positions.iter().cycle().take(positions.len() * ROUNDS) {
            database.probe_outcome(position)?;
        }
        Ok(())
    };
    ask()?;
    let questions = per_second(threads, positions.len() * ROUNDS, ask)?;
    Ok((database.into_game(), questions))
}

/// Questions per second, of all threads together. Each asks this many.
fn per_second(
    threads: usize,
    questions: usize,
    ask: impl Fn() -> Result<()> + Sync,
) -> anyhow::Result<f64> {
    let started = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&ask)).collect();
        let mut threads = threads.into_iter();
        threads.try_for_each(|thread| thread.join().expect("probing does not panic"))
    })?;
    Ok((threads * questions) as f64 / started.elapsed().as_secs_f64())
}
