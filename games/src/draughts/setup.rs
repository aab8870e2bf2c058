//! From sets of squares by colours to a position of the side to move, and back.

use super::Draughts;
use super::board::{LAST_ROW, Position, Side, number_of, singles};
use super::table::MOST;
use crate::error::Problem;
use crate::game::Colour;
use crate::setup::Setup;

/// Where the men of a colour are crowned, as Black sees the board.
pub(super) fn crowning_row(colour: Colour) -> u32 {
    match colour {
        Colour::Black => LAST_ROW,
        Colour::White => LAST_ROW.reverse_bits(),
    }
}

/// The complaint about a side with too many pieces.
pub(super) fn too_many(setup: &Setup, colour: Colour) -> Option<Problem> {
    let men = setup.pieces[colour as usize].count_ones();
    (men > MOST).then(|| Problem::TooManyMen {
        side: colour.name(),
        men,
        allowed: MOST,
        ruleset: Draughts::ID.to_owned(),
    })
}

/// Accepts what can stand on the board between two turns.
pub(super) fn legal(setup: &Setup) -> Result<Position, Problem> {
    let Setup {
        pieces: [white, black],
        kings,
        hand,
        to_move,
    } = *setup;
    if hand != [0, 0] {
        let (what, ruleset) = ("men in hand", Draughts::ID.to_owned());
        return Err(Problem::NotInThisGame { what, ruleset });
    }
    if let Some(name) = first(white & black) {
        let kind = "square";
        return Err(Problem::UsedTwice { name, kind });
    }
    if let Some(name) = first(kings & !(white | black)) {
        return Err(Problem::StrayKing { name });
    }
    for (colour, pieces) in [(Colour::White, white), (Colour::Black, black)] {
        if let Some(name) = first(pieces & !kings & crowning_row(colour)) {
            return Err(Problem::UncrownedMan { name });
        }
        if let Some(problem) = too_many(setup, colour) {
            return Err(problem);
        }
    }
    let side = |pieces: u32| Side {
        men: pieces & !kings,
        kings: pieces & kings,
    };
    let seen_by_black = Position {
        own: side(black),
        opponent: side(white),
        colour: Colour::Black,
    };
    let position = match to_move {
        Colour::Black => seen_by_black,
        Colour::White => seen_by_black.turned(),
    };
    if position.opponent.pieces() == 0 {
        let side = to_move.other().name();
        return Err(Problem::AlreadyOver { side, men: 0 });
    }
    Ok(position)
}

/// The setup of a position.
pub(super) fn setup(position: &Position) -> Setup {
    let seen_by_black = match position.colour {
        Colour::Black => *position,
        Colour::White => position.turned(),
    };
    let (white, black) = (seen_by_black.opponent, seen_by_black.own);
    Setup {
        pieces: [white.pieces(), black.pieces()],
        kings: white.kings | black.kings,
        hand: [0; 2],
        to_move: position.colour,
    }
}

/// The number of the first square of a set.
fn first(set: u32) -> Option<String> {
    let square = singles(set).next()?;
    Some(number_of(square, Colour::Black).to_string())
}
