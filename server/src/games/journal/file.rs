//! The file of a journal.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use super::Record;
use crate::referee::Referee;

/// Appends the line of a record: `checksum record`.
pub fn line(record: &Record, lines: &mut Vec<u8>) -> io::Result<()> {
    let json = serde_json::to_vec(record)?;
    writeln!(
        lines,
        "{:08x} {}",
        crc32c::crc32c(&json),
        String::from_utf8_lossy(&json)
    )
}

fn parse(line: &[u8]) -> Option<Record> {
    let (checksum, json) = (line.get(..8)?, line.get(9..)?);
    let checksum = u32::from_str_radix(std::str::from_utf8(checksum).ok()?, 16).ok()?;
    (crc32c::crc32c(json) == checksum).then(|| serde_json::from_slice(json).ok())?
}

/// The contents of a journal.
#[derive(Default)]
pub struct Contents {
    /// The games by id.
    pub games: BTreeMap<String, Referee>,
    /// Whether a complete line is invalid, which a kill cannot cause.
    pub damaged: bool,
}

/// Reads a journal; a missing file is an empty one.
pub fn read(path: &Path) -> io::Result<Contents> {
    let mut file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Contents::default()),
        Err(error) => return Err(error),
    };
    let mut contents = Contents::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let Some(whole) = line.strip_suffix(b"\n") else {
            tracing::warn!(line = number, "dropped a truncated last line");
            break;
        };
        match parse(whole) {
            Some(Record::Game(game)) => {
                contents.games.insert(game.terms().id.clone(), *game);
            }
            Some(Record::Event { game, seq, event }) => match contents.games.get_mut(&game) {
                Some(referee) if referee.seq() + 1 == seq => referee.apply(&event),
                _ => {
                    contents.damaged = true;
                    tracing::warn!(line = number, "an event has the wrong number");
                }
            },
            Some(Record::Gone(id)) => {
                contents.games.remove(&id);
            }
            None => {
                contents.damaged = true;
                tracing::warn!(line = number, "a line is invalid");
            }
        }
    }
    Ok(contents)
}

/// Replaces a journal atomically by one with a line per game. Returns the file, opened for appending,
/// and its length.
pub fn rewrite(path: &Path, games: &BTreeMap<String, Referee>) -> io::Result<(File, u64)> {
    let fresh = path.with_extension("new");
    let mut out = BufWriter::new(File::create(&fresh)?);
    let mut length = 0;
    let mut written = Vec::new();
    for game in games.values() {
        written.clear();
        line(&Record::Game(Box::new(game.clone())), &mut written)?;
        out.write_all(&written)?;
        length += written.len() as u64;
    }
    let out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    out.sync_all()?;
    drop(out);
    std::fs::rename(&fresh, path)?;
    if let Some(directory) = path.parent() {
        File::open(directory)?.sync_all()?;
    }
    Ok((OpenOptions::new().append(true).open(path)?, length))
}
