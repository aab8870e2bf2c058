//! The characters and colours of the board.

use std::io::{IsTerminal, stdout};

use endmill_games::{Charset, Colour, Diagram, Mark, PieceKind};

use crate::drawing;

/// Characters, colours and orientation.
#[derive(Clone, Copy)]
pub struct Style {
    charset: Charset,
    colour: bool,
    /// Whether to show the board from the other side.
    pub turned: bool,
}

impl Style {
    /// Uses colours on a capable terminal unless `NO_COLOR` is set.
    pub fn detect() -> Style {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let charset = drawing::charset();
        let plain = charset == Charset::Ascii || dumb || set("NO_COLOR");
        Style {
            charset,
            colour: !plain && stdout().is_terminal(),
            turned: false,
        }
    }

    /// Draws a board, with brackets around changes since the board before.
    pub fn board(self, diagram: &Diagram, before: Option<&Diagram>) -> String {
        let turn = |diagram: &Diagram| match self.turned {
            true => diagram.turned(),
            false => diagram.clone(),
        };
        let (diagram, before) = (turn(diagram), before.map(turn));
        let wide = drawing::width();
        let mut text = String::new();
        for (number, row) in diagram.rows().enumerate() {
            let mut row = row.to_vec();
            if let Some(before) = before.as_ref().and_then(|before| before.rows().nth(number)) {
                bracket(&mut row, before);
            }
            // A border that is one character too wide is cut rather than wrapped.
            row.truncate(wide);
            // One pair of escape codes per run of marks of one kind.
            for run in row.chunk_by(|a, b| code(*a) == code(*b)) {
                text += &self.marks(run);
            }
            text.push('\n');
        }
        text
    }

    /// The symbol of a man.
    pub fn man(self, colour: Colour) -> String {
        self.marks(&[Mark::Piece(colour, &PieceKind::MAN)])
    }

    /// Marks of one kind.
    fn marks(self, marks: &[Mark]) -> String {
        let symbols: String = marks.iter().map(|mark| mark.symbol(self.charset)).collect();
        match marks.first() {
            Some(&first) if self.colour => format!("\x1b[{}m{symbols}\x1b[0m", code(first)),
            _ => symbols,
        }
    }
}

/// Puts brackets around changed places.
fn bracket(row: &mut Vec<Mark>, before: &[Mark]) {
    let was = |at: usize| before.get(at).copied().unwrap_or(Mark::Ink(' '));
    let changed: Vec<usize> = (0..row.len()).filter(|&at| row[at] != was(at)).collect();
    for at in changed {
        if let Some(left @ Mark::Ink(_)) = at.checked_sub(1).map(|left| &mut row[left]) {
            *left = Mark::Ink('[');
        }
        if at + 1 == row.len() {
            row.push(Mark::Ink(']'));
        } else if let right @ Mark::Ink(_) = &mut row[at + 1] {
            *right = Mark::Ink(']');
        }
    }
}

/// The escape code for a mark: men stand out, the lines of the board do not. Both colours are visible
/// on light and dark backgrounds.
fn code(mark: Mark) -> &'static str {
    match mark {
        Mark::Ink(_) => "2",
        Mark::Free => "0",
        Mark::Piece(Colour::White, _) => "1;33",
        Mark::Piece(Colour::Black, _) => "1;35",
    }
}
