//! From the number of a position to what is stored of it: the only place that knows how.
//!
//! A question is answered from the unit that holds the position. If there is a cache, the unit is
//! decoded to its end and kept there; without, it is decoded up to the position, into buffers of
//! whoever asks, and nothing is allocated once these have grown.

use std::ops::{ControlFlow, Range};

use endmill_dbformat::{Cut, DecodeContext, GiveFeatures, Kind, Statistics, Table};
use endmill_games::{Feature, Features, Outcome, Value, Verdict};

use crate::cache::{Cache, Key, Unit};
use crate::error::{ProbeError, Result};
use crate::table_set::{Entry, TableSet};

/// The tables, with what of them is kept in memory.
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

    /// Who wins; reads the outcomes only.
    pub(crate) fn outcome(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        position: &G::Position,
        context: &mut DecodeContext,
    ) -> Result<Outcome> {
        let index = game.rank(position);
        if let Some(known) = self.by_heart(entry, Kind::Outcomes, index) {
            return Ok(known.outcome());
        }
        let opened = self.table_set.open(game, entry)?;
        self.decode_outcome(game, entry, &opened, index, context)
    }

    /// Who wins, and how fast if that is stored. What is left out is for others to derive.
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
        if let Some(known) = self.by_heart(entry, Kind::Plies, index) {
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
        let read = opened.read_values(&range, FeaturesOf { game, entry }, context);
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
        let read = opened.read_outcomes(&range, FeaturesOf { game, entry }, context);
        let outcomes = read.map_err(|error| damage(entry, error))?;
        if let Some(key) = key {
            self.cache.keep(key, Unit::Outcomes(outcomes.into()));
        }
        Ok(outcomes[(index - range.start) as usize])
    }

    /// What is decoded for the sake of a position: its unit, to the end if it will be kept under
    /// the key.
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

    /// Shows every position of a table by its number, until `visit` has seen enough; `None` for
    /// one that is not stored.
    pub(crate) fn visit_all(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        mut visit: impl FnMut(u64, Option<Verdict>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let opened = self.table_set.open(game, entry)?;
        // Of its own: `visit` may ask questions too.
        let mut context = DecodeContext::default();
        let mut stored = Vec::new();
        for block in 0..opened.blocks() {
            let range = opened.outcome_cut().block(block);
            self.read_block(game, entry, &opened, &range, &mut context, &mut stored)?;
            for (index, &stored) in range.zip(&stored) {
                if visit(index, stored)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Replaces `stored` by what is stored of a block; `None` for a position that is not.
    pub(crate) fn read_block(
        &self,
        game: &G,
        entry: &Entry<G::Table>,
        opened: &Table,
        block: &Range<u64>,
        context: &mut DecodeContext,
        stored: &mut Vec<Option<Verdict>>,
    ) -> Result<()> {
        let exact = self.table_set.open_plies(entry, opened)?;
        let mut features = Vec::new();
        game.features(entry.table, block.clone(), &mut features);
        let given = |_, given: &mut Vec<Feature>| given.clone_from(&features);
        let here = |(feature, verdict): (&Feature, Verdict)| (!feature.resolved).then_some(verdict);
        stored.clear();
        if exact {
            let values = opened.read_values(block, given, context);
            let values = values.map_err(|error| damage(entry, error))?.iter();
            let verdicts = values.map(|&value| Verdict::from(value));
            stored.extend(features.iter().zip(verdicts).map(here));
        } else {
            let outcomes = opened.read_outcomes(block, given, context);
            let outcomes = outcomes.map_err(|error| damage(entry, error))?.iter();
            let verdicts = outcomes.map(|&outcome| Verdict::from(outcome));
            // Of a table that leaves plies out, only draws are stored whole.
            let whole = |verdict: &Verdict| !opened.leaves_plies_out() || verdict.value().is_some();
            let verdicts = features.iter().zip(verdicts).map(here);
            stored.extend(verdicts.map(|verdict| verdict.filter(whole)));
        }
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

    /// What the cache says; a table that was never opened has nothing in it.
    pub(crate) fn by_heart(
        &self,
        entry: &Entry<G::Table>,
        kind: Kind,
        index: u64,
    ) -> Option<Verdict> {
        let start = entry.cut(kind)?.unit_start(index);
        let within = (index - start) as usize;
        let key = Key::new(entry.number, kind, start)?;
        self.cache.look(key, |unit| match unit {
            Unit::Outcomes(outcomes) => outcomes[within].into(),
            Unit::Values(values) => values[within].into(),
        })
    }
}

/// Gives the features of positions of a table.
struct FeaturesOf<'a, G: Features> {
    game: &'a G,
    entry: &'a Entry<G::Table>,
}

impl<G: Features> GiveFeatures for FeaturesOf<'_, G> {
    fn give(&mut self, range: Range<u64>, features: &mut Vec<Feature>) {
        self.game.features(self.entry.table, range, features);
    }

    fn every_one_stored(&self) -> bool {
        self.game.stores_every_one(self.entry.table)
    }
}

fn damage<T>(entry: &Entry<T>, error: endmill_dbformat::Error) -> ProbeError {
    ProbeError::of_file(&entry.name, error)
}
