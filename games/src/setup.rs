//! A position before it is known to be one: what programs hand over instead of a text.

use crate::colour::Colour;
use crate::piece::KINDS;

/// What stands where, by kinds and colours and unchecked;
/// [`Notation::legal`](crate::Notation::legal) makes a position of it.
///
/// The kinds of pieces are those of [`Notation::kinds`](crate::Notation::kinds), in that order:
/// men first. In the pairs White comes first. Places are bits, in the order of
/// [`Geometry::places`](crate::Geometry::places). In morris bit 0 is the first point of row 1, the
/// row on top of the console board, and the points follow in reading order: a1, d1, g1, b2, … on
/// the boards of 24 points. In draughts bit i is square i+1, whoever is to move.
///
/// What a game does not have stays 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The side to move.
    pub to_move: Colour,
    /// The pieces of each kind on the board.
    pub pieces: [[u64; 2]; KINDS],
    /// How many pieces of each kind are still to be placed.
    pub hand: [[u32; 2]; KINDS],
    /// Plies since the last turn that cannot be taken back, where a rule counts them.
    pub quiet: u32,
    /// Lines that may not be closed by the next turn, as bits in the order of
    /// [`Geometry::lines`](crate::Geometry::lines), where a rule bans some.
    pub banned: u64,
}

impl Setup {
    /// The empty board, and empty hands.
    pub fn empty(to_move: Colour) -> Setup {
        Setup {
            to_move,
            pieces: [[0; 2]; KINDS],
            hand: [[0; 2]; KINDS],
            quiet: 0,
            banned: 0,
        }
    }

    /// Where a side has pieces of any kind.
    pub fn occupied(&self, colour: Colour) -> u64 {
        let kinds = self.pieces.iter();
        kinds.fold(0, |places, kind| places | kind[colour as usize])
    }

    /// What of the setup a game with this number of kinds of pieces, some of them in hand at times, knows
    /// nothing of; `memory` tells whether it counts quiet plies, and whether it bans lines.
    pub(crate) fn unknown_to(
        &self,
        kinds: usize,
        kinds_in_hand: usize,
        memory: [bool; 2],
    ) -> Option<&'static str> {
        if self.pieces[kinds..].iter().flatten().any(|&set| set != 0) {
            return Some("other kinds of pieces");
        }
        let mut in_hand = self.hand[kinds_in_hand..].iter().flatten();
        if in_hand.any(|&count| count != 0) {
            return Some("men in hand");
        }
        if self.quiet != 0 && !memory[0] {
            return Some("count of quiet plies");
        }
        (self.banned != 0 && !memory[1]).then_some("banned lines")
    }
}
