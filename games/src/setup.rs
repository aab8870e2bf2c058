//! An unchecked position, which programs pass instead of a text.

use crate::colour::Colour;
use crate::piece::KINDS;

/// The largest number of things that a position remembers.
pub const MEMORY: usize = 2;

/// What stands where, by kind and colour, unchecked; [`Notation::legal`](crate::Notation::legal)
/// turns it into a position.
///
/// The kinds of pieces are those of [`Notation::KINDS`](crate::Notation::KINDS), in that order: men
/// first. In the pairs White comes first. Places are bits, in the order of
/// [`Geometry::places`](crate::Geometry::places). In morris bit 0 is the first point of row 1, the
/// row on top of the console board, and the points follow in reading order: a1, d1, g1, b2, … on
/// the boards of 24 points. In draughts bit i is square i+1, with either side to move.
///
/// Fields that a game does not use are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The side to move.
    pub to_move: Colour,
    /// The pieces of each kind on the board.
    pub pieces: [[u64; 2]; KINDS],
    /// The number of pieces of each kind still to be placed.
    pub hand: [[u32; 2]; KINDS],
    /// What the position remembers of earlier turns, as numbers whose meaning the game defines, such
    /// as [`morris::QUIET`](crate::morris::QUIET).
    pub memory: [u64; MEMORY],
}

impl Setup {
    /// Returns the empty board with empty hands.
    pub fn empty(to_move: Colour) -> Setup {
        Setup {
            to_move,
            pieces: [[0; 2]; KINDS],
            hand: [[0; 2]; KINDS],
            memory: [0; MEMORY],
        }
    }

    /// Returns the places where a side has pieces of any kind.
    pub fn occupied(&self, colour: Colour) -> u64 {
        let kinds = self.pieces.iter();
        kinds.fold(0, |places, kind| places | kind[colour as usize])
    }

    /// Returns the number of men that a side has still to place.
    pub fn in_hand(&self, colour: Colour) -> u32 {
        self.hand.iter().map(|kind| kind[colour as usize]).sum()
    }

    /// Returns something that this setup has and a game lacks: `kinds` of pieces, `kinds_in_hand`
    /// of them in hand at times, and `memory` numbers to remember.
    pub(crate) fn unknown_to(
        &self,
        kinds: usize,
        kinds_in_hand: usize,
        memory: usize,
    ) -> Option<&'static str> {
        if self.pieces[kinds..].iter().flatten().any(|&set| set != 0) {
            return Some("other kinds of pieces");
        }
        let mut in_hand = self.hand[kinds_in_hand..].iter().flatten();
        if in_hand.any(|&count| count != 0) {
            return Some("men in hand");
        }
        let forgotten = self.memory[memory..].iter().any(|&number| number != 0);
        forgotten.then_some("memory of earlier turns")
    }
}
