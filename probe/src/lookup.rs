//! Looks up what is stored of a position, by its number.
//!
//! The unit that holds the position is decoded: to its end if the cache keeps it; otherwise up to the
//! position, into buffers of the caller, and nothing is allocated once these have grown.

use std::ops::Range;
use std::sync::Arc;

use endmill_dbformat::{
    Cut, DecodeContext, DrawEntry, Kind, RankList, Statistics, Table, TableReader,
};
use endmill_games::{Features, Outcome, Value, Verdict};

use crate::cache::{Cache, Key, Unit};
use crate::error::{ProbeError, Result};
use crate::table_set::{Entry, TableSet};

/// The tables, and the cache of their decoded units.
pub(crate) struct Lookup<G: Features> {
    pub table_set: TableSet<G>,
    cache: Cache,
}

impl<G: Features> Lookup<G> {
    pub(crate) fn new(table_set: TableSet<G>, cache_bytes: usize) -> Lookup<G> {
        Lookup {
            table_set,
            cache: Cache::new(cache_bytes),
        }
    }

    /// Returns the outcome; reads no plies.
    pub(crate) fn outcome(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
        context: &mut DecodeContext,
    ) -> Result<Outcome> {
        let index = game.rank(position);
        if let Some(known) = self.cached(entry, Kind::Outcomes, index) {
            return Ok(known.outcome());
        }
        let opened = self.table_set.open(game, entry)?;
        self.decode_outcome(game, entry, &opened, index, context)
    }

    /// Returns the outcome, and the distance if it is stored; distances that are left out are not
    /// derived here.
    pub(crate) fn verdict(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
        context: &mut DecodeContext,
    ) -> Result<Verdict> {
        if !entry.stores_plies() {
            return Ok(self.outcome(game, entry, position, context)?.into());
        }
        let index = game.rank(position);
        if let Some(known) = self.cached(entry, Kind::Plies, index) {
            return Ok(known);
        }
        let opened = self.table_set.open(game, entry)?;
        if !self.table_set.open_plies(entry, &opened)? {
            return Ok(self
                .decode_outcome(game, entry, &opened, index, context)?
                .into());
        }
        let cut = opened.ply_cut().expect("they are open");
        let (range, key) = self.decoded_for::<Value>(entry, Kind::Plies, &cut, index);
        let read = TableReader::new(game, entry.table, &opened).values(&range, context);
        let values = read.map_err(|error| damage(entry, error))?;
        if let Some(key) = key {
            self.cache.keep(key, Unit::Values(values.into()));
        }
        Ok(values[(index - range.start) as usize].into())
    }

    fn decode_outcome(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        opened: &Table,
        index: u64,
        context: &mut DecodeContext,
    ) -> Result<Outcome> {
        let cut = opened.outcome_cut();
        let (range, key) = self.decoded_for::<Outcome>(entry, Kind::Outcomes, &cut, index);
        let read = TableReader::new(game, entry.table, opened).outcomes(&range, context);
        let outcomes = read.map_err(|error| damage(entry, error))?;
        if let Some(key) = key {
            self.cache.keep(key, Unit::Outcomes(outcomes.into()));
        }
        Ok(outcomes[(index - range.start) as usize])
    }

    /// The positions to decode for a position: its whole unit if it will be cached under the key,
    /// otherwise its beginning.
    fn decoded_for<T>(
        &self,
        entry: &Entry<G::Table>,
        kind: Kind,
        cut: &Cut,
        index: u64,
    ) -> (Range<u64>, Option<Key>) {
        let unit = cut.unit_of(index);
        let bytes = (unit.end - unit.start) as usize * size_of::<T>();
        let key = Key::new(entry.number, kind, unit.start);
        match key.filter(|_| self.cache.takes(bytes)) {
            Some(key) => (unit, Some(key)),
            None => (unit.start..index + 1, None),
        }
    }

    /// Returns the entry of a stored draw, with the ranks of its table; `None` if they are not stored.
    pub(crate) fn draw(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
        context: &mut DecodeContext,
    ) -> Result<Option<(DrawEntry, Arc<RankList>)>> {
        if !entry.stores_draws() {
            return Ok(None);
        }
        let opened = self.table_set.open(game, entry)?;
        if !self.table_set.open_draws(entry, &opened)? {
            return Ok(None);
        }
        let file = opened.draw_file().expect("it is open");
        let (cut, list) = (file.cut(), file.codec().list());
        let index = game.rank(position);
        let start = cut.unit_start(index);
        let within = (index - start) as usize;
        let key = Key::new(entry.number, Kind::Draws, start);
        let cached = key.and_then(|key| {
            self.cache.look(key, |unit| match unit {
                Unit::Draws(draws) => draws[within],
                Unit::Outcomes(_) | Unit::Values(_) => None,
            })
        });
        if let Some(found) = cached {
            return Ok(found.map(|draw| (draw, Arc::clone(list))));
        }
        let (range, key) = self.decoded_for::<Option<DrawEntry>>(entry, Kind::Draws, &cut, index);
        let read = TableReader::new(game, entry.table, &opened).draws(&range, context);
        let (outcomes, entries) = read.map_err(|error| damage(entry, error))?;
        let draw = |place: usize| (outcomes[place] == Outcome::Draw).then(|| entries[place]);
        if let Some(key) = key {
            let draws = (0..outcomes.len()).map(draw);
            self.cache.keep(key, Unit::Draws(draws.collect()));
        }
        let found = draw((index - range.start) as usize);
        Ok(found.map(|draw| (draw, Arc::clone(list))))
    }

    /// Replaces `verdicts` by what is stored of a block, and `absent` by the places of the positions
    /// that must be resolved or derived by their turns.
    pub(crate) fn read_block(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        block: &Range<u64>,
        context: &mut DecodeContext,
        verdicts: &mut Vec<Verdict>,
        absent: &mut Vec<usize>,
    ) -> Result<()> {
        let opened = self.table_set.open(game, entry)?;
        let plies = self.table_set.open_plies(entry, &opened)?;
        let mut features = Vec::new();
        let reader = TableReader::new(game, entry.table, &opened);
        let read = reader.read_block(block, plies, context, &mut features, verdicts);
        read.map_err(|error| damage(entry, error))?;
        let derives = !plies && opened.leaves_plies_out();
        let is_absent = |&place: &usize| {
            let resolved = features.get(place).is_some_and(|feature| feature.resolved);
            resolved || (derives && verdicts[place].value().is_none())
        };
        absent.clear();
        absent.extend((0..verdicts.len()).filter(is_absent));
        Ok(())
    }

    /// The counts of a table and the number of its blocks.
    pub(crate) fn statistics(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
    ) -> Result<(Statistics, usize)> {
        let opened = self.table_set.open(game, entry)?;
        Ok((opened.statistics().clone(), opened.blocks()))
    }

    /// Returns what the cache has of a position; nothing of a table that was never opened.
    pub(crate) fn cached(
        &self,
        entry: &Entry<G::Table>,
        kind: Kind,
        index: u64,
    ) -> Option<Verdict> {
        let start = entry.cut(kind)?.unit_start(index);
        let within = (index - start) as usize;
        let key = Key::new(entry.number, kind, start)?;
        self.cache.look(key, |unit| match unit {
            Unit::Outcomes(outcomes) => Some(outcomes[within].into()),
            Unit::Values(values) => Some(values[within].into()),
            Unit::Draws(_) => None,
        })?
    }
}

fn damage<T>(entry: &Entry<T>, error: endmill_dbformat::Error) -> ProbeError {
    ProbeError::of_file(&entry.name, error)
}
