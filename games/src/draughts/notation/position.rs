//! Positions as PDN's FEN writes them, `W:W18,K31:B12,K5`, and as a diagram.
//!
//! First the side to move, then the squares of each side; `K` marks a king, `K1-3` three of them.
//! Ranges are read but not printed. `start` is the start position.

use super::square;
use crate::draughts::Draughts;
use crate::draughts::board::{LAST_ROW, Position, Side, number_of, singles, square_of};
use crate::draughts::table::MOST;
use crate::error::{ParseError, Problem};
use crate::game::Colour;
use crate::scanner::Scanner;

/// Reads a position.
pub(in crate::draughts) fn parse_position(text: &str) -> Result<Position, ParseError> {
    if text.trim().eq_ignore_ascii_case("start") {
        return Ok(Position::START);
    }
    let mut scanner = Scanner::new(text);
    let to_move = scanner
        .colour()
        .ok_or_else(|| scanner.expected("W, B or start"))?;
    let (mut white, mut black) = (None, None);
    let mut taken = 0;
    for _ in 0..2 {
        scanner.demand(':', ":")?;
        let missing = scanner.expected(match (white, black) {
            (None, None) => "W or B",
            (None, Some(_)) => "W",
            _ => "B",
        });
        let (side, colour) = match scanner.colour() {
            Some(Colour::White) if white.is_none() => (&mut white, Colour::White),
            Some(Colour::Black) if black.is_none() => (&mut black, Colour::Black),
            _ => return Err(missing),
        };
        *side = Some(pieces(&mut scanner, colour, &mut taken)?);
    }
    scanner.eat('.');
    scanner.end()?;
    let seen_by_black = Position {
        own: black.unwrap_or_default(),
        opponent: white.unwrap_or_default(),
        colour: Colour::Black,
    };
    let position = match to_move {
        Colour::Black => seen_by_black,
        Colour::White => seen_by_black.turned(),
    };
    if position.opponent.pieces() == 0 {
        let side = to_move.other().name();
        return Err(Problem::AlreadyOver { side, men: 0 }.into());
    }
    Ok(position)
}

/// Reads the squares of one side, as Black sees the board, and adds them to `taken`.
fn pieces(scanner: &mut Scanner, colour: Colour, taken: &mut u32) -> Result<Side, ParseError> {
    let start = scanner.at();
    let crowning_row = match colour {
        Colour::Black => LAST_ROW,
        Colour::White => LAST_ROW.reverse_bits(),
    };
    let mut side = Side::default();
    if matches!(scanner.peek(), None | Some(':' | '.')) {
        return Ok(side);
    }
    loop {
        let king = scanner.eat('k');
        let at = scanner.at();
        for number in range(scanner)? {
            let square = square_of(number, Colour::Black);
            let name = number.to_string();
            if *taken & square != 0 {
                let kind = "square";
                return Err(ParseError::at(at, Problem::UsedTwice { name, kind }));
            }
            if !king && crowning_row & square != 0 {
                return Err(ParseError::at(at, Problem::UncrownedMan { name }));
            }
            *taken |= square;
            *(if king { &mut side.kings } else { &mut side.men }) |= square;
        }
        if !scanner.eat(',') {
            break;
        }
    }
    let men = side.pieces().count_ones();
    if men > MOST {
        let problem = Problem::TooManyMen {
            side: colour.name(),
            men,
            allowed: MOST,
            ruleset: Draughts::ID.to_owned(),
        };
        return Err(ParseError::at(start, problem));
    }
    Ok(side)
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

/// White's and Black's pieces as Black sees the board.
fn sides(position: &Position) -> [(Colour, Side); 2] {
    let seen_by_black = match position.colour {
        Colour::Black => *position,
        Colour::White => position.turned(),
    };
    [
        (Colour::White, seen_by_black.opponent),
        (Colour::Black, seen_by_black.own),
    ]
}

/// Writes a position: White's pieces before Black's, squares in ascending order.
pub(in crate::draughts) fn format_position(position: &Position) -> String {
    let mut text = String::from(position.colour.letter());
    for (colour, side) in sides(position) {
        let squares = singles(side.pieces()).map(|square| {
            let king = if side.kings & square != 0 { "K" } else { "" };
            format!("{king}{}", number_of(square, Colour::Black))
        });
        let squares: Vec<String> = squares.collect();
        text.push_str(&format!(":{}{}", colour.letter(), squares.join(",")));
    }
    text
}

/// Draws the board with square 1 at the top; men are small letters, kings capitals, and the
/// margins number the first and the last square of each row.
pub(in crate::draughts) fn diagram(position: &Position) -> String {
    let sides = sides(position);
    let symbol = |square: u32| {
        let here = sides.iter().find(|(_, side)| side.pieces() & square != 0);
        here.map_or('.', |&(colour, side)| {
            let king = side.kings & square != 0;
            let letter = colour.letter();
            if king {
                letter
            } else {
                letter.to_ascii_lowercase()
            }
        })
    };
    let mut text = String::new();
    for row in 0..8 {
        let squares = [0, 1, 2, 3].map(|column| symbol(1 << (4 * row + column)).to_string());
        // Light squares are blank: the first square of even rows, the last of odd ones.
        let (before, after) = if row % 2 == 0 { ("  ", "") } else { ("", "  ") };
        let (first, last) = (4 * row + 1, 4 * row + 4);
        let dark = squares.join("   ");
        text.push_str(&format!("{first:>2}  {before}{dark}{after}  {last:>2}\n"));
    }
    text
}
