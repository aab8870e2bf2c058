//! Reads a table file: cheap to open, every block checked when it is read.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use games::{Clue, Outcome, Value};

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
    clues: Vec<Clue>,
    /// Which positions of which opened table the clues are about: both its files need the same.
    clues_of: Option<(OpenedTable, Range<u64>)>,
}

/// A table that this process has opened, told apart from every other one. What the files contain
/// does not tell tables apart: two whose outcomes are all the same may have the same blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenedTable(u64);

impl OpenedTable {
    fn next() -> OpenedTable {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        OpenedTable(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What both kinds of table files have in common: a header, and blocks with checksums.
#[derive(Debug)]
pub struct TableFile {
    source: Source,
    header: Header,
    index: Index,
    codec: Codec,
    /// The same in both files of a table.
    opened: OpenedTable,
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
            opened: OpenedTable::next(),
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

    /// How many positions are decoded together: the table is cut into units of so many, and what
    /// [reading around](OutcomeTable::read_around) a position decodes begins with its unit.
    pub fn unit(&self) -> u64 {
        self.codec.unit(self.header.positions_per_block as usize) as u64
    }

    /// The block of a position, and what of it is decoded for the position's sake.
    fn decoded_for(&self, position: u64) -> (usize, Range<usize>) {
        let (block, place) = self.locate(position);
        let unit = self.unit() as usize;
        let end = if self.codec.needs_clues() {
            place + 1
        } else {
            self.positions_in(block)
        };
        (block, place / unit * unit..end)
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

    /// Puts the clues of some positions of a block into the context, unless the codec does
    /// without, or they are there because the other file of the pair has just been read.
    fn take_clues(
        &self,
        block: usize,
        wanted: &Range<usize>,
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
    ) {
        if !self.codec.needs_clues() {
            return;
        }
        let before = block as u64 * u64::from(self.header.positions_per_block);
        let range = before + wanted.start as u64..before + wanted.end as u64;
        let of = (self.opened, range);
        if context.clues_of.as_ref() != Some(&of) {
            context.clues_of = None;
            clues(of.1.clone(), &mut context.clues);
            context.clues_of = Some(of);
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

    /// Replaces `outcomes` by those of a block, fillers of *don't care* entries included. `clues`
    /// gives the clues of a range of the table's positions.
    pub fn read_block(
        &self,
        block: usize,
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<()> {
        let all = 0..self.file.positions_in(block);
        self.read(block, &all, clues, context, outcomes)
    }

    /// Replaces `outcomes` by that of a position and some before it that are decoded on the way;
    /// gives the number of the first of them.
    pub fn read_around(
        &self,
        position: u64,
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<u64> {
        let (block, wanted) = self.file.decoded_for(position);
        self.read(block, &wanted, clues, context, outcomes)?;
        Ok(position / self.file.unit() * self.file.unit())
    }

    fn read(
        &self,
        block: usize,
        wanted: &Range<usize>,
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<()> {
        let file = &self.file;
        file.take_clues(block, wanted, clues, context);
        let coded = file.read(block, &mut context.read)?;
        let DecodeContext {
            workspace, clues, ..
        } = context;
        file.codec
            .decode_outcomes(
                coded,
                file.positions_in(block),
                wanted,
                clues,
                workspace,
                outcomes,
            )
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
        let mut file = TableFile::open_as(source, Kind::Plies, expected)?;
        let other = &outcomes.file;
        let cut = |file: &TableFile| {
            let Header {
                pair,
                positions,
                positions_per_block,
                ..
            } = file.header;
            (pair, positions, positions_per_block, file.unit())
        };
        if cut(&file) != cut(other) {
            return Err(Error::NotAPair {
                file: file.source.file().into(),
                outcomes: other.source.file().into(),
            });
        }
        file.opened = other.opened;
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
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        values: &mut Vec<Value>,
    ) -> Result<()> {
        let all = 0..self.file.positions_in(block);
        self.read(block, &all, outcomes, clues, context, values)
    }

    /// Replaces `values` by that of a position and some before it, given what
    /// [`OutcomeTable::read_around`] yields for the same position.
    ///
    /// # Panics
    /// If `outcomes` are not those of the same positions.
    pub fn read_around(
        &self,
        position: u64,
        outcomes: &[Outcome],
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        values: &mut Vec<Value>,
    ) -> Result<()> {
        let (block, wanted) = self.file.decoded_for(position);
        self.read(block, &wanted, outcomes, clues, context, values)
    }

    fn read(
        &self,
        block: usize,
        wanted: &Range<usize>,
        outcomes: &[Outcome],
        clues: impl FnOnce(Range<u64>, &mut Vec<Clue>),
        context: &mut DecodeContext,
        values: &mut Vec<Value>,
    ) -> Result<()> {
        let file = &self.file;
        assert_eq!(outcomes.len(), wanted.len(), "outcomes of other positions");
        file.take_clues(block, wanted, clues, context);
        let coded = file.read(block, &mut context.read)?;
        let DecodeContext {
            workspace, clues, ..
        } = context;
        let count = file.positions_in(block);
        file.codec
            .decode_plies(coded, count, wanted, outcomes, clues, workspace, values)
            .map_err(|Malformed| file.damaged(block))
    }
}
