//! Writes a solved table: its outcomes and its plies, block by block.
//!
//! A model of the table is learnt from a sample of it, for each of the two files; then all blocks
//! are coded with it. Where plain zstd does better on the sample (as it may where the game has no
//! clues to give), that is used instead. Positions that are resolved by their turns are counted,
//! but not stored.

use std::ops::Range;
use std::sync::Arc;

use dbformat::codec::Zstd;
use dbformat::codec::model::{OutcomeModel, PliesModel, sample};
use dbformat::{
    Codec, EncodeContext, FileSummary, Kind, Lock, Statistics, Store, TableSpec, TableWriter,
};
use games::group::Group;
use games::{Clue, Game, Outcome, Value};
use rayon::prelude::*;

use crate::counts::Counts;
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::{Progress, SolveError};

/// Positions of every block but the last: a whole number of units.
const POSITIONS_PER_BLOCK: u32 = 1 << 14;
/// Blocks that are coded at a time: enough for all threads, few enough to hold in memory.
const BLOCKS_AT_A_TIME: usize = 512;
/// Positions from which a model learns.
const SAMPLE: u64 = 1 << 22;
/// Blocks by which the model is compared with zstd.
const TRIAL: usize = 16;

/// Where and what to write.
pub(crate) struct Saving<'a> {
    pub(crate) store: &'a Store,
    pub(crate) lock: &'a mut Lock,
    pub(crate) plies: bool,
}

/// A solved table.
pub(crate) struct SolvedTable<'a, G: Game, L> {
    pub(crate) game: &'a G,
    pub(crate) table: G::Table,
    pub(crate) numbered: Numbered<'a, L>,
    pub(crate) nodes: &'a Nodes,
}

/// The codecs of the two files.
struct Codecs {
    outcomes: Codec,
    plies: Codec,
}

/// Some positions of a table, as the codecs want them.
#[derive(Default)]
struct Positions {
    clues: Vec<Clue>,
    outcomes: Vec<Outcome>,
    entries: Vec<Option<Outcome>>,
    values: Vec<Option<Value>>,
    counts: Counts,
}

/// A block of both files, and what it adds to the table's counts.
struct CodedBlock {
    outcomes: Vec<u8>,
    plies: Vec<u8>,
    counts: Counts,
}

impl Saving<'_> {
    /// Writes the files of a table and records them in the manifest.
    pub(crate) fn save<G: Game, L: Group>(
        &mut self,
        solved: &SolvedTable<'_, G, L>,
        progress: &impl Progress,
    ) -> Result<Statistics, SolveError> {
        let codecs = solved.choose_codecs(self.plies);
        let name = solved.table.to_string();
        let create = |kind, codec: &Codec| {
            let spec = TableSpec {
                rules: self.store.rules().clone(),
                table: name.clone(),
                positions: solved.numbered.positions(),
                positions_per_block: POSITIONS_PER_BLOCK,
                codec: codec.clone(),
            };
            TableWriter::create(&self.store.path(&name, kind), spec)
        };
        let mut outcomes = create(Kind::Outcomes, &codecs.outcomes)?;
        let plies = self.plies.then(|| create(Kind::Plies, &codecs.plies));
        let mut plies = plies.transpose()?;

        let mut counts = Counts::default();
        let blocks = solved.blocks();
        for first in (0..blocks).step_by(BLOCKS_AT_A_TIME) {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
            let coded: Vec<CodedBlock> = some
                .into_par_iter()
                .map_init(EncodeContext::default, |context, block| {
                    solved.code(block, &codecs, self.plies, context)
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
            statistics = statistics.without_plies();
        }
        let summary = outcomes.finish_outcomes(&statistics)?;
        let pair = summary.pair;
        self.record(&name, Kind::Outcomes, summary)?;
        if let Some(plies) = plies {
            self.record(&name, Kind::Plies, plies.finish_plies(&statistics, pair)?)?;
        }
        Ok(statistics)
    }

    fn record(&mut self, name: &str, kind: Kind, summary: FileSummary) -> dbformat::Result<()> {
        self.store.record(self.lock, name, kind, summary.into())
    }
}

impl<G: Game, L: Group> SolvedTable<'_, G, L> {
    fn blocks(&self) -> usize {
        let per_block = u64::from(POSITIONS_PER_BLOCK);
        self.numbered.positions().div_ceil(per_block) as usize
    }

    fn positions_in(&self, block: usize) -> Range<u64> {
        let per_block = u64::from(POSITIONS_PER_BLOCK);
        let start = block as u64 * per_block;
        start..self.numbered.positions().min(start + per_block)
    }

    fn positions(&self, range: Range<u64>) -> Positions {
        let mut codes = Vec::with_capacity((range.end - range.start) as usize);
        self.numbered
            .gather(self.nodes.codes(), range.clone(), &mut codes);
        let mut positions = Positions {
            counts: Counts::of(&codes, range.start),
            ..Positions::default()
        };
        self.game.clues(self.table, range, &mut positions.clues);
        for (code, clue) in codes.iter().zip(&positions.clues) {
            let stored = (!clue.resolved).then(|| code.value());
            positions.entries.push(stored.map(Value::outcome));
            positions.values.push(stored);
        }
        Codec::filled(&positions.entries, &mut positions.outcomes);
        positions
    }

    /// Learns models of the table, and compares them with zstd.
    fn choose_codecs(&self, with_plies: bool) -> Codecs {
        let ranges: Vec<_> = sample(self.numbered.positions(), SAMPLE).collect();
        let parts: Vec<Positions> = ranges
            .into_par_iter()
            .map(|range| self.positions(range))
            .collect();
        let mut all = Positions::default();
        for mut part in parts {
            all.clues.append(&mut part.clues);
            all.outcomes.append(&mut part.outcomes);
            all.entries.append(&mut part.entries);
            all.values.append(&mut part.values);
        }
        let (outcomes, plies) = rayon::join(
            || OutcomeModel::train(&all.clues, &all.entries),
            || with_plies.then(|| PliesModel::train(&all.clues, &all.outcomes, &all.values)),
        );
        drop(all);
        let zstd = || Codec::Zstd(Zstd::default());
        let plain = Codecs {
            outcomes: zstd(),
            plies: zstd(),
        };
        let model = Codecs {
            outcomes: Codec::Outcomes(Arc::new(outcomes)),
            plies: plies.map_or_else(zstd, |model| Codec::Plies(Arc::new(model))),
        };
        if self.trial(&model, with_plies) <= self.trial(&plain, with_plies) {
            model
        } else {
            plain
        }
    }

    /// About how many bytes the table takes with these codecs.
    fn trial(&self, codecs: &Codecs, with_plies: bool) -> u64 {
        let blocks = self.blocks();
        let tried = blocks.min(TRIAL);
        let context = EncodeContext::default;
        let lengths = (0..tried).into_par_iter().map_init(context, |context, i| {
            let coded = self.code(i * blocks / tried, codecs, with_plies, context);
            (coded.outcomes.len() + coded.plies.len()) as u64
        });
        let blocks_bytes = lengths.sum::<u64>() * blocks as u64 / tried.max(1) as u64;
        let parameters = codecs.outcomes.parameters().len() + codecs.plies.parameters().len();
        blocks_bytes + parameters as u64
    }

    fn code(
        &self,
        block: usize,
        codecs: &Codecs,
        with_plies: bool,
        context: &mut EncodeContext,
    ) -> CodedBlock {
        let Positions {
            clues,
            outcomes,
            entries,
            values,
            counts,
        } = self.positions(self.positions_in(block));
        let plies = if with_plies {
            codecs
                .plies
                .encode_plies(&outcomes, &values, &clues, context)
        } else {
            Vec::new()
        };
        CodedBlock {
            outcomes: codecs.outcomes.encode_outcomes(&entries, &clues, context),
            plies,
            counts,
        }
    }
}
