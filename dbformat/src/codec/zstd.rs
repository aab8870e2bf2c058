//! Codec 1: plain packing, then zstd.
//!
//! Outcomes are packed [five to a byte](super::trits), plies as [half-plies](super::half_plies).
//! A coded block begins with one byte: 0, the packed bytes follow unchanged; 1, they follow as
//! one zstd frame, because that is shorter.

use endmill_games::{Outcome, Value};
use zstd::zstd_safe::{self, CParameter};

use super::{EncodeContext, Malformed, Workspace, half_plies, trits};

const STORED: u8 = 0;
const COMPRESSED: u8 = 1;

/// The codec with its one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zstd {
    /// How hard zstd tries: 1 to 22. Readers do not need it; a file says how it was made.
    pub level: u8,
}

impl Default for Zstd {
    fn default() -> Zstd {
        Zstd { level: 19 }
    }
}

impl Zstd {
    pub(super) fn parameters(self) -> Vec<u8> {
        vec![self.level]
    }

    pub(super) fn from_parameters(parameters: &[u8]) -> Result<Zstd, Malformed> {
        match *parameters {
            [level @ 1..=22] => Ok(Zstd { level }),
            _ => Err(Malformed),
        }
    }

    pub(super) fn encode_outcomes(
        self,
        entries: &[Option<Outcome>],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        trits::pack(entries, &mut context.packed);
        self.compress(context)
    }

    pub(super) fn decode_outcomes(
        self,
        coded: &[u8],
        count: usize,
        workspace: &mut Workspace,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Malformed> {
        let packed = decompress(coded, trits::packed_length(count), workspace)?;
        trits::unpack(packed, count, outcomes)
    }

    pub(super) fn encode_plies(
        self,
        outcomes: &[Outcome],
        values: &[Option<Value>],
        context: &mut EncodeContext,
    ) -> Vec<u8> {
        half_plies::pack(outcomes, values, &mut context.packed);
        self.compress(context)
    }

    pub(super) fn decode_plies(
        self,
        coded: &[u8],
        outcomes: &[Outcome],
        workspace: &mut Workspace,
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        let packed = decompress(coded, half_plies::longest_packed(outcomes), workspace)?;
        half_plies::unpack(packed, outcomes, values)
    }

    fn compress(self, context: &mut EncodeContext) -> Vec<u8> {
        let packed = &context.packed;
        let mut coded = Vec::with_capacity(zstd_safe::compress_bound(packed.len()));
        let level = CParameter::CompressionLevel(self.level.into());
        let compressed = context
            .zstd
            .set_parameter(level)
            .and_then(|_| context.zstd.compress2(&mut coded, packed));
        let method = match compressed {
            Ok(length) if length < packed.len() => COMPRESSED,
            // zstd fails only without memory; the packed bytes are there already.
            _ => {
                coded.clone_from(packed);
                STORED
            }
        };
        coded.insert(0, method);
        coded
    }
}

/// The packed bytes of a block, of which there are at most `limit`. Nor are there more coded ones:
/// what zstd does not make shorter is stored. That bounds the work, since a frame that yields
/// nothing may be as long as one likes.
fn decompress<'a>(
    coded: &'a [u8],
    limit: usize,
    workspace: &'a mut Workspace,
) -> Result<&'a [u8], Malformed> {
    let (&method, bytes) = coded.split_first().ok_or(Malformed)?;
    if bytes.len() > limit {
        return Err(Malformed);
    }
    match method {
        STORED => Ok(bytes),
        COMPRESSED => {
            let packed = &mut workspace.packed;
            packed.clear();
            packed.reserve(limit);
            let decompressed = workspace.zstd.decompress(packed, bytes);
            decompressed.map_err(|_| Malformed)?;
            Ok(packed)
        }
        _ => Err(Malformed),
    }
}
