//! Chooses the codecs of a solved table.
//!
//! For each of the two files a model is learnt from a sample of the table. If a trial on some blocks
//! shows that plain zstd would halve the file (as it may if the game has no features), the file is
//! coded by zstd instead.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use endmill_dbformat::codec::Zstd;
use endmill_dbformat::codec::model::{
    LONG_UNIT, LearntPlies, OutcomeModel, PliesModel, UNIT, sample,
};
use endmill_dbformat::{FileCodec, OutcomeCodec, PlyCodec};
use endmill_games::{Feature, Outcome, Value};
use endmill_layout::{Group, Layout};
use rayon::prelude::*;

use crate::SolveError;
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::memory::{Buffer, split};
use crate::save::{EncodeBuffers, RELEASE_AFTER, SolvedTable};

/// A model learns from one in [`SHARE`] positions, within these bounds.
const SHARE: u64 = 24;
const SAMPLE: Range<u64> = 1 << 19..1 << 23;
/// The least number of ranges of the sample that one task lays out.
const RANGES_TOGETHER: usize = 64;
/// Positions of a block in trials, and if one of the files is coded by zstd: a look-up decodes the
/// whole block.
const BLOCK: u32 = 1 << 14;
/// Units of outcomes in a block otherwise.
const UNITS_PER_BLOCK: usize = 64;

/// Blocks by which the model is compared with zstd: all of a small table, where a few blocks may
/// hold most of what is decided.
const TRIAL: usize = 16;
const SMALL: usize = 4 * TRIAL;

/// The least bytes that zstd must save to be chosen, besides halving the file: with a model a look-up
/// decodes one unit, with zstd a whole block, and for plies all outcomes of the block too, which
/// takes a hundred times as long.
const WORTH_A_BLOCK: u64 = 4096;

/// Positions from which the models of a table of this size learn.
pub(crate) fn sample_of(size: u64) -> u64 {
    (size / SHARE).clamp(SAMPLE.start, SAMPLE.end)
}

/// Seconds for which one thread learns a model of a table, with at most two others: more threads do
/// not help. Measured: about 40 nanoseconds per position of the sample, for two passes.
pub fn learning_seconds(size: u64) -> f64 {
    sample_of(size).min(size) as f64 * 40e-9
}

/// The memory that learning needs for a table of this size: see [`Examples`].
pub(crate) fn learning_bytes(size: u64) -> u64 {
    let each = size_of::<Feature>()
        + size_of::<Outcome>()
        + size_of::<Option<Outcome>>()
        + size_of::<Option<Value>>();
    sample_of(size).min(size) * each as u64
}

/// The codecs of the two files, and how these are cut.
pub(crate) struct Codecs {
    /// Positions of every block but the last: a whole number of units.
    pub(crate) positions_per_block: u32,
    pub(crate) outcomes: OutcomeCodec,
    /// If plies are stored.
    pub(crate) plies: Option<PlyCodec>,
}

impl Codecs {
    /// Chooses the size of blocks that suits both codecs.
    fn cut(mut self) -> Codecs {
        let by_model = matches!(&self.plies, None | Some(PlyCodec::Model(_)));
        self.positions_per_block = match &self.outcomes {
            OutcomeCodec::Model(model) if by_model => (UNITS_PER_BLOCK * model.unit()) as u32,
            _ => BLOCK,
        };
        self
    }

    /// The number of blocks of a table of the given number of positions.
    pub(crate) fn blocks(&self, positions: u64) -> usize {
        positions.div_ceil(self.positions_per_block.into()) as usize
    }

    /// The positions of a block.
    pub(crate) fn block(&self, number: usize, positions: u64) -> Range<u64> {
        let per_block = u64::from(self.positions_per_block);
        let start = number as u64 * per_block;
        start..positions.min(start + per_block)
    }
}

/// The positions that models learn from, up to a hundred megabytes.
struct Examples {
    features: Buffer<Feature>,
    outcomes: Buffer<Outcome>,
    entries: Buffer<Option<Outcome>>,
    values: Buffer<Option<Value>>,
}

impl<G: Layout, L: Group> SolvedTable<'_, G, L> {
    /// Positions of a unit of outcomes.
    fn unit_of_outcomes(&self) -> usize {
        if self.every_one_stored() {
            UNIT
        } else {
            LONG_UNIT
        }
    }

    /// Lays out the positions that models learn from.
    fn examples(&self, budget: &Budget) -> Result<Examples, SolveError> {
        // Consecutive units are laid out together, which is faster.
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let size = self.numbered.positions();
        for unit in sample(size, sample_of(size), self.unit_of_outcomes()) {
            match ranges.last_mut() {
                Some(last)
                    if last.end == unit.start && last.end - last.start < u64::from(BLOCK) =>
                {
                    last.end = unit.end;
                }
                _ => ranges.push(unit),
            }
        }
        let length = |range: &Range<u64>| (range.end - range.start) as usize;
        let count = ranges.iter().map(length).sum();
        let mut examples = Examples {
            features: budget.list(Feature::default(), count)?,
            outcomes: budget.list(Outcome::Draw, count)?,
            entries: budget.list(None, count)?,
            values: budget.list(None, count)?,
        };
        let lengths = || ranges.iter().map(length);
        let features = split(&mut examples.features, lengths()).into_par_iter();
        let outcomes = split(&mut examples.outcomes, lengths()).into_par_iter();
        let entries = split(&mut examples.entries, lengths()).into_par_iter();
        let values = split(&mut examples.values, lengths()).into_par_iter();
        let parts = features.zip(outcomes).zip(entries.zip(values));
        let tasks = ranges.par_iter().zip(parts).enumerate();
        let tasks = tasks.small_chunks(RANGES_TOGETHER);
        tasks.for_each_init(
            EncodeBuffers::default,
            |buffers, (number, (range, parts))| {
                let EncodeBuffers {
                    codes,
                    positions,
                    features: buffer,
                    ..
                } = buffers;
                let mut worked_out = self.features(range, buffer);
                self.lay_out(range, codes, positions, &mut worked_out);
                let ((features, outcomes), (entries, values)) = parts;
                features.copy_from_slice(worked_out.all());
                outcomes.copy_from_slice(&positions.outcomes);
                entries.copy_from_slice(&positions.entries);
                values.copy_from_slice(&positions.values);
                if number % RELEASE_AFTER == 0 {
                    self.contents.nodes().release_pages();
                }
            },
        );
        self.contents.nodes().release_pages();
        Ok(examples)
    }

    /// Learns models of the table, and compares them with zstd. One thread each learns outcomes,
    /// losses and wins.
    pub(crate) fn choose_codecs(
        &self,
        with_plies: bool,
        budget: &Budget,
    ) -> Result<Codecs, SolveError> {
        let examples = self.examples(budget)?;
        let features = &examples.features[..];
        let outcomes = &examples.outcomes[..];
        let values = &examples.values[..];
        let learn = |side| with_plies.then(|| LearntPlies::of(side, features, outcomes, values));
        let wins = outcomes.iter().filter(|&&own| own == Outcome::Win);
        let losses = outcomes.iter().filter(|&&own| own == Outcome::Loss);
        // The longest first, so that two threads finish at about the same time.
        let mut sides = [Outcome::Loss, Outcome::Win];
        if wins.count() > losses.count() {
            sides.reverse();
        }
        let (longest, (outcomes, other)) = rayon::join(
            || learn(sides[0]),
            || {
                let outcomes = || {
                    let entries = &examples.entries[..];
                    OutcomeModel::train(self.unit_of_outcomes(), features, entries)
                };
                rayon::join(outcomes, || learn(sides[1]))
            },
        );
        let plies = longest.zip(other).map(|(longest, other)| {
            PliesModel::new(match sides[0] {
                Outcome::Loss => [longest, other],
                _ => [other, longest],
            })
        });
        drop(examples);
        let plain = Codecs {
            positions_per_block: BLOCK,
            outcomes: OutcomeCodec::Zstd(Zstd::default()),
            plies: with_plies.then(|| PlyCodec::Zstd(Zstd::default())),
        };
        let model = Codecs {
            positions_per_block: BLOCK,
            outcomes: OutcomeCodec::Model(Arc::new(outcomes)),
            plies: plies.map(|model| PlyCodec::Model(Arc::new(model))),
        };
        // The model is chosen unless zstd halves the file and saves `WORTH_A_BLOCK`. The trial of
        // zstd ends when that is decided.
        let model_bytes = self.trial(&model, [u64::MAX; 2]);
        let enough =
            model_bytes.map(|bytes| bytes.div_ceil(2).min(bytes.saturating_sub(WORTH_A_BLOCK)));
        let plain_bytes = self.trial(&plain, enough);
        let pick = |file: usize| plain_bytes[file] >= enough[file];
        let chosen = Codecs {
            positions_per_block: BLOCK,
            outcomes: if pick(0) {
                model.outcomes
            } else {
                plain.outcomes
            },
            plies: if pick(1) { model.plies } else { plain.plies },
        };
        Ok(chosen.cut())
    }

    /// Estimates the bytes of the outcomes and of the plies with these codecs. Stops when both are
    /// known to need at least `enough`; the estimate may then be too low, but not below `enough`.
    fn trial(&self, codecs: &Codecs, enough: [u64; 2]) -> [u64; 2] {
        let blocks = codecs.blocks(self.numbered.positions());
        let tried = if blocks <= SMALL { blocks } else { TRIAL };
        let of_plies = codecs.plies.as_ref().map(FileCodec::parameters);
        let parameters = [
            codecs.outcomes.parameters().len(),
            of_plies.map_or(0, |bytes| bytes.len()),
        ];
        let lengths = [AtomicU64::new(0), AtomicU64::new(0)];
        let bytes = || {
            [0, 1].map(|file: usize| {
                let length = lengths[file].load(Ordering::Relaxed);
                length * blocks as u64 / tried.max(1) as u64 + parameters[file] as u64
            })
        };
        let tries = (0..tried).into_par_iter().small_chunks(1);
        tries.for_each_init(EncodeBuffers::default, |buffers, i| {
            if (0..2).all(|file| bytes()[file] >= enough[file]) {
                return;
            }
            let coded = self.code(i * blocks / tried, codecs, buffers);
            for (sum, coded) in lengths.iter().zip([&coded.outcomes, &coded.plies]) {
                sum.fetch_add(coded.len() as u64, Ordering::Relaxed);
            }
        });
        bytes()
    }
}
