//! Reads a table file: cheap to open, every block checked when it is read.

use games::{Outcome, Value};

use crate::checksum::{BLOCK_CHECKSUM, block_checksum};
use crate::codec::{Codec, Malformed, Workspace};
use crate::error::{Error, Part, Result};
use crate::header::{HEADER, Header, Kind};
use crate::index::Index;
use crate::rules::Rules;
use crate::source::Source;
use crate::statistics::Statistics;

/// What a file must be about. A file that is not, is not opened.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The name of the table.
    pub table: &'a str,
    /// The number of its positions.
    pub positions: u64,
}

/// Buffers for reading and decoding blocks. One per thread; once they have grown, decoding
/// allocates nothing.
#[derive(Default)]
pub struct DecodeContext {
    read: Vec<u8>,
    workspace: Workspace,
}

/// What both kinds of table files have in common: a header, and blocks with checksums.
#[derive(Debug)]
pub struct TableFile {
    source: Source,
    header: Header,
    index: Index,
    codec: Codec,
}

impl TableFile {
    /// Opens whatever table this is. Reads the header and the index, and checks all of both.
    pub fn open(source: Source) -> Result<TableFile> {
        let mut buffer = Vec::new();
        let start = source.read(0..source.length().min(HEADER as u64), &mut buffer)?;
        let mut header = Header::parse(source.file(), start, source.length())?;
        let bytes = source.read(header.index(), &mut buffer)?;
        let damaged = || Error::damaged(source.file(), Part::Index);
        let index = Index::parse(&header, bytes).ok_or_else(damaged)?;
        let codec = Codec::from_file(header.codec, &index.codec_parameters).ok_or_else(damaged)?;
        header.statistics.histogram.clone_from(&index.histogram);
        let statistics = &header.statistics;
        let sound = statistics.add_up_to(header.positions)
            && statistics.longest_win() == header.layout.longest_win
            && statistics.longest_loss() == header.layout.longest_loss;
        if !sound {
            return Err(damaged());
        }
        Ok(TableFile {
            source,
            header,
            index,
            codec,
        })
    }

    /// Opens a file that must be of this kind and about this table.
    fn open_as(source: Source, kind: Kind, expected: &Expected) -> Result<TableFile> {
        let opened = TableFile::open(source)?;
        let header = &opened.header;
        let file = || opened.source.file().to_path_buf();
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
        if header.kind != kind {
            return Err(Error::WrongKind {
                file: file(),
                expected: kind,
                found: header.kind,
            });
        }
        Ok(opened)
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The counts of the table.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// How the blocks are coded.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Where the bytes come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.index.blocks()
    }

    /// The block of a position, and its place in that block.
    pub fn locate(&self, position: u64) -> (usize, usize) {
        let per_block = u64::from(self.header.positions_per_block);
        (
            (position / per_block) as usize,
            (position % per_block) as usize,
        )
    }

    /// The number of positions in a block: only the last may have fewer than the others.
    ///
    /// # Panics
    /// If there is no such block; so do all functions that take the number of a block.
    pub fn positions_in(&self, block: usize) -> usize {
        assert!(block < self.blocks());
        let per_block = u64::from(self.header.positions_per_block);
        let before = block as u64 * per_block;
        (self.header.positions - before).min(per_block) as usize
    }

    /// The coded bytes of a block, after comparing its checksum.
    fn read<'a>(&'a self, block: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let bytes = self.source.read(self.index.block(block), buffer)?;
        let (coded, checksum) = bytes.split_at(bytes.len() - BLOCK_CHECKSUM);
        if checksum == block_checksum(block, coded) {
            Ok(coded)
        } else {
            Err(self.damaged(block))
        }
    }

    fn damaged(&self, block: usize) -> Error {
        Error::damaged(self.source.file(), Part::Block(block))
    }

    /// Compares the checksums of all blocks.
    pub fn verify_blocks(&self) -> Result<()> {
        let mut buffer = Vec::new();
        (0..self.blocks()).try_for_each(|block| self.read(block, &mut buffer).map(drop))
    }
}

/// A `.wld` file.
#[derive(Debug)]
pub struct OutcomeTable {
    file: TableFile,
}

impl OutcomeTable {
    /// Opens a file that must hold the outcomes of this table.
    pub fn open(source: Source, expected: &Expected) -> Result<OutcomeTable> {
        let file = TableFile::open_as(source, Kind::Outcomes, expected)?;
        Ok(OutcomeTable { file })
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// Replaces `outcomes` by those of a block, fillers of *don't care* entries included.
    pub fn read_block(
        &self,
        block: usize,
        context: &mut DecodeContext,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<()> {
        let file = &self.file;
        let coded = file.read(block, &mut context.read)?;
        let count = file.positions_in(block);
        file.codec
            .decode_outcomes(coded, count, &mut context.workspace, outcomes)
            .map_err(|Malformed| file.damaged(block))
    }
}

/// A `.dtw` file.
#[derive(Debug)]
pub struct PlyTable {
    file: TableFile,
}

impl PlyTable {
    /// Opens a file that must hold the plies of this table, coded for these outcomes.
    pub fn open(source: Source, expected: &Expected, outcomes: &OutcomeTable) -> Result<PlyTable> {
        let file = TableFile::open_as(source, Kind::Plies, expected)?;
        let other = &outcomes.file;
        let cut = |header: &Header| (header.pair, header.positions, header.positions_per_block);
        if cut(&file.header) != cut(&other.header) {
            return Err(Error::NotAPair {
                file: file.source.file().into(),
                outcomes: other.source.file().into(),
            });
        }
        Ok(PlyTable { file })
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// Replaces `values` by those of a block, given what [`OutcomeTable::read_block`] yields for
    /// the same block.
    ///
    /// # Panics
    /// If `outcomes` has another number of positions than the block.
    pub fn read_block(
        &self,
        block: usize,
        outcomes: &[Outcome],
        context: &mut DecodeContext,
        values: &mut Vec<Value>,
    ) -> Result<()> {
        let file = &self.file;
        assert_eq!(
            outcomes.len(),
            file.positions_in(block),
            "outcomes of another block"
        );
        let coded = file.read(block, &mut context.read)?;
        file.codec
            .decode_plies(coded, outcomes, &mut context.workspace, values)
            .map_err(|Malformed| file.damaged(block))
    }
}
