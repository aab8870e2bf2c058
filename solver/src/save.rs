//! Writes a solved table: its outcomes and its plies, block by block.
//!
//! A model of the table is learnt from a sample of it, for each of the two files; then all blocks
//! are coded with it. A file that plain zstd would halve, by a trial on some of its blocks (as it may
//! where the game has no features to give), is coded by zstd instead. Positions that are resolved by
//! their turns are counted, but not stored.

use std::ops::Range;
use std::sync::Arc;

use endmill_dbformat::codec::Zstd;
use endmill_dbformat::codec::model::{OutcomeModel, PliesModel, sample};
use endmill_dbformat::{
    EncodeContext, FileCodec, Kind, OutcomeCodec, PlyCodec, Record, Statistics, Store, TableSpec,
    TableWriter,
};
use endmill_games::{Feature, Outcome, Value};
use endmill_layout::{Group, Layout};
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
/// Blocks by which the model is compared with zstd: all of a small table, where a few blocks may
/// hold most of what is decided.
const TRIAL: usize = 32;
const SMALL: usize = 2 * TRIAL;

/// What zstd must save in a file to be taken, beside half of it: with a model a look-up decodes one
/// unit, with zstd a whole block, and for plies all outcomes of the block too, which takes a hundred
/// times as long.
const WORTH_A_BLOCK: u64 = 4096;

/// Where and what to write.
pub(crate) struct Saving<'a> {
    pub(crate) store: &'a Store,
    pub(crate) plies: SavedPlies,
}

/// What a table's files tell of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedPlies {
    /// Nothing.
    Untold,
    /// All, in a `.dtw`.
    Stored,
    /// Only counts and the longest, in the header: each follows from the tables one turn ahead.
    LeftOut,
}

/// A solved table.
pub(crate) struct SolvedTable<'a, G: Layout, L> {
    pub(crate) game: &'a G,
    pub(crate) table: G::Table,
    pub(crate) numbered: Numbered<'a, L>,
    pub(crate) nodes: &'a Nodes,
}

/// The codecs of the two files.
struct Codecs {
    outcomes: OutcomeCodec,
    /// If plies are stored.
    plies: Option<PlyCodec>,
}

/// Some positions of a table, as the codecs want them.
#[derive(Default)]
struct Positions {
    features: Vec<Feature>,
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
    /// Writes the files of a table and records them.
    pub(crate) fn save<G: Layout, L: Group>(
        &self,
        solved: &SolvedTable<'_, G, L>,
        progress: &impl Progress,
    ) -> Result<Statistics, SolveError> {
        let codecs = solved.choose_codecs(self.plies == SavedPlies::Stored);
        let name = solved.table.to_string();
        let spec = TableSpec {
            rules: self.store.rules().clone(),
            table: name.clone(),
            positions: solved.numbered.positions(),
            positions_per_block: POSITIONS_PER_BLOCK,
        };
        let path = |kind| self.store.path(&name, kind);
        let mut outcomes =
            TableWriter::create(&path(Kind::Outcomes), spec.clone(), &codecs.outcomes)?;
        let plies = codecs.plies.as_ref();
        let plies = plies.map(|codec| TableWriter::create(&path(Kind::Plies), spec, codec));
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
                    solved.code(block, &codecs, context)
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
        if self.plies == SavedPlies::Untold {
            statistics = statistics.without_plies();
        }
        // What is about to be replaced is no longer finished.
        self.store.unrecord(&name)?;
        let summary = match self.plies {
            SavedPlies::LeftOut => outcomes.finish_outcomes_alone(&statistics)?,
            SavedPlies::Untold | SavedPlies::Stored => outcomes.finish_outcomes(&statistics)?,
        };
        let pair = summary.pair;
        let mut record = Record::from([(Kind::Outcomes, summary.into())]);
        if let Some(plies) = plies {
            let summary = plies.finish_plies(&statistics, pair)?;
            record.insert(Kind::Plies, summary.into());
        }
        self.store.write_record(&name, &record)?;
        Ok(statistics)
    }
}

impl<G: Layout, L: Group> SolvedTable<'_, G, L> {
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
        let count = (range.end - range.start) as usize;
        let mut codes = Vec::with_capacity(count);
        self.numbered
            .gather(self.nodes.codes(), range.clone(), &mut codes);
        let mut positions = Positions {
            features: Vec::with_capacity(count),
            outcomes: Vec::with_capacity(count),
            entries: Vec::with_capacity(count),
            values: Vec::with_capacity(count),
            counts: Counts::of(&codes, range.start),
        };
        self.game
            .features(self.table, range, &mut positions.features);
        for (code, feature) in codes.iter().zip(&positions.features) {
            let stored = (!feature.resolved).then(|| code.value());
            positions.entries.push(stored.map(Value::outcome));
            positions.outcomes.push(code.value().outcome());
            positions.values.push(stored);
        }
        positions
    }

    /// Learns models of the table, and compares them with zstd.
    fn choose_codecs(&self, with_plies: bool) -> Codecs {
        // Units that follow each other are looked at together, which is faster.
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for unit in sample(self.numbered.positions(), SAMPLE) {
            match ranges.last_mut() {
                Some(last)
                    if last.end == unit.start
                        && last.end - last.start < u64::from(POSITIONS_PER_BLOCK) =>
                {
                    last.end = unit.end;
                }
                _ => ranges.push(unit),
            }
        }
        let parts: Vec<Positions> = ranges
            .into_par_iter()
            .map(|range| self.positions(range))
            .collect();
        let mut all = Positions::default();
        for mut part in parts {
            all.features.append(&mut part.features);
            all.outcomes.append(&mut part.outcomes);
            all.entries.append(&mut part.entries);
            all.values.append(&mut part.values);
        }
        let (outcomes, plies) = rayon::join(
            || OutcomeModel::train(&all.features, &all.entries),
            || with_plies.then(|| PliesModel::train(&all.features, &all.outcomes, &all.values)),
        );
        drop(all);
        let plain = Codecs {
            outcomes: OutcomeCodec::Zstd(Zstd::default()),
            plies: with_plies.then(|| PlyCodec::Zstd(Zstd::default())),
        };
        let model = Codecs {
            outcomes: OutcomeCodec::Model(Arc::new(outcomes)),
            plies: plies.map(|model| PlyCodec::Model(Arc::new(model))),
        };
        let [model_bytes, plain_bytes] = [self.trial(&model), self.trial(&plain)];
        let pick = |file: usize| {
            let plain = plain_bytes[file];
            model_bytes[file] <= plain + WORTH_A_BLOCK.max(plain)
        };
        Codecs {
            outcomes: if pick(0) {
                model.outcomes
            } else {
                plain.outcomes
            },
            plies: if pick(1) { model.plies } else { plain.plies },
        }
    }

    /// About how many bytes the outcomes and the plies take with these codecs.
    fn trial(&self, codecs: &Codecs) -> [u64; 2] {
        let blocks = self.blocks();
        let tried = if blocks <= SMALL { blocks } else { TRIAL };
        let context = EncodeContext::default;
        let lengths = (0..tried).into_par_iter().map_init(context, |context, i| {
            let coded = self.code(i * blocks / tried, codecs, context);
            [coded.outcomes.len() as u64, coded.plies.len() as u64]
        });
        let lengths = lengths.reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let of_plies = codecs.plies.as_ref().map(FileCodec::parameters);
        let parameters = [
            codecs.outcomes.parameters().len(),
            of_plies.map_or(0, |bytes| bytes.len()),
        ];
        [0, 1].map(|file| {
            lengths[file] * blocks as u64 / tried.max(1) as u64 + parameters[file] as u64
        })
    }

    fn code(&self, block: usize, codecs: &Codecs, context: &mut EncodeContext) -> CodedBlock {
        let Positions {
            features,
            mut outcomes,
            entries,
            values,
            counts,
        } = self.positions(self.positions_in(block));
        let plies = match &codecs.plies {
            Some(plies) => {
                codecs.outcomes.yields(&entries, &features, &mut outcomes);
                plies.encode(&outcomes, &values, &features, context)
            }
            None => Vec::new(),
        };
        CodedBlock {
            outcomes: codecs.outcomes.encode(&entries, &features, context),
            plies,
            counts,
        }
    }
}
