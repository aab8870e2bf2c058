//! Writes a solved table: its outcomes and its plies, block by block.
//!
//! A model of the table is learnt from a sample of it, for each of the two files; then all blocks
//! are coded with it. A file that plain zstd would halve, by a trial on some of its blocks (as it may
//! where the game has no features to give), is coded by zstd instead. Positions that are resolved by
//! their turns are counted, but not stored.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use endmill_dbformat::codec::Zstd;
use endmill_dbformat::codec::model::{LearntPlies, OutcomeModel, PliesModel, UNIT, sample};
use endmill_dbformat::{
    EncodeContext, FileCodec, Kind, OutcomeCodec, PlyCodec, Record, Statistics, Store, TableSpec,
    TableWriter,
};
use endmill_games::{Feature, Outcome, Value};
use endmill_layout::{Group, Layout, NodeValue};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::counts::Counts;
use crate::lists::List;
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::pieces::Finely;
use crate::{Progress, SolveError};

/// Positions of every block but the last: a whole number of units.
const POSITIONS_PER_BLOCK: u32 = 1 << 14;
/// Blocks that are coded at a time: enough for all threads, few enough to hold in memory.
const BLOCKS_AT_A_TIME: usize = 512;
/// Positions from which a model learns: one in so many, but no fewer and no more than these.
const SHARE: u64 = 24;
const SAMPLE: Range<u64> = 1 << 19..1 << 23;
/// Ranges of the sample that are laid out by one task, at the least.
const RANGES_TOGETHER: usize = 64;
/// Ranges of the sample, or blocks, after which to let go of the nodes that were looked at.
const LET_GO_AFTER: usize = 64;
/// Blocks by which the model is compared with zstd: all of a small table, where a few blocks may
/// hold most of what is decided.
const TRIAL: usize = 16;
const SMALL: usize = 4 * TRIAL;

/// What zstd must save in a file to be taken, beside half of it: with a model a look-up decodes one
/// unit, with zstd a whole block, and for plies all outcomes of the block too, which takes a hundred
/// times as long.
const WORTH_A_BLOCK: u64 = 4096;

/// Positions from which the models of a table of this size learn.
fn sample_of(size: u64) -> u64 {
    (size / SHARE).clamp(SAMPLE.start, SAMPLE.end)
}

/// Seconds that one thread learns a model of a table for, while two others at most learn too: what no
/// number of threads makes shorter. Measured: about 40 nanoseconds a position of the sample, twice
/// through it.
pub fn learning_seconds(size: u64) -> f64 {
    sample_of(size).min(size) as f64 * 40e-9
}

/// Where and what to write.
pub(crate) struct Saving<'a> {
    pub(crate) store: &'a Store,
    pub(crate) plies: SavedPlies,
    /// For what is learnt from.
    pub(crate) budget: &'a Budget,
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
pub(crate) struct Codecs {
    outcomes: OutcomeCodec,
    /// If plies are stored.
    plies: Option<PlyCodec>,
}

/// Some positions of a table, as the codecs want them. Their features may be known in part.
#[derive(Default)]
struct Positions {
    features: Vec<Feature>,
    outcomes: Vec<Outcome>,
    entries: Vec<Option<Outcome>>,
    values: Vec<Option<Value>>,
}

/// All positions that models learn from, one after the other. There may be a hundred megabytes.
struct Examples {
    features: List<Feature>,
    outcomes: List<Outcome>,
    entries: List<Option<Outcome>>,
    values: List<Option<Value>>,
}

/// What one thread codes blocks with, again and again.
#[derive(Default)]
struct Desk {
    codes: Vec<NodeValue>,
    some_features: Vec<Feature>,
    positions: Positions,
    context: EncodeContext,
}

/// The desks that no thread is at: as many as there are threads are soon enough.
#[derive(Default)]
struct Desks(Mutex<Vec<Desk>>);

impl Desks {
    fn take(&self) -> Desk {
        self.lock().pop().unwrap_or_default()
    }

    fn put_back(&self, desk: Desk) {
        self.lock().push(desk);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Desk>> {
        self.0.lock().expect("nothing panics while it is locked")
    }
}

/// A block of both files, and what it adds to the table's counts.
struct CodedBlock {
    outcomes: Vec<u8>,
    plies: Vec<u8>,
    counts: Counts,
}

impl Saving<'_> {
    /// How the files of a table will be coded.
    pub(crate) fn choose_codecs<G: Layout, L: Group>(
        &self,
        solved: &SolvedTable<'_, G, L>,
    ) -> Result<Codecs, SolveError> {
        solved.choose_codecs(self.plies == SavedPlies::Stored, self.budget)
    }

    /// Writes the files of a table with the codecs that were chosen for it, and records them.
    pub(crate) fn save<G: Layout, L: Group>(
        &self,
        solved: &SolvedTable<'_, G, L>,
        codecs: &Codecs,
        progress: &impl Progress,
    ) -> Result<Statistics, SolveError> {
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
        let mut write = |coded: Vec<CodedBlock>| -> Result<(), SolveError> {
            for block in coded {
                outcomes.push_block(&block.outcomes)?;
                if let Some(plies) = &mut plies {
                    plies.push_block(&block.plies)?;
                }
                counts.add(&block.counts);
            }
            Ok(())
        };
        let mut before = Vec::new();
        let desks = Desks::default();
        for first in (0..blocks).step_by(BLOCKS_AT_A_TIME) {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
            // A block at a time, so that no thread waits long for the last one.
            let coded = some.into_par_iter().with_max_len(1).map(|block| {
                if block % LET_GO_AFTER == 0 {
                    solved.nodes.let_go();
                }
                let mut desk = desks.take();
                let coded = solved.code(block, codecs, &mut desk);
                desks.put_back(desk);
                coded
            });
            // What was coded before is written meanwhile.
            let (coded, written) = rayon::join(|| coded.collect(), || write(before));
            written?;
            before = coded;
        }
        write(before)?;

        let mut statistics = counts.statistics();
        if self.plies == SavedPlies::Untold {
            statistics = statistics.without_plies();
        }
        // What is about to be replaced is no longer finished.
        self.store.unrecord(&name)?;
        let pair = outcomes.pair();
        let (outcomes, plies) = rayon::join(
            || match self.plies {
                SavedPlies::LeftOut => outcomes.finish_outcomes_alone(&statistics),
                SavedPlies::Untold | SavedPlies::Stored => outcomes.finish_outcomes(&statistics),
            },
            || plies.map(|plies| plies.finish_plies(&statistics, pair)),
        );
        let mut record = Record::from([(Kind::Outcomes, outcomes?.into())]);
        if let Some(plies) = plies {
            record.insert(Kind::Plies, plies?.into());
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

    /// Replaces the positions of a desk by those of a range, with all their features if `featured`
    /// or if it takes them to tell which positions are stored; gives their counts.
    fn lay_out(&self, range: Range<u64>, featured: bool, desk: &mut Desk) -> Counts {
        let count = (range.end - range.start) as usize;
        let Desk {
            codes, positions, ..
        } = desk;
        codes.clear();
        self.numbered
            .gather(self.nodes.codes(), range.clone(), codes);
        let counts = Counts::of(codes, range.start);
        let Positions {
            features,
            outcomes,
            entries,
            values,
        } = positions;
        outcomes.clear();
        outcomes.extend(codes.iter().map(|code| code.value().outcome()));
        let every_one_stored = self.every_one_stored();
        if featured || !every_one_stored {
            self.game.features(self.table, range, features);
        } else {
            features.clear();
            features.resize(count, Feature::default());
        }
        entries.clear();
        values.clear();
        if every_one_stored {
            entries.extend(outcomes.iter().map(|&outcome| Some(outcome)));
            values.extend(codes.iter().map(|code| Some(code.value())));
        } else {
            let stored = |feature: &Feature, value| (!feature.resolved).then_some(value);
            let pairs = features.iter().zip(outcomes.iter());
            entries.extend(pairs.map(|(feature, &outcome)| stored(feature, outcome)));
            let pairs = features.iter().zip(codes.iter());
            values.extend(pairs.map(|(feature, code)| {
                let stored = !feature.resolved;
                stored.then(|| code.value())
            }));
        }
        counts
    }

    fn every_one_stored(&self) -> bool {
        self.game.stores_every_one(self.table)
    }

    /// Lays out the positions that models learn from.
    fn examples(&self, budget: &Budget) -> Result<Examples, SolveError> {
        // Units that follow each other are looked at together, which is faster.
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let size = self.numbered.positions();
        for unit in sample(size, sample_of(size)) {
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
        let length = |range: &Range<u64>| (range.end - range.start) as usize;
        let count = ranges.iter().map(length).sum();
        let mut examples = Examples {
            features: List::new(Feature::default(), count, budget)?,
            outcomes: List::new(Outcome::Draw, count, budget)?,
            entries: List::new(None, count, budget)?,
            values: List::new(None, count, budget)?,
        };
        let lengths = || ranges.iter().map(length);
        let features = examples.features.parts(lengths()).into_par_iter();
        let outcomes = examples.outcomes.parts(lengths()).into_par_iter();
        let entries = examples.entries.parts(lengths()).into_par_iter();
        let values = examples.values.parts(lengths()).into_par_iter();
        let parts = features.zip(outcomes).zip(entries.zip(values));
        let tasks = ranges.par_iter().zip(parts).enumerate();
        let tasks = tasks.finely(RANGES_TOGETHER);
        tasks.for_each_init(Desk::default, |desk, (number, (range, parts))| {
            self.lay_out(range.clone(), true, desk);
            let ((features, outcomes), (entries, values)) = parts;
            features.copy_from_slice(&desk.positions.features);
            outcomes.copy_from_slice(&desk.positions.outcomes);
            entries.copy_from_slice(&desk.positions.entries);
            values.copy_from_slice(&desk.positions.values);
            if number % LET_GO_AFTER == 0 {
                self.nodes.let_go();
            }
        });
        self.nodes.let_go();
        Ok(examples)
    }

    /// Learns models of the table, and compares them with zstd. Outcomes, losses and wins are learnt
    /// by a thread each.
    fn choose_codecs(&self, with_plies: bool, budget: &Budget) -> Result<Codecs, SolveError> {
        let examples = self.examples(budget)?;
        let features = examples.features.values();
        let outcomes = examples.outcomes.values();
        let values = examples.values.values();
        let learn = |side| with_plies.then(|| LearntPlies::of(side, features, outcomes, values));
        let wins = outcomes.iter().filter(|&&own| own == Outcome::Win);
        let losses = outcomes.iter().filter(|&&own| own == Outcome::Loss);
        // The longest first, so that two threads are done at about the same time.
        let mut sides = [Outcome::Loss, Outcome::Win];
        if wins.count() > losses.count() {
            sides.reverse();
        }
        let (longest, (outcomes, other)) = rayon::join(
            || learn(sides[0]),
            || {
                let outcomes = || OutcomeModel::train(features, examples.entries.values());
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
            outcomes: OutcomeCodec::Zstd(Zstd::default()),
            plies: with_plies.then(|| PlyCodec::Zstd(Zstd::default())),
        };
        let model = Codecs {
            outcomes: OutcomeCodec::Model(Arc::new(outcomes)),
            plies: plies.map(|model| PlyCodec::Model(Arc::new(model))),
        };
        // The model is taken if it needs no more than twice what zstd does, or no more than that and
        // what a block is worth; once zstd is known to need that much, nothing else matters.
        let model_bytes = self.trial(&model, [u64::MAX; 2]);
        let enough =
            model_bytes.map(|bytes| bytes.div_ceil(2).min(bytes.saturating_sub(WORTH_A_BLOCK)));
        let plain_bytes = self.trial(&plain, enough);
        let pick = |file: usize| plain_bytes[file] >= enough[file];
        Ok(Codecs {
            outcomes: if pick(0) {
                model.outcomes
            } else {
                plain.outcomes
            },
            plies: if pick(1) { model.plies } else { plain.plies },
        })
    }

    /// About how many bytes the outcomes and the plies take with these codecs. It ends when both are
    /// found to take `enough`, and may give less than they take then, but no less than that.
    fn trial(&self, codecs: &Codecs, enough: [u64; 2]) -> [u64; 2] {
        let blocks = self.blocks();
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
        let tries = (0..tried).into_par_iter().finely(1);
        tries.for_each_init(Desk::default, |desk, i| {
            if (0..2).all(|file| bytes()[file] >= enough[file]) {
                return;
            }
            let coded = self.code(i * blocks / tried, codecs, desk);
            for (sum, coded) in lengths.iter().zip([&coded.outcomes, &coded.plies]) {
                sum.fetch_add(coded.len() as u64, Ordering::Relaxed);
            }
        });
        bytes()
    }

    fn code(&self, block: usize, codecs: &Codecs, desk: &mut Desk) -> CodedBlock {
        let range = self.positions_in(block);
        let counts = self.lay_out(range.clone(), false, desk);
        if self.every_one_stored() {
            self.add_features(range.start, codecs, desk);
        }
        let Desk {
            positions, context, ..
        } = desk;
        let Positions {
            features,
            outcomes,
            entries,
            values,
        } = positions;
        let plies = match &codecs.plies {
            Some(plies) => {
                // Where every position is stored, decoding yields the outcomes as they are.
                if !self.every_one_stored() {
                    codecs.outcomes.yields(entries, features, outcomes);
                }
                plies.encode(outcomes, values, features, context)
            }
            None => Vec::new(),
        };
        CodedBlock {
            outcomes: codecs.outcomes.encode(entries, features, context),
            plies,
            counts,
        }
    }

    /// Works out the features of the units that codecs look at, of those that follow each other in
    /// one go. Many units hold nothing but the outcome that the table has most, or draws.
    fn add_features(&self, start: u64, codecs: &Codecs, desk: &mut Desk) {
        let Desk {
            some_features,
            positions,
            ..
        } = desk;
        let wanted = |unit: &Range<usize>| {
            let entries = &positions.entries[unit.clone()];
            let outcomes = match &codecs.outcomes {
                OutcomeCodec::Model(model) => !model.is_plain(entries),
                _ => false,
            };
            let mut plies = match &codecs.plies {
                Some(PlyCodec::Model(_)) => entries.iter(),
                _ => [].iter(),
            };
            outcomes || plies.any(|&entry| entry != Some(Outcome::Draw))
        };
        let count = positions.features.len();
        let units = (0..count).step_by(UNIT);
        let units = units.map(|start| start..count.min(start + UNIT));
        let mut runs: Vec<Range<usize>> = Vec::new();
        for unit in units.filter(wanted) {
            match runs.last_mut() {
                Some(last) if last.end == unit.start => last.end = unit.end,
                _ => runs.push(unit),
            }
        }
        for run in runs {
            let range = start + run.start as u64..start + run.end as u64;
            self.game.features(self.table, range, some_features);
            positions.features[run].copy_from_slice(some_features);
        }
    }
}
