//! A table without its plies: the same outcomes under another header.
//!
//! Whether the plies of a table are [left out](crate::Header::plies_left_out) changes nothing but
//! the header of its `.wld`: blocks and index are the same, and so is the pair.

use std::path::Path;

use zerocopy::IntoBytes;

use crate::atomic::AtomicFile;
use crate::checksum::blake3_of_file;
use crate::error::Result;
use crate::file::header_of;
use crate::header::{HEADER, RawHeader};
use crate::record::FileRecord;
use crate::source::Source;

/// Bytes that are copied at a time.
const CHUNK: u64 = 1 << 20;

/// Rewrites a `.wld` at `target`, whole or not at all, with a header that says that its plies are
/// left out. `from` may be the same file.
pub fn mark_plies_left_out(from: &Path, target: &Path) -> Result<FileRecord> {
    let source = Source::open(from)?;
    let mut header = header_of(&source)?;
    header.plies_left_out = true;
    copy(&source, RawHeader::from(&header).as_bytes(), target)
}

/// Copies a file, whole or not at all.
pub fn copy_file(from: &Path, target: &Path) -> Result<FileRecord> {
    copy(&Source::open(from)?, &[], target)
}

/// Copies a file with other first bytes.
fn copy(source: &Source, first: &[u8], target: &Path) -> Result<FileRecord> {
    debug_assert!(first.is_empty() || first.len() == HEADER);
    let mut file = AtomicFile::create(target)?;
    file.write(first)?;
    let mut at = first.len() as u64;
    let mut buffer = Vec::new();
    while at < source.length() {
        let end = source.length().min(at + CHUNK);
        file.write(source.read(at..end, &mut buffer)?)?;
        at = end;
    }
    file.commit()?;
    Ok(FileRecord {
        bytes: source.length(),
        blake3: blake3_of_file(target)?,
    })
}
