//! Rules files: a ruleset as TOML, read by the game that it belongs to.

use std::fmt;

use thiserror::Error;

/// The longest id, in bytes: as much as the header of a table file has room for.
pub const LONGEST_ID: usize = 32;
/// The longest file, in bytes: many times the size of a file with every field and comments.
pub(crate) const LONGEST_FILE: usize = 64 << 10;

/// A mistake in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where, from 1.
    pub line: usize,
    /// The field, such as `men` or `board.lines`; empty where the text is not TOML.
    pub field: String,
    /// What is wrong, and what is expected.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake { line, field, what } = self;
        match field.as_str() {
            "" => write!(f, "line {line}: {what}"),
            field => write!(f, "line {line}: {field}: {what}"),
        }
    }
}

/// A rules file with mistakes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", listed(.file, .mistakes))]
pub struct RulesFileError {
    /// The name of the file, as given.
    pub file: String,
    /// At least one, in the order of their lines.
    pub mistakes: Vec<Mistake>,
}

fn listed(file: &str, mistakes: &[Mistake]) -> String {
    let lines = mistakes.iter().map(|mistake| format!("{file}: {mistake}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the bytes of a rules file as text.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Vec<Mistake>> {
    let mistake = |line, what: String| {
        let field = String::new();
        vec![Mistake { line, field, what }]
    };
    if bytes.len() > LONGEST_FILE {
        let what = format!("expected a rules file of at most {LONGEST_FILE} bytes, found more");
        return Err(mistake(1, what));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        let what = format!("expected UTF-8, found the byte {:#04x}", bytes[good.len()]);
        mistake(line, what)
    })
}
