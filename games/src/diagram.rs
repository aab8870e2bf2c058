//! A board as it is drawn on a console: one drawing for every program, in characters of choice.
//!
//! A game says what stands where; the [`Charset`] says which character that is, and whoever
//! prints may go through the [rows](Diagram::rows) and give each [`Mark`] a colour of its own.

use std::fmt;

use crate::game::Colour;

/// What stands in one character cell of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Lines, letters and numbers of the board: plain ASCII.
    Ink(char),
    /// A place with nobody on it.
    Free,
    /// A man.
    Man(Colour),
    /// A king.
    King(Colour),
}

/// The characters of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// `·`, men `○` and `●`, kings `♔` and `♚`.
    #[default]
    Unicode,
    /// `.`, men `w` and `b`, kings `W` and `B`.
    Ascii,
}

impl Mark {
    /// The character for it.
    pub fn symbol(self, charset: Charset) -> char {
        use Charset::{Ascii, Unicode};
        use Colour::{Black, White};
        match (self, charset) {
            (Mark::Ink(ink), _) => ink,
            (Mark::Free, Unicode) => '·',
            (Mark::Free, Ascii) => '.',
            (Mark::Man(White), Unicode) => '○',
            (Mark::Man(White), Ascii) => 'w',
            (Mark::Man(Black), Unicode) => '●',
            (Mark::Man(Black), Ascii) => 'b',
            (Mark::King(White), Unicode) => '♔',
            (Mark::King(White), Ascii) => 'W',
            (Mark::King(Black), Unicode) => '♚',
            (Mark::King(Black), Ascii) => 'B',
        }
    }
}

/// A drawing, from the top row down; rows end with their last mark that is not blank.
///
/// Its `Display` writes Unicode, each row with a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    rows: Vec<Vec<Mark>>,
}

impl Diagram {
    pub(crate) fn new(mut rows: Vec<Vec<Mark>>) -> Diagram {
        for row in &mut rows {
            let blanks = row.iter().rev();
            let blanks = blanks.take_while(|&&mark| mark == Mark::Ink(' ')).count();
            row.truncate(row.len() - blanks);
        }
        Diagram { rows }
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[Mark]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// The drawing as text, each row with a line end.
    pub fn written(&self, charset: Charset) -> String {
        let mut text = String::new();
        for row in &self.rows {
            text.extend(row.iter().map(|mark| mark.symbol(charset)));
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Charset::Unicode))
    }
}

/// The marks of a text that belongs to the board.
pub(crate) fn ink(text: &str) -> impl Iterator<Item = Mark> + '_ {
    text.chars().map(Mark::Ink)
}
