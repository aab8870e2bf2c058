//! Positions, turns and tables in PDN, the notation of draughts programs.
//!
//! Everything that is printed can be read back, and no input panics: a text is scanned character by
//! character, and errors name the position of what they reject.

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
