//! Positions, turns and tables of morris.

use std::fmt;

use crate::game::Colour;

/// A position, seen from the side to move. In the pairs the side to move comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The points on which each side's men stand.
    pub men: [u32; 2],
    /// Men that each side has still to place.
    pub hand: [u8; 2],
    /// The side to move.
    pub turn: Colour,
}

impl Position {
    /// Men of one side (0 = the side to move), on the board and in hand.
    pub fn total(&self, side: usize) -> u32 {
        self.men[side].count_ones() + u32::from(self.hand[side])
    }

    /// The material, whether there is a table for it or not.
    pub(super) fn material(&self) -> Table {
        let force = |side: usize| Force {
            men: self.men[side].count_ones() as u8,
            hand: self.hand[side],
        };
        Table {
            mover: force(0),
            opponent: force(1),
        }
    }
}

/// A whole turn: a man is placed or moved, and if that closes a mill an opposing man is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// Where the man comes from; `None` = from the hand.
    pub from: Option<u8>,
    /// Where it goes.
    pub to: u8,
    /// The opposing man that is taken.
    pub removed: Option<u8>,
}

/// What one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// Men on the board.
    pub men: u8,
    /// Men still to be placed.
    pub hand: u8,
}

impl Force {
    /// On the board and in hand.
    pub fn total(self) -> u8 {
        self.men + self.hand
    }
}

/// The material of both sides. `5v4`, or `3+2v4+1` while men are in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    /// Of the side to move.
    pub mover: Force,
    /// Of the other side.
    pub opponent: Force,
}

impl Table {
    /// The same material with the other side to move.
    pub fn swapped(self) -> Table {
        Table {
            mover: self.opponent,
            opponent: self.mover,
        }
    }

    /// Men in both hands.
    pub fn in_hand(self) -> u8 {
        self.mover.hand + self.opponent.hand
    }

    /// Whose men make the rows of the numbering (0 = the side to move): the side with more men on
    /// the board, then with more in hand, then the side to move. The same side in both tables of
    /// a group, so that the other side's moves never leave a row.
    pub(super) fn row_side(self) -> usize {
        usize::from(self.opponent > self.mover)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mover, opponent) = (self.mover, self.opponent);
        if self.in_hand() == 0 {
            return f.pad(&format!("{}v{}", mover.men, opponent.men));
        }
        f.pad(&format!(
            "{}+{}v{}+{}",
            mover.men, mover.hand, opponent.men, opponent.hand
        ))
    }
}
