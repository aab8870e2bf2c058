//! Writes a solved table: its outcomes and its plies, block by block.

use std::ops::Range;

use dbformat::{
    Codec, EncodeContext, FileRecord, FileSummary, Kind, Lock, Statistics, Store, TableSpec,
    TableWriter,
};
use games::group::Group;
use games::{Outcome, Value};
use rayon::prelude::*;

use crate::counts::Counts;
use crate::nodes::Nodes;
use crate::numbered::Numbered;

/// Blocks that are coded at a time: enough for all threads, few enough to hold in memory.
const BLOCKS_AT_A_TIME: usize = 256;

/// What is written, and how.
pub(crate) struct Saving<'a> {
    pub(crate) store: &'a Store,
    pub(crate) lock: &'a mut Lock,
    pub(crate) codec: Codec,
    pub(crate) positions_per_block: u32,
    pub(crate) plies: bool,
}

/// A block of both files, and what it adds to the table's counts.
struct CodedBlock {
    outcomes: Vec<u8>,
    plies: Vec<u8>,
    counts: Counts,
}

impl Saving<'_> {
    /// Writes the files of a table and records them in the manifest.
    pub(crate) fn save<G: Group>(
        &mut self,
        name: &str,
        numbered: &Numbered<'_, G>,
        nodes: &Nodes,
    ) -> dbformat::Result<Statistics> {
        let spec = TableSpec {
            rules: self.store.rules().clone(),
            table: name.to_owned(),
            positions: numbered.positions(),
            positions_per_block: self.positions_per_block,
            codec: self.codec.clone(),
        };
        let create = |kind| TableWriter::create(&self.store.path(name, kind), spec.clone());
        let mut outcomes = create(Kind::Outcomes)?;
        let mut plies = self.plies.then(|| create(Kind::Plies)).transpose()?;

        let mut counts = Counts::default();
        let blocks = spec.positions.div_ceil(u64::from(self.positions_per_block)) as usize;
        for first in (0..blocks).step_by(BLOCKS_AT_A_TIME) {
            let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
            let coded: Vec<CodedBlock> = some
                .into_par_iter()
                .map_init(EncodeContext::default, |context, block| {
                    self.code(
                        numbered,
                        nodes,
                        self.positions_in(block, spec.positions),
                        context,
                    )
                })
                .collect();
            for block in coded {
                outcomes.push_block(&block.outcomes)?;
                if let Some(plies) = &mut plies {
                    plies.push_block(&block.plies)?;
                }
                counts.add(&block.counts);
            }
        }

        let mut statistics = counts.statistics();
        if !self.plies {
            statistics.histogram.clear();
        }
        let summary = outcomes.finish_outcomes(&statistics)?;
        let pair = summary.pair;
        self.record(name, Kind::Outcomes, summary)?;
        if let Some(plies) = plies {
            self.record(name, Kind::Plies, plies.finish_plies(&statistics, pair)?)?;
        }
        Ok(statistics)
    }

    fn record(&mut self, name: &str, kind: Kind, summary: FileSummary) -> dbformat::Result<()> {
        let FileSummary { bytes, blake3, .. } = summary;
        self.store
            .record(self.lock, name, kind, FileRecord { bytes, blake3 })
    }

    fn positions_in(&self, block: usize, all: u64) -> Range<u64> {
        let per_block = u64::from(self.positions_per_block);
        let start = block as u64 * per_block;
        start..all.min(start + per_block)
    }

    fn code<G: Group>(
        &self,
        numbered: &Numbered<'_, G>,
        nodes: &Nodes,
        positions: Range<u64>,
        context: &mut EncodeContext,
    ) -> CodedBlock {
        let mut codes = Vec::with_capacity((positions.end - positions.start) as usize);
        numbered.gather(nodes.codes(), positions, &mut codes);
        let values: Vec<Value> = codes.iter().map(|code| code.value()).collect();
        let outcomes: Vec<Outcome> = values.iter().map(|value| value.outcome()).collect();
        let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
        let plies = if self.plies {
            let values: Vec<_> = values.into_iter().map(Some).collect();
            self.codec.encode_plies(&outcomes, &values, context)
        } else {
            Vec::new()
        };
        CodedBlock {
            outcomes: self.codec.encode_outcomes(&entries, context),
            plies,
            counts: Counts::of(&codes),
        }
    }
}
