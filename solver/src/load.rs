//! Reads the values of a stored table, with the table reader and the rule for values by turns that
//! the probe uses.
//!
//! Positions that are not stored are resolved by their turns: in bulk where the layout can, for a
//! proof one by one. The tables that these turns lead to must be resident.

use std::ops::Range;

use endmill_dbformat::{DecodeContext, Store, Table, TableReader};
use endmill_games::by_turns::best_turn;
use endmill_games::{Feature, Features, Value};
use endmill_layout::NodeValue;

use crate::SolveError;
use crate::nodes::{Nodes, Solution};
use crate::resident::Resident;

/// A stored table with its files open.
pub(crate) struct Stored<'a, G: Features> {
    game: &'a G,
    table: G::Table,
    files: Table,
    /// Whether plies are read. Without them a loss has 0 plies and a win 1, and the solution is never
    /// [exact](Solution::Exact).
    plies: bool,
}

/// Fills in the values of the positions that are not stored, in a range that begins with the given
/// number and has these features.
pub(crate) trait Resolve: Fn(u64, &[Feature], &mut [Value]) + Sync {}

impl<F: Fn(u64, &[Feature], &mut [Value]) + Sync> Resolve for F {}

/// Resolves positions of a table by their turns, one by one; `value` returns the value of a position
/// that has a table.
pub(crate) fn one_by_one<G: Features>(
    game: &G,
    table: G::Table,
    value: impl Fn(G::Table, &G::Position) -> NodeValue + Sync,
) -> impl Resolve {
    move |first, features: &[Feature], values: &mut [Value]| {
        let positions = (first..).zip(features.iter().zip(values));
        for (index, (_, filler)) in positions.filter(|(_, (feature, _))| feature.resolved) {
            let best = best_turn(game, &game.unrank(table, index), &value);
            *filler = best.value().unwrap_or(Value::LOST);
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
            plies,
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
        match from.find(|&table| self.plies && !resident.has_plies(table)) {
            None => Ok(Solution::new(nodes, self.plies)),
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
        reader.read_block(block, self.plies, context, features, values)?;
        if features.iter().any(|feature| feature.resolved) {
            resolve(block.start, features, values);
            if !self.plies {
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
