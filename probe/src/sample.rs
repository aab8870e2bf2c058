//! Positions of a table by outcome and plies: for trainers, puzzles and tests.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use dbformat::Statistics;
use games::{Game, Outcome};

use crate::database::Database;
use crate::error::{ProbeError, Result};
use crate::verdict::Verdict;

/// Which positions of a table are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only these outcomes.
    pub outcome: Option<Outcome>,
    /// Only decided in exactly so many plies.
    pub plies: Option<u16>,
}

impl Wanted {
    fn fits(&self, verdict: Verdict) -> bool {
        self.outcome
            .is_none_or(|outcome| verdict.outcome() == outcome)
            && (self.plies.is_none() || verdict.plies() == self.plies)
    }

    /// How many positions fit, by the counts of the table.
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
            None => of.wins + of.draws + of.losses,
        }
    }
}

impl<G: Game> Database<G> {
    /// Shows every position of a table with its verdict, in the order of their numbers, until
    /// `visit` has seen enough. Symmetric positions are shown once.
    pub fn for_each(
        &self,
        table: G::Table,
        mut visit: impl FnMut(&G::Position, Verdict) -> ControlFlow<()>,
    ) -> Result<()> {
        let entry = self.entry(table)?;
        self.lookup.visit_all(&self.game, entry, |index, stored| {
            let position = self.game.unrank(table, index);
            let verdict = match stored {
                Some(verdict) => verdict,
                None => self.probe(&position)?,
            };
            Ok(visit(&position, verdict))
        })
    }

    /// `count` different positions of a table that fit, each choice of them equally likely, in the
    /// order of their numbers; all that fit if there are no more. The same seed gives the same
    /// positions as long as the files are the same.
    pub fn sample(
        &self,
        table: G::Table,
        wanted: &Wanted,
        count: usize,
        seed: u64,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let entry = self.entry(table)?;
        if wanted.plies.is_some() && !entry.has_plies() {
            return Err(ProbeError::PliesMissing {
                table: entry.name.clone(),
            });
        }
        let (statistics, blocks) = self.lookup.statistics(&self.game, entry)?;
        let fitting = wanted.count(&statistics);
        if fitting == 0 || count == 0 {
            return Ok(Vec::new());
        }
        let positions = self.game.size(table);
        let chosen = count as u64;
        // Trying at random decodes a block for every try; looking at all decodes each once.
        let tries = (positions / fitting).saturating_mul(chosen);
        let random = Random(seed);
        if fitting / 2 >= chosen && tries < blocks as u64 {
            self.sample_by_trying(table, wanted, count, random)
        } else {
            self.sample_all(table, wanted, count, random)
        }
    }

    fn sample_by_trying(
        &self,
        table: G::Table,
        wanted: &Wanted,
        count: usize,
        mut random: Random,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let positions = self.game.size(table);
        let mut chosen = BTreeSet::new();
        while chosen.len() < count {
            let index = random.below(positions);
            let position = self.game.unrank(table, index);
            if wanted.fits(self.probe(&position)?) {
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

    /// Reservoir sampling: of all that fit so far, each is among the chosen equally likely.
    fn sample_all(
        &self,
        table: G::Table,
        wanted: &Wanted,
        count: usize,
        mut random: Random,
    ) -> Result<Vec<(G::Position, Verdict)>> {
        let mut chosen = Vec::new();
        let mut seen = 0;
        let entry = self.entry(table)?;
        self.lookup.visit_all(&self.game, entry, |index, stored| {
            let verdict = match stored {
                Some(verdict) => verdict,
                None => self.probe(&self.game.unrank(table, index))?,
            };
            if wanted.fits(verdict) {
                seen += 1;
                let place = random.below(seen);
                if chosen.len() < count {
                    chosen.push((index, verdict));
                } else if place < count as u64 {
                    chosen[place as usize] = (index, verdict);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        chosen.sort_by_key(|&(index, _)| index);
        let unrank = |(index, verdict)| (self.game.unrank(table, index), verdict);
        Ok(chosen.into_iter().map(unrank).collect())
    }

    fn entry(&self, table: G::Table) -> Result<&crate::shelf::Entry<G::Table>> {
        let entry = self.lookup.shelf.find(table);
        entry.ok_or_else(|| ProbeError::TableMissing {
            table: table.to_string(),
        })
    }
}

/// SplitMix64: a seed means the same in every version of every library.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; the bias of at most bound/2⁶⁴ is of no account.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
