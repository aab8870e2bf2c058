//! From the number of a position to what is stored of it: the only place that knows how.
//!
//! A question is answered from the unit that holds the position. If there is a cache, the unit is
//! decoded to its end and kept there; without, it is decoded up to the position, into buffers of
//! the thread, and nothing is allocated once these have grown.

use std::cell::RefCell;
use std::ops::ControlFlow;

use dbformat::{DecodeContext, Kind, Statistics};
use games::{Game, Outcome, Value};

use crate::cache::{Cache, Key};
use crate::error::{ProbeError, Result};
use crate::shelf::{Entry, Opened, Shelf};
use crate::verdict::Verdict;

/// The tables, with what is known of them by heart.
pub(crate) struct Lookup<G: Game> {
    pub shelf: Shelf<G>,
    cache: Cache<Unit>,
}

/// A decoded unit.
enum Unit {
    Outcomes(Box<[Outcome]>),
    Values(Box<[Value]>),
}

/// What a thread needs to decode.
#[derive(Default)]
struct Buffers {
    context: DecodeContext,
    outcomes: Vec<Outcome>,
    values: Vec<Value>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl<G: Game> Lookup<G> {
    pub(crate) fn new(shelf: Shelf<G>, cache_bytes: usize) -> Lookup<G> {
        Lookup {
            shelf,
            cache: Cache::new(cache_bytes),
        }
    }

    /// Who wins; reads the outcomes only.
    pub(crate) fn outcome(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
    ) -> Result<Outcome> {
        let index = game.rank(position);
        if let Some(known) = self.by_heart(entry, Kind::Outcomes, index) {
            return Ok(known.outcome());
        }
        let opened = self.shelf.open(game, entry)?;
        let last = self.last_decoded(&opened, index);
        BUFFERS.with_borrow_mut(|buffers| {
            let first = read_outcomes(game, entry, &opened, last, buffers)?;
            let outcomes = &buffers.outcomes;
            self.keep(
                entry,
                Kind::Outcomes,
                index,
                size_of_val(&outcomes[..]),
                || Unit::Outcomes(outcomes.as_slice().into()),
            );
            Ok(outcomes[(index - first) as usize])
        })
    }

    /// Who wins, and how fast if that is stored.
    pub(crate) fn verdict(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
    ) -> Result<Verdict> {
        if !entry.has_plies() {
            return Ok(self.outcome(game, entry, position)?.into());
        }
        let index = game.rank(position);
        if let Some(known) = self.by_heart(entry, Kind::Plies, index) {
            return Ok(known);
        }
        let opened = self.shelf.open(game, entry)?;
        let last = self.last_decoded(&opened, index);
        BUFFERS.with_borrow_mut(|buffers| {
            let first = read_outcomes(game, entry, &opened, last, buffers)?;
            let within = (index - first) as usize;
            let Some(plies) = self.shelf.plies(entry, &opened)? else {
                return Ok(buffers.outcomes[within].into());
            };
            let Buffers {
                context,
                outcomes,
                values,
            } = buffers;
            let clues = |range, clues: &mut _| game.clues(entry.table, range, clues);
            let read = plies.read_around(last, outcomes, clues, context, values);
            read.map_err(|error| damage(entry, error))?;
            self.keep(entry, Kind::Plies, index, size_of_val(&values[..]), || {
                Unit::Values(values.as_slice().into())
            });
            Ok(values[within].into())
        })
    }

    /// Up to which position a unit is decoded for the sake of one: to its end if it will be kept.
    fn last_decoded(&self, opened: &Opened, index: u64) -> u64 {
        let file = opened.outcomes.file();
        let unit = file.unit();
        if self.cache.takes(unit as usize) {
            let end = (index / unit + 1) * unit;
            end.min(file.header().positions) - 1
        } else {
            index
        }
    }

    /// Shows every position of a table by its number, until `visit` has seen enough; `None` for
    /// one that is not stored.
    pub(crate) fn visit_all(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        mut visit: impl FnMut(u64, Option<Verdict>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let opened = self.shelf.open(game, entry)?;
        // Own buffers: `visit` may ask questions that need those of the thread.
        let mut buffers = Buffers::default();
        let mut clues = Vec::new();
        let mut index = 0;
        for block in 0..opened.outcomes.file().blocks() {
            let exact = self.read_block(game, entry, &opened, block, &mut buffers)?;
            let end = index + buffers.outcomes.len() as u64;
            game.clues(entry.table, index..end, &mut clues);
            for (i, &outcome) in buffers.outcomes.iter().enumerate() {
                let verdict = match exact {
                    _ if clues[i].resolved => None,
                    true => Some(buffers.values[i].into()),
                    false => Some(outcome.into()),
                };
                if visit(index, verdict)?.is_break() {
                    return Ok(());
                }
                index += 1;
            }
        }
        Ok(())
    }

    /// The counts of a table and the number of its blocks.
    pub(crate) fn statistics(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
    ) -> Result<(Statistics, usize)> {
        let opened = self.shelf.open(game, entry)?;
        let file = opened.outcomes.file();
        Ok((file.statistics().clone(), file.blocks()))
    }

    /// Decodes a block into the buffers: outcomes, and values if they are stored, which it tells.
    fn read_block(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        opened: &Opened,
        block: usize,
        buffers: &mut Buffers,
    ) -> Result<bool> {
        let Buffers {
            context,
            outcomes,
            values,
        } = buffers;
        let damaged = |error| damage(entry, error);
        let clues = |range, clues: &mut _| game.clues(entry.table, range, clues);
        let read = opened.outcomes.read_block(block, clues, context, outcomes);
        read.map_err(damaged)?;
        let Some(plies) = self.shelf.plies(entry, opened)? else {
            return Ok(false);
        };
        let read = plies.read_block(block, outcomes, clues, context, values);
        read.map_err(damaged)?;
        Ok(true)
    }

    /// What the cache says; a table that was never opened has nothing in it.
    fn by_heart(&self, entry: &Entry<G::Table>, kind: Kind, index: u64) -> Option<Verdict> {
        let unit = entry.cut()?.unit;
        let within = (index % unit) as usize;
        let key = key(entry, kind, (index / unit) as usize);
        self.cache.look(key, |unit| match unit {
            Unit::Outcomes(outcomes) => outcomes[within].into(),
            Unit::Values(values) => values[within].into(),
        })
    }

    /// Keeps the unit of a position, if there is a cache.
    fn keep(
        &self,
        entry: &Entry<G::Table>,
        kind: Kind,
        index: u64,
        bytes: usize,
        copy: impl FnOnce() -> Unit,
    ) {
        if let Some(cut) = entry.cut().filter(|_| self.cache.takes(bytes)) {
            let key = key(entry, kind, (index / cut.unit) as usize);
            self.cache.keep(key, copy(), bytes);
        }
    }
}

/// Decodes the outcomes of a unit up to a position; gives the first position of the unit.
fn read_outcomes<G: Game>(
    game: &G,
    entry: &Entry<G::Table>,
    opened: &Opened,
    last: u64,
    buffers: &mut Buffers,
) -> Result<u64> {
    let Buffers {
        context, outcomes, ..
    } = buffers;
    let clues = |range, clues: &mut _| game.clues(entry.table, range, clues);
    let read = opened.outcomes.read_around(last, clues, context, outcomes);
    read.map_err(|error| damage(entry, error))
}

fn key<T>(entry: &Entry<T>, kind: Kind, unit: usize) -> Key {
    Key::new(entry.number, kind as u8, unit)
}

fn damage<T>(entry: &Entry<T>, error: dbformat::Error) -> ProbeError {
    ProbeError::of_file(&entry.name, error)
}
