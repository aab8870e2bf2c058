//! Reads the values of a stored table, with the table reader and the rule for values by turns that
//! the probe uses.
//!
//! Positions that are not stored are resolved by their turns: in bulk where the layout can, for a
//! proof one by one. The tables that these turns lead to must be resident.

use std::ops::Range;

use endmill_dbformat::{DecodeContext, Store, Table, TableReader};
use endmill_games::by_turns::best_turn;
use endmill_games::value::{DrawScores, Ranked, Scale};
use endmill_games::{Feature, Features, Outcome, Value};
use endmill_layout::NodeValue;

use crate::SolveError;
use crate::nodes::{Nodes, Solution};
use crate::resident::Resident;

/// A stored table with its files open.
pub(crate) struct Stored<'a, G: Features> {
    game: &'a G,
    table: G::Table,
    files: Table,
    read: Read<'a>,
}

/// What is read of a table.
enum Read<'a> {
    /// Outcomes: a loss has 0 plies and a win 1, and the solution is never [exact](Solution::Exact).
    Outcomes,
    /// Outcomes and plies.
    Plies,
    /// Outcomes and, once they are stored, the ranks of draws.
    Ranks(&'a DrawScores),
}

/// Fills in the values of the positions that are not stored, in a range that begins with the given
/// number and has these features.
pub(crate) trait Resolve: Fn(u64, &[Feature], &mut [Value]) + Sync {}

impl<F: Fn(u64, &[Feature], &mut [Value]) + Sync> Resolve for F {}

/// Resolves positions of a table by their turns, one by one; `value` returns the value of a position
/// that has a table, on this scale.
pub(crate) fn one_by_one<G: Features>(
    game: &G,
    table: G::Table,
    scale: Scale,
    value: impl Fn(G::Table, &G::Position) -> NodeValue + Sync,
) -> impl Resolve {
    move |first, features: &[Feature], values: &mut [Value]| {
        let positions = (first..).zip(features.iter().zip(values));
        for (index, (_, filler)) in positions.filter(|(_, (feature, _))| feature.resolved) {
            let best = best_turn(game, &game.unrank(table, index), scale, &value);
            *filler = best.value_on(scale).unwrap_or(Value::LOST);
        }
    }
}

impl<'a, G: Features> Stored<'a, G> {
    /// Opens the files of a table, to read its values with their plies or its outcomes alone.
    pub(crate) fn open(
        game: &'a G,
        store: &Store,
        table: G::Table,
        plies: bool,
    ) -> endmill_dbformat::Result<Stored<'a, G>> {
        let files = store.open(&table.to_string(), game.size(table))?;
        if plies {
            store.open_plies(&files)?;
        }
        Ok(Stored {
            game,
            table,
            files,
            read: match plies {
                true => Read::Plies,
                false => Read::Outcomes,
            },
        })
    }

    /// Opens the files of a table, to read the ranks of its draws, or, if they are not stored yet, its
    /// outcomes as the same kind of values: then a draw that is not resolved has rank 0.
    pub(crate) fn open_ranked(
        game: &'a G,
        store: &Store,
        table: G::Table,
        scores: &'a DrawScores,
        has_ranks: bool,
    ) -> endmill_dbformat::Result<Stored<'a, G>> {
        let files = store.open(&table.to_string(), game.size(table))?;
        if has_ranks {
            store.open_draws(&files)?;
        }
        Ok(Stored {
            game,
            table,
            files,
            read: Read::Ranks(scores),
        })
    }

    /// The game.
    pub(crate) fn game(&self) -> &'a G {
        self.game
    }

    /// The table.
    pub(crate) fn table(&self) -> G::Table {
        self.table
    }

    /// Returns the solution, which is exact if the plies of this table were read and those of the
    /// tables that it is resolved from are resident.
    pub(crate) fn solution(
        &self,
        nodes: Nodes,
        resident: &Resident<G::Table>,
    ) -> Result<Solution, SolveError> {
        let mut from = self.game.resolved_from(self.table).into_iter();
        let plies = matches!(self.read, Read::Plies);
        match from.find(|&table| plies && !resident.has_plies(table)) {
            None => Ok(Solution::new(nodes, plies)),
            Some(without) => Err(SolveError::without_plies(self.table, without)),
        }
    }

    /// The counts that its header states.
    pub(crate) fn statistics(&self) -> &endmill_dbformat::Statistics {
        self.files.statistics()
    }

    /// Appends the values of a range of positions. Those that are not stored are marked as
    /// [resolved](NodeValue::RESOLVED).
    pub(crate) fn read(
        &self,
        positions: Range<u64>,
        resolve: &impl Resolve,
        buffers: &mut Buffers,
        codes: &mut Vec<NodeValue>,
    ) -> endmill_dbformat::Result<()> {
        let mut at = positions.start;
        while at < positions.end {
            if !buffers.held.contains(&at) {
                let cut = self.files.outcome_cut();
                let block = cut.block(cut.block_of(at));
                buffers.held = 0..0;
                self.read_block(&block, resolve, buffers)?;
                buffers.held = block;
            }
            let from = (at - buffers.held.start) as usize;
            let rest = &buffers.values[from..];
            let count = rest.len().min((positions.end - at) as usize);
            // A resolved value may last a ply longer than any stored one.
            if !NodeValue::extend(codes, &rest[..count]) {
                return Err(endmill_dbformat::Error::Damaged {
                    file: self.files.outcome_file().source().file().into(),
                    part: endmill_dbformat::Part::Block(self.files.outcome_cut().block_of(at)),
                });
            }
            let new = codes.len() - count..;
            let features = buffers.features.iter().skip(from);
            for (code, feature) in codes[new].iter_mut().zip(features) {
                *code = code.marked(feature.resolved);
            }
            at += count as u64;
        }
        Ok(())
    }

    /// Turns draws into those of their ranks, if these are stored. Decodes the block once more.
    fn add_ranks(
        &self,
        block: &Range<u64>,
        scores: &DrawScores,
        context: &mut DecodeContext,
        values: &mut [Value],
    ) -> endmill_dbformat::Result<()> {
        let Some(file) = self.files.draw_file() else {
            return Ok(());
        };
        let damaged = || endmill_dbformat::Error::Damaged {
            file: file.source().file().into(),
            part: endmill_dbformat::Part::Index,
        };
        let list = &file.codec().list().ranks;
        let ranks = list.iter().map(|rank| {
            let number = scores.number(rank.score).ok_or_else(damaged)?;
            Ok(scores.node(Ranked::Draw(number)).value())
        });
        let ranks = ranks.collect::<endmill_dbformat::Result<Vec<Value>>>()?;
        let reader = TableReader::new(self.game, self.table, &self.files);
        let (outcomes, entries) = reader.draws(block, context)?;
        for ((value, outcome), entry) in values.iter_mut().zip(outcomes).zip(entries) {
            if *outcome == Outcome::Draw {
                // An entry of a resolved position is meaningless, and replaced afterwards.
                *value = ranks
                    .get(usize::from(entry.rank))
                    .copied()
                    .unwrap_or(Value::Draw);
            }
        }
        Ok(())
    }

    /// Decodes a block, and resolves the positions that it does not store.
    fn read_block(
        &self,
        block: &Range<u64>,
        resolve: &impl Resolve,
        buffers: &mut Buffers,
    ) -> endmill_dbformat::Result<()> {
        let Buffers {
            context,
            values,
            features,
            ..
        } = buffers;
        let reader = TableReader::new(self.game, self.table, &self.files);
        match self.read {
            Read::Outcomes => reader.read_block(block, false, context, features, values)?,
            Read::Plies => reader.read_block(block, true, context, features, values)?,
            Read::Ranks(scores) => {
                reader.read_block(block, false, context, features, values)?;
                self.add_ranks(block, scores, context, values)?;
            }
        }
        if features.iter().any(|feature| feature.resolved) {
            resolve(block.start, features, values);
            if matches!(self.read, Read::Outcomes) {
                for value in values {
                    *value = Value::shortest(value.outcome());
                }
            }
        }
        Ok(())
    }
}

/// Buffers of one thread.
#[derive(Default)]
pub(crate) struct Buffers {
    context: DecodeContext,
    /// The positions whose values are in the buffers.
    held: Range<u64>,
    values: Vec<Value>,
    /// Empty if the table stores every position.
    features: Vec<Feature>,
}
