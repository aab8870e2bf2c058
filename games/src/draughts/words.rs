//! The rules in words.

/// The rules of English draughts, a sentence or two each.
pub(super) const WORDS: [&str; 7] = [
    "Play is on 32 squares, numbered row by row. Black has twelve men on 1 to 12, White on 21 to \
     32. Black moves first and moves towards the higher numbers, White towards the lower.",
    "A man moves one step diagonally forwards to a free square.",
    "A piece captures by jumping over a neighbouring opposing piece to the free square behind it; \
     men capture forwards only. Captures are mandatory, with a free choice between them.",
    "A capture continues while the piece can jump. No piece is jumped twice; the captured pieces \
     leave the board at the end of the turn.",
    "A man that reaches the far row becomes a king, and that ends the turn. A king moves and captures \
     forwards and backwards, one step or jump at a time.",
    "A side without pieces, or that cannot move, loses.",
    "Endless play is a draw.",
];
