//! Setups to positions and back.

use super::Draughts;
use super::board::{LAST_ROW, Position, Side, number_of, singles};
use super::table::MOST;
use crate::colour::Colour;
use crate::error::Problem;
use crate::piece::PieceKind;
use crate::setup::Setup;

/// Returns the row where the men of a colour are crowned, as Black sees the board.
pub(super) fn crowning_row(colour: Colour) -> u32 {
    match colour {
        Colour::Black => LAST_ROW,
        Colour::White => LAST_ROW.reverse_bits(),
    }
}

/// The kinds of pieces, and their indices in a setup.
pub(super) const KINDS: &[PieceKind] = &[PieceKind::MAN, PieceKind::KING];
pub(super) const MEN: usize = 0;
pub(super) const KINGS: usize = 1;

/// Returns the error if a side has too many pieces.
pub(super) fn too_many(setup: &Setup, colour: Colour) -> Option<Problem> {
    let count = setup.occupied(colour).count_ones();
    (count > MOST).then(|| Problem::TooMany {
        side: colour.name(),
        what: PieceKind::MAN.plural,
        count,
        allowed: MOST,
        ruleset: Draughts::ID.to_owned(),
    })
}

/// The error for a man that should have been crowned.
pub(super) fn uncrowned(name: String) -> Problem {
    Problem::Misplaced {
        kind: PieceKind::MAN.name,
        place: "its crowning row",
        name,
    }
}

/// Checks a setup and returns its position.
pub(super) fn legal(setup: &Setup) -> Result<Position, Problem> {
    let to_move = setup.to_move;
    if let Some(what) = setup.unknown_to(KINDS.len(), 0, 0) {
        let ruleset = Draughts::ID.to_owned();
        return Err(Problem::NotInThisGame { what, ruleset });
    }
    let [white, black] = [Colour::White, Colour::Black].map(|colour| setup.occupied(colour));
    let beyond = (white | black) >> 32;
    if beyond != 0 {
        let (name, kind) = (format!("bit {}", 32 + beyond.trailing_zeros()), "square");
        return Err(Problem::NoSuchPlace { name, kind });
    }
    let side = |colour: Colour| Side {
        men: setup.pieces[MEN][colour as usize] as u32,
        kings: setup.pieces[KINGS][colour as usize] as u32,
    };
    let [white, black] = [side(Colour::White), side(Colour::Black)];
    let twice = white.pieces() & black.pieces() | white.men & white.kings | black.men & black.kings;
    if let Some(name) = first(twice) {
        let kind = "square";
        return Err(Problem::UsedTwice { name, kind });
    }
    for (colour, side) in [(Colour::White, white), (Colour::Black, black)] {
        if let Some(name) = first(side.men & crowning_row(colour)) {
            return Err(uncrowned(name));
        }
        if let Some(problem) = too_many(setup, colour) {
            return Err(problem);
        }
    }
    let seen_by_black = Position {
        own: black,
        opponent: white,
        colour: Colour::Black,
    };
    let position = match to_move {
        Colour::Black => seen_by_black,
        Colour::White => seen_by_black.turned(),
    };
    if position.opponent.pieces() == 0 {
        let side = to_move.other().name();
        let has = "no pieces".to_owned();
        return Err(Problem::AlreadyOver { side, has });
    }
    Ok(position)
}

/// Returns the setup of a position.
pub(super) fn setup(position: &Position) -> Setup {
    let seen_by_black = match position.colour {
        Colour::Black => *position,
        Colour::White => position.turned(),
    };
    let (white, black) = (seen_by_black.opponent, seen_by_black.own);
    let mut setup = Setup::empty(position.colour);
    setup.pieces[MEN] = [white.men.into(), black.men.into()];
    setup.pieces[KINGS] = [white.kings.into(), black.kings.into()];
    setup
}

/// Returns the number of the first square of a set.
fn first(set: u32) -> Option<String> {
    let square = singles(set).next()?;
    Some(number_of(square, Colour::Black).to_string())
}
