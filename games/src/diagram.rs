//! A board drawn for a console: one drawing for every program and character set.
//!
//! A game decides what stands where, the [`Charset`] which character that is. Programs can go
//! through the [rows](Diagram::rows) and give each [`Mark`] a colour.

use std::fmt;

use crate::colour::Colour;
use crate::piece::PieceKind;

/// The content of one character cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Lines, letters and numbers of the board: plain ASCII.
    Ink(char),
    /// A free place.
    Free,
    /// A piece.
    Piece(Colour, &'static PieceKind),
}

/// The characters of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// Free places `·`, men `○` and `●`, kings `♔` and `♚`.
    #[default]
    Unicode,
    /// Free places `.`, men `w` and `b`, kings `W` and `B`.
    Ascii,
}

impl Mark {
    /// The character for it.
    pub fn symbol(self, charset: Charset) -> char {
        match (self, charset) {
            (Mark::Ink(ink), _) => ink,
            (Mark::Free, Charset::Unicode) => '·',
            (Mark::Free, Charset::Ascii) => '.',
            (Mark::Piece(colour, kind), Charset::Unicode) => kind.unicode[colour as usize],
            (Mark::Piece(colour, kind), Charset::Ascii) => kind.ascii[colour as usize],
        }
    }
}

/// A drawing, from the top row down; rows end with their last mark that is not blank.
///
/// Its `Display` writes Unicode, each row with a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    rows: Vec<Vec<Mark>>,
    frame: Frame,
}

/// What keeps its place when the board is turned round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Rows above the board; they name its columns.
    pub top: usize,
    /// Characters left of the board; they name its rows.
    pub left: usize,
    /// Characters that belong together.
    pub cell: usize,
}

impl Diagram {
    pub(crate) fn new(mut rows: Vec<Vec<Mark>>, frame: Frame) -> Diagram {
        for row in &mut rows {
            let blanks = row.iter().rev();
            let blanks = blanks.take_while(|&&mark| mark == Mark::Ink(' ')).count();
            row.truncate(row.len() - blanks);
        }
        Diagram { rows, frame }
    }

    /// Returns the board as seen from the other side.
    pub fn turned(&self) -> Diagram {
        let Frame { top, left, cell } = self.frame;
        let wide = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let turn = |row: &Vec<Mark>| {
            let mut row = row.clone();
            row.resize(wide.max(left), Mark::Ink(' '));
            let cells = row[left..].chunks_exact(cell.max(1));
            // What is left over closes the last cell, and then the first.
            let close = cells.remainder();
            let cells = cells.rev().flatten();
            let turned = row[..left].iter().chain(cells).chain(close);
            turned.copied().collect()
        };
        let (names, board) = self.rows.split_at(top.min(self.rows.len()));
        let rows = names.iter().chain(board.iter().rev()).map(turn);
        Diagram::new(rows.collect(), self.frame)
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
