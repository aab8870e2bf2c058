//! How the positions of a block become bytes.
//!
//! A block of outcomes is coded by itself. An entry may be *don't care* (`None`): decoding gives
//! some outcome there, the one that codes best. Where the clue of a position says that it is
//! [resolved](Clue::resolved), its entry is never asked for, and the models pass it over. A block of plies is coded *given* the outcomes of
//! the same positions, exactly as decoding yields them: draws take no space, and since a win is
//! odd and a loss even, half of the plies says all. Encoder and decoder must be given the same
//! outcomes; the [pair id](crate::PairId) of the two files sees to that.
//!
//! What a codec may know of a position beside its number are the [clues](games::Clue) that the game
//! gives. A block may consist of *units* that are decoded on their own, so that a probe decodes a few
//! hundred positions and not a whole block.
//!
//! A codec is one file in this folder and one variant of [`Codec`]. A file carries the codec's id
//! and parameters. A new codec raises the format version, so that older readers say what they lack;
//! files of older codecs keep the lower version.

mod half_plies;
pub mod model;
mod trits;
mod zstd;

use std::ops::Range;
use std::sync::Arc;

use games::{Clue, Outcome, Value};

use self::model::{OutcomeModel, PliesModel, UNIT, Units};
pub use self::zstd::Zstd;

/// A way to code blocks, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Codec {
    /// Plain packing, then zstd; for outcomes and for plies.
    Zstd(Zstd),
    /// Outcomes with the odds of a model of the table.
    Outcomes(Arc<OutcomeModel>),
    /// Plies with the odds of a model of the table.
    Plies(Arc<PliesModel>),
}

/// Bytes that no encoder of this codec writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// What encoding needs again and again. One per thread.
pub struct EncodeContext {
    zstd: ::zstd::zstd_safe::CCtx<'static>,
    packed: Vec<u8>,
}

/// What decoding needs again and again. One per thread; once its buffers have grown, decoding
/// allocates nothing.
pub struct Workspace {
    zstd: ::zstd::zstd_safe::DCtx<'static>,
    packed: Vec<u8>,
}

impl Codec {
    /// Stands for the codec in a header.
    pub fn id(&self) -> u8 {
        match self {
            Codec::Zstd(_) => 1,
            Codec::Outcomes(_) => 4,
            Codec::Plies(_) => 5,
        }
    }

    /// What a reader must know, as it stands in the file.
    pub fn parameters(&self) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.parameters(),
            Codec::Outcomes(model) => model.to_bytes(),
            Codec::Plies(model) => model.to_bytes(),
        }
    }

    /// The codec that a file names.
    pub(crate) fn from_file(id: u8, parameters: &[u8]) -> Option<Codec> {
        match id {
            1 => Zstd::from_parameters(parameters).map(Codec::Zstd),
            4 => OutcomeModel::from_bytes(parameters)
                .ok()
                .map(|model| Codec::Outcomes(Arc::new(model))),
            5 => PliesModel::from_bytes(parameters)
                .ok()
                .map(|model| Codec::Plies(Arc::new(model))),
            _ => None,
        }
    }

    /// Whether coding needs the clues of the positions; otherwise none need be given.
    pub fn needs_clues(&self) -> bool {
        !matches!(self, Codec::Zstd(_))
    }

    /// How many positions are decoded together, in blocks of so many.
    pub(crate) fn unit(&self, positions_per_block: usize) -> usize {
        match self {
            Codec::Zstd(_) => positions_per_block,
            _ => UNIT,
        }
    }

    /// Codes a block of outcomes.
    ///
    /// # Panics
    /// If this is a codec of plies.
    pub fn encode_outcomes(
        &self,
        entries: &[Option<Outcome>],
        clues: &[Clue],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.encode_outcomes(entries, context),
            Codec::Outcomes(model) => model.encode(clues, entries),
            Codec::Plies(_) => panic!("a codec of plies"),
        }
    }

    /// Replaces `outcomes` by those of some positions of a coded block of `count`: all of them, or
    /// the first ones of a unit.
    pub fn decode_outcomes(
        &self,
        coded: &[u8],
        count: usize,
        wanted: &Range<usize>,
        clues: &[Clue],
        workspace: &mut Workspace,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Malformed> {
        outcomes.clear();
        match self {
            Codec::Zstd(codec) => codec.decode_outcomes(coded, count, workspace, outcomes),
            Codec::Outcomes(model) if *wanted == (0..count) => model.decode(coded, clues, outcomes),
            Codec::Outcomes(model) => {
                let unit = Units::new(coded, count)?.unit(wanted.start / UNIT);
                model.decode_unit(unit, clues, outcomes);
                Ok(())
            }
            Codec::Plies(_) => Err(Malformed),
        }
    }

    /// Replaces `outcomes` by what codec 1 yields for a block, *don't care* entries filled: what
    /// its plies are coded for. The models do not ask for outcomes of
    /// [resolved](Clue::resolved) positions, so for them it does as well where no others are
    /// *don't care*.
    pub fn filled(entries: &[Option<Outcome>], outcomes: &mut Vec<Outcome>) {
        outcomes.clear();
        outcomes.extend(trits::filled(entries));
    }

    /// Codes the plies of a block, given the outcomes that decoding its outcomes yields. `None`
    /// is a value that nobody will ask for.
    ///
    /// # Panics
    /// If a value has another outcome than the one it is coded for, or if this is a codec of
    /// outcomes.
    pub fn encode_plies(
        &self,
        outcomes: &[Outcome],
        values: &[Option<Value>],
        clues: &[Clue],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.encode_plies(outcomes, values, context),
            Codec::Plies(model) => model.encode(clues, outcomes, values),
            Codec::Outcomes(_) => panic!("a codec of outcomes"),
        }
    }

    /// Replaces `values` by those of some positions of a coded block of `count`, given their
    /// outcomes.
    #[expect(
        clippy::too_many_arguments,
        reason = "a block, what is known of it, and buffers"
    )]
    pub fn decode_plies(
        &self,
        coded: &[u8],
        count: usize,
        wanted: &Range<usize>,
        outcomes: &[Outcome],
        clues: &[Clue],
        workspace: &mut Workspace,
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        values.clear();
        match self {
            Codec::Zstd(codec) => codec.decode_plies(coded, outcomes, workspace, values),
            Codec::Plies(model) if *wanted == (0..count) => {
                model.decode(coded, clues, outcomes, values)
            }
            Codec::Plies(model) => {
                let unit = Units::new(coded, count)?.unit(wanted.start / UNIT);
                model.decode_unit(unit, clues, outcomes, values)
            }
            Codec::Outcomes(_) => Err(Malformed),
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
