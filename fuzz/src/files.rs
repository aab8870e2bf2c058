//! Headers, indexes and manifests.

use std::path::Path;

use endmill_dbformat::{Manifest, OutcomeCodec, PlyCodec, Source, TableFile};

/// Opens bytes as a table file of either kind, and checks the blocks if it opens. The header gets a
/// valid checksum first, so that a fuzzer gets past it.
pub fn file(bytes: &[u8]) {
    let mut sealed = bytes.to_vec();
    if let Some(header) = sealed.get_mut(..256) {
        let checksum = crc32c(&header[..252]);
        header[252..].copy_from_slice(&checksum.to_le_bytes());
    }
    let source = || Source::from_bytes("fuzzed", sealed.clone());
    if let Ok(file) = TableFile::<OutcomeCodec>::open(source()) {
        let _ = file.verify_blocks();
    }
    if let Ok(file) = TableFile::<PlyCodec>::open(source()) {
        let _ = file.verify_blocks();
    }
}

/// Reads bytes as a manifest.
pub fn manifest(bytes: &[u8]) {
    let _ = Manifest::parse(Path::new("manifest.json"), bytes);
}

/// The checksum that `docs/format.md` specifies, slow and short.
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ (0x82F6_3B78 & 0u32.wrapping_sub(crc & 1))
        })
    };
    !bytes.iter().fold(!0, step)
}
