//! What a call answers.

use std::ffi::{CStr, c_char};

use endmill_probe::ProbeError;

/// Bytes of the text of an error, the final 0 included.
pub const ERROR_TEXT: usize = 512;

/// What every call answers. Numbers are never given another meaning; later versions may add some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// Not known: a table that the answer needs is not in the database.
    TableMissing = 1,
    /// The outcome is known, the distance is not.
    PliesMissing = 2,
    /// The buffer is too small; what fits was written, and the count says how much there is.
    BufferTooSmall = 3,
    /// A null pointer, a text that is not UTF-8, or a number that means nothing.
    BadArgument = 4,
    /// The position cannot be read, or is not legal.
    BadPosition = 5,
    /// There is no such ruleset.
    UnknownRuleset = 6,
    /// A file was made for other rules.
    RulesDiffer = 7,
    /// Two files were swapped, or two builds mixed.
    WrongFile = 8,
    /// Fetch or build the file again.
    FileDamaged = 9,
    /// A newer version of this library is needed.
    FormatTooNew = 10,
    /// The file was replaced while the database was open: open it again.
    FileReplaced = 11,
    /// Two tables contradict each other.
    Contradiction = 12,
    /// The operating system said no.
    Io = 13,
    /// An error of this library; the database can still be used and closed.
    Internal = 14,
    /// The turn cannot be read, or is not legal in its position.
    BadTurn = 15,
    /// Not now: it is not in the cache.
    NotCached = 16,
    /// The file must be built again: this version of the library does not read it any more.
    FormatTooOld = 17,
    /// The directory holds no table of the ruleset, or does not exist.
    NoTables = 18,
}

/// What went wrong, for programs and for people. Every call that can fail takes a pointer to one,
/// which may be null; it is written only if the call does not answer ENDMILL_STATUS_OK.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Error {
    /// What the call answered.
    pub status: Status,
    /// The wrong character of the text of a position or a turn, from 0; -1 if there is none to point at.
    pub at: i32,
    /// A sentence, cut off if it is too long.
    pub text: [c_char; ERROR_TEXT],
}

/// Every status, in the order of their numbers, with a few words for people.
pub(crate) const STATUS_TEXTS: [(Status, &CStr); 19] = [
    (Status::Ok, c"ok"),
    (Status::TableMissing, c"table missing"),
    (Status::PliesMissing, c"plies missing"),
    (Status::BufferTooSmall, c"buffer too small"),
    (Status::BadArgument, c"bad argument"),
    (Status::BadPosition, c"bad position"),
    (Status::UnknownRuleset, c"unknown ruleset"),
    (Status::RulesDiffer, c"rules differ"),
    (Status::WrongFile, c"wrong file"),
    (Status::FileDamaged, c"file damaged"),
    (Status::FormatTooNew, c"format too new"),
    (Status::FileReplaced, c"file replaced"),
    (Status::Contradiction, c"tables contradict each other"),
    (Status::Io, c"input or output failed"),
    (Status::Internal, c"internal error"),
    (Status::BadTurn, c"bad turn"),
    (Status::NotCached, c"not cached"),
    (Status::FormatTooOld, c"format too old"),
    (Status::NoTables, c"no tables"),
];

/// Why a call fails, before it is written out for C: in a search nobody may want the text.
#[derive(Debug)]
pub enum Failure {
    /// The table that is missing has a name only if somebody asks.
    NotKnown,
    /// Not in the cache.
    NotCached,
    /// The question or the database is at fault.
    Probe(ProbeError),
    /// A pointer or number that cannot be meant.
    Argument(String),
    /// The buffer holds less than there is.
    TooSmall {
        /// What it holds.
        capacity: usize,
        /// What there is.
        needed: usize,
    },
    /// A panic.
    Internal(String),
}

impl Failure {
    pub(crate) fn argument(what: impl Into<String>) -> Failure {
        Failure::Argument(what.into())
    }

    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::NotKnown => Status::TableMissing,
            Failure::NotCached => Status::NotCached,
            Failure::Probe(error) => of_question(error),
            Failure::Argument(_) => Status::BadArgument,
            Failure::TooSmall { .. } => Status::BufferTooSmall,
            Failure::Internal(_) => Status::Internal,
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Failure::NotKnown => "the tables that are there do not decide it".to_owned(),
            Failure::NotCached => "it is not in the cache".to_owned(),
            Failure::Probe(error) => error.to_string(),
            Failure::Argument(what) => what.clone(),
            Failure::TooSmall { capacity, needed } => {
                format!("the buffer holds {capacity}, {needed} are needed")
            }
            Failure::Internal(panic) => format!("internal error: {panic}"),
        }
    }

    /// As C reads it.
    pub(crate) fn error(&self) -> Error {
        let at = match self {
            Failure::Probe(error) => error.at(),
            _ => None,
        };
        let mut error = Error {
            status: self.status(),
            at: at.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1),
            text: [0; ERROR_TEXT],
        };
        fill(&mut error.text, &self.text());
        error
    }
}

fn of_question(error: &ProbeError) -> Status {
    match error.code() {
        "bad_input" => match error {
            ProbeError::Position(_) => Status::BadPosition,
            ProbeError::Turn(_) => Status::BadTurn,
            _ => Status::BadArgument,
        },
        "unknown_ruleset" | "bad_rules_file" => Status::UnknownRuleset,
        "table_missing" => Status::TableMissing,
        "no_tables" => Status::NoTables,
        "plies_missing" => Status::PliesMissing,
        "rules_differ" => Status::RulesDiffer,
        "wrong_file" => Status::WrongFile,
        "file_damaged" => Status::FileDamaged,
        "format_too_new" => Status::FormatTooNew,
        "format_too_old" => Status::FormatTooOld,
        "file_replaced" => Status::FileReplaced,
        "contradiction" => Status::Contradiction,
        "io" => Status::Io,
        // A kind of error that this version of the interface does not know.
        _ => Status::Internal,
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Probe(error)
    }
}

/// Copies a text and a final 0 into a buffer; cuts it off between two characters, and says so, if
/// it is too long.
pub(crate) fn fill(buffer: &mut [c_char], text: &str) -> bool {
    let Some(room) = buffer.len().checked_sub(1) else {
        return false;
    };
    let mut ends = (0..=room.min(text.len())).rev();
    let end = ends.find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    for (to, from) in buffer
        .iter_mut()
        .zip(text.as_bytes()[..end].iter().chain(&[0]))
    {
        *to = *from as c_char;
    }
    end == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters_and_always_end() {
        let read = |buffer: &[c_char]| {
            let bytes: Vec<u8> = buffer.iter().map(|&c| c as u8).collect();
            let text = CStr::from_bytes_until_nul(&bytes).unwrap();
            text.to_str().unwrap().to_owned()
        };
        let mut buffer = [7; 5];
        assert!(fill(&mut buffer, "abcd"));
        assert_eq!(read(&buffer), "abcd");
        assert!(!fill(&mut buffer, "abcde"));
        assert_eq!(read(&buffer), "abcd");
        assert!(!fill(&mut buffer, "abcéf"));
        assert_eq!(read(&buffer), "abc");
        assert!(!fill(&mut [], ""));
    }

    #[test]
    fn numbers_are_those_of_the_list() {
        for (number, (status, _)) in STATUS_TEXTS.into_iter().enumerate() {
            assert_eq!(status as usize, number);
        }
    }
}
