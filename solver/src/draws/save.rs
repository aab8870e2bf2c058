//! Writes the ranks of a table's draws.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

use endmill_dbformat::codec::model::{UNIT, sample};
use endmill_dbformat::{
    DrawCodec, DrawEntry, DrawExamples, FeatureBuffer, Kind, RankList, ScoresId, Statistics, Store,
    StoredRank, TableSpec, TableWriter,
};
use endmill_games::value::{DrawScores, DrawState, Ranked, ScoreNumber};
use endmill_games::{Feature, Features};
use endmill_layout::Group;
use rayon::prelude::*;

use super::scores::TableScores;
use crate::chunks::SmallChunks;
use crate::codecs::sample_of;
use crate::memory::Buffer;
use crate::numbered::Numbered;
use crate::save::in_order;
use crate::{Progress, SolveError};

/// Positions that one task counts.
const POSITIONS_PER_TASK: u64 = 1 << 18;

/// A table whose draws are ranked.
pub(super) struct RankedTable<'a, G: Features, L> {
    pub(super) game: &'a G,
    pub(super) table: G::Table,
    pub(super) numbered: Numbered<'a, L>,
    pub(super) states: &'a Buffer<DrawState>,
    pub(super) scores: &'a TableScores<G::Table>,
}

/// How many draws have a rank, and how long they take to convert.
type Counts = BTreeMap<ScoreNumber, (u64, u16)>;

/// Memory with which one thread codes block after block.
#[derive(Default)]
struct Buffers {
    states: Vec<DrawState>,
    features: FeatureBuffer,
}

impl<G: Features, L: Group> RankedTable<'_, G, L> {
    /// The score of the table, or what stands for it where no game can stay.
    fn own(&self) -> ScoreNumber {
        self.scores.own(self.table).unwrap_or(0)
    }

    /// The rank of a draw and the plies to its conversion, as they are stored.
    fn of_draw(&self, state: DrawState) -> Option<(ScoreNumber, u16)> {
        let Ranked::Draw(number) = state.ranked(self.own(), self.numbers()) else {
            return None;
        };
        let plies = state.conversion().map_or(0, |conversion| conversion.plies);
        let stays = self.scores.own(self.table).is_some();
        Some((number, if stays { plies } else { 0 }))
    }

    fn numbers(&self) -> &DrawScores {
        self.scores.numbers()
    }

    /// Writes the file of the table, and records it.
    pub(super) fn save(&self, store: &Store, progress: &impl Progress) -> Result<(), SolveError> {
        let name = self.table.to_string();
        let opened = store.open(&name, self.game.size(self.table))?;
        let header = opened.outcome_file().header();
        let codec = self.learn();
        let spec = TableSpec {
            rules: store.rules().clone(),
            table: name.clone(),
            positions: header.positions,
            positions_per_block: header.positions_per_block,
        };
        let path = store.path(&name, Kind::Draws);
        let mut writer = TableWriter::create(&path, spec, &codec.codec)?;
        let per_block = u64::from(header.positions_per_block);
        in_order(
            opened.blocks(),
            progress,
            |block, buffers: &mut Buffers| {
                let start = block as u64 * per_block;
                let range = start..header.positions.min(start + per_block);
                self.code(range, &codec, buffers)
            },
            |block: Vec<u8>| Ok(writer.push_block(&block)?),
        )?;
        let statistics: Statistics = opened.statistics().clone().without_plies();
        let id: ScoresId = self.scores.id();
        let finished = writer.finish_draws(&statistics, opened.pair(), id)?;
        store.add_draws(&name, finished)?;
        Ok(())
    }

    fn code(&self, range: Range<u64>, codec: &Learnt, buffers: &mut Buffers) -> Vec<u8> {
        let Buffers { states, features } = buffers;
        let mut features = features.lazy(&range, |range, features| {
            self.game.features(self.table, range, features);
        });
        let stores_all = self.game.stores_every_one(self.table);
        states.clear();
        self.numbered.gather(self.states, range.clone(), states);
        let mut entries: Vec<Option<DrawEntry>> = states
            .iter()
            .map(|&state| codec.entry(self.of_draw(state)))
            .collect();
        if !stores_all {
            for (entry, feature) in entries.iter_mut().zip(features.all()) {
                *entry = entry.filter(|_| !feature.resolved);
            }
        }
        codec.codec.encode(&entries, &mut features)
    }

    /// Lists the ranks that occur, and learns models from a sample of the table.
    fn learn(&self) -> Learnt {
        let counts = self.counts();
        let numbers: Vec<ScoreNumber> = counts.keys().copied().collect();
        let ranks = counts.into_iter().map(|(number, (positions, longest))| {
            let score = self.numbers().score(number);
            StoredRank {
                score,
                tables: self.scores.tables_of(self.game, self.table, score).into(),
                positions,
                longest,
            }
        });
        let own = self.scores.own(self.table);
        let list = RankList {
            ranks: ranks.collect(),
            own: own.map(|own| self.numbers().score(own)),
        };
        let mut learnt = Learnt {
            numbers,
            codec: DrawCodec::without_models(list),
        };
        let examples = self.examples(&learnt);
        learnt.codec = learnt.codec.train(&examples);
        learnt
    }

    /// Positions from which models learn: whole units, evenly spread.
    fn examples(&self, learnt: &Learnt) -> DrawExamples {
        let size = self.numbered.positions();
        let units: Vec<Range<u64>> = sample(size, sample_of(size), UNIT).collect();
        let examples = units.par_iter().small_chunks(1).map(|unit| {
            let mut states = Vec::new();
            self.numbered.gather(self.states, unit.clone(), &mut states);
            let of_state = |&state: &DrawState| learnt.entry(self.of_draw(state));
            let mut entries: Vec<Option<DrawEntry>> = states.iter().map(of_state).collect();
            let mut features: Vec<Feature> = vec![Feature::default(); entries.len()];
            if entries.iter().any(Option::is_some) {
                self.game.features(self.table, unit.clone(), &mut features);
            }
            for (entry, feature) in entries.iter_mut().zip(&mut features) {
                *entry = entry.filter(|_| !feature.resolved);
                feature.resolved = entry.is_none();
            }
            (features, entries)
        });
        let mut all = DrawExamples::default();
        for (features, entries) in examples.collect::<Vec<_>>() {
            all.features.extend(features);
            all.entries.extend(entries);
        }
        all
    }

    /// Counts the draws of the table, resolved ones included, by rank.
    fn counts(&self) -> Counts {
        let size = self.numbered.positions();
        let counts = Mutex::new(Counts::new());
        let tasks = (0..size.div_ceil(POSITIONS_PER_TASK)).into_par_iter();
        tasks.for_each(|task| {
            let start = task * POSITIONS_PER_TASK;
            let mut states = Vec::new();
            let range = start..size.min(start + POSITIONS_PER_TASK);
            self.numbered.gather(self.states, range, &mut states);
            let mut own = Counts::new();
            for (number, plies) in states.iter().filter_map(|&state| self.of_draw(state)) {
                let (count, longest) = own.entry(number).or_default();
                *count += 1;
                *longest = plies.max(*longest);
            }
            let mut counts = counts.lock().expect("adding does not panic");
            for (number, (count, longest)) in own {
                let sum = counts.entry(number).or_default();
                *sum = (sum.0 + count, sum.1.max(longest));
            }
        });
        counts.into_inner().expect("adding does not panic")
    }
}

/// A codec, and the numbers of the ranks in its list.
struct Learnt {
    numbers: Vec<ScoreNumber>,
    codec: DrawCodec,
}

impl Learnt {
    fn entry(&self, draw: Option<(ScoreNumber, u16)>) -> Option<DrawEntry> {
        let (number, plies) = draw?;
        let rank = self.numbers.binary_search(&number);
        Some(DrawEntry {
            rank: rank.expect("all that occur were counted") as u16,
            plies,
        })
    }
}
