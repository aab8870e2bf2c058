//! How things look: characters and colours.

use std::io::{IsTerminal, stdout};

use games::{Charset, Colour, Diagram, Mark};

/// Which characters, and whether in colour.
#[derive(Clone, Copy)]
pub struct Style {
    charset: Charset,
    colour: bool,
}

impl Style {
    /// In colour if the output is a terminal that has it and nobody objects (`NO_COLOR`).
    pub fn detect(ascii: bool) -> Style {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Style {
            charset: if ascii {
                Charset::Ascii
            } else {
                Charset::Unicode
            },
            colour: !ascii && !dumb && !set("NO_COLOR") && stdout().is_terminal(),
        }
    }

    /// A board as text.
    pub fn board(self, diagram: &Diagram) -> String {
        let mut text = String::new();
        for row in diagram.rows() {
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
        self.marks(&[Mark::Man(colour)])
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

/// The terminal's code for the colour of a mark: men stand out, the lines of the board do not.
/// Neither colour is that of the background, light or dark.
fn code(mark: Mark) -> &'static str {
    match mark {
        Mark::Ink(_) => "2",
        Mark::Free => "0",
        Mark::Man(Colour::White) | Mark::King(Colour::White) => "1;33",
        Mark::Man(Colour::Black) | Mark::King(Colour::Black) => "1;35",
    }
}
