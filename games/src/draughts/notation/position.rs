//! Positions in the FEN of PDN: `W:W18,K31:B12,K5`.
//!
//! First the side to move, then the squares of each side; `K` marks a king, `K1-3` three of them.
//! Ranges are read but not printed, and so are counters at the end, `:H0:F1`. `start` is the start
//! position.

use super::square;
use crate::colour::Colour;
use crate::draughts::board::{Position, number_of, singles, square_of};
use crate::draughts::setup::{KINGS, MEN, crowning_row, legal, setup, too_many, uncrowned};
use crate::error::{ParseError, Problem};
use crate::scanner::Scanner;
use crate::setup::Setup;

/// Reads a position.
pub(in crate::draughts) fn parse_position(text: &str) -> Result<Position, ParseError> {
    if text.trim().eq_ignore_ascii_case("start") {
        return Ok(Position::START);
    }
    let mut scanner = Scanner::new(text);
    let to_move = scanner
        .colour()
        .ok_or_else(|| scanner.expected("W, B or start"))?;
    let mut setup = Setup::empty(to_move);
    let mut listed = [false; 2];
    for _ in 0..2 {
        scanner.demand(':', ":")?;
        let missing = scanner.expected(match listed {
            [false, false] => "W or B",
            [false, true] => "W",
            _ => "B",
        });
        match scanner.colour() {
            Some(colour) if !listed[colour as usize] => {
                listed[colour as usize] = true;
                pieces(&mut scanner, colour, &mut setup)?;
            }
            _ => return Err(missing),
        }
    }
    counters(&mut scanner)?;
    scanner.eat('.');
    scanner.end()?;
    Ok(legal(&setup)?)
}

/// Skips `:H0:F1`: plies without a capture or a step of a man, and the move number, as some
/// programs write them. Our rules count neither.
fn counters(scanner: &mut Scanner) -> Result<(), ParseError> {
    while scanner.eat(':') {
        if !scanner.eat('h') {
            scanner.demand('f', "H or F and a number")?;
        }
        let number = scanner.digits();
        number.ok_or_else(|| scanner.expected("a number"))?;
    }
    Ok(())
}

/// Adds the pieces of one side to a setup. Checks the same rules as [`legal`], with the position in
/// the text.
fn pieces(scanner: &mut Scanner, colour: Colour, setup: &mut Setup) -> Result<(), ParseError> {
    let start = scanner.at();
    if matches!(scanner.peek(), None | Some(':' | '.')) {
        return Ok(());
    }
    loop {
        let king = scanner.eat('k');
        let at = scanner.at();
        for number in range(scanner)? {
            let square = square_of(number, Colour::Black);
            let name = number.to_string();
            let taken = setup.occupied(Colour::White) | setup.occupied(Colour::Black);
            if taken & u64::from(square) != 0 {
                let kind = "square";
                return Err(ParseError::at(at, Problem::UsedTwice { name, kind }));
            }
            if !king && crowning_row(colour) & square != 0 {
                return Err(ParseError::at(at, uncrowned(name)));
            }
            let kind = if king { KINGS } else { MEN };
            setup.pieces[kind][colour as usize] |= u64::from(square);
        }
        if !scanner.eat(',') {
            break;
        }
    }
    match too_many(setup, colour) {
        Some(problem) => Err(ParseError::at(start, problem)),
        None => Ok(()),
    }
}

/// Reads `12` or `9-12`.
fn range(scanner: &mut Scanner) -> Result<std::ops::RangeInclusive<u32>, ParseError> {
    let at = scanner.at();
    let first = square(scanner)?;
    let last = if scanner.eat('-') {
        square(scanner)?
    } else {
        first
    };
    if last < first {
        let problem = Problem::Syntax {
            expected: "a range from the lower to the higher square".to_owned(),
            found: format!("{first}-{last}"),
        };
        return Err(ParseError::at(at, problem));
    }
    Ok(first..=last)
}

/// Writes a position: White's pieces before Black's, squares in ascending order.
pub(in crate::draughts) fn format_position(position: &Position) -> String {
    let setup = setup(position);
    let mut text = String::from(setup.to_move.letter());
    for colour in [Colour::White, Colour::Black] {
        let kings = setup.pieces[KINGS][colour as usize] as u32;
        let squares = singles(setup.occupied(colour) as u32).map(|square| {
            let king = if kings & square != 0 { "K" } else { "" };
            format!("{king}{}", number_of(square, Colour::Black))
        });
        let squares: Vec<String> = squares.collect();
        text.push_str(&format!(":{}{}", colour.letter(), squares.join(",")));
    }
    text
}
