//! How positions, turns and tables are written: PDN, the notation of draughts programs.
//!
//! Everything that is printed is read back as the same thing, and nothing that is read can
//! panic: a text is scanned character by character, and what cannot stand where it stands is
//! reported with its place.

mod position;
mod table;
mod turn;

pub(super) use position::{format_position, parse_position};
pub(super) use table::parse_table;
pub(super) use turn::{format_turn, parse_turn, path, read_turn, short_turn};

use crate::error::{ParseError, Problem};
use crate::scanner::Scanner;

/// Takes the number of a square.
fn square(scanner: &mut Scanner) -> Result<u32, ParseError> {
    let at = scanner.at();
    let digits = scanner
        .digits()
        .ok_or_else(|| scanner.expected("a square"))?;
    match digits.parse() {
        Ok(number @ 1..=32) => Ok(number),
        _ => {
            let problem = Problem::NoSuchPlace {
                name: digits,
                kind: "square",
            };
            Err(ParseError::at(at, problem))
        }
    }
}
