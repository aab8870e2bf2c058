//! What stands behind the blocks: histogram, codec parameters, and the length of every block.
//!
//! Their sizes are known only when the last block is coded, and so they are written last. One
//! checksum, in the header, covers all of it. Lengths take as few bytes as the longest needs;
//! the whole index is read at opening anyway, for its checksum, and the offset of each block is
//! summed up then.

use std::ops::Range;

use crate::checksum::BLOCK_CHECKSUM;
use crate::codec::longest_block;
use crate::header::{HEADER, Header};

/// The index, read and checked.
#[derive(Debug)]
pub(crate) struct Index {
    pub histogram: Vec<u64>,
    pub codec_parameters: Vec<u8>,
    /// Where each block ends, its checksum included.
    ends: Vec<u64>,
}

impl Index {
    /// `None` if the bytes are not those that were written. There are as many as the header says.
    pub(crate) fn parse(header: &Header, bytes: &[u8]) -> Option<Index> {
        let layout = &header.layout;
        if crc32c::crc32c(bytes) != layout.index_checksum {
            return None;
        }
        let (histogram, rest) = bytes.split_at_checked(8 * layout.histogram as usize)?;
        let (parameters, lengths) = rest.split_at_checked(layout.codec_parameters as usize)?;
        let (counts, _) = histogram.as_chunks();
        let positions = header.positions.min(header.positions_per_block.into());
        let longest = (longest_block(positions as usize) + BLOCK_CHECKSUM) as u32;
        let mut end = HEADER as u64;
        let mut ends = Vec::with_capacity(lengths.len() / usize::from(layout.length_width));
        for length in lengths.chunks_exact(layout.length_width.into()) {
            let mut wide = [0; 4];
            wide[..length.len()].copy_from_slice(length);
            let length = u32::from_le_bytes(wide);
            if !(BLOCK_CHECKSUM as u32..=longest).contains(&length) {
                return None;
            }
            end += u64::from(length);
            ends.push(end);
        }
        (end == layout.index).then(|| Index {
            histogram: counts.iter().copied().map(u64::from_le_bytes).collect(),
            codec_parameters: parameters.to_vec(),
            ends,
        })
    }

    pub(crate) fn blocks(&self) -> usize {
        self.ends.len()
    }

    /// Where a block and its checksum stand in the file.
    pub(crate) fn block(&self, number: usize) -> Range<u64> {
        let start = match number {
            0 => HEADER as u64,
            _ => self.ends[number - 1],
        };
        start..self.ends[number]
    }

    /// The bytes to write, with the width of a length.
    pub(crate) fn to_bytes(histogram: &[u64], parameters: &[u8], lengths: &[u32]) -> (Vec<u8>, u8) {
        let longest = lengths.iter().max().copied().unwrap_or(0);
        let width = (u32::BITS - longest.leading_zeros()).div_ceil(8).max(1) as u8;
        let mut bytes = Vec::new();
        bytes.extend(histogram.iter().flat_map(|count| count.to_le_bytes()));
        bytes.extend(parameters);
        for length in lengths {
            bytes.extend(&length.to_le_bytes()[..width.into()]);
        }
        (bytes, width)
    }
}
