//! The board as sets of squares, and positions seen by the side to move.
//!
//! Bit i of a set is square i+1. Rows have four squares; odd rows (counted from 0) are shifted
//! half a square to the left of even ones:
//!
//! ```text
//! row 0      1   2   3   4
//! row 1    5   6   7   8
//! row 2      9  10  11  12
//! ```
//!
//! One diagonal step of a whole set is therefore two shifts, one for the even and one for the odd
//! rows. Turning the board by 180°, which reverses the bits, exchanges the colours. That happens
//! after every turn, so the side to move always moves towards higher squares and only the notation
//! needs colours.

use crate::colour::Colour;

/// The row where the men of the side to move are crowned.
pub const LAST_ROW: u32 = 0xf000_0000;

pub(super) const EVEN_ROWS: u32 = 0x0f0f_0f0f;
const ODD_ROWS: u32 = !EVEN_ROWS;
/// Odd rows touch the left edge with their first square, even rows the right edge with their last.
pub(super) const LEFT_EDGE: u32 = 0x1010_1010;
pub(super) const RIGHT_EDGE: u32 = 0x0808_0808;

/// A diagonal; forward is towards higher squares, left is as drawn above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To a higher row, left.
    ForwardLeft,
    /// To a higher row, right.
    ForwardRight,
    /// To a lower row, left.
    BackLeft,
    /// To a lower row, right.
    BackRight,
}

use Direction::{BackLeft, BackRight, ForwardLeft, ForwardRight};

impl Direction {
    /// The directions of men of the side to move.
    pub const FORWARD: [Direction; 2] = [ForwardLeft, ForwardRight];
    /// All four.
    pub const ALL: [Direction; 4] = [ForwardLeft, ForwardRight, BackLeft, BackRight];

    /// Moves all members of a set by one step, dropping those that would leave the board.
    #[inline(always)]
    pub const fn step(self, set: u32) -> u32 {
        let (even, odd) = (set & EVEN_ROWS, set & ODD_ROWS);
        match self {
            ForwardLeft => (even << 4) | ((odd & !LEFT_EDGE) << 3),
            ForwardRight => ((even & !RIGHT_EDGE) << 5) | (odd << 4),
            BackLeft => (even >> 4) | ((odd & !LEFT_EDGE) >> 5),
            BackRight => ((even & !RIGHT_EDGE) >> 3) | (odd >> 4),
        }
    }

    /// Returns the opposite direction.
    #[inline(always)]
    pub fn reverse(self) -> Direction {
        match self {
            ForwardLeft => BackRight,
            ForwardRight => BackLeft,
            BackLeft => ForwardRight,
            BackRight => ForwardLeft,
        }
    }
}

/// Returns the members of a set as singleton sets, in ascending order.
#[inline(always)]
pub fn singles(set: u32) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The squares one step away from each square.
pub static NEIGHBOURS: [u32; 32] = neighbours();

const fn neighbours() -> [u32; 32] {
    let mut neighbours = [0; 32];
    let mut square = 0;
    while square < 32 {
        let mut way = 0;
        while way < 4 {
            neighbours[square] |= Direction::ALL[way].step(1 << square);
            way += 1;
        }
        square += 1;
    }
    neighbours
}

/// Visits every step of a king to an empty square: from, to.
#[inline(always)]
pub fn visit_king_steps(kings: u32, empty: u32, mut visit: impl FnMut(u32, u32)) {
    for from in singles(kings) {
        let near = NEIGHBOURS[from.trailing_zeros() as usize];
        for to in singles(near & empty) {
            visit(from, to);
        }
    }
}

/// The pieces of one side, in the frame of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// The squares of its men; bit i is square i+1 of the frame.
    pub(super) men: u32,
    /// The squares of its kings.
    pub(super) kings: u32,
}

impl Side {
    /// Returns a side with men and kings on these disjoint sets of squares.
    #[inline]
    pub fn new(men: u32, kings: u32) -> Side {
        debug_assert!(men & kings == 0, "two pieces on a square");
        Side { men, kings }
    }

    /// Where its men stand; bit i is square i+1 of the frame.
    #[inline]
    pub fn men(self) -> u32 {
        self.men
    }

    /// Where its kings stand.
    #[inline]
    pub fn kings(self) -> u32 {
        self.kings
    }

    /// Men and kings.
    #[inline]
    pub fn pieces(self) -> u32 {
        self.men | self.kings
    }

    /// Returns the pieces that may move this way: men of the side to move only move forwards.
    #[inline(always)]
    pub fn going(self, direction: Direction) -> u32 {
        match direction {
            ForwardLeft | ForwardRight => self.pieces(),
            BackLeft | BackRight => self.kings,
        }
    }

    /// Returns the pieces that can jump over one of `victims` to an empty square this way.
    #[inline(always)]
    pub fn jumpers(self, way: Direction, victims: u32, empty: u32) -> u32 {
        let back = way.reverse();
        self.going(way) & back.step(victims & back.step(empty))
    }

    /// Returns the same pieces seen from the other side of the board.
    #[inline]
    pub(super) fn turned(self) -> Side {
        Side {
            men: self.men.reverse_bits(),
            kings: self.kings.reverse_bits(),
        }
    }
}

/// A legal position. The side to move moves towards higher squares: if White is to move, square s
/// of the frame is square 33-s of the board.
///
/// The side to move may have no pieces (it has lost); its opponent always has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) own: Side,
    pub(super) opponent: Side,
    pub(super) colour: Colour,
}

impl Position {
    /// Twelve men each, Black to move.
    pub(super) const START: Position = Position {
        own: Side {
            men: 0x0000_0fff,
            kings: 0,
        },
        opponent: Side {
            men: 0xfff0_0000,
            kings: 0,
        },
        colour: Colour::Black,
    };

    /// Returns a position with Black to move, for layouts, which enumerate such sets. Both sides
    /// must have pieces, on disjoint squares, and no men on their last row; only debug builds check
    /// this. For setups use [`Notation::legal`](crate::Notation::legal).
    #[inline]
    pub fn from_sides_unchecked(own: Side, opponent: Side) -> Position {
        debug_assert!(own.pieces() != 0 && opponent.pieces() != 0);
        debug_assert!(own.pieces() & opponent.pieces() == 0);
        debug_assert!(own.men & LAST_ROW == 0 && opponent.men & LAST_ROW.reverse_bits() == 0);
        Position {
            own,
            opponent,
            colour: Colour::Black,
        }
    }

    /// Returns the pieces of the side to move.
    #[inline]
    pub fn own(&self) -> Side {
        self.own
    }

    /// Returns the pieces of the other side.
    #[inline]
    pub fn opponent(&self) -> Side {
        self.opponent
    }

    /// Returns the squares without a piece.
    #[inline]
    pub fn empty(&self) -> u32 {
        !(self.own.pieces() | self.opponent.pieces())
    }

    /// Returns the same diagram with the other side to move.
    #[inline]
    pub fn turned(&self) -> Position {
        Position {
            own: self.opponent.turned(),
            opponent: self.own.turned(),
            colour: self.colour.other(),
        }
    }
}

/// Returns White's and Black's pieces as Black sees the board.
pub(super) fn sides(position: &Position) -> [(Colour, Side); 2] {
    let seen_by_black = match position.colour {
        Colour::Black => *position,
        Colour::White => position.turned(),
    };
    [
        (Colour::White, seen_by_black.opponent),
        (Colour::Black, seen_by_black.own),
    ]
}

/// Returns the number in notation of the only member of `square` in the frame of `colour`.
pub(super) fn number_of(square: u32, colour: Colour) -> u32 {
    match colour {
        Colour::Black => square.trailing_zeros() + 1,
        Colour::White => 32 - square.trailing_zeros(),
    }
}

/// The inverse of [`number_of`], for numbers 1 to 32.
pub(super) fn square_of(number: u32, colour: Colour) -> u32 {
    match colour {
        Colour::Black => 1 << (number - 1),
        Colour::White => 1 << (32 - number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forward neighbours of a square, from the words of the rules.
    fn forward_by_the_book(square: u32) -> Vec<u32> {
        let column = (square - 1) % 4;
        match (square - 1) / 4 {
            7 => vec![],
            row if row % 2 == 0 && column == 3 => vec![square + 4],
            row if row % 2 == 0 => vec![square + 4, square + 5],
            _ if column == 0 => vec![square + 4],
            _ => vec![square + 3, square + 4],
        }
    }

    #[test]
    fn squares_touch_as_the_rules_say() {
        let mut edges = 0;
        for number in 1..=32 {
            let square = square_of(number, Colour::Black);
            let steps = Direction::FORWARD.map(|way| way.step(square));
            let mut touched: Vec<u32> = (steps.iter().copied().filter(|&to| to != 0))
                .map(|to| number_of(to, Colour::Black))
                .collect();
            touched.sort();
            assert_eq!(touched, forward_by_the_book(number), "from {number}");
            edges += touched.len();
        }
        assert_eq!(edges, 49);
    }

    #[test]
    fn a_step_back_undoes_a_step() {
        for square in singles(u32::MAX) {
            for way in Direction::ALL {
                let to = way.step(square);
                assert!(to == 0 || way.reverse().step(to) == square);
            }
        }
    }

    #[test]
    fn turning_the_board_turns_the_directions() {
        for square in singles(u32::MAX) {
            for way in Direction::ALL {
                let turned = way.reverse().step(square.reverse_bits()).reverse_bits();
                assert_eq!(way.step(square), turned);
            }
        }
    }

    #[test]
    fn whites_squares_are_numbered_from_the_other_end() {
        for number in 1..=32 {
            for colour in [Colour::White, Colour::Black] {
                assert_eq!(number_of(square_of(number, colour), colour), number);
            }
        }
        assert_eq!(square_of(32, Colour::White), 1);
    }
}
