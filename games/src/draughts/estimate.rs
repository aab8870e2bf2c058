//! Static evaluation of draughts positions.
//!
//! Men and kings count most, and a lead counts more with fewer pieces; then the advancement of men,
//! a guarded back row while the opponent has men to crown, kings in the centre, mobility, and in
//! endings *the move*: which side must give way when the men stand face to face.

use super::Draughts;
use super::board::{Direction, Position, Side};
use super::moves::{Turn, steppers};
use crate::evaluate::Evaluate;

const MAN: i32 = 100;
const KING: i32 = 135;
/// A row of advancement of a man.
const ROW: i32 = 2;
/// A piece on one of the two squares that guard the whole back row.
const GUARD: i32 = 8;
/// A king away from the edge.
const CENTRAL_KING: i32 = 6;
/// A step that can be made.
const STEP: i32 = 2;
/// Having the move in an ending.
const OPPOSITION: i32 = 6;
/// The most pieces with which the move matters.
const ENDING: u32 = 10;

/// Squares 1 and 3: a man cannot be crowned past these two.
const GUARDS: u32 = 0b0101;
/// Squares that do not touch the edge.
const MIDDLE: u32 = 0x07e7_e7e0;
/// The squares of the files that start at the own back row.
const OWN_FILES: u32 = 0x0f0f_0f0f;

impl Evaluate for Draughts {
    fn evaluate(&self, position: &Position) -> i32 {
        let turned = position.turned();
        let pieces = (!position.empty()).count_ones();
        let lead = material(position.own) - material(position.opponent);
        // Half as much again when four pieces are left: the leading side should exchange.
        let lead = lead + 2 * lead / pieces.max(1) as i32;
        lead + placing(position) - placing(&turned) + opposition(position, pieces)
    }

    fn is_capture(&self, _: &Position, turn: &Turn) -> bool {
        turn.captured() != 0
    }
}

fn material(side: Side) -> i32 {
    side.men.count_ones() as i32 * MAN + side.kings.count_ones() as i32 * KING
}

/// Evaluates where the pieces of the side to move stand.
fn placing(position: &Position) -> i32 {
    let Position { own, opponent, .. } = *position;
    let rows: i32 = (1..8)
        .map(|row| row * (own.men >> (4 * row) & 0xf).count_ones() as i32)
        .sum();
    let guarded = opponent.men != 0;
    let guards = i32::from(guarded) * (own.pieces() & GUARDS).count_ones() as i32;
    let central = (own.kings & MIDDLE).count_ones() as i32;
    let steps: u32 = Direction::ALL
        .map(|way| steppers(position, way).count_ones())
        .iter()
        .sum();
    rows * ROW + guards * GUARD + central * CENTRAL_KING + steps as i32 * STEP
}

/// Evaluates the move: with equal numbers, the side to move has it if the number of pieces on its
/// files is odd.
fn opposition(position: &Position, pieces: u32) -> i32 {
    let equal = position.own.pieces().count_ones() * 2 == pieces;
    if !equal || pieces > ENDING {
        return 0;
    }
    match (!position.empty() & OWN_FILES).count_ones() % 2 {
        1 => OPPOSITION,
        _ => -OPPOSITION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::board::singles;
    use crate::draughts::notation::parse_position;

    fn of(text: &str) -> i32 {
        Draughts::new().evaluate(&parse_position(text).unwrap())
    }

    #[test]
    fn the_middle_is_what_does_not_touch_the_edge() {
        for square in singles(u32::MAX) {
            let inside = Direction::ALL.iter().all(|way| way.step(square) != 0);
            assert_eq!(MIDDLE & square != 0, inside);
        }
    }

    #[test]
    fn more_and_better_pieces_count() {
        assert!(of("B:W32:B1,2") > of("B:W32:B1"));
        assert!(of("B:W32:BK10") > of("B:W32:B10"));
        assert!(of("B:W32,K31:B1") < of("B:W32:B1"));
    }

    /// Face to face, who is to move must give way; with a row more between them, the other.
    #[test]
    fn the_move_counts_in_endings() {
        let of = |text: &str| opposition(&parse_position(text).unwrap(), 2);
        assert_eq!(of("B:W22:B14"), -OPPOSITION);
        assert_eq!(of("B:W22:B9"), OPPOSITION);
    }
}
