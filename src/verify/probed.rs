//! Probes a sample of the verified values, as users do.
//!
//! Verification reads one whole table after the other. A user probes single positions of many tables,
//! through caches and buffers that all tables share. A bug there gives wrong answers from correct
//! files, and no verification of the files can find it.

use std::fmt;
use std::path::Path;

use endmill_games::{Game, Outcome};
use endmill_probe::{Database, Options, ProbeError, Verdict};
use endmill_solver::Known;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

/// Questions per task of a thread.
const QUESTIONS_PER_TASK: usize = 1 << 10;

/// Probes all positions with a cache and without, and compares.
///
/// Positions are in the order of their indices, and in random order among tables with the same index:
/// there one table is most easily mistaken for another.
pub fn compare<G: Game>(
    game: G,
    directory: &Path,
    mut known: Vec<Known<G::Table>>,
    seed: u64,
) -> anyhow::Result<()> {
    known.shuffle(&mut StdRng::seed_from_u64(seed));
    known.sort_by_key(|known| known.index);
    let mut game = game;
    for cache_bytes in [0, Options::default().cache_bytes] {
        let options = Options {
            cache_bytes,
            ..Options::default()
        };
        let database = Database::open_with(directory, game, &options)?;
        let tasks = known.par_chunks(QUESTIONS_PER_TASK).with_max_len(1);
        let first = tasks.find_map_first(|task| {
            let mut questions = task.iter();
            questions.find_map(|known| Difference::of(&database, known))
        });
        if let Some(difference) = first {
            let cache = if cache_bytes == 0 { "without" } else { "with" };
            anyhow::bail!("{difference} ({cache} a cache)");
        }
        game = database.into_game();
    }
    Ok(())
}

/// A position whose probed value is not the stored one.
struct Difference {
    table: String,
    position: String,
    stored: Verdict,
    read: Read,
}

/// The answer of the probe.
enum Read {
    Verdict(Verdict),
    Outcome(Option<Outcome>),
    Error(ProbeError),
}

impl Difference {
    fn of<G: Game>(database: &Database<G>, known: &Known<G::Table>) -> Option<Difference> {
        let position = database.game().unrank(known.table, known.index);
        let stored = match known.exact {
            true => Verdict::from(known.value),
            false => Verdict::from(known.value.outcome()),
        };
        let read = match database.probe(&position) {
            Err(error) => Read::Error(error),
            Ok(verdict) if differ(stored, verdict) => Read::Verdict(verdict),
            Ok(_) => match database.probe_outcome(&position) {
                Err(error) => Read::Error(error),
                Ok(outcome) if outcome != Some(stored.outcome()) => Read::Outcome(outcome),
                Ok(_) => return None,
            },
        };
        Some(Difference {
            table: known.table.to_string(),
            position: database.game().format_position(&position),
            stored,
            read,
        })
    }
}

/// If only the outcome is stored, the probe may still derive plies from other tables.
fn differ(stored: Verdict, read: Verdict) -> bool {
    match stored.value() {
        Some(_) => stored != read,
        None => stored.outcome() != read.outcome(),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            table,
            position,
            stored,
            read,
        } = self;
        write!(f, "{table}: {position} is stored as {stored}, the probe ")?;
        match read {
            Read::Verdict(verdict) => write!(f, "reads {verdict}"),
            Read::Outcome(Some(outcome)) => write!(f, "reads {outcome}"),
            Read::Outcome(None) => write!(f, "does not know it"),
            Read::Error(error) => write!(f, "fails: {error}"),
        }
    }
}
