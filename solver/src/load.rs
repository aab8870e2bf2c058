//! Reads a stored table back into nodes, with the reader and the resolving rule that the probe
//! uses.
//!
//! Positions that are not stored are resolved by their turns: in bulk where the layout can, for a
//! proof one by one. The tables that these lead to must be at hand.

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
    /// Whether plies are read. Without them a loss has 0 plies and a win 1, and what is read is never
    /// [exact](Solution::Exact).
    plies: bool,
}

/// Gives the positions of a range that are not stored their values. They begin with the given
/// number, and have these features.
pub(crate) trait Resolve: Fn(u64, &[Feature], &mut [Value]) + Sync {}

impl<F: Fn(u64, &[Feature], &mut [Value]) + Sync> Resolve for F {}

/// Resolves positions of a table by their turns, one by one; `value` gives that of a position with
/// a table.
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

    /// What was read of the table, given what positions that are not stored were resolved from.
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

    /// Appends the codes of a range of positions. Those that are not stored are marked as
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
            // What is stored fits; what is derived from it may last a ply longer.
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

    /// Decodes a block, and resolves what is not stored in it.
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

/// What one thread reads with.
#[derive(Default)]
pub(crate) struct Buffers {
    context: DecodeContext,
    /// The positions whose values these are, of the table that is being loaded.
    held: Range<u64>,
    values: Vec<Value>,
    /// None if every position of the table is stored.
    features: Vec<Feature>,
}
