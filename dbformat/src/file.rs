//! One file of a table: a header, and blocks with checksums. Cheap to open, every block checked
//! when it is read.

use std::ops::Range;

use crate::checksum::{BLOCK_CHECKSUM, block_checksum};
use crate::codec::{CodecFault, FileCodec};
use crate::error::{Error, Part, Result};
use crate::header::{HEADER, Header};
use crate::index::Index;
use crate::rules::Rules;
use crate::source::Source;
use crate::statistics::Statistics;

/// The table that a file must hold to be opened.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The name of the table.
    pub table: &'a str,
    /// The number of its positions.
    pub positions: u64,
}

/// A table file whose blocks are coded by a codec of one kind.
#[derive(Debug)]
pub struct TableFile<C> {
    source: Source,
    header: Header,
    index: Index,
    codec: C,
}

impl<C: FileCodec> TableFile<C> {
    /// Opens a file of any table. Reads the header and the index, and checks all of both.
    pub fn open(source: Source) -> Result<TableFile<C>> {
        let mut buffer = Vec::new();
        let header = read_header(&source, &mut buffer)?;
        TableFile::with_header(source, header, buffer)
    }

    /// Opens a file that must hold this table. That is compared before anything is read whose size
    /// the header gives.
    pub(crate) fn open_as(source: Source, expected: &Expected) -> Result<TableFile<C>> {
        let mut buffer = Vec::new();
        let header = read_header(&source, &mut buffer)?;
        let file = || source.file().to_path_buf();
        if header.rules != *expected.rules {
            return Err(Error::RulesDiffer {
                file: file(),
                expected: expected.rules.to_string(),
                found: header.rules.to_string(),
            });
        }
        if (header.table.as_str(), header.positions) != (expected.table, expected.positions) {
            let with_size = |table, positions| format!("{table} of {positions} positions");
            return Err(Error::WrongTable {
                file: file(),
                expected: with_size(expected.table, expected.positions),
                found: with_size(&header.table, header.positions),
            });
        }
        TableFile::with_header(source, header, buffer)
    }

    fn with_header(
        source: Source,
        mut header: Header,
        mut buffer: Vec<u8>,
    ) -> Result<TableFile<C>> {
        if header.kind != C::KIND {
            return Err(Error::WrongKind {
                file: source.file().into(),
                expected: C::KIND,
                found: header.kind,
            });
        }
        let bytes = source.read(header.index(), &mut buffer)?;
        let damaged = || Error::damaged(source.file(), Part::Index);
        let index = Index::parse(&header, bytes).ok_or_else(damaged)?;
        let codec = C::from_file(header.codec, &index.codec_parameters);
        let codec = codec.map_err(|fault| match fault {
            CodecFault::Malformed => damaged(),
            CodecFault::TooNew => Error::CodecTooNew {
                file: source.file().into(),
                codec: header.codec,
            },
            CodecFault::TooOld => Error::CodecTooOld {
                file: source.file().into(),
                codec: header.codec,
            },
        })?;
        header.statistics.histogram.clone_from(&index.histogram);
        let statistics = &header.statistics;
        let sound = statistics.add_up_to(header.positions)
            && statistics.longest_win() == header.layout.longest_win
            && statistics.longest_loss() == header.layout.longest_loss;
        if !sound {
            return Err(damaged());
        }
        source.check()?;
        Ok(TableFile {
            source,
            header,
            index,
            codec,
        })
    }

    /// How the blocks are coded.
    pub fn codec(&self) -> &C {
        &self.codec
    }

    /// How the positions are cut into blocks and units.
    pub fn cut(&self) -> Cut {
        let positions_per_block = self.header.positions_per_block;
        let unit = self.codec.unit(positions_per_block as usize);
        Cut::new(
            self.header.positions,
            positions_per_block.into(),
            unit as u64,
        )
    }
}

impl<C> TableFile<C> {
    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The counts of the table.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Where the bytes come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.index.blocks()
    }

    /// The coded bytes of a block, after comparing its checksum.
    ///
    /// # Panics
    /// Panics if the file has no block of this number.
    pub(crate) fn read<'a>(&'a self, block: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let bytes = self.source.read(self.index.block(block), buffer)?;
        let (coded, checksum) = bytes.split_at(bytes.len() - BLOCK_CHECKSUM);
        if checksum == block_checksum(block, coded) {
            Ok(coded)
        } else {
            Err(self.damaged(block))
        }
    }

    pub(crate) fn damaged(&self, block: usize) -> Error {
        Error::damaged(self.source.file(), Part::Block(block))
    }

    /// Compares the checksums of all blocks.
    pub fn verify_blocks(&self) -> Result<()> {
        let mut buffer = Vec::new();
        (0..self.blocks()).try_for_each(|block| self.read(block, &mut buffer).map(drop))
    }
}

/// What the file of a table says about itself. Reads the header only.
pub(crate) fn header_of(source: &Source) -> Result<Header> {
    read_header(source, &mut Vec::new())
}

fn read_header(source: &Source, buffer: &mut Vec<u8>) -> Result<Header> {
    let start = source.read(0..source.length().min(HEADER as u64), buffer)?;
    Header::parse(source.file(), start, source.length())
}

/// How the positions of a file are cut: into blocks that are read together, and these into units
/// that are decoded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    positions: u64,
    positions_per_block: u64,
    unit: u64,
    /// The lowest bits of a position that say where in its unit it is, if some do: a cached
    /// look-up should not divide.
    low: Option<u64>,
}

impl Cut {
    fn new(positions: u64, positions_per_block: u64, unit: u64) -> Cut {
        let by_bits = unit.is_power_of_two() && positions_per_block.is_multiple_of(unit);
        Cut {
            positions,
            positions_per_block,
            unit,
            low: by_bits.then(|| unit - 1),
        }
    }

    /// The number of a position's block.
    pub fn block_of(&self, position: u64) -> usize {
        (position / self.positions_per_block) as usize
    }

    /// The positions of a block: only the last may have fewer than the others.
    pub fn block(&self, number: usize) -> Range<u64> {
        let start = number as u64 * self.positions_per_block;
        start..self.positions.min(start + self.positions_per_block)
    }

    /// The positions that are decoded together with a position. Units are counted from the start
    /// of their block.
    pub fn unit_of(&self, position: u64) -> Range<u64> {
        let block = self.block(self.block_of(position));
        let start = self.unit_start(position);
        start..block.end.min(start + self.unit)
    }

    /// The first position of the unit that holds a position.
    #[inline]
    pub fn unit_start(&self, position: u64) -> u64 {
        position
            - match self.low {
                Some(low) => position & low,
                None => position % self.positions_per_block % self.unit,
            }
    }

    /// The most positions that are decoded together.
    pub fn unit(&self) -> u64 {
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_start_at_their_block_whatever_their_size() {
        for (per_block, unit) in [(1024, 256), (1000, 256), (64, 256), (96, 96), (700, 7)] {
            let cut = Cut::new(10_000, per_block, unit);
            for position in 0..10_000 {
                let block = position / per_block * per_block;
                let start = block + (position - block) / unit * unit;
                let end = (start + unit).min(block + per_block).min(10_000);
                assert_eq!(cut.unit_of(position), start..end);
                assert_eq!(cut.unit_start(position), start);
            }
        }
    }
}
