//! Writes a solved table: its outcomes and its plies, block by block.
//!
//! The codecs are chosen first, see [`codecs`](crate::codecs). Positions that are resolved by their
//! turns are counted, but not stored.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use endmill_dbformat::{
    EncodeContext, FeatureBuffer, Kind, LazyFeatures, Statistics, Store, TableSpec, TableWriter,
};
use endmill_games::{Feature, Outcome, Value};
use endmill_layout::{Group, Layout, NodeValue};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::codecs::Codecs;
use crate::counts::Counts;
use crate::nodes::{Nodes, OutcomeNodes};
use crate::numbered::Numbered;
use crate::{Progress, SolveError};

/// Blocks that are coded at a time: enough for all threads, few enough to hold in memory.
const BLOCKS_AT_A_TIME: usize = 512;
/// Blocks, or ranges of the sample, after which to release the pages of the nodes in scratch files.
pub(crate) const RELEASE_AFTER: usize = 64;

/// Saves tables to a store.
pub(crate) struct Saving<'a> {
    pub(crate) store: &'a Store,
    /// For the examples that models learn from.
    pub(crate) budget: &'a Budget,
}

/// The contents of a table's files.
#[derive(Clone, Debug)]
pub(crate) enum Contents {
    /// Outcomes, and nothing about plies.
    Outcomes(OutcomeNodes),
    /// Outcomes and, in a `.dtw`, plies.
    Plies(Arc<Nodes>),
    /// Outcomes and, in the header, the counts and the longest plies: each follows from the tables
    /// one turn ahead.
    PliesLeftOut(Arc<Nodes>),
}

impl Contents {
    /// The nodes; of [`Contents::Outcomes`] only the outcomes count.
    pub(crate) fn nodes(&self) -> &Arc<Nodes> {
        match self {
            Contents::Outcomes(outcomes) => outcomes.nodes(),
            Contents::Plies(nodes) | Contents::PliesLeftOut(nodes) => nodes,
        }
    }

    fn has_ply_file(&self) -> bool {
        matches!(self, Contents::Plies(_))
    }
}

/// A solved table.
pub(crate) struct SolvedTable<'a, G: Layout, L> {
    pub(crate) game: &'a G,
    pub(crate) table: G::Table,
    pub(crate) numbered: Numbered<'a, L>,
    pub(crate) contents: &'a Contents,
}

/// Some positions of a table, as the codecs want them.
#[derive(Default)]
pub(crate) struct Positions {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) entries: Vec<Option<Outcome>>,
    pub(crate) values: Vec<Option<Value>>,
}

/// Memory with which one thread codes block after block.
#[derive(Default)]
pub(crate) struct EncodeBuffers {
    pub(crate) codes: Vec<NodeValue>,
    pub(crate) positions: Positions,
    pub(crate) features: FeatureBuffer,
    context: EncodeContext,
}

/// Buffers that no thread uses at the moment: soon there are as many as threads.
struct IdleBuffers<B>(Mutex<Vec<B>>);

impl<B: Default> IdleBuffers<B> {
    fn take(&self) -> B {
        self.lock().pop().unwrap_or_default()
    }

    fn put_back(&self, buffers: B) {
        self.lock().push(buffers);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<B>> {
        self.0.lock().expect("nothing panics while it is locked")
    }
}

/// Codes blocks on all threads, and writes them in order.
pub(crate) fn in_order<B: Default + Send, C: Send>(
    blocks: usize,
    progress: &impl Progress,
    code: impl Fn(usize, &mut B) -> C + Sync,
    mut write: impl FnMut(C) -> Result<(), SolveError> + Send,
) -> Result<(), SolveError> {
    let idle = IdleBuffers(Mutex::new(Vec::new()));
    let mut write = |coded: Vec<C>| coded.into_iter().try_for_each(&mut write);
    let mut before = Vec::new();
    for first in (0..blocks).step_by(BLOCKS_AT_A_TIME) {
        if progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let some = first..blocks.min(first + BLOCKS_AT_A_TIME);
        // Single blocks, so that no thread waits long for the last one.
        let coded = some.into_par_iter().with_max_len(1).map(|block| {
            let mut buffers = idle.take();
            let coded = code(block, &mut buffers);
            idle.put_back(buffers);
            coded
        });
        // Meanwhile the blocks coded before are written.
        let (coded, written) = rayon::join(|| coded.collect(), || write(before));
        written?;
        before = coded;
    }
    write(before)
}

/// A block of both files, and the counts of its positions.
pub(crate) struct CodedBlock {
    pub(crate) outcomes: Vec<u8>,
    pub(crate) plies: Vec<u8>,
    counts: Counts,
}

impl Saving<'_> {
    /// Chooses the codecs of a table.
    pub(crate) fn choose_codecs<G: Layout, L: Group>(
        &self,
        solved: &SolvedTable<'_, G, L>,
    ) -> Result<Codecs, SolveError> {
        solved.choose_codecs(solved.contents.has_ply_file(), self.budget)
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
            positions_per_block: codecs.positions_per_block,
        };
        let path = |kind| self.store.path(&name, kind);
        let mut outcomes =
            TableWriter::create(&path(Kind::Outcomes), spec.clone(), &codecs.outcomes)?;
        let plies = codecs.plies.as_ref();
        let plies = plies.map(|codec| TableWriter::create(&path(Kind::Plies), spec, codec));
        let mut plies = plies.transpose()?;

        let mut counts = Counts::default();
        let blocks = codecs.blocks(solved.numbered.positions());
        in_order(
            blocks,
            progress,
            |block, buffers: &mut EncodeBuffers| {
                if block % RELEASE_AFTER == 0 {
                    solved.contents.nodes().release_pages();
                }
                solved.code(block, codecs, buffers)
            },
            |block: CodedBlock| {
                outcomes.push_block(&block.outcomes)?;
                if let Some(plies) = &mut plies {
                    plies.push_block(&block.plies)?;
                }
                counts.add(&block.counts);
                Ok(())
            },
        )?;

        let mut statistics = counts.statistics();
        if matches!(solved.contents, Contents::Outcomes(_)) {
            statistics = statistics.without_plies();
        }
        let pair = outcomes.pair();
        let (outcomes, plies) = rayon::join(
            || match solved.contents {
                Contents::PliesLeftOut(_) => outcomes.finish_outcomes_alone(&statistics),
                Contents::Outcomes(_) | Contents::Plies(_) => outcomes.finish_outcomes(&statistics),
            },
            || plies.map(|plies| plies.finish_plies(&statistics, pair)),
        );
        self.store.replace(&name, outcomes?, plies.transpose()?)?;
        Ok(statistics)
    }
}

impl<G: Layout, L: Group> SolvedTable<'_, G, L> {
    /// Replaces the positions of the buffers by those of a range. Works out features only if they
    /// are needed to see which positions are stored. Returns their counts.
    pub(crate) fn lay_out(
        &self,
        range: &Range<u64>,
        codes: &mut Vec<NodeValue>,
        positions: &mut Positions,
        features: &mut LazyFeatures<'_, impl FnMut(Range<u64>, &mut Vec<Feature>)>,
    ) -> Counts {
        codes.clear();
        self.numbered
            .gather(self.contents.nodes(), range.clone(), codes);
        let counts = Counts::of(codes, range.start);
        let Positions {
            outcomes,
            entries,
            values,
        } = positions;
        outcomes.clear();
        outcomes.extend(codes.iter().map(|code| code.value().outcome()));
        entries.clear();
        values.clear();
        if self.every_one_stored() {
            entries.extend(outcomes.iter().map(|&outcome| Some(outcome)));
            values.extend(codes.iter().map(|code| Some(code.value())));
        } else {
            for (feature, code) in features.all().iter().zip(codes.iter()) {
                let value = (!feature.resolved).then(|| code.value());
                entries.push(value.map(Value::outcome));
                values.push(value);
            }
        }
        counts
    }

    /// Returns the features of a range, which are worked out when they are needed.
    pub(crate) fn features<'b>(
        &self,
        range: &Range<u64>,
        buffer: &'b mut FeatureBuffer,
    ) -> LazyFeatures<'b, impl FnMut(Range<u64>, &mut Vec<Feature>)> {
        buffer.lazy(range, |range, features| {
            self.game.features(self.table, range, features);
        })
    }

    pub(crate) fn every_one_stored(&self) -> bool {
        self.game.stores_every_one(self.table)
    }

    /// Codes a block of both files.
    pub(crate) fn code(
        &self,
        block: usize,
        codecs: &Codecs,
        buffers: &mut EncodeBuffers,
    ) -> CodedBlock {
        let range = codecs.block(block, self.numbered.positions());
        let EncodeBuffers {
            codes,
            positions,
            features,
            context,
        } = buffers;
        let mut features = self.features(&range, features);
        let counts = self.lay_out(&range, codes, positions, &mut features);
        let Positions {
            outcomes,
            entries,
            values,
        } = positions;
        let plies = match &codecs.plies {
            Some(plies) => {
                // If every position is stored, decoding yields the same outcomes.
                if !self.every_one_stored() {
                    codecs.outcomes.yields(entries, features.all(), outcomes);
                }
                plies.encode(outcomes, values, &mut features, context)
            }
            None => Vec::new(),
        };
        CodedBlock {
            outcomes: codecs.outcomes.encode(entries, &mut features, context),
            plies,
            counts,
        }
    }
}
