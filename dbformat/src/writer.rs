//! Writes a table file: blocks first, as they come, then what is known only at the end.

use std::path::Path;

use zerocopy::IntoBytes;

use crate::atomic::AtomicFile;
use crate::checksum::{BLOCK_CHECKSUM, PairId, ScoresId, blake3_of_file, block_checksum};
use crate::codec::FileCodec;
use crate::error::Result;
use crate::header::{self, HEADER, Header, Kind, Layout, MAX_POSITIONS_PER_BLOCK, RawHeader};
use crate::index::Index;
use crate::rules::Rules;
use crate::statistics::Statistics;

/// What is known of a table file before its first block.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// The rules it is made for.
    pub rules: Rules,
    /// The name of the table.
    pub table: String,
    /// The number of its positions.
    pub positions: u64,
    /// The number of positions of every block but the last.
    pub positions_per_block: u32,
}

/// What is known of a table file once it has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSummary {
    /// Its size.
    pub bytes: u64,
    /// The BLAKE3 of all its bytes.
    pub blake3: blake3::Hash,
    /// The pair id of the outcomes, for the plies that are coded for them.
    pub pair: PairId,
}

/// A table file that has been written but not renamed yet. If it is dropped, nothing is left.
#[derive(Debug)]
#[must_use]
pub struct FinishedFile {
    out: AtomicFile,
    summary: FileSummary,
}

impl FinishedFile {
    /// The pair that the file belongs to.
    pub(crate) fn pair(&self) -> PairId {
        self.summary.pair
    }

    /// Gives the file its name, in place of any other.
    pub fn publish(self) -> Result<FileSummary> {
        self.out.commit()?;
        Ok(self.summary)
    }
}

/// A table file that is being written. Blocks may be coded on many threads; they are appended in
/// order. Dropped before it is finished, it leaves nothing.
#[derive(Debug)]
pub struct TableWriter {
    spec: TableSpec,
    kind: Kind,
    codec: u8,
    parameters: Vec<u8>,
    out: AtomicFile,
    lengths: Vec<u32>,
    blocks: blake3::Hasher,
}

impl TableWriter {
    /// Begins a file of the codec's kind that will get the name `path`, in place of any other, when
    /// it is [published](FinishedFile::publish).
    ///
    /// # Panics
    /// Panics if a name is not plain ASCII of at most [`MAX_NAME`](crate::MAX_NAME) bytes, or the
    /// blocks are empty or larger than [`MAX_POSITIONS_PER_BLOCK`].
    pub fn create<C: FileCodec>(path: &Path, spec: TableSpec, codec: &C) -> Result<TableWriter> {
        assert!((1..=MAX_POSITIONS_PER_BLOCK).contains(&spec.positions_per_block));
        for name in [&spec.rules.id, &spec.table] {
            header::pad(name);
        }
        let mut out = AtomicFile::create(path)?;
        out.write(&[0; HEADER])?;
        Ok(TableWriter {
            spec,
            kind: C::KIND,
            codec: codec.id(),
            parameters: codec.parameters(),
            out,
            lengths: Vec::new(),
            blocks: blake3::Hasher::new(),
        })
    }

    /// Appends the next block, as the codec coded it.
    pub fn push_block(&mut self, coded: &[u8]) -> Result<()> {
        let checksum = block_checksum(self.lengths.len(), coded);
        for part in [coded, &checksum] {
            self.blocks.update(part);
            self.out.write(part)?;
        }
        let length = u32::try_from(coded.len() + BLOCK_CHECKSUM);
        self.lengths
            .push(length.expect("a block stays below 4 GiB"));
        Ok(())
    }

    /// Ends a `.wld` file.
    ///
    /// # Panics
    /// Panics if blocks are missing, the statistics do not add up to the positions, or this is not a `.wld`.
    pub fn finish_outcomes(self, statistics: &Statistics) -> Result<FinishedFile> {
        self.finish_wld(statistics, false)
    }

    /// Ends a `.wld` file whose plies are left out, because they follow from other tables one turn
    /// ahead. The statistics include plies all the same.
    ///
    /// # Panics
    /// As [`finish_outcomes`](TableWriter::finish_outcomes).
    pub fn finish_outcomes_alone(self, statistics: &Statistics) -> Result<FinishedFile> {
        self.finish_wld(statistics, true)
    }

    /// What the blocks of a `.wld` so far make of the pair: once all are pushed, what its plies are
    /// to be finished with.
    pub fn pair(&self) -> PairId {
        PairId::of(&self.spec.rules, &self.spec.table, &self.blocks)
    }

    fn finish_wld(self, statistics: &Statistics, plies_left_out: bool) -> Result<FinishedFile> {
        assert_eq!(self.kind, Kind::Outcomes);
        let pair = self.pair();
        self.finish(statistics, pair, plies_left_out, ScoresId::default())
    }

    /// Ends a `.dtw` file that was coded for the outcomes of this pair.
    ///
    /// # Panics
    /// Panics if blocks are missing, the statistics do not add up to the positions, or this is not a `.dtw`.
    pub fn finish_plies(self, statistics: &Statistics, pair: PairId) -> Result<FinishedFile> {
        assert_eq!(self.kind, Kind::Plies);
        self.finish(statistics, pair, false, ScoresId::default())
    }

    /// Ends a `.drw` file that was coded for the outcomes of this pair, with these counts, and whose
    /// ranks are by these scores.
    ///
    /// # Panics
    /// Panics if blocks are missing, the statistics do not add up to the positions, or this is not a `.drw`.
    pub fn finish_draws(
        self,
        statistics: &Statistics,
        pair: PairId,
        scores: ScoresId,
    ) -> Result<FinishedFile> {
        assert_eq!(self.kind, Kind::Draws);
        self.finish(statistics, pair, false, scores)
    }

    fn finish(
        mut self,
        statistics: &Statistics,
        pair: PairId,
        plies_left_out: bool,
        draw_scores: ScoresId,
    ) -> Result<FinishedFile> {
        let spec = self.spec;
        assert!(statistics.add_up_to(spec.positions), "{statistics:?}");
        let (index, length_width) =
            Index::to_bytes(&statistics.histogram, &self.parameters, &self.lengths);
        let end_of_blocks = HEADER as u64 + self.lengths.iter().map(|&l| u64::from(l)).sum::<u64>();
        let header = Header {
            kind: self.kind,
            rules: spec.rules,
            table: spec.table,
            positions: spec.positions,
            positions_per_block: spec.positions_per_block,
            pair,
            plies_left_out,
            draw_scores,
            statistics: statistics.clone(),
            codec: self.codec,
            layout: Layout {
                index: end_of_blocks,
                histogram: statistics.histogram.len() as u32,
                codec_parameters: self.parameters.len() as u32,
                length_width,
                index_checksum: crc32c::crc32c(&index),
                longest_win: statistics.longest_win(),
                longest_loss: statistics.longest_loss(),
            },
        };
        assert_eq!(self.lengths.len() as u64, header.blocks(), "blocks pushed");
        self.out.write(&index)?;
        self.out.rewind()?;
        self.out.write(RawHeader::from(&header).as_bytes())?;
        let blake3 = blake3_of_file(self.out.sync()?)?;
        Ok(FinishedFile {
            out: self.out,
            summary: FileSummary {
                bytes: header.index().end,
                blake3,
                pair,
            },
        })
    }
}
