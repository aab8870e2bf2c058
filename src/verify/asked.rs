//! Values that were verified, asked for once more: through the probe, as users ask.
//!
//! Verifying reads every table as a whole, one after the other. Who asks for single positions goes
//! from table to table, through caches and buffers that all tables share. An error there gives
//! wrong answers from right files, and no proof of the files would find it.

use std::fmt;
use std::path::Path;

use endmill_games::{Game, Outcome};
use endmill_probe::{Database, Options, ProbeError, Verdict};
use endmill_solver::Known;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

/// Questions that one thread asks in a row.
const QUESTIONS_PER_TASK: usize = 1 << 10;

/// Asks for all positions with a cache and without, and compares.
///
/// The order goes by numbers and, where tables share a number, through these at random: this is
/// where tables are most easily taken for each other.
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

/// A position that is not read as it is stored.
struct Difference {
    table: String,
    position: String,
    stored: Verdict,
    read: Read,
}

/// What the probe says.
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

/// A stored outcome without plies says nothing about plies: the probe may know them from turns.
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
