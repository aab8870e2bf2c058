//! The file of a journal: its lines, read and written anew.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use super::Record;
use crate::referee::Referee;

/// `checksum record`, with a line end.
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

/// What a journal holds.
#[derive(Default)]
pub struct Kept {
    /// By their ids.
    pub games: BTreeMap<String, Referee>,
    /// Whether a whole line cannot be read, or does not fit: no kill does that.
    pub damaged: bool,
}

/// The games of a journal; none if there is no file.
pub fn read(path: &Path) -> io::Result<Kept> {
    let mut file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
        Err(error) => return Err(error),
    };
    let Kept {
        mut games,
        mut damaged,
    } = Kept::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let Some(whole) = line.strip_suffix(b"\n") else {
            tracing::warn!(
                line = number,
                "the last line was cut short, and never acknowledged"
            );
            break;
        };
        match parse(whole) {
            Some(Record::Game(game)) => {
                games.insert(game.terms().id.clone(), *game);
            }
            Some(Record::Event { game, seq, event }) => match games.get_mut(&game) {
                Some(kept) if kept.seq() + 1 == seq => kept.apply(&event),
                _ => {
                    damaged = true;
                    tracing::warn!(line = number, "an event of a game does not fit");
                }
            },
            Some(Record::Gone(id)) => {
                games.remove(&id);
            }
            None => {
                damaged = true;
                tracing::warn!(line = number, "a line of the journal cannot be read");
            }
        }
    }
    Ok(Kept { games, damaged })
}

/// Replaces a journal by one with a line for each game; what was there stays until all is written.
pub fn write_anew(path: &Path, games: &BTreeMap<String, Referee>) -> io::Result<(File, u64)> {
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
