//! A table: the files that hold it, opened and read together.
//!
//! Plies are coded given the outcomes, and the models of both files look at the same features. So
//! they are decoded in one call, which works the features out once; nothing is kept between two
//! calls but memory. A context cannot carry anything from one table to another.

use std::ops::Range;
use std::sync::OnceLock;

use endmill_games::{Feature, Outcome, Value};

use crate::checksum::PairId;
use crate::codec::draws::{DrawBuffers, DrawCodec, DrawEntry};
use crate::codec::{Coded, Malformed, OutcomeCodec, PlyCodec, Workspace};
use crate::error::{Error, Result};
use crate::file::{Cut, Expected, TableFile};
use crate::lazy_features::{FeatureBuffer, UnitFeatures};
use crate::source::Source;
use crate::statistics::Statistics;

/// Buffers for reading and decoding: memory, and no state. What is in them is the result of the
/// last call. One per thread; once they have grown, decoding outcomes allocates nothing.
#[derive(Default)]
pub struct DecodeContext {
    features: FeatureBuffer,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    read: Vec<u8>,
    workspace: Workspace,
    outcomes: Vec<Outcome>,
    values: Vec<Value>,
    draws: DrawBuffers,
    entries: Vec<DrawEntry>,
}

/// The outcomes of a table, and its plies and draw ranks once they have been
/// [added](Table::add_plies).
#[derive(Debug)]
pub struct Table {
    outcomes: TableFile<OutcomeCodec>,
    plies: OnceLock<TableFile<PlyCodec>>,
    draws: OnceLock<TableFile<DrawCodec>>,
}

impl Table {
    /// Opens a `.wld` that must hold the outcomes of this table.
    pub fn open(outcomes: Source, expected: &Expected) -> Result<Table> {
        Ok(Table {
            outcomes: TableFile::open_as(outcomes, expected)?,
            plies: OnceLock::new(),
            draws: OnceLock::new(),
        })
    }

    /// Opens the `.dtw` of the table, which must have been coded for these outcomes and state the same
    /// counts. If two threads do so at once, one of the two files is kept.
    pub fn add_plies(&self, plies: Source) -> Result<()> {
        let header = self.outcomes.header();
        let expected = Expected {
            rules: &header.rules,
            table: &header.table,
            positions: header.positions,
        };
        let plies = TableFile::<PlyCodec>::open_as(plies, &expected)?;
        let same = |a: &crate::Header| (a.pair, a.positions_per_block);
        if same(plies.header()) != same(header) || plies.statistics() != self.statistics() {
            return Err(Error::NotAPair {
                file: plies.source().file().into(),
                outcomes: self.outcomes.source().file().into(),
            });
        }
        let _ = self.plies.set(plies);
        Ok(())
    }

    /// Opens the `.drw` of the table, which must have been coded for these outcomes. If two threads do so
    /// at once, one of the two files is kept.
    pub fn add_draws(&self, draws: Source) -> Result<()> {
        let header = self.outcomes.header();
        let expected = Expected {
            rules: &header.rules,
            table: &header.table,
            positions: header.positions,
        };
        let draws = TableFile::<DrawCodec>::open_as(draws, &expected)?;
        let same = |a: &crate::Header| (a.pair, a.positions_per_block);
        let counts = self.statistics().clone().without_plies();
        if same(draws.header()) != same(header) || *draws.statistics() != counts {
            return Err(Error::NotAPair {
                file: draws.source().file().into(),
                outcomes: self.outcomes.source().file().into(),
            });
        }
        let _ = self.draws.set(draws);
        Ok(())
    }

    /// The file with the draw ranks, if they have been added.
    pub fn draw_file(&self) -> Option<&TableFile<DrawCodec>> {
        self.draws.get()
    }

    /// Whether draw ranks can be read.
    pub fn has_draws(&self) -> bool {
        self.draws.get().is_some()
    }

    /// How the draw ranks are cut: in the same blocks, but the units may be others.
    pub fn draw_cut(&self) -> Option<Cut> {
        self.draws.get().map(TableFile::cut)
    }

    /// The file with the outcomes.
    pub fn outcome_file(&self) -> &TableFile<OutcomeCodec> {
        &self.outcomes
    }

    /// The file with the plies, if they have been added.
    pub fn ply_file(&self) -> Option<&TableFile<PlyCodec>> {
        self.plies.get()
    }

    /// Whether plies can be read.
    pub fn has_plies(&self) -> bool {
        self.plies.get().is_some()
    }

    /// Whether there is no `.dtw` because every ply follows from the tables that are one turn
    /// ahead: a compact database.
    pub fn leaves_plies_out(&self) -> bool {
        self.outcomes.header().plies_left_out
    }

    /// What the two files have in common, and those of no other table.
    pub fn pair(&self) -> PairId {
        self.outcomes.header().pair
    }

    /// The counts of the table.
    pub fn statistics(&self) -> &Statistics {
        self.outcomes.statistics()
    }

    /// The number of blocks of either file.
    pub fn blocks(&self) -> usize {
        self.outcomes.blocks()
    }

    /// How the outcomes are cut into blocks and units.
    pub fn outcome_cut(&self) -> Cut {
        self.outcomes.cut()
    }

    /// How the plies are cut: in the same blocks, but the units may be others.
    pub fn ply_cut(&self) -> Option<Cut> {
        self.plies.get().map(TableFile::cut)
    }

    /// Returns the outcomes of some positions of one block: all of them, or the first ones of a
    /// [unit](Cut::unit_of). Fillers of *don't care* entries are among them. `give` works out the
    /// features of a range of the table's positions, where they are needed.
    ///
    /// # Panics
    /// Panics if the range is none of these, or beyond the table.
    pub fn read_outcomes<'c>(
        &self,
        range: &Range<u64>,
        give: impl FnMut(Range<u64>, &mut Vec<Feature>),
        context: &'c mut DecodeContext,
    ) -> Result<&'c [Outcome]> {
        let (buffers, features) = (&mut context.buffers, &mut context.features);
        self.decode_outcomes(range, &mut features.lazy(range, give), buffers)?;
        Ok(&buffers.outcomes)
    }

    /// Returns the values of some positions of one block: all of them, or the first ones of a
    /// [unit](Cut::unit_of) of the plies. Otherwise as [`read_outcomes`](Table::read_outcomes).
    ///
    /// # Panics
    /// Panics if no plies have been added; or like `read_outcomes`.
    pub fn read_values<'c>(
        &self,
        range: &Range<u64>,
        give: impl FnMut(Range<u64>, &mut Vec<Feature>),
        context: &'c mut DecodeContext,
    ) -> Result<&'c [Value]> {
        let plies = self.plies.get().expect("plies have been added");
        let block = plies.cut().block_of(range.start);
        let whole = plies.cut().block(block);
        // A codec without units codes the plies of a block in one go, given all its outcomes; one
        // with units decodes a part of a block or all of it.
        let decoded = match plies.codec() {
            PlyCodec::Zstd(_) => whole.clone(),
            PlyCodec::Model(_) => range.clone(),
        };
        // A unit of outcomes is decoded from its start, which may be earlier.
        let given = match self.outcomes.codec() {
            OutcomeCodec::Zstd(_) => decoded.clone(),
            OutcomeCodec::Model(_) => self.outcomes.cut().unit_start(decoded.start)..decoded.end,
        };
        let (buffers, features) = (&mut context.buffers, &mut context.features);
        let mut features = features.lazy(&given, give);
        if matches!(
            (self.outcomes.codec(), plies.codec()),
            (OutcomeCodec::Model(_), PlyCodec::Zstd(_))
        ) {
            // It depends on all fillers, those of units without bytes included.
            features.all();
        }
        self.decode_outcomes(&given, &mut features, buffers)?;
        let earlier = (decoded.start - given.start) as usize;
        let coded = Coded {
            bytes: plies.read(block, &mut buffers.read)?,
            count: length(&whole),
            start: (decoded.start - whole.start) as usize,
            end: (decoded.end - whole.start) as usize,
        };
        let outcomes = &buffers.outcomes[earlier..];
        let (workspace, values) = (&mut buffers.workspace, &mut buffers.values);
        plies
            .codec()
            .decode(
                coded,
                outcomes,
                &mut features.skip(earlier),
                workspace,
                values,
            )
            .map_err(|Malformed| plies.damaged(block))?;
        plies.source().check()?;
        let longest = values.iter().map(|value| value.plies().unwrap_or(0)).max();
        if longest.is_some_and(|longest| !plies.statistics().allow(longest)) {
            return Err(plies.damaged(block));
        }
        let wanted = (range.start - decoded.start) as usize..(range.end - decoded.start) as usize;
        Ok(&values[wanted])
    }

    /// Returns the outcomes of some positions of one block, all of them or the first ones of a
    /// [unit](Cut::unit_of) of the draw ranks, and the entries of the draws among them; those of other
    /// positions are meaningless. Otherwise as [`read_outcomes`](Table::read_outcomes).
    ///
    /// # Panics
    /// Panics if no draw ranks have been added; or like `read_outcomes`.
    pub fn read_draws<'c>(
        &self,
        range: &Range<u64>,
        give: impl FnMut(Range<u64>, &mut Vec<Feature>),
        context: &'c mut DecodeContext,
    ) -> Result<(&'c [Outcome], &'c [DrawEntry])> {
        let draws = self.draws.get().expect("draw ranks have been added");
        let block = draws.cut().block_of(range.start);
        let whole = draws.cut().block(block);
        // A unit of outcomes is decoded from its start, which may be earlier.
        let given = match self.outcomes.codec() {
            OutcomeCodec::Zstd(_) => range.clone(),
            OutcomeCodec::Model(_) => self.outcomes.cut().unit_start(range.start)..range.end,
        };
        let (buffers, features) = (&mut context.buffers, &mut context.features);
        let mut features = features.lazy(&given, give);
        self.decode_outcomes(&given, &mut features, buffers)?;
        let earlier = (range.start - given.start) as usize;
        let coded = Coded {
            bytes: draws.read(block, &mut buffers.read)?,
            count: length(&whole),
            start: (range.start - whole.start) as usize,
            end: (range.end - whole.start) as usize,
        };
        let outcomes = &buffers.outcomes[earlier..];
        draws
            .codec()
            .decode(
                coded,
                outcomes,
                &mut features.skip(earlier),
                &mut buffers.draws,
                &mut buffers.entries,
            )
            .map_err(|Malformed| draws.damaged(block))?;
        draws.source().check()?;
        Ok((outcomes, &buffers.entries))
    }

    /// Decodes outcomes into the buffers.
    fn decode_outcomes(
        &self,
        range: &Range<u64>,
        features: impl UnitFeatures,
        buffers: &mut Buffers,
    ) -> Result<()> {
        let file = &self.outcomes;
        let cut = file.cut();
        let block = cut.block_of(range.start);
        let whole = cut.block(block);
        let unit = cut.unit_of(range.start);
        let from_its_start =
            unit.start == range.start || matches!(file.codec(), OutcomeCodec::Zstd(_));
        assert!(
            *range == whole || (from_its_start && range.end <= unit.end),
            "{range:?} is neither a block nor the beginning of a unit"
        );
        let coded = Coded {
            bytes: file.read(block, &mut buffers.read)?,
            count: length(&whole),
            start: (range.start - whole.start) as usize,
            end: (range.end - whole.start) as usize,
        };
        file.codec()
            .decode(
                coded,
                features,
                &mut buffers.workspace,
                &mut buffers.outcomes,
            )
            .map_err(|Malformed| file.damaged(block))?;
        file.source().check()
    }
}

fn length(range: &Range<u64>) -> usize {
    (range.end - range.start) as usize
}
