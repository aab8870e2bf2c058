//! Probes many positions at once, with several threads.
//!
//! The rows are split into chunks. Each thread has its own buffers and takes the next chunk until none
//! is left, so threads with harder positions take fewer chunks. Chunks are taken in order, so the first
//! wrong row is found in any case.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use endmill_games::{Features, Game, Outcome, ParseError};
use endmill_probe::{AnyDatabase, Database, ProbeContext, ProbeError, Prober, Verdict};

use crate::rows::{Row, kings_of};

/// The number of rows per chunk.
pub const CHUNK: usize = 4096;

/// The outcome of a position whose table is missing.
const MISSING: i8 = -2;
/// The plies of a position without plies.
const NO_PLIES: i16 = -1;

/// The columns of an array of positions, all of the same length.
pub struct Batch {
    pub mover: Vec<u32>,
    pub opponent: Vec<u32>,
    pub hands: Option<Vec<[u8; 2]>>,
    pub kings: Option<Vec<u32>>,
    pub quiet: Option<Vec<u8>>,
}

impl Batch {
    fn row(&self, index: usize) -> Row {
        Row {
            mover: self.mover[index],
            opponent: self.opponent[index],
            hands: self.hands.as_ref().map_or([0; 2], |hands| hands[index]),
            kings: self.kings.as_ref().map_or(0, |kings| kings[index]),
            quiet: self.quiet.as_ref().map_or(0, |quiet| quiet[index]),
        }
    }
}

/// The outcome of each row, 1 for a win, 0 a draw, -1 a loss, -2 a missing table, and its plies.
pub struct BatchResult {
    pub outcomes: Vec<i8>,
    /// Empty if the caller does not want them.
    pub plies: Vec<i16>,
}

/// The error of a row.
pub struct RowError {
    pub row: usize,
    pub error: ProbeError,
}

/// A database of any game that can be probed by rows.
pub trait RowDatabase: AnyDatabase {
    /// Probes all rows. Fails with the first row that is not a legal position, or that needs a
    /// damaged file. If `stop` returns true, the result is incomplete and must be discarded.
    fn probe_rows(
        &self,
        rows: &Batch,
        plies: bool,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<BatchResult, RowError>;

    /// Returns whether rows have kings.
    fn has_kings(&self) -> bool;

    /// The row of a position.
    fn row(&self, text: &str) -> endmill_probe::Result<Row>;

    /// The position of a row.
    fn text_of_row(&self, row: Row) -> endmill_probe::Result<String>;
}

impl<G: Game> RowDatabase for Database<G> {
    fn probe_rows(
        &self,
        rows: &Batch,
        plies: bool,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<BatchResult, RowError> {
        let count = rows.mover.len();
        let mut found = BatchResult {
            outcomes: vec![MISSING; count],
            plies: vec![NO_PLIES; if plies { count } else { 0 }],
        };
        let chunks = Mutex::new(found.chunks().into_iter());
        let failed = AtomicBool::new(false);
        let work = || {
            let mut context = ProbeContext::default();
            let mut asker = Worker {
                rows,
                kings: kings_of::<G>(),
                database: self,
                prober: self.prober(&mut context),
            };
            while !failed.load(Ordering::Relaxed) && !stop() {
                let Some(chunk) = chunks
                    .lock()
                    .expect("no thread panics while it holds the lock")
                    .next()
                else {
                    break;
                };
                asker.fill(chunk).inspect_err(|_| {
                    failed.store(true, Ordering::Relaxed);
                })?;
            }
            Ok(())
        };
        let done: Vec<Result<(), RowError>> = thread::scope(|scope| {
            let others = threads.min(count.div_ceil(CHUNK)).saturating_sub(1);
            // If the system has no more threads, the existing ones do the work.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (0..others).map_while(spawn).collect();
            let own = work();
            let others = others.into_iter().map(|other| match other.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(others).collect()
        });
        match done
            .into_iter()
            .filter_map(Result::err)
            .min_by_key(|error| error.row)
        {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    fn has_kings(&self) -> bool {
        kings_of::<G>().is_some()
    }

    fn row(&self, text: &str) -> endmill_probe::Result<Row> {
        let position = self.game().parse_position(text);
        let position = position.map_err(ProbeError::Position)?;
        let row = Row::of(self.game(), &position);
        row.map_err(|problem| ProbeError::Position(problem.into()))
    }

    fn text_of_row(&self, row: Row) -> endmill_probe::Result<String> {
        let position = row.position(self.game(), kings_of::<G>());
        let position = position.map_err(|problem| ProbeError::Position(problem.into()))?;
        Ok(self.game().format_position(&position))
    }
}

/// The part of the result that a thread fills in at a time.
struct Chunk<'a> {
    first: usize,
    outcomes: &'a mut [i8],
    plies: Option<&'a mut [i16]>,
}

impl BatchResult {
    fn chunks(&mut self) -> Vec<Chunk<'_>> {
        let mut plies = self.plies.chunks_mut(CHUNK);
        let outcomes = self.outcomes.chunks_mut(CHUNK).enumerate();
        let chunks = outcomes.map(|(number, outcomes)| Chunk {
            first: number * CHUNK,
            outcomes,
            plies: plies.next(),
        });
        chunks.collect()
    }
}

/// A thread with its buffers.
struct Worker<'a, G: Features> {
    rows: &'a Batch,
    kings: Option<usize>,
    database: &'a Database<G>,
    prober: Prober<'a, G>,
}

impl<G: Game> Worker<'_, G> {
    fn fill(&mut self, chunk: Chunk<'_>) -> Result<(), RowError> {
        let Chunk {
            first,
            outcomes,
            mut plies,
        } = chunk;
        for (within, outcome) in outcomes.iter_mut().enumerate() {
            let row = first + within;
            let verdict = self.ask(row, plies.is_some());
            let Some(verdict) = verdict.map_err(|error| RowError { row, error })? else {
                continue;
            };
            *outcome = match verdict.outcome() {
                Outcome::Win => 1,
                Outcome::Draw => 0,
                Outcome::Loss => -1,
            };
            if let (Some(plies), Some(known)) = (&mut plies, verdict.plies()) {
                // Distances have at most 14 bits.
                plies[within] = i16::try_from(known).unwrap_or(i16::MAX);
            }
        }
        Ok(())
    }

    /// `None` if a table is missing.
    fn ask(&mut self, row: usize, plies: bool) -> endmill_probe::Result<Option<Verdict>> {
        let position = self
            .rows
            .row(row)
            .position(self.database.game(), self.kings);
        let position =
            position.map_err(|problem| ProbeError::Position(ParseError::from(problem)))?;
        if !plies {
            let outcome = self.prober.probe_outcome(&position)?;
            return Ok(outcome.map(Verdict::from));
        }
        match self.prober.probe(&position) {
            Ok(verdict) => Ok(Some(verdict)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
