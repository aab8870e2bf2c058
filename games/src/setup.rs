//! A position before it is known to be one: what programs hand over instead of a text.

use crate::game::Colour;

/// What stands where, by colours and unchecked; [`Game::legal`](crate::Game::legal) makes a
/// position of it.
///
/// Places are bits of a `u32`. In morris bit 0 is the first point of row 1, the row on top of the
/// console board, and the points follow in reading order: a1, d1, g1, b2, … on the boards of 24
/// points. In draughts bit i is square i+1, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// White's pieces, men and kings, and Black's.
    pub pieces: [u32; 2],
    /// Which of them are kings; none where a game has no kings.
    pub kings: u32,
    /// Men in White's hand and in Black's; none where a game has no hands.
    pub hand: [u32; 2],
    /// The side to move.
    pub to_move: Colour,
}

impl Setup {
    /// The empty board, and empty hands.
    pub fn empty(to_move: Colour) -> Setup {
        Setup {
            pieces: [0; 2],
            kings: 0,
            hand: [0; 2],
            to_move,
        }
    }
}
