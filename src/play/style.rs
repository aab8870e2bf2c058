//! How things look: characters and colours.

use std::io::{IsTerminal, stdout};

use endmill_games::{Charset, Colour, Diagram, Mark, PieceKind};

use crate::drawing;

/// Which characters, whether in colour, and from which side.
#[derive(Clone, Copy)]
pub struct Style {
    charset: Charset,
    colour: bool,
    /// Whether the board is seen from the other side.
    pub turned: bool,
}

impl Style {
    /// In colour if the output is a terminal that has it and nobody objects (`NO_COLOR`).
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

    /// A board as text. What has changed since the board before is put in brackets.
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
            // A border that is a character too wide is better cut than broken.
            row.truncate(wide);
            // One pair of codes for a run of marks of one kind.
            for run in row.chunk_by(|a, b| code(*a) == code(*b)) {
                text += &self.marks(run);
            }
            text.push('\n');
        }
        text
    }

    /// A man as it stands on the board.
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

/// Puts brackets round the places that are not as they were.
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

/// The terminal's code for the colour of a mark: men stand out, the lines of the board do not.
/// Neither colour is that of the background, light or dark.
fn code(mark: Mark) -> &'static str {
    match mark {
        Mark::Ink(_) => "2",
        Mark::Free => "0",
        Mark::Piece(Colour::White, _) => "1;33",
        Mark::Piece(Colour::Black, _) => "1;35",
    }
}
