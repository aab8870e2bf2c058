//! Positions, turns and tables of morris.

use std::fmt;

use super::symmetry::Symmetry;
use crate::colour::Colour;

/// A legal position, seen from the side to move. In the pairs the side to move comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The points on which each side's men stand.
    pub(super) men: [u32; 2],
    /// Men that each side has still to place.
    pub(super) hand: [u8; 2],
    /// The side to move.
    pub(super) turn: Colour,
    /// Plies since the last removal if a rule counts them, otherwise 0.
    pub(super) quiet: u8,
    /// Lines that may not be closed by the next turn of the side that has two men on them, as bits.
    pub(super) banned: u64,
}

impl Position {
    /// Returns the points of each side's men, the side to move first.
    #[inline]
    pub fn men(&self) -> [u32; 2] {
        self.men
    }

    /// Returns the men in hand of each side, the side to move first.
    #[inline]
    pub fn hand(&self) -> [u8; 2] {
        self.hand
    }

    /// Plies since the last removal, where a rule counts them; otherwise 0.
    #[inline]
    pub fn quiet(&self) -> u8 {
        self.quiet
    }

    /// Lines that may not be closed by the next turn of the side that has two men on them, as bits
    /// in the order of the board's lines.
    #[inline]
    pub fn banned(&self) -> u64 {
        self.banned
    }

    /// Returns the position without bans.
    #[inline]
    pub fn without_bans(&self) -> Position {
        Position { banned: 0, ..*self }
    }

    /// Returns the men of one side (0 = the side to move), on the board and in hand.
    #[inline]
    pub fn total(&self, side: usize) -> u32 {
        self.men[side].count_ones() + u32::from(self.hand[side])
    }

    /// Returns the image under a symmetry of the board.
    pub(super) fn carried(&self, by: &Symmetry) -> Position {
        Position {
            men: self.men.map(|men| by.apply(men)),
            banned: by.apply_to_lines(self.banned),
            ..*self
        }
    }

    /// Returns the material, which need not have a table, without a count.
    #[inline]
    pub fn material(&self) -> Table {
        let force = |side: usize| Force {
            men: self.men[side].count_ones() as u8,
            hand: self.hand[side],
        };
        Table {
            mover: force(0),
            opponent: force(1),
            quiet: None,
        }
    }
}

/// A whole turn: a placement or a step, and the removal of men if it closes a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The point that the man leaves; `None` = from the hand.
    pub(super) from: Option<u8>,
    /// Where it goes.
    pub(super) to: u8,
    /// The points of the removed men.
    pub(super) removed: u32,
}

impl Turn {
    /// The point that the man comes from; `None` if it comes from the hand.
    #[inline]
    pub fn from(&self) -> Option<u8> {
        self.from
    }

    /// The point that it goes to.
    #[inline]
    pub fn to(&self) -> u8 {
        self.to
    }

    /// Returns the points of the removed men, as a set.
    #[inline]
    pub fn removed(&self) -> u32 {
        self.removed
    }
}

/// What one side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Force {
    /// Men on the board.
    pub(super) men: u8,
    /// Men still to be placed.
    pub(super) hand: u8,
}

impl Force {
    /// Men on the board.
    #[inline]
    pub fn men(self) -> u8 {
        self.men
    }

    /// Men still to be placed.
    #[inline]
    pub fn hand(self) -> u8 {
        self.hand
    }

    /// On the board and in hand.
    #[inline]
    pub fn total(self) -> u8 {
        self.men + self.hand
    }

    /// Returns the force after a placement; `None` if the hand is empty.
    pub(super) fn with_one_placed(self) -> Option<Force> {
        Some(Force {
            men: self.men + 1,
            hand: self.hand.checked_sub(1)?,
        })
    }

    /// Returns the force after a removal of some men; `None` if there are not as many, or if the
    /// game is then over.
    pub(super) fn with_taken(self, count: u8) -> Option<Force> {
        (self.men >= count && self.total() >= 3 + count).then(|| Force {
            men: self.men - count,
            ..self
        })
    }
}

/// The material of both sides, and the count of quiet plies if one runs: `5v4`, `3+2v4+1` while men
/// are in hand, `3v5@7` after seven quiet plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    /// Of the side to move.
    pub(super) mover: Force,
    /// Of the other side.
    pub(super) opponent: Force,
    /// Plies since the last removal; `None` if no rule counts them.
    pub(super) quiet: Option<u8>,
}

impl Table {
    /// What the side to move has.
    #[inline]
    pub fn mover(self) -> Force {
        self.mover
    }

    /// What the other side has.
    #[inline]
    pub fn opponent(self) -> Force {
        self.opponent
    }

    /// Plies since the last removal; `None` where no rule counts them.
    #[inline]
    pub fn quiet(self) -> Option<u8> {
        self.quiet
    }

    /// Returns the same material and count with the other side to move.
    #[inline]
    pub fn swapped(self) -> Table {
        Table {
            mover: self.opponent,
            opponent: self.mover,
            quiet: self.quiet,
        }
    }

    /// Men in both hands.
    pub fn in_hand(self) -> u8 {
        self.mover.hand + self.opponent.hand
    }

    /// Returns the side whose men make the rows of the numbering (0 = the side to move): the side
    /// with more men on the board, then with more in hand, then the side to move. It is the same
    /// side in both tables of a group, so the other side's moves never leave a row.
    #[inline]
    pub fn row_side(self) -> usize {
        usize::from(self.opponent > self.mover)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mover, opponent) = (self.mover, self.opponent);
        if let Some(quiet) = self.quiet {
            return f.pad(&format!("{}v{}@{quiet}", mover.men, opponent.men));
        }
        if self.in_hand() == 0 {
            return f.pad(&format!("{}v{}", mover.men, opponent.men));
        }
        f.pad(&format!(
            "{}+{}v{}+{}",
            mover.men, mover.hand, opponent.men, opponent.hand
        ))
    }
}
