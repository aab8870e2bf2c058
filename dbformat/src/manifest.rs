//! The list of the files of a ruleset, to tell whether all are there and as they were made.
//!
//! It is JSON, one fact per line and sorted, so that two of them can be compared by eye and by
//! `diff`. Its last field is the BLAKE3 of all bytes before that field's line: a flipped bit
//! anywhere in the file is noticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic::AtomicFile;
use crate::error::{Error, Part, Result};
use crate::header::FORMAT_VERSION;
use crate::rules::Rules;
use crate::writer::FileSummary;

/// The files of one ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The rules that all of them were made for.
    pub rules: Rules,
    /// By file name.
    pub files: BTreeMap<String, FileRecord>,
}

/// What one file must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its size.
    pub bytes: u64,
    /// The BLAKE3 of all its bytes.
    #[serde(with = "hexadecimal")]
    pub blake3: blake3::Hash,
}

impl From<FileSummary> for FileRecord {
    fn from(summary: FileSummary) -> FileRecord {
        FileRecord {
            bytes: summary.bytes,
            blake3: summary.blake3,
        }
    }
}

/// The manifest as it stands in the file, without the seal.
#[derive(Serialize, Deserialize)]
struct RawManifest {
    format: u16,
    ruleset: String,
    #[serde(with = "hexadecimal")]
    rules: blake3::Hash,
    files: BTreeMap<String, FileRecord>,
}

impl Manifest {
    /// The manifest of a ruleset that has no files yet.
    pub fn new(rules: Rules) -> Manifest {
        Manifest {
            rules,
            files: BTreeMap::new(),
        }
    }

    /// Reads a manifest and checks that nothing in it has changed.
    pub fn read(path: &Path) -> Result<Manifest> {
        let bytes = fs::read(path).map_err(Error::io(path))?;
        Manifest::parse(path, &bytes)
    }

    /// The same for bytes that are in memory; `path` stands for them in errors.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest> {
        let damaged = || Error::damaged(path, Part::Manifest);
        let body = unseal(bytes).ok_or_else(damaged)?;
        let raw: RawManifest = serde_json::from_str(&body).map_err(|_| damaged())?;
        if raw.format > FORMAT_VERSION {
            return Err(Error::FormatTooNew {
                file: path.into(),
                found: raw.format,
                supported: FORMAT_VERSION,
            });
        }
        Ok(Manifest {
            rules: Rules {
                id: raw.ruleset,
                fingerprint: raw.rules.into(),
            },
            files: raw.files,
        })
    }

    /// Writes the manifest in place of the one before, or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let raw = RawManifest {
            format: FORMAT_VERSION,
            ruleset: self.rules.id.clone(),
            rules: self.rules.fingerprint.into(),
            files: self.files.clone(),
        };
        let body = serde_json::to_string_pretty(&raw).expect("numbers and strings");
        let mut file = AtomicFile::create(path)?;
        file.write(seal(&body).as_bytes())?;
        file.commit()
    }
}

/// What a JSON object ends in.
const END: &str = "\n}";

/// Appends the BLAKE3 of a JSON object to it as its last field.
fn seal(body: &str) -> String {
    let open = body.strip_suffix(END).expect("a pretty-printed object");
    let open = format!("{open},\n");
    let last = last_line(&open);
    open + &last
}

fn last_line(open: &str) -> String {
    let digest = blake3::hash(open.as_bytes());
    format!("  \"blake3\": \"{digest}\"{END}\n")
}

/// The JSON object that was sealed; `None` if a byte has changed.
fn unseal(sealed: &[u8]) -> Option<String> {
    let sealed = str::from_utf8(sealed).ok()?;
    let (open, last) = sealed.split_at_checked(sealed.rfind("  \"blake3\"")?)?;
    let body = format!("{}{END}", open.strip_suffix(",\n")?);
    (last == last_line(open)).then_some(body)
}

mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(hash: &blake3::Hash, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(hash)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<blake3::Hash, D::Error> {
        let text = String::deserialize(from)?;
        blake3::Hash::from_hex(text).map_err(D::Error::custom)
    }
}
