//! The first 256 bytes of a table file: what it is, and where its parts are.
//!
//! [`RawHeader`] is the layout, field by field; a [`Header`] has been checked, so its fields can be
//! used without further checks.
//!
//! Magic, version and checksum keep their offsets in all future versions: a damaged version number
//! is not mistaken for a new format.

use std::fmt;
use std::mem::size_of;
use std::ops::Range;
use std::path::Path;

use endmill_games::LONGEST_ID;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::checksum::{BLOCK_CHECKSUM, PairId, ScoresId};
use crate::error::{Error, Part, Result};
use crate::rules::Rules;
use crate::statistics::{MAX_HISTOGRAM, Statistics};

/// The newest version of the format that this crate reads.
pub const FORMAT_VERSION: u16 = 4;
/// The version of every file but those of the versions below, and of records and manifests.
pub(crate) const USUAL_VERSION: u16 = 2;
/// The version of a `.wld` whose plies are left out. An older reader would take the table for one
/// without plies, so it must report the file as too new.
const LEAVING_PLIES_OUT: u16 = 3;
/// The version of a `.drw`.
const RANKING_DRAWS: u16 = 4;
/// Longest ruleset id and table name in a file, in bytes.
pub const MAX_NAME: usize = 32;
/// Bounds the memory of decoding one block.
pub const MAX_POSITIONS_PER_BLOCK: u32 = 1 << 20;
/// Bounds what opening a file may take: histogram, codec parameters and block lengths, in bytes.
/// Enough for a table of 5 · 10¹¹ positions in blocks of 16,384.
pub const MAX_INDEX: u64 = 64 << 20;

/// Like PNG's: a lost eighth bit, converted line ends or a text-mode stop at ^Z all change it.
pub(crate) const MAGIC: [u8; 8] = *b"\x89EMT\r\n\x1a\n";
/// Bytes of header in front of the first block.
pub(crate) const HEADER: usize = size_of::<RawHeader>();
/// Stands for "no longest win": no win lasts that long, histograms end before.
const NO_PLIES: u16 = u16::MAX;
const NO_POSITION: u64 = u64::MAX;

/// What a table file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An outcome for every position: `.wld`.
    Outcomes,
    /// The plies of won and lost positions: `.dtw`.
    Plies,
    /// The ranks of drawn positions: `.drw`.
    Draws,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Outcomes, Kind::Plies, Kind::Draws];
    /// Those that a group is stored with.
    pub const VALUES: [Kind; 2] = [Kind::Outcomes, Kind::Plies];

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Outcomes => "wld",
            Kind::Plies => "dtw",
            Kind::Draws => "drw",
        }
    }

    fn code(self) -> u8 {
        match self {
            Kind::Outcomes => 1,
            Kind::Plies => 2,
            Kind::Draws => 3,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Outcomes => "outcomes",
            Kind::Plies => "plies",
            Kind::Draws => "draw ranks",
        })
    }
}

/// The header as it stands in the file.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub(crate) struct RawHeader {
    magic: [u8; 8],
    version: U16,
    kind: u8,
    codec: u8,
    positions_per_block: U32,
    ruleset: [u8; MAX_NAME],
    table: [u8; MAX_NAME],
    fingerprint: [u8; 32],
    positions: U64,
    wins: U64,
    draws: U64,
    losses: U64,
    longest_win: U16,
    longest_loss: U16,
    histogram: U32,
    codec_parameters: U32,
    length_width: u8,
    plies_left_out: u8,
    reserved: [u8; 2],
    pair: [u8; 16],
    index: U64,
    index_checksum: U32,
    longest_win_at: U64,
    longest_loss_at: U64,
    draw_scores: [u8; 32],
    reserved_too: [u8; 16],
    checksum: U32,
}

const _: () = assert!(HEADER == 256);
// A rules file that can be read can be built.
const _: () = assert!(LONGEST_ID <= MAX_NAME);

/// What a table file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What it holds.
    pub kind: Kind,
    /// The rules it was made for.
    pub rules: Rules,
    /// The name of the table.
    pub table: String,
    /// The number of positions of the table.
    pub positions: u64,
    /// The number of positions of every block but the last.
    pub positions_per_block: u32,
    /// The same in both files of the table.
    pub pair: PairId,
    /// True for a `.wld` without a `.dtw` whose distances follow from the tables one turn ahead.
    pub plies_left_out: bool,
    /// Which scores of tables a `.drw` ranks draws by; zeros in other files.
    pub draw_scores: ScoresId,
    /// Without the histogram until the index has been read.
    pub(crate) statistics: Statistics,
    pub(crate) codec: u8,
    pub(crate) layout: Layout,
}

/// Where the parts behind the header are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Offset of the index: the end of the blocks.
    pub index: u64,
    /// Entries of the histogram, 8 bytes each.
    pub histogram: u32,
    /// Bytes.
    pub codec_parameters: u32,
    /// Bytes of each block length.
    pub length_width: u8,
    pub index_checksum: u32,
    pub longest_win: Option<u16>,
    pub longest_loss: Option<u16>,
}

impl Header {
    pub(crate) fn blocks(&self) -> u64 {
        self.positions.div_ceil(self.positions_per_block.into())
    }

    /// The bytes behind the blocks; `None` if they would not fit into any file.
    fn index_range(&self) -> Option<Range<u64>> {
        let layout = &self.layout;
        let lengths = self.blocks().checked_mul(layout.length_width.into())?;
        let before = 8 * u64::from(layout.histogram) + u64::from(layout.codec_parameters);
        let end = layout.index.checked_add(before)?.checked_add(lengths)?;
        Some(layout.index..end)
    }

    /// The bytes behind the blocks, up to the end of the file.
    pub(crate) fn index(&self) -> Range<u64> {
        self.index_range()
            .expect("checked when the header was read")
    }

    /// Reads a header from the first bytes of a file of `length` bytes.
    pub(crate) fn parse(file: &Path, start: &[u8], length: u64) -> Result<Header> {
        let header = Header::parse_alone(file, start)?;
        if header.index().end != length {
            return Err(Error::damaged(file, Part::Length));
        }
        Ok(header)
    }

    /// The same, whatever follows in the file.
    pub(crate) fn parse_alone(file: &Path, start: &[u8]) -> Result<Header> {
        if !start.starts_with(&MAGIC[..start.len().min(MAGIC.len())]) {
            return Err(Error::NotATable {
                file: file.into(),
                hint: transfer_damage(start),
            });
        }
        let (raw, _) =
            RawHeader::ref_from_prefix(start).map_err(|_| Error::damaged(file, Part::Length))?;
        Header::try_from(raw).map_err(|fault| match fault {
            Fault::TooNew(found) => Error::FormatTooNew {
                file: file.into(),
                found,
                supported: FORMAT_VERSION,
            },
            Fault::Damaged => Error::damaged(file, Part::Header),
        })
    }
}

/// What can be wrong with 256 bytes that begin with the magic.
pub(crate) enum Fault {
    TooNew(u16),
    Damaged,
}

impl TryFrom<&RawHeader> for Header {
    type Error = Fault;

    fn try_from(raw: &RawHeader) -> std::result::Result<Header, Fault> {
        if raw.computed_checksum() != raw.checksum {
            return Err(Fault::Damaged);
        }
        match raw.version.get() {
            0 => return Err(Fault::Damaged),
            1..=FORMAT_VERSION => {}
            newer => return Err(Fault::TooNew(newer)),
        }
        raw.interpret().ok_or(Fault::Damaged)
    }
}

impl RawHeader {
    fn computed_checksum(&self) -> U32 {
        let bytes = self.as_bytes();
        crc32c::crc32c(&bytes[..HEADER - size_of::<U32>()]).into()
    }

    /// `None` where fields contradict each other. The sums of the histogram are left to the
    /// reader of the index.
    fn interpret(&self) -> Option<Header> {
        let header = Header {
            kind: Kind::ALL
                .into_iter()
                .find(|kind| kind.code() == self.kind)?,
            rules: Rules {
                id: unpad(&self.ruleset)?,
                fingerprint: self.fingerprint,
            },
            table: unpad(&self.table)?,
            positions: self.positions.get(),
            positions_per_block: self.positions_per_block.get(),
            pair: PairId(self.pair),
            plies_left_out: self.version.get() == LEAVING_PLIES_OUT && self.plies_left_out == 1,
            draw_scores: match self.version.get() {
                RANKING_DRAWS => ScoresId(self.draw_scores),
                _ => ScoresId::default(),
            },
            statistics: Statistics {
                wins: self.wins.get(),
                draws: self.draws.get(),
                losses: self.losses.get(),
                histogram: Vec::new(),
                longest_win_at: position(self.longest_win_at),
                longest_loss_at: position(self.longest_loss_at),
            },
            codec: self.codec,
            layout: Layout {
                index: self.index.get(),
                histogram: self.histogram.get(),
                codec_parameters: self.codec_parameters.get(),
                length_width: self.length_width,
                index_checksum: self.index_checksum.get(),
                longest_win: plies(self.longest_win),
                longest_loss: plies(self.longest_loss),
            },
        };
        let sound = (1..=MAX_POSITIONS_PER_BLOCK).contains(&header.positions_per_block)
            && (1..=4).contains(&header.layout.length_width)
            && header.layout.index >= HEADER as u64
            && (header.layout.index - HEADER as u64) / BLOCK_CHECKSUM as u64 >= header.blocks()
            && header.layout.histogram as usize <= MAX_HISTOGRAM
            && header
                .index_range()
                .is_some_and(|index| index.end - index.start <= MAX_INDEX)
            && header.statistics.add_up_to(header.positions)
            // The version is there for this field alone.
            && header.plies_left_out == (self.version.get() == LEAVING_PLIES_OUT)
            && (header.kind == Kind::Draws) == (self.version.get() == RANKING_DRAWS)
            && (!header.plies_left_out || header.kind == Kind::Outcomes);
        sound.then_some(header)
    }
}

impl From<&Header> for RawHeader {
    /// # Panics
    /// If a name does not fit.
    fn from(header: &Header) -> RawHeader {
        let mut raw = RawHeader {
            magic: MAGIC,
            version: match (header.kind, header.plies_left_out) {
                (Kind::Draws, _) => RANKING_DRAWS.into(),
                (_, true) => LEAVING_PLIES_OUT.into(),
                (_, false) => USUAL_VERSION.into(),
            },
            kind: header.kind.code(),
            codec: header.codec,
            positions_per_block: header.positions_per_block.into(),
            ruleset: pad(&header.rules.id),
            table: pad(&header.table),
            fingerprint: header.rules.fingerprint,
            positions: header.positions.into(),
            wins: header.statistics.wins.into(),
            draws: header.statistics.draws.into(),
            losses: header.statistics.losses.into(),
            longest_win: header.layout.longest_win.unwrap_or(NO_PLIES).into(),
            longest_loss: header.layout.longest_loss.unwrap_or(NO_PLIES).into(),
            histogram: header.layout.histogram.into(),
            codec_parameters: header.layout.codec_parameters.into(),
            length_width: header.layout.length_width,
            plies_left_out: header.plies_left_out.into(),
            reserved: [0; 2],
            pair: header.pair.0,
            index: header.layout.index.into(),
            index_checksum: header.layout.index_checksum.into(),
            longest_win_at: header
                .statistics
                .longest_win_at
                .unwrap_or(NO_POSITION)
                .into(),
            longest_loss_at: header
                .statistics
                .longest_loss_at
                .unwrap_or(NO_POSITION)
                .into(),
            draw_scores: header.draw_scores.0,
            reserved_too: [0; 16],
            checksum: 0.into(),
        };
        raw.checksum = raw.computed_checksum();
        raw
    }
}

fn plies(raw: U16) -> Option<u16> {
    (raw.get() != NO_PLIES).then_some(raw.get())
}

fn position(raw: U64) -> Option<u64> {
    (raw.get() != NO_POSITION).then_some(raw.get())
}

/// Names become file names, so they are short and plain.
fn is_plain(name: &[u8]) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name[0] != b'.'
        && name
            .iter()
            .all(|&c| c.is_ascii_graphic() && !br#"/\:*?"<>|"#.contains(&c))
}

pub(crate) fn pad(name: &str) -> [u8; MAX_NAME] {
    assert!(is_plain(name.as_bytes()), "{name:?} cannot stand in a file");
    let mut padded = [0; MAX_NAME];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

fn unpad(padded: &[u8; MAX_NAME]) -> Option<String> {
    let length = padded.iter().position(|&c| c == 0).unwrap_or(MAX_NAME);
    let (name, zeros) = padded.split_at(length);
    let plain = is_plain(name) && zeros.iter().all(|&c| c == 0);
    plain.then(|| String::from_utf8_lossy(name).into_owned())
}

/// Recognises a table whose magic a transfer has changed.
fn transfer_damage(start: &[u8]) -> Option<&'static str> {
    const TRACES: [(&[u8], &str); 5] = [
        (b"\x89EMT\n", "CR LF became LF: transfer it in binary mode"),
        (
            b"\x89EMT\r\r\n",
            "LF became CR LF: transfer it in binary mode",
        ),
        (
            b"\x09EMT",
            "the eighth bit was lost: transfer it in binary mode",
        ),
        (
            b"\xc2\x89EMT",
            "it was converted to UTF-8 as if it were text",
        ),
        (
            b"\xef\xbf\xbdEMT",
            "it was converted to UTF-8 as if it were text",
        ),
    ];
    let trace = TRACES.iter().find(|(trace, _)| start.starts_with(trace))?;
    Some(trace.1)
}
