//! Verifies the ranks of draws: each against the ranks of its successors.
//!
//! Three equations make them right; `docs/draw-ranks.md` says why. The rank of a draw is the best that
//! its turns lead to, seen from the other side. A rank better than the table's own score converts in one
//! ply more than the soonest turn that keeps it, a worse one in one ply more than the latest; an exit
//! takes one. By rows the best turn shows both at once ([`ConversionValues`]); by turns, each position
//! is made from its number and its turns are played.

use std::convert::Infallible;
use std::sync::Mutex;

use endmill_dbformat::{DecodeContext, RankList, Store, TableReader};
use endmill_games::Outcome;
use endmill_games::value::{ConversionValues, Ranked, ScoreNumber, TableValues};
use endmill_layout::{BestTurns, Group, Layout, NodeValue, Part, PlainGroup, Seed, Solved};
use rayon::prelude::*;

use super::prove::derived;
use super::scores::{ScoreError, TableScores};
use super::{Ranking, memory, source};
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::held::Form;
use crate::memory::Buffer;
use crate::mismatch::Mismatch;
use crate::numbered::Numbered;
use crate::order::{ByNumber, Order, value};
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::resident::{Ranks, Resident};
use crate::sample::Sample;
use crate::schedule::{Decision, Schedule, Source, Visitor, Way};
use crate::{Progress, SolveError};

/// Stands for the plies of a position that is resolved by its turns: they always leave the table.
const RESOLVED: u16 = u16::MAX;

/// Positions that one task derives.
const POSITIONS_PER_TASK: u64 = 1 << 14;

/// The result of verifying the ranks of draws.
#[derive(Clone, Debug)]
pub struct VerifiedDraws<T> {
    /// The number of draws whose ranks are right.
    pub draws: u64,
    /// The tables whose ranks are missing, or those of tables that they lead to.
    pub left_out: Vec<T>,
}

/// Verifies the ranks of the draws of a plan: by rows and a sample by turns, or, without a sample, all
/// by turns. Returns `None` if no ranks are stored. Fails with [`SolveError::Differs`] at the first
/// wrong rank.
pub fn verify_draws<G: Layout>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    sample: Option<Sample>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Option<VerifiedDraws<G::Table>>, SolveError> {
    let Some(scores) = TableScores::of_store(game, store, plan)? else {
        return Ok(None);
    };
    let mut verifier = Verifier {
        ranking: Ranking {
            game,
            store,
            budget,
            progress,
            scores,
        },
        sample,
        verified: VerifiedDraws {
            draws: 0,
            left_out: Vec::new(),
        },
    };
    Schedule::new(plan, budget).run_in(&mut Resident::new(), &mut verifier, progress)?;
    Ok(Some(verifier.verified))
}

struct Verifier<'a, G: Layout, P> {
    ranking: Ranking<'a, G, P>,
    /// If the rest is swept by rows.
    sample: Option<Sample>,
    verified: VerifiedDraws<G::Table>,
}

/// The plies until the draws of a table convert, by number, and the ranks that its file lists.
struct Conversions {
    plies: Buffer<u16>,
    list: RankList,
    own: Option<ScoreNumber>,
}

impl Conversions {
    /// The plies of a position with this value; 0 where it has none.
    fn plies(&self, index: u64, ranked: Ranked) -> u16 {
        let (Some(own), Ranked::Draw(rank)) = (self.own, ranked) else {
            return 0;
        };
        match self.plies[index as usize] {
            _ if rank == own => 0,
            RESOLVED => 1,
            plies => plies,
        }
    }
}

impl<G: Layout, P: Progress> Verifier<'_, G, P> {
    fn has_ranks(&self, table: G::Table) -> Result<bool, SolveError> {
        let Ranking { store, scores, .. } = &self.ranking;
        let name = table.to_string();
        match store.draw_scores(&name)? {
            None => Ok(false),
            Some(id) if id == scores.id() => Ok(true),
            Some(_) => Err(ScoreError::Mixed { table: name }.into()),
        }
    }

    /// Reads how soon the draws of a table convert.
    fn conversions(&self, table: G::Table) -> Result<Conversions, SolveError> {
        let Ranking {
            game,
            store,
            budget,
            scores,
            ..
        } = &self.ranking;
        let opened = store.open(&table.to_string(), game.size(table))?;
        store.open_draws(&opened)?;
        let list = opened.draw_file().expect("it is open").codec().list();
        let mut plies = budget.buffer(game.size(table) as usize)?;
        let cut = opened.outcome_cut();
        let per_block = (cut.block(0).end).max(1) as usize;
        let stores_all = game.stores_every_one(table);
        let blocks = plies.par_chunks_mut(per_block).enumerate();
        blocks.small_chunks(1).try_for_each_init(
            || (DecodeContext::default(), Vec::new()),
            |(context, features), (block, plies)| -> Result<(), SolveError> {
                let range = cut.block(block);
                let reader = TableReader::new(*game, table, &opened);
                let (_, entries) = reader.draws(&range, context)?;
                for (plies, entry) in plies.iter_mut().zip(entries) {
                    *plies = entry.plies;
                }
                if !stores_all {
                    game.features(table, range, features);
                    for (plies, feature) in plies.iter_mut().zip(&*features) {
                        if feature.resolved {
                            *plies = RESOLVED;
                        }
                    }
                }
                Ok(())
            },
        )?;
        let own = scores.own(table);
        if list.own != own.map(|own| scores.numbers().score(own)) {
            let table = table.to_string();
            return Err(SolveError::Differs(Mismatch::Counts { table }));
        }
        Ok(Conversions {
            plies,
            list: RankList::clone(list),
            own,
        })
    }

    /// Compares the counts of a file with its ranks, and counts its draws.
    fn check_counts(
        &self,
        table: G::Table,
        conversions: &Conversions,
        of_number: &(impl Fn(u64) -> Ranked + Sync),
    ) -> Result<u64, SolveError> {
        let size = self.ranking.game.size(table);
        let numbers = self.ranking.scores.numbers();
        let counted = Mutex::new(vec![(0_u64, 0_u16); conversions.list.ranks.len()]);
        let place = |rank: ScoreNumber| {
            let score = numbers.score(rank);
            let ranks = &conversions.list.ranks;
            ranks
                .binary_search_by(|listed| listed.score.cmp(&score))
                .ok()
        };
        let tasks = (0..size.div_ceil(POSITIONS_PER_TASK)).into_par_iter();
        let unlisted = tasks.find_map_any(|task| {
            let start = task * POSITIONS_PER_TASK;
            let mut own = vec![(0_u64, 0_u16); conversions.list.ranks.len()];
            for index in start..size.min(start + POSITIONS_PER_TASK) {
                let ranked = of_number(index);
                if let Ranked::Draw(rank) = ranked {
                    let Some(place) = place(rank) else {
                        return Some(());
                    };
                    let plies = conversions.plies(index, ranked);
                    own[place] = (own[place].0 + 1, own[place].1.max(plies));
                }
            }
            let mut counted = counted.lock().expect("adding does not panic");
            for (sum, (count, longest)) in counted.iter_mut().zip(own) {
                *sum = (sum.0 + count, sum.1.max(longest));
            }
            None
        });
        let counted = counted.into_inner().expect("adding does not panic");
        let stated = conversions.list.ranks.iter();
        let stated: Vec<(u64, u16)> = stated.map(|rank| (rank.positions, rank.longest)).collect();
        match unlisted.is_none() && counted == stated {
            true => Ok(counted.iter().map(|(count, _)| count).sum()),
            false => Err(SolveError::Differs(Mismatch::Counts {
                table: table.to_string(),
            })),
        }
    }

    fn mismatch(
        &self,
        table: G::Table,
        index: u64,
        stored: (Ranked, u16),
        derived: (Ranked, u16),
    ) -> SolveError {
        let words = |(ranked, plies): (Ranked, u16)| match (ranked, plies) {
            (Ranked::Draw(rank), 0) => {
                format!("draw of rank {}", self.ranking.scores.numbers().score(rank))
            }
            (Ranked::Draw(rank), plies) => format!(
                "draw of rank {} that converts in {plies}",
                self.ranking.scores.numbers().score(rank)
            ),
            (other, _) => other.outcome().to_string(),
        };
        SolveError::Differs(Mismatch::Rank {
            table: table.to_string(),
            index,
            stored: words(stored),
            derived: words(derived),
        })
    }

    /// Derives positions of a table by turns, and compares them with the stored ones.
    fn check_by_turns(
        &self,
        table: G::Table,
        indices: impl IndexedParallelIterator<Item = u64>,
        known: &(impl Fn(G::Table, &G::Position) -> (Ranked, u16) + Sync),
    ) -> Result<(), SolveError> {
        let Ranking {
            game,
            progress,
            scores,
            ..
        } = &self.ranking;
        let wrong = indices.small_chunks(1).find_map_first(|index| {
            if progress.stopped() {
                return Some(SolveError::Stopped);
            }
            let position = game.unrank(table, index);
            let stored = known(table, &position);
            let own = scores.own(table);
            let derived = derived(*game, table, &position, own, known);
            let same = matches!(stored.0, Ranked::Loss | Ranked::Win) || stored == derived;
            (!same).then(|| self.mismatch(table, index, stored, derived))
        });
        wrong.map_or(Ok(()), Err)
    }

    /// Sweeps a laid out group by rows, and derives a sample by turns.
    fn sweep<L: Group<Table = G::Table>>(
        &mut self,
        group: &L,
        planned: &PlannedGroup<G::Table>,
        sample: Sample,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        let game = self.ranking.game;
        let mut conversions = Vec::new();
        for (table, _) in group.tables() {
            let numbered = Numbered::of(group, table, game.size(table));
            let nodes = self.ranking.read(table, true, &numbered, resident)?;
            resident.put_ranks(table, nodes);
            conversions.push((table, self.conversions(table)?, numbered));
        }
        self.ranking.progress.phase("sweeping draw ranks");
        let resident = &*resident;
        let numbers = self.ranking.scores.numbers();
        for (table, own, numbered) in &conversions {
            let values = resident.values(*table);
            let ranked = |index| numbers.ranked(values.node(numbered.place(game, *table, index)));
            self.verified.draws += self.check_counts(*table, own, &ranked)?;
        }
        let part = &group.part(0, 0);
        for (phase, home) in group.phase_tables().into_iter().enumerate() {
            let Some(table) = home else { continue };
            let found = conversions.iter().find(|(own, ..)| *own == table);
            let (_, own, numbered) = found.expect("a table of the group");
            match own.own {
                None => self.sweep_ranks(part, phase, table, numbered, resident)?,
                Some(_) => self.sweep_conversions(part, phase, &conversions, resident, planned)?,
            }
        }
        let known = |table, position: &G::Position| {
            let ranked = numbers.ranked(resident.values(table).node(game.node(position)));
            let own = conversions.iter().find(|(own, ..)| *own == table);
            let plies = own.map_or(0, |(_, own, _)| own.plies(game.rank(position), ranked));
            (ranked, plies)
        };
        for (table, size) in planned.tables.iter().copied() {
            let indices = (0..sample.count(size) as usize).into_par_iter();
            let indices = indices.map(|i| sample.index(size, i as u64));
            self.check_by_turns(table, indices, &known)?;
        }
        Ok(())
    }

    /// Compares a phase whose draws do not stay: ranks alone.
    fn sweep_ranks<L: Group<Table = G::Table>>(
        &self,
        part: &L::Part<'_>,
        phase: usize,
        table: G::Table,
        numbered: &Numbered<'_, L>,
        resident: &Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        let numbers = self.ranking.scores.numbers();
        let rows = part.phases()[phase].clone();
        let (first, width) = (rows.start, part.width(phase));
        let check = |(best, twins): &mut (BestTurns<_>, Vec<usize>), row| {
            if self.ranking.progress.stopped() {
                return Some(SolveError::Stopped);
            }
            if part.mirrored(row, twins) {
                return None;
            }
            let start = (row - first) * width;
            let mut buffer = Vec::new();
            let stored = resident.values(table);
            let stored = stored.nodes(start..start + width, &mut buffer);
            let best = best.of_row(part, row, resident);
            let mut columns = (start..).zip(stored.iter().zip(best));
            columns.find_map(|(node, (stored, &best))| {
                let stored = numbers.ranked(*stored);
                // A game that is over has no turn, and is drawn by rule if it is drawn.
                let derived = numbers.of_turn(best).unwrap_or(Ranked::Loss);
                (stored.outcome() == Outcome::Draw && stored != derived).then(|| {
                    let index = numbered.position_of_node(node);
                    self.mismatch(table, index, (stored, 0), (derived, 0))
                })
            })
        };
        let rows = rows.into_par_iter().small_chunks(1);
        let wrong = rows
            .map_init(Default::default, check)
            .find_map_first(|wrong| wrong);
        wrong.map_or(Ok(()), Err)
    }

    /// Compares a phase whose draws may stay: ranks and conversions.
    fn sweep_conversions<L: Group<Table = G::Table>>(
        &self,
        part: &L::Part<'_>,
        phase: usize,
        conversions: &[(G::Table, Conversions, Numbered<'_, L>)],
        resident: &Resident<G::Table, Ranks>,
        planned: &PlannedGroup<G::Table>,
    ) -> Result<(), SolveError> {
        let Ranking { budget, scores, .. } = &self.ranking;
        let numbers = scores.numbers();
        let homes = conversions[0].2.group().phase_tables();
        let table = homes[phase].expect("the phase has a table");
        let own = scores.own(table).expect("games can stay in it");
        let first_own = if phase == 0 { own } else { -own };
        // The most plies of each class, by the side that gains.
        let longest = |gaining: usize, class: u16| {
            let of_phase = |of: usize| {
                let gains = gaining == of;
                let number = match gains {
                    true => numbers.most() - class as ScoreNumber,
                    false => class as ScoreNumber - numbers.most(),
                };
                let table = homes[of].or(homes[1 - of]).expect("a group has a table");
                // A table of equal sides is both phases, and looks the same from either side.
                let (_, own, _) = conversions
                    .iter()
                    .find(|(own, ..)| *own == table)
                    .expect("its own");
                let score = match number.unsigned_abs() as ScoreNumber <= numbers.most() {
                    true => numbers.score(number),
                    false => return 0,
                };
                let ranks = &own.list.ranks;
                let listed = ranks.binary_search_by(|listed| listed.score.cmp(&score));
                listed.map_or(0, |place| ranks[place].longest)
            };
            of_phase(0).max(of_phase(1))
        };
        let values = ConversionValues::new(numbers, first_own, longest).ok_or_else(|| {
            ScoreError::TooLong {
                group: planned.name(),
            }
        })?;
        // The successors inside the group are those of the other phase.
        let other = homes[1 - phase].unwrap_or(table);
        let mut packed = InGroup {
            resident,
            tables: Vec::new(),
        };
        for (of, own, numbered) in conversions.iter().filter(|(of, ..)| *of == other) {
            let width = numbered.width().max(1);
            let mut nodes: Buffer<NodeValue> = budget.nodes(numbered.rows().len() * width)?;
            let stored = resident.values(*of);
            let rows = nodes.par_chunks_mut(width).enumerate();
            rows.small_chunks(1).for_each(|(row, nodes)| {
                let start = row * width;
                let numbers_of = numbered.positions_of_nodes(start..start + nodes.len());
                for (place, (node, index)) in nodes.iter_mut().zip(numbers_of).enumerate() {
                    let ranked = numbers.ranked(stored.node(start + place));
                    *node = values.node(1 - phase, ranked, own.plies(index, ranked));
                }
            });
            packed.tables.push((*of, nodes));
        }
        let found = conversions.iter().find(|(of, ..)| *of == table);
        let (_, stored_plies, numbered) = found.expect("a table of the group");
        let rows = part.phases()[phase].clone();
        let (first, width) = (rows.start, part.width(phase));
        let check = |(scratch, seeds, best, twins): &mut (_, Vec<Seed>, Vec<_>, Vec<usize>),
                     row| {
            if self.ranking.progress.stopped() {
                return Some(SolveError::Stopped);
            }
            if part.mirrored(row, twins) {
                return None;
            }
            let start = (row - first) * width;
            let mut buffer = Vec::new();
            let stored = resident.values(table);
            let stored = stored.nodes(start..start + width, &mut buffer);
            let is_draw = |node: &NodeValue| numbers.ranked(*node).outcome() == Outcome::Draw;
            if !stored.iter().any(is_draw) {
                return None;
            }
            part.seed(row, resident, scratch, seeds);
            best.clear();
            best.extend(seeds.iter().map(|seed| values.exit(phase, seed.outside)));
            part.max_into(row, &packed, scratch, best);
            let indices = numbered.positions_of_nodes(start..start + width);
            (0..width).find_map(|column| {
                let ranked = numbers.ranked(stored[column]);
                if ranked.outcome() != Outcome::Draw {
                    return None;
                }
                let index = indices[column];
                let stored = (ranked, stored_plies.plies(index, ranked));
                let derived = values
                    .of_turn(phase, best[column])
                    .unwrap_or((Ranked::Loss, 0));
                (stored != derived).then(|| self.mismatch(table, index, stored, derived))
            })
        };
        let rows = rows.into_par_iter().small_chunks(1);
        let wrong = rows
            .map_init(Default::default, check)
            .find_map_first(|wrong| wrong);
        wrong.map_or(Ok(()), Err)
    }

    /// Proves the ranks of a group by turns.
    fn prove(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        let Ranking { game, progress, .. } = self.ranking;
        let mut conversions = Vec::new();
        for (table, _) in planned.tables.iter().copied() {
            let nodes = self.ranking.read(table, true, &ByNumber, resident)?;
            resident.put_ranks(table, nodes);
            conversions.push((table, self.conversions(table)?));
        }
        let resident = &*resident;
        let numbers = self.ranking.scores.numbers();
        let known = |table, position: &G::Position| {
            let index = game.rank(position);
            let ranked = numbers.ranked(value(resident, table, index));
            let own = conversions.iter().find(|(own, _)| *own == table);
            (ranked, own.map_or(0, |(_, own)| own.plies(index, ranked)))
        };
        for ((table, own), (_, size)) in conversions.iter().zip(planned.tables.iter().copied()) {
            progress.phase(&format!("proving draw ranks of {table}"));
            let ranked = |index| numbers.ranked(value(resident, *table, index));
            self.verified.draws += self.check_counts(*table, own, &ranked)?;
            let indices = (0..size as usize).into_par_iter().map(|index| index as u64);
            self.check_by_turns(*table, indices, &known)?;
        }
        Ok(())
    }
}

/// The tables of a group with ranks and conversions, for the turns inside.
struct InGroup<'a, T> {
    resident: &'a Resident<T, Ranks>,
    tables: Vec<(T, Buffer<NodeValue>)>,
}

impl<T: Copy + Ord + Send + Sync + std::fmt::Debug> Solved<T> for InGroup<'_, T> {
    fn values(&self, table: T) -> TableValues<'_> {
        match self.tables.iter().find(|(own, _)| *own == table) {
            Some((_, nodes)) => TableValues::Nodes(nodes),
            None => self.resident.values(table),
        }
    }
}

impl<G: Layout, P: Progress> Visitor<G::Table, Resident<G::Table, Ranks>> for Verifier<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, _: &PlannedGroup<G::Table>) -> Form {
        Form::Bytes
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        memory(self.ranking.game, group)
    }

    fn decide(&mut self, _: usize, group: &PlannedGroup<G::Table>) -> Result<Decision, SolveError> {
        for table in group.involved() {
            if !self.has_ranks(table)? {
                self.verified.left_out.extend(group.own_tables());
                return Ok(Decision::Skip);
            }
        }
        Ok(Decision::Visit)
    }

    fn source(&self, table: G::Table, _: Form) -> Source<G::Table> {
        source(self.ranking.game, table)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        _: Form,
        _: Way,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        if self.sample.is_some() {
            return self.ranking.fetch(table, resident);
        }
        let nodes = self.ranking.read(table, true, &ByNumber, resident)?;
        resident.put_ranks(table, nodes);
        Ok(())
    }

    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<Option<Infallible>, SolveError> {
        let Ranking { game, progress, .. } = self.ranking;
        progress.group(&planned.name(), planned.positions());
        let table = planned.tables[0].0;
        match (self.sample, game.part_sizes(table)) {
            (None, _) => self.prove(planned, resident)?,
            (Some(sample), None) => self.sweep(&game.group(table), planned, sample, resident)?,
            (Some(sample), Some(_)) => {
                self.sweep(&PlainGroup::new(game, table), planned, sample, resident)?;
            }
        }
        Ok(None)
    }
}
