//! Places in a text, as editors count them.

use std::fmt;

/// A character of a text: its line and its column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Location {
    /// The first character of a text.
    pub const FIRST: Location = Location { line: 1, column: 1 };

    /// The place that number of characters further in the same line.
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

/// A text with the places of its characters.
pub(crate) struct Text {
    pub(crate) characters: Vec<char>,
    /// Where each line begins.
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

    /// The place of a character; of the end of the text, if there are fewer.
    pub(crate) fn place(&self, at: usize) -> Location {
        let line = self.lines.partition_point(|&begin| begin <= at);
        Location {
            line,
            column: at - self.lines[line - 1] + 1,
        }
    }
}
