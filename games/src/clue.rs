//! What a codec may know about a position besides its number.
//!
//! Values of positions that look alike are alike. A game that says how a position looks, and which
//! position numbered shortly before it is nearly the same, lets the files be several times
//! smaller, and those who write the files need not know the game. Clues are a pure function of the
//! position: whoever changes what a game says here makes its files unreadable, as a change of the
//! numbering would.

/// Ways in which a position is looked at.
pub const VIEWS: usize = 4;
/// Neighbours that a position has at most.
pub const NEAR: usize = 3;

/// How a position looks, and where to find positions that differ little from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clue {
    /// For each view a number that positions share which look alike in it. The more a view says
    /// about the value, the better; what it means nobody asks.
    pub views: [u8; VIEWS],
    /// How far before this position similar ones are numbered, the nearest first; 0 = none.
    pub near: [u16; NEAR],
    /// Whether the value is not stored, because it is read from where the turns lead: what
    /// [`Game::is_resolved`](crate::Game::is_resolved) says, for many positions at once.
    pub resolved: bool,
}
