//! Samples positions of a table by outcome and plies, for trainers, puzzles and tests.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use endmill_dbformat::{Error as FileError, Part, Statistics};
use endmill_games::{Features, Outcome, Verdict};

use crate::database::Database;
use crate::error::{ProbeError, Result};
use crate::table_set::Entry;

/// The factor on the expected number of tries, and the minimum, before all positions are scanned
/// instead. If the counts of a table are right, that practically never happens.
const PATIENCE: u64 = 16;
const LEAST_TRIES: u64 = 64;
/// The largest table that a bounded sample may scan as a whole.
const SMALL_TABLE: u64 = 1 << 18;

/// The positions of a table to sample from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleFilter {
    /// Only this outcome.
    pub outcome: Option<Outcome>,
    /// Only positions decided in exactly this number of plies.
    pub plies: Option<u16>,
}

impl SampleFilter {
    fn fits(&self, verdict: Verdict) -> bool {
        self.outcome
            .is_none_or(|outcome| verdict.outcome() == outcome)
            && (self.plies.is_none() || verdict.plies() == self.plies)
    }

    /// The number of positions that fit, by the counts of the table.
    fn count(&self, of: &Statistics) -> u64 {
        if let Some(plies) = self.plies {
            let outcome = match plies % 2 {
                0 => Outcome::Loss,
                _ => Outcome::Win,
            };
            let possible = self.outcome.is_none_or(|wanted| wanted == outcome);
            let counted = of.histogram.get(usize::from(plies)).filter(|_| possible);
            return counted.copied().unwrap_or(0);
        }
        match self.outcome {
            Some(Outcome::Win) => of.wins,
            Some(Outcome::Draw) => of.draws,
            Some(Outcome::Loss) => of.losses,
            None => of.positions(),
        }
    }
}

impl<G: Features> Database<G> {
    /// Visits every position of a table with its value, in the order of their ranks, until `visit`
    /// breaks. Symmetric positions are visited once.
    pub fn for_each(
        &self,
        table: G::Table,
        mut visit: impl FnMut(&G::Position, Verdict) -> ControlFlow<()>,
    ) -> Result<()> {
        self.visit_all(table, |index, verdict| {
            visit(&self.game.unrank(table, index), verdict)
        })
    }

    /// Returns `count` different positions of a table that fit, or all if there are fewer, in the
    /// order of their ranks. Every choice is equally likely. The same seed gives the same positions
    /// as long as the files are the same.
    pub fn sample(
        &self,
        table: G::Table,
        filter: &SampleFilter,
        count: usize,
        seed: u64,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let entry = self.entry(table)?;
        if filter.plies.is_some() && !entry.has_plies() {
            return Err(ProbeError::PliesMissing {
                table: entry.name.clone(),
            });
        }
        let (statistics, blocks) = self.lookup.statistics(&self.game, entry)?;
        let fitting = filter.count(&statistics);
        if fitting == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let positions = self.game.size(table);
        let chosen = count as u64;
        // Random tries decode a block per try; a scan decodes each block once.
        let tries = (positions / fitting).saturating_mul(chosen);
        if fitting / 2 >= chosen && tries < blocks as u64 {
            let tries = tries.saturating_mul(PATIENCE).saturating_add(LEAST_TRIES);
            let sample = self.sample_by_trying(table, filter, count, tries, Random::new(seed))?;
            if sample.len() == count {
                return Ok(sample);
            }
        }
        self.sample_all(entry, filter, count, fitting, Random::new(seed))
    }

    /// Like [`sample`](Self::sample), but tries no more than `max_tries` positions of a large table,
    /// so that rare positions may not be found.
    pub fn sample_bounded(
        &self,
        table: G::Table,
        filter: &SampleFilter,
        count: usize,
        seed: u64,
        max_tries: u64,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        if self.game.size(table) <= SMALL_TABLE {
            return self.sample(table, filter, count, seed);
        }
        self.entry(table)?;
        self.sample_by_trying(table, filter, count, max_tries, Random::new(seed))
    }

    /// Returns fewer than `count` positions if the tries do not suffice.
    fn sample_by_trying(
        &self,
        table: G::Table,
        filter: &SampleFilter,
        count: usize,
        tries: u64,
        mut random: Random,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let positions = self.game.size(table);
        let mut chosen = BTreeSet::new();
        for _ in 0..tries {
            if chosen.len() == count {
                break;
            }
            let index = random.below(positions);
            let position = self.game.unrank(table, index);
            if filter.fits(self.probe(&position)?) {
                chosen.insert(index);
            }
        }
        let chosen = chosen.into_iter().map(|index| {
            let position = self.game.unrank(table, index);
            let verdict = self.probe(&position)?;
            Ok((position, verdict))
        });
        chosen.collect()
    }

    /// Reservoir sampling: each position that fits is chosen with the same probability. Fails if
    /// fewer fit than the header states.
    fn sample_all(
        &self,
        entry: &Entry<G::Table>,
        filter: &SampleFilter,
        count: usize,
        stated: u64,
        mut random: Random,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let table = entry.table;
        let mut chosen = Vec::new();
        let mut seen = 0;
        // Positions resolved through tables without plies are counted, but cannot be returned.
        let mut unknown = 0;
        self.visit_all(table, |index, verdict| {
            if filter.fits(verdict) {
                seen += 1;
                let place = random.below(seen);
                if chosen.len() < count {
                    chosen.push((index, verdict));
                } else if place < count as u64 {
                    chosen[place as usize] = (index, verdict);
                }
            } else if filter.plies.is_some() && verdict.value().is_none() {
                unknown += 1;
            }
            ControlFlow::Continue(())
        })?;
        if seen + unknown < stated {
            let opened = self.lookup.table_set.open(&self.game, entry)?;
            return Err(ProbeError::File(FileError::Damaged {
                file: opened.outcome_file().source().file().into(),
                part: Part::Counts,
            }));
        }
        chosen.sort_by_key(|&(index, _)| index);
        let unrank = |(index, verdict)| (self.game.unrank(table, index), verdict);
        Ok(chosen.into_iter().map(unrank).collect())
    }

    pub(crate) fn entry(&self, table: G::Table) -> Result<&Entry<G::Table>> {
        let entry = self.lookup.table_set.find(table);
        entry.ok_or_else(|| ProbeError::TableMissing {
            table: table.to_string(),
        })
    }
}

/// SplitMix64: a seed means the same in every version of every library.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, with a negligible bias of at most bound/2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}
