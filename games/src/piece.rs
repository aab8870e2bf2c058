//! The kinds of pieces.

/// The largest number of kinds of pieces in a game: as many as chess has.
pub const KINDS: usize = 6;

/// A kind of piece, as texts and drawings show it. In the pairs White comes first.
#[derive(Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// One of them: `man`.
    pub name: &'static str,
    /// Several of them: `men`.
    pub plural: &'static str,
    /// On a console.
    pub unicode: [char; 2],
    /// On a console that has ASCII only.
    pub ascii: [char; 2],
}

impl PieceKind {
    /// A man.
    pub const MAN: PieceKind = PieceKind {
        name: "man",
        plural: "men",
        unicode: ['○', '●'],
        ascii: ['w', 'b'],
    };

    /// A king of draughts.
    pub const KING: PieceKind = PieceKind {
        name: "king",
        plural: "kings",
        unicode: ['♔', '♚'],
        ascii: ['W', 'B'],
    };
}
