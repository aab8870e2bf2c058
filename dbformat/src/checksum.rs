//! The checksums of a table file, and what each is for.
//!
//! CRC32C guards what is read at every probe: it runs at memory speed on current processors and
//! notices every change of up to 32 neighbouring bits with certainty. BLAKE3 identifies: a whole
//! file in the manifest, and the outcomes that a file of plies was coded for.

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::header;
use crate::regular;
use crate::rules::Rules;

/// Bytes of checksum behind each block.
pub(crate) const BLOCK_CHECKSUM: usize = 4;

/// The checksum of a block covers its number, so that a block in another's place is noticed.
pub(crate) fn block_checksum(number: usize, block: &[u8]) -> [u8; BLOCK_CHECKSUM] {
    let number = crc32c::crc32c(&(number as u64).to_le_bytes());
    crc32c::crc32c_append(number, block).to_le_bytes()
}

/// What the two files of a table have in common: a hash of the rules, of the table's name, and of
/// all blocks of the `.wld`.
///
/// In files of version 1 it is a hash of the blocks alone, and different tables may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairId(pub [u8; 16]);

impl PairId {
    /// Of a table, given the hash of its blocks as they stand in the file.
    ///
    /// # Panics
    /// If a name cannot stand in a file.
    pub(crate) fn of(rules: &Rules, table: &str, blocks: &blake3::Hasher) -> PairId {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&header::pad(&rules.id));
        hasher.update(&header::pad(table));
        hasher.update(&rules.fingerprint);
        hasher.update(blocks.finalize().as_bytes());
        let mut id = [0; 16];
        hasher.finalize_xof().fill(&mut id);
        PairId(id)
    }
}

/// Which scores of tables draws are ranked by: a hash of their description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoresId(pub [u8; 32]);

impl ScoresId {
    /// Of scores with this description.
    pub fn of(description: &str) -> ScoresId {
        ScoresId(*blake3::hash(description.as_bytes()).as_bytes())
    }
}

/// The BLAKE3 of a whole file, as the manifest lists it.
pub fn blake3_of_file(file: &Path) -> Result<blake3::Hash> {
    let (mut reader, _) = regular::open(file)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match reader.read(&mut buffer).map_err(Error::io(file))? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        };
    }
}
