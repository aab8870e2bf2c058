//! How the positions of a block become bytes.
//!
//! A block of outcomes is coded by itself. An entry may be *don't care* (`None`): decoding gives
//! some outcome there, the one that codes best. Where the feature of a position says that it is
//! [resolved](Feature::resolved), its entry is never read, and the models skip it. A block
//! of plies is coded *given* the outcomes of the same positions, exactly as decoding yields them:
//! draws take no space, and since a win is odd and a loss even, half of the plies says all. Encoder and decoder must be given the same
//! outcomes; the [pair id](crate::PairId) of the two files ensures it.
//!
//! What a codec may know of a position beside its number are the [features](endmill_games::Feature) that the game
//! gives. A block may consist of *units* that are decoded on their own, so that a probe decodes a few
//! hundred positions and not a whole block.
//!
//! A codec is one file in this folder and a variant of [`OutcomeCodec`], of [`PlyCodec`] or of both:
//! the two files of a table choose theirs separately. An unknown id is reported as too new, a retired
//! one as too old; neither is damage.

pub mod draws;
mod half_plies;
pub mod model;
mod trits;
mod zstd;

use std::sync::Arc;

use endmill_games::{Feature, Outcome, Value};

use crate::header::Kind;
use crate::lazy_features::UnitFeatures;

use self::model::{LONG_UNIT, OutcomeModel, PliesModel, UNIT, Units};
pub use self::zstd::Zstd;

/// A way to code the blocks of one kind of file, with its parameters. A file carries its id and
/// its parameters.
pub trait FileCodec: Sized + std::fmt::Debug {
    /// What is coded.
    const KIND: Kind;

    /// Stands for the codec in a header.
    fn id(&self) -> u8;

    /// What a reader must know, as it stands in the file.
    fn parameters(&self) -> Vec<u8>;

    /// The codec that a file names.
    fn from_file(id: u8, parameters: &[u8]) -> Result<Self, CodecFault>;

    /// The number of positions that are decoded together, in blocks of `positions_per_block`.
    fn unit(&self, positions_per_block: usize) -> usize;
}

/// Why a codec that a file names cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecFault {
    /// An id that this program does not know: written by a newer one.
    TooNew,
    /// An id that this program no longer knows.
    TooOld,
    /// Parameters that no writer writes, or a codec of the other kind of file.
    Malformed,
}

impl From<Malformed> for CodecFault {
    fn from(Malformed: Malformed) -> CodecFault {
        CodecFault::Malformed
    }
}

/// Ids of codecs. A retired id is never used again.
const ZSTD: u8 = 1;
const RETIRED: [u8; 2] = [2, 3];
const OUTCOME_MODEL: u8 = 4;
const PLIES_MODEL: u8 = 5;
const LONG_OUTCOME_MODEL: u8 = 6;
const DRAW_RANKS: u8 = 7;

fn unknown(id: u8) -> CodecFault {
    match id {
        ZSTD..=DRAW_RANKS if !RETIRED.contains(&id) => CodecFault::Malformed,
        id if RETIRED.contains(&id) => CodecFault::TooOld,
        _ => CodecFault::TooNew,
    }
}

/// How the blocks of a `.wld` are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutcomeCodec {
    /// Plain packing, then zstd.
    Zstd(Zstd),
    /// With the odds of a model of the table.
    Model(Arc<OutcomeModel>),
}

/// How the blocks of a `.dtw` are coded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlyCodec {
    /// Plain packing, then zstd.
    Zstd(Zstd),
    /// With the odds of a model of the table.
    Model(Arc<PliesModel>),
}

/// Bytes that no encoder of this codec writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Buffers for encoding. One per thread.
pub struct EncodeContext {
    zstd: ::zstd::zstd_safe::CCtx<'static>,
    packed: Vec<u8>,
}

/// Buffers for decoding. One per thread; once they have grown, decoding allocates nothing.
pub struct Workspace {
    zstd: ::zstd::zstd_safe::DCtx<'static>,
    packed: Vec<u8>,
}

/// An upper bound on the bytes of a coded block, whatever the codec. The plies of the model take the
/// most: 25 decisions of less than 13 bits and 16 tosses are 43 bytes per position, to which each
/// unit adds 8 bytes and its length.
pub(crate) fn longest_block(positions: usize) -> usize {
    64 * (positions + 1)
}

/// Some positions of a coded block.
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// The bytes of the block.
    pub bytes: &'a [u8],
    /// The number of positions of the block.
    pub count: usize,
    /// The first position to decode: 0, or the start of a unit.
    pub start: usize,
    /// The end of what is to be decoded: `count`, or at most the end of that unit.
    pub end: usize,
}

impl Coded<'_> {
    /// Whether all positions of the block are to be decoded.
    fn is_whole(&self) -> bool {
        (self.start, self.end) == (0, self.count)
    }

    /// The bytes of the unit that holds the positions, of those of `length` positions.
    fn unit(&self, length: usize) -> Result<&[u8], Malformed> {
        Ok(Units::new(self.bytes, self.count, length)?.unit(self.start / length))
    }

    /// Drops the other positions that a codec without units had to decode.
    fn trim<T>(&self, decoded: &mut Vec<T>) {
        decoded.truncate(self.end);
        decoded.drain(..self.start);
    }
}

impl FileCodec for OutcomeCodec {
    const KIND: Kind = Kind::Outcomes;

    fn id(&self) -> u8 {
        match self {
            OutcomeCodec::Zstd(_) => ZSTD,
            OutcomeCodec::Model(model) if model.unit() == UNIT => OUTCOME_MODEL,
            OutcomeCodec::Model(_) => LONG_OUTCOME_MODEL,
        }
    }

    fn parameters(&self) -> Vec<u8> {
        match self {
            OutcomeCodec::Zstd(codec) => codec.parameters(),
            OutcomeCodec::Model(model) => model.to_bytes(),
        }
    }

    fn from_file(id: u8, parameters: &[u8]) -> Result<OutcomeCodec, CodecFault> {
        match id {
            ZSTD => Ok(OutcomeCodec::Zstd(Zstd::from_parameters(parameters)?)),
            OUTCOME_MODEL | LONG_OUTCOME_MODEL => {
                let unit = if id == OUTCOME_MODEL { UNIT } else { LONG_UNIT };
                let model = OutcomeModel::from_bytes(unit, parameters)?;
                Ok(OutcomeCodec::Model(Arc::new(model)))
            }
            id => Err(unknown(id)),
        }
    }

    fn unit(&self, positions_per_block: usize) -> usize {
        match self {
            OutcomeCodec::Zstd(_) => positions_per_block,
            OutcomeCodec::Model(model) => model.unit(),
        }
    }
}

impl OutcomeCodec {
    /// Codes a block of outcomes.
    pub fn encode(
        &self,
        entries: &[Option<Outcome>],
        features: impl UnitFeatures,
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            OutcomeCodec::Zstd(codec) => codec.encode_outcomes(entries, context),
            OutcomeCodec::Model(model) => model.encode(features, entries),
        }
    }

    /// Replaces `outcomes` by those of some positions of a block. `features` are those of the same
    /// positions.
    pub fn decode(
        &self,
        coded: Coded<'_>,
        features: impl UnitFeatures,
        workspace: &mut Workspace,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Malformed> {
        outcomes.clear();
        match self {
            OutcomeCodec::Zstd(codec) => {
                codec.decode_outcomes(coded.bytes, coded.count, workspace, outcomes)?;
                coded.trim(outcomes);
                Ok(())
            }
            OutcomeCodec::Model(model) if coded.is_whole() => {
                model.decode(coded.bytes, features, outcomes)
            }
            OutcomeCodec::Model(model) => {
                model.decode_alone(coded.unit(model.unit())?, features, outcomes);
                Ok(())
            }
        }
    }

    /// Replaces `outcomes` by what decoding a block will yield, *don't care* entries filled: what
    /// its plies are coded for.
    ///
    /// # Panics
    /// Panics if this is a model and an entry is *don't care* whose feature does not say that the
    /// position is [resolved](Feature::resolved): only decoding shows what the model yields there.
    pub fn yields(
        &self,
        entries: &[Option<Outcome>],
        features: &[Feature],
        outcomes: &mut Vec<Outcome>,
    ) {
        outcomes.clear();
        match self {
            OutcomeCodec::Zstd(_) => outcomes.extend(trits::filled(entries)),
            OutcomeCodec::Model(_) => {
                let positions = entries.iter().zip(features);
                outcomes.extend(positions.map(|(entry, feature)| match entry {
                    _ if feature.resolved => model::FILLER,
                    Some(outcome) => *outcome,
                    None => panic!("don't care without being resolved"),
                }));
            }
        }
    }
}

impl FileCodec for PlyCodec {
    const KIND: Kind = Kind::Plies;

    fn id(&self) -> u8 {
        match self {
            PlyCodec::Zstd(_) => ZSTD,
            PlyCodec::Model(_) => PLIES_MODEL,
        }
    }

    fn parameters(&self) -> Vec<u8> {
        match self {
            PlyCodec::Zstd(codec) => codec.parameters(),
            PlyCodec::Model(model) => model.to_bytes(),
        }
    }

    fn from_file(id: u8, parameters: &[u8]) -> Result<PlyCodec, CodecFault> {
        match id {
            ZSTD => Ok(PlyCodec::Zstd(Zstd::from_parameters(parameters)?)),
            PLIES_MODEL => {
                let model = PliesModel::from_bytes(parameters)?;
                Ok(PlyCodec::Model(Arc::new(model)))
            }
            id => Err(unknown(id)),
        }
    }

    fn unit(&self, positions_per_block: usize) -> usize {
        match self {
            PlyCodec::Zstd(_) => positions_per_block,
            PlyCodec::Model(_) => UNIT,
        }
    }
}

impl PlyCodec {
    /// Codes the plies of a block, given the outcomes that decoding its outcomes
    /// [yields](OutcomeCodec::yields). `None` is a value that is not stored.
    ///
    /// # Panics
    /// Panics if a value has another outcome than the one it is coded for.
    pub fn encode(
        &self,
        outcomes: &[Outcome],
        values: &[Option<Value>],
        features: impl UnitFeatures,
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            PlyCodec::Zstd(codec) => codec.encode_plies(outcomes, values, context),
            PlyCodec::Model(model) => model.encode(features, outcomes, values),
        }
    }

    /// Replaces `values` by those of some positions of a block, given their outcomes and features.
    /// A codec without units is given the whole block.
    pub fn decode(
        &self,
        coded: Coded<'_>,
        outcomes: &[Outcome],
        features: impl UnitFeatures,
        workspace: &mut Workspace,
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        values.clear();
        match self {
            PlyCodec::Zstd(codec) => codec.decode_plies(coded.bytes, outcomes, workspace, values),
            PlyCodec::Model(model) if coded.is_whole() => {
                model.decode(coded.bytes, features, outcomes, values)
            }
            PlyCodec::Model(model) => {
                model.decode_alone(coded.unit(UNIT)?, features, outcomes, values)
            }
        }
    }
}

impl Default for EncodeContext {
    fn default() -> EncodeContext {
        EncodeContext {
            zstd: ::zstd::zstd_safe::CCtx::create(),
            packed: Vec::new(),
        }
    }
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace {
            zstd: ::zstd::zstd_safe::DCtx::create(),
            packed: Vec::new(),
        }
    }
}
