//! How the positions of a block become bytes.
//!
//! A block of outcomes is coded by itself. An entry may be *don't care* (`None`): decoding gives
//! some outcome there, the one that codes best. A block of plies is coded *given* the outcomes of
//! the same positions, exactly as decoding yields them: draws take no space, and since a win is
//! odd and a loss even, half of the plies says all. Encoder and decoder must be given the same
//! outcomes; the [pair id](crate::PairId) of the two files sees to that.
//!
//! A codec is one file in this folder and one variant of [`Codec`]. A file carries the codec's id
//! and parameters. A new codec raises the format version, so that older readers say what they lack;
//! files of older codecs keep the lower version.

mod half_plies;
mod trits;
mod zstd;

use games::{Outcome, Value};

pub use self::zstd::Zstd;

/// A way to code blocks, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Codec {
    /// Plain packing, then zstd.
    Zstd(Zstd),
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
        }
    }

    /// What a reader must know, as it stands in the file.
    pub fn parameters(&self) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.parameters(),
        }
    }

    /// The codec that a file names.
    pub(crate) fn from_file(id: u8, parameters: &[u8]) -> Option<Codec> {
        match id {
            1 => Zstd::from_parameters(parameters).map(Codec::Zstd),
            _ => None,
        }
    }

    /// Codes a block of outcomes.
    pub fn encode_outcomes(
        &self,
        entries: &[Option<Outcome>],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.encode_outcomes(entries, context),
        }
    }

    /// Replaces `outcomes` by the `count` outcomes of a coded block.
    pub fn decode_outcomes(
        &self,
        coded: &[u8],
        count: usize,
        workspace: &mut Workspace,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Malformed> {
        outcomes.clear();
        match self {
            Codec::Zstd(codec) => codec.decode_outcomes(coded, count, workspace, outcomes),
        }
    }

    /// Codes the plies of a block, given the outcomes that decoding its outcomes yields. `None`
    /// is a value that nobody will ask for.
    ///
    /// # Panics
    /// If a value has another outcome than the one it is coded for.
    pub fn encode_plies(
        &self,
        outcomes: &[Outcome],
        values: &[Option<Value>],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        match self {
            Codec::Zstd(codec) => codec.encode_plies(outcomes, values, context),
        }
    }

    /// Replaces `values` by the values of a coded block, given its outcomes.
    pub fn decode_plies(
        &self,
        coded: &[u8],
        outcomes: &[Outcome],
        workspace: &mut Workspace,
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        values.clear();
        match self {
            Codec::Zstd(codec) => codec.decode_plies(coded, outcomes, workspace, values),
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
