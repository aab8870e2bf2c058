//! Codec 7: the ranks of draws, and the plies until they convert.
//!
//! A file lists the ranks that occur in its table, in order, and codes each draw by three numbers:
//! whether its rank is better than, equal to or worse than the *pivot* (the table's own score, or 0 if
//! it has none); how many ranks it is away from there; and the plies. Each is coded by a model of this
//! format that exists already: the first like an outcome, the others like the plies of wins and losses.
//! What is the same for the whole table takes no space. Everything is coded given the outcomes: of
//! other positions than draws nothing is coded, and the models skip them.
//!
//! A block has a stream for each of the three that is not the same everywhere: the lengths of all
//! streams but the last, four bytes each, then the streams, which are cut into units.

use std::sync::Arc;

use endmill_games::value::Score;
use endmill_games::{Feature, Outcome, Value};

use super::model::{LearntPlies, OutcomeModel, PliesModel, UNIT};
use super::{CodecFault, Coded, DRAW_RANKS, FileCodec, Malformed};
use crate::header::{Kind, MAX_NAME};
use crate::lazy_features::UnitFeatures;

/// The most ranks of a table.
const MOST_RANKS: usize = 1 << 13;

/// A rank that occurs in a table, from the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRank {
    /// The score of the tables in which such a game stays for ever.
    pub score: Score,
    /// Their names.
    pub tables: Arc<[String]>,
    /// The number of draws with this rank.
    pub positions: u64,
    /// The most plies until one of them leaves the table; 0 if they stay, or if none are stored.
    pub longest: u16,
}

/// The rank of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawEntry {
    /// The number of its rank in the list of the table.
    pub rank: u16,
    /// Plies until it leaves the table; 0 if it stays, or if none are stored.
    pub plies: u16,
}

/// The ranks of a table, and what they are compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankList {
    /// In increasing order.
    pub ranks: Vec<StoredRank>,
    /// The table's own score, if a game can stay in it for ever. Only then plies are stored.
    pub own: Option<Score>,
}

/// How the blocks of a `.drw` are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawCodec {
    list: Arc<RankList>,
    /// The number of ranks that are worse than the pivot, and of those that are not better.
    pivot: [usize; 2],
    side: Option<Arc<OutcomeModel>>,
    away: Option<Arc<PliesModel>>,
    plies: Option<Arc<PliesModel>>,
}

/// Positions from which models learn: units of 256, one after the other.
#[derive(Debug, Default)]
pub struct DrawExamples {
    /// Those of draws; the others are marked as resolved.
    pub features: Vec<Feature>,
    /// `None` for what is not a draw, or not stored.
    pub entries: Vec<Option<DrawEntry>>,
}

impl RankList {
    fn pivot(&self) -> [usize; 2] {
        let pivot = self.own.unwrap_or(Score::ZERO);
        [
            self.ranks.partition_point(|rank| rank.score < pivot),
            self.ranks.partition_point(|rank| rank.score <= pivot),
        ]
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let score = |score: Score, bytes: &mut Vec<u8>| {
            bytes.extend(score.numerator().to_le_bytes());
            bytes.extend(score.denominator().to_le_bytes());
        };
        bytes.push(self.own.is_some().into());
        score(self.own.unwrap_or(Score::ZERO), bytes);
        bytes.extend((self.ranks.len() as u16).to_le_bytes());
        for rank in &self.ranks {
            score(rank.score, bytes);
            bytes.extend(rank.positions.to_le_bytes());
            bytes.extend(rank.longest.to_le_bytes());
            bytes.extend((rank.tables.len() as u16).to_le_bytes());
            for table in &*rank.tables {
                bytes.push(table.len() as u8);
                bytes.extend(table.as_bytes());
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Result<RankList, Malformed> {
        let own = match take::<1>(bytes)? {
            [0] => false,
            [1] => true,
            _ => return Err(Malformed),
        };
        let score = read_score(bytes)?;
        let own = own.then_some(score);
        let count = usize::from(u16::from_le_bytes(take(bytes)?));
        if count > MOST_RANKS || (own.is_none() && score != Score::ZERO) {
            return Err(Malformed);
        }
        let mut ranks: Vec<StoredRank> = Vec::new();
        for _ in 0..count {
            let score = read_score(bytes)?;
            if ranks.last().is_some_and(|last| last.score >= score) {
                return Err(Malformed);
            }
            let positions = u64::from_le_bytes(take(bytes)?);
            let longest = u16::from_le_bytes(take(bytes)?);
            let names = u16::from_le_bytes(take(bytes)?);
            let mut tables = Vec::new();
            for _ in 0..names {
                let [length] = take::<1>(bytes)?;
                let length = usize::from(length);
                let (name, rest) = bytes.split_at_checked(length).ok_or(Malformed)?;
                *bytes = rest;
                if !(1..=MAX_NAME).contains(&length) || !name.iter().all(u8::is_ascii_graphic) {
                    return Err(Malformed);
                }
                tables.push(String::from_utf8_lossy(name).into_owned());
            }
            ranks.push(StoredRank {
                score,
                tables: tables.into(),
                positions,
                longest,
            });
        }
        Ok(RankList { ranks, own })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Malformed> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(Malformed)?;
    *bytes = rest;
    Ok(*taken)
}

fn read_score(bytes: &mut &[u8]) -> Result<Score, Malformed> {
    let numerator = i64::from_le_bytes(take(bytes)?);
    let denominator = u64::from_le_bytes(take(bytes)?);
    if denominator == 0 || numerator == i64::MIN {
        return Err(Malformed);
    }
    let score = Score::new(numerator, denominator);
    let is_reduced = (score.numerator(), score.denominator()) == (numerator, denominator);
    is_reduced.then_some(score).ok_or(Malformed)
}

/// Which streams a block has.
#[derive(Clone, Copy)]
struct Streams {
    side: bool,
    away: bool,
    plies: bool,
}

impl Streams {
    fn of(list: &RankList) -> Streams {
        let [worse, not_better] = list.pivot();
        let better = list.ranks.len() - not_better;
        let sides = [worse, not_better - worse, better];
        Streams {
            side: sides.iter().filter(|&&ranks| ranks > 0).count() > 1,
            away: worse > 1 || better > 1,
            plies: list.own.is_some() && worse + better > 0,
        }
    }

    fn count(self) -> usize {
        [self.side, self.away, self.plies]
            .into_iter()
            .map(usize::from)
            .sum()
    }
}

/// The features of draws: those of other positions are marked as resolved, so that models skip them.
struct OfDraws<'a, F> {
    features: F,
    is_draw: &'a dyn Fn(usize) -> bool,
    masked: &'a mut Vec<Feature>,
}

impl<F: UnitFeatures> UnitFeatures for OfDraws<'_, F> {
    fn count(&self) -> usize {
        self.features.count()
    }

    fn of_units(&mut self, needed: impl Fn(usize) -> bool) -> &[Feature] {
        let features = self.features.of_units(needed);
        self.masked.clear();
        self.masked.extend_from_slice(features);
        for (place, feature) in self.masked.iter_mut().enumerate() {
            feature.resolved |= !(self.is_draw)(place);
        }
        self.masked
    }
}

impl DrawCodec {
    /// Learns models of the table from some of its positions.
    pub fn train(self, examples: &DrawExamples) -> DrawCodec {
        let mut codec = self;
        let streams = Streams::of(&codec.list);
        let features = &examples.features[..];
        let sides: Vec<Option<Outcome>> = (examples.entries.iter())
            .map(|entry| entry.map(|entry| codec.side_of(entry)))
            .collect();
        let outcomes: Vec<Outcome> = (sides.iter())
            .map(|side| side.unwrap_or(Outcome::Draw))
            .collect();
        let learn = |values: &dyn Fn(DrawEntry) -> Value| {
            let entries = examples.entries.iter();
            let values: Vec<Option<Value>> = entries.map(|entry| entry.map(values)).collect();
            let of = |side| LearntPlies::of(side, features, &outcomes, &values);
            Arc::new(PliesModel::new([of(Outcome::Loss), of(Outcome::Win)]))
        };
        codec.side = (streams.side).then(|| Arc::new(OutcomeModel::train(UNIT, features, &sides)));
        codec.away = streams.away.then(|| learn(&|entry| codec.away_of(entry)));
        codec.plies = streams.plies.then(|| learn(&|entry| codec.plies_of(entry)));
        codec
    }

    /// The codec of a table with these ranks, before anything is [learnt](DrawCodec::train).
    pub fn without_models(list: RankList) -> DrawCodec {
        DrawCodec {
            pivot: list.pivot(),
            list: Arc::new(list),
            side: None,
            away: None,
            plies: None,
        }
    }

    /// The ranks of the table.
    pub fn list(&self) -> &Arc<RankList> {
        &self.list
    }

    /// Whether a rank is better than the pivot, like a win, or worse.
    fn side_of(&self, entry: DrawEntry) -> Outcome {
        let [worse, not_better] = self.pivot;
        match usize::from(entry.rank) {
            rank if rank < worse => Outcome::Loss,
            rank if rank < not_better => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// How many ranks an entry is away from the pivot, as plies.
    fn away_of(&self, entry: DrawEntry) -> Value {
        let [worse, not_better] = self.pivot;
        let rank = usize::from(entry.rank);
        match self.side_of(entry) {
            Outcome::Loss => Value::Loss(2 * (worse - 1 - rank) as u16),
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(2 * (rank - not_better) as u16 + 1),
        }
    }

    /// The plies of an entry: at most half of what a model of plies codes.
    fn plies_of(&self, entry: DrawEntry) -> Value {
        match self.side_of(entry) {
            Outcome::Loss => Value::Loss(2 * (entry.plies - 1)),
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(2 * (entry.plies - 1) + 1),
        }
    }

    /// The rank at a distance from the pivot; `None` if there is none.
    fn rank_at(&self, side: Outcome, away: Option<Value>) -> Option<u16> {
        let [worse, not_better] = self.pivot;
        let away = usize::from(away.and_then(Value::plies).unwrap_or(0) / 2);
        let (rank, range) = match side {
            Outcome::Loss => (worse.checked_sub(1 + away)?, 0..worse),
            Outcome::Draw => (worse, worse..not_better),
            Outcome::Win => (not_better + away, not_better..self.list.ranks.len()),
        };
        range.contains(&rank).then_some(rank as u16)
    }

    /// The side of every draw, if there is only one.
    fn only_side(&self) -> Outcome {
        let [worse, not_better] = self.pivot;
        match () {
            () if worse > 0 => Outcome::Loss,
            () if not_better > 0 => Outcome::Draw,
            () => Outcome::Win,
        }
    }

    /// Codes a block. `None` is a position that is not a draw, or not stored.
    pub fn encode(
        &self,
        entries: &[Option<DrawEntry>],
        mut features: impl UnitFeatures,
    ) -> Vec<u8> {
        let is_draw = |place: usize| entries[place].is_some();
        let sides: Vec<Outcome> = (entries.iter())
            .map(|entry| entry.map_or(Outcome::Draw, |entry| self.side_of(entry)))
            .collect();
        let mut masked = Vec::new();
        let mut streams = Vec::new();
        if let Some(model) = &self.side {
            let wanted = entries.iter().zip(&sides);
            let wanted: Vec<Option<Outcome>> = wanted
                .map(|(entry, &side)| Some(entry.map_or(model.most_common(), |_| side)))
                .collect();
            let features = OfDraws {
                features: ByRef(&mut features),
                is_draw: &is_draw,
                masked: &mut masked,
            };
            streams.push(model.encode(features, &wanted));
        }
        let away = (
            &self.away,
            &(|entry| self.away_of(entry)) as &dyn Fn(_) -> _,
        );
        let plies = (
            &self.plies,
            &(|entry| self.plies_of(entry)) as &dyn Fn(_) -> _,
        );
        for (model, value) in [away, plies] {
            let Some(model) = model else { continue };
            let values: Vec<Option<Value>> = entries.iter().map(|entry| entry.map(value)).collect();
            let features = OfDraws {
                features: ByRef(&mut features),
                is_draw: &is_draw,
                masked: &mut masked,
            };
            streams.push(model.encode(features, &sides, &values));
        }
        let mut block = Vec::new();
        for stream in streams.iter().take(streams.len().saturating_sub(1)) {
            block.extend((stream.len() as u32).to_le_bytes());
        }
        streams.iter().for_each(|stream| block.extend(stream));
        block
    }

    /// Replaces `entries` by those of some positions of a block, given their outcomes, as decoding
    /// these yields them, and their features. Entries of other positions than stored draws are
    /// meaningless.
    pub fn decode(
        &self,
        coded: Coded<'_>,
        outcomes: &[Outcome],
        mut features: impl UnitFeatures,
        buffers: &mut DrawBuffers,
        entries: &mut Vec<DrawEntry>,
    ) -> Result<(), Malformed> {
        let is_draw = |place: usize| outcomes[place] == Outcome::Draw;
        let DrawBuffers {
            masked,
            sides,
            away,
            plies,
        } = buffers;
        let mut rest = coded.bytes;
        let count = Streams::of(&self.list).count();
        let mut lengths = [0usize; 2];
        for length in lengths.iter_mut().take(count.saturating_sub(1)) {
            *length = u32::from_le_bytes(take(&mut rest)?) as usize;
        }
        let mut lengths = lengths.into_iter().take(count.saturating_sub(1));
        let mut next = || {
            let (stream, after) = match lengths.next() {
                Some(length) => rest.split_at_checked(length).ok_or(Malformed)?,
                None => (rest, &[][..]),
            };
            rest = after;
            Ok(Coded {
                bytes: stream,
                ..coded
            })
        };
        sides.clear();
        match &self.side {
            None => sides.resize(outcomes.len(), self.only_side()),
            Some(model) => {
                let stream: Coded<'_> = next()?;
                let features = OfDraws {
                    features: ByRef(&mut features),
                    is_draw: &is_draw,
                    masked,
                };
                match stream.is_whole() {
                    true => model.decode(stream.bytes, features, sides)?,
                    false => model.decode_alone(stream.unit(UNIT)?, features, sides),
                }
            }
        }
        for (side, outcome) in sides.iter_mut().zip(outcomes) {
            if *outcome != Outcome::Draw {
                *side = Outcome::Draw;
            }
        }
        for (model, values) in [(&self.away, &mut *away), (&self.plies, &mut *plies)] {
            values.clear();
            let Some(model) = model else { continue };
            let stream: Coded<'_> = next()?;
            let features = OfDraws {
                features: ByRef(&mut features),
                is_draw: &is_draw,
                masked,
            };
            match stream.is_whole() {
                true => model.decode(stream.bytes, features, sides, values)?,
                false => model.decode_alone(stream.unit(UNIT)?, features, sides, values)?,
            }
        }
        entries.clear();
        for (place, &side) in sides.iter().enumerate() {
            let plies = plies.get(place).and_then(|plies| plies.plies());
            let rank = self.rank_at(side, away.get(place).copied());
            entries.push(match rank {
                Some(rank) => DrawEntry {
                    rank,
                    plies: plies.map_or(0, |plies| plies / 2 + 1),
                },
                // A filler, or damage that no checksum can miss.
                None => DrawEntry::default(),
            });
        }
        Ok(())
    }
}

/// Buffers for decoding ranks. One per thread.
#[derive(Debug, Default)]
pub struct DrawBuffers {
    masked: Vec<Feature>,
    sides: Vec<Outcome>,
    away: Vec<Value>,
    plies: Vec<Value>,
}

/// Lends features for one stream after the other.
struct ByRef<'a, F>(&'a mut F);

impl<F: UnitFeatures> UnitFeatures for ByRef<'_, F> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn of_units(&mut self, needed: impl Fn(usize) -> bool) -> &[Feature] {
        self.0.of_units(needed)
    }
}

impl FileCodec for DrawCodec {
    const KIND: Kind = Kind::Draws;

    fn id(&self) -> u8 {
        DRAW_RANKS
    }

    fn parameters(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.list.write(&mut bytes);
        let models = [
            self.side.as_ref().map(|model| model.to_bytes()),
            self.away.as_ref().map(|model| model.to_bytes()),
            self.plies.as_ref().map(|model| model.to_bytes()),
        ];
        for model in models.into_iter().flatten() {
            bytes.extend((model.len() as u32).to_le_bytes());
            bytes.extend(model);
        }
        bytes
    }

    fn from_file(id: u8, parameters: &[u8]) -> Result<DrawCodec, CodecFault> {
        if id != DRAW_RANKS {
            return Err(super::unknown(id));
        }
        let mut rest = parameters;
        let mut codec = DrawCodec::without_models(RankList::read(&mut rest)?);
        let streams = Streams::of(&codec.list);
        let mut model = |is_there: bool| {
            if !is_there {
                return Ok(None);
            }
            let length = u32::from_le_bytes(take(&mut rest)?) as usize;
            let (model, after) = rest.split_at_checked(length).ok_or(Malformed)?;
            rest = after;
            Ok::<_, Malformed>(Some(model))
        };
        if let Some(bytes) = model(streams.side)? {
            codec.side = Some(Arc::new(OutcomeModel::from_bytes(UNIT, bytes)?));
        }
        if let Some(bytes) = model(streams.away)? {
            codec.away = Some(Arc::new(PliesModel::from_bytes(bytes)?));
        }
        if let Some(bytes) = model(streams.plies)? {
            codec.plies = Some(Arc::new(PliesModel::from_bytes(bytes)?));
        }
        match rest {
            [] => Ok(codec),
            _ => Err(CodecFault::Malformed),
        }
    }

    fn unit(&self, _: usize) -> usize {
        UNIT
    }
}
