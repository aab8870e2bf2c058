//! Locations in a text, as editors count them.

use std::fmt;

/// The location of a character in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Location {
    /// The first character of a text.
    pub const FIRST: Location = Location { line: 1, column: 1 };

    /// The location this number of characters further on in the same line.
    pub(crate) fn on(self, characters: usize) -> Location {
        Location {
            column: self.column + characters,
            ..self
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A text with the locations of its characters.
pub(crate) struct Text {
    pub(crate) characters: Vec<char>,
    /// The beginning of each line.
    lines: Vec<usize>,
}

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        let characters: Vec<char> = text.chars().collect();
        let ends = characters.iter().enumerate().filter(|(_, c)| **c == '\n');
        let lines = std::iter::once(0).chain(ends.map(|(end, _)| end + 1));
        let lines = lines.collect();
        Text { characters, lines }
    }

    /// The location of a character, or of the end of the text.
    pub(crate) fn place(&self, at: usize) -> Location {
        let line = self.lines.partition_point(|&begin| begin <= at);
        Location {
            line,
            column: at - self.lines[line - 1] + 1,
        }
    }
}
