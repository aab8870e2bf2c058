//! The status of a call, and its error.

use std::ffi::{CStr, c_char};

use endmill_probe::ProbeError;

/// Size of the text of an error in bytes, with the final 0.
pub const ERROR_TEXT: usize = 512;

/// The result of a call. Numbers never change their meaning; later versions may add some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// The answer is not known: it needs a table that is not in the database.
    TableMissing = 1,
    /// The outcome is known, but the distance is not.
    PliesMissing = 2,
    /// The buffer is too small. What fits was written, and the count is the size that is needed.
    BufferTooSmall = 3,
    /// A null pointer, a text that is not UTF-8, or a number without a meaning.
    BadArgument = 4,
    /// The position cannot be read, or is not legal.
    BadPosition = 5,
    /// Unknown ruleset.
    UnknownRuleset = 6,
    /// A file was built for other rules.
    RulesDiffer = 7,
    /// Two files were swapped, or files of two builds mixed.
    WrongFile = 8,
    /// Fetch or build the file again.
    FileDamaged = 9,
    /// A newer version of this library is needed.
    FormatTooNew = 10,
    /// The file was replaced while the database was open: open it again.
    FileReplaced = 11,
    /// Two tables contradict each other.
    Contradiction = 12,
    /// I/O error.
    Io = 13,
    /// A bug in this library. The database can still be used and closed.
    Internal = 14,
    /// The turn cannot be read, or is not legal in its position.
    BadTurn = 15,
    /// The answer is not in the cache.
    NotCached = 16,
    /// This version of the library no longer reads the file: build it again.
    FormatTooOld = 17,
    /// The directory holds no table of the ruleset, or does not exist.
    NoTables = 18,
}

/// What went wrong, for programs and for people. Every call that can fail takes a pointer to one,
/// which may be null. It is written only if the call does not return ENDMILL_STATUS_OK.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Error {
    /// The result of the call.
    pub status: Status,
    /// The wrong character of the text of a position or a move, from 0; -1 if that does not apply.
    pub at: i32,
    /// A message, truncated if it is too long.
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

/// Why a call fails. The text for C is formatted only if the caller asks for it.
#[derive(Debug)]
pub enum Failure {
    /// A table is missing. Its name is not worked out.
    NotKnown,
    /// Not in the cache.
    NotCached,
    /// An error of the probe.
    Probe(ProbeError),
    /// A pointer or number that is not valid.
    Argument(String),
    /// The buffer is too small.
    TooSmall {
        /// Its size.
        capacity: usize,
        /// The size that is needed.
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
            Failure::NotKnown => {
                "the tables in the database do not decide this position".to_owned()
            }
            Failure::NotCached => "the answer is not in the cache".to_owned(),
            Failure::Probe(error) => error.to_string(),
            Failure::Argument(what) => what.clone(),
            Failure::TooSmall { capacity, needed } => {
                format!("the buffer has room for {capacity}, but {needed} are needed")
            }
            Failure::Internal(panic) => format!("internal error: {panic}"),
        }
    }

    /// Formats the error for C.
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
        // An error that this version of the interface does not know.
        _ => Status::Internal,
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Probe(error)
    }
}

/// Copies a text and a final 0 into a buffer. Truncates it between two characters and returns false if
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
