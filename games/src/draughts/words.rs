//! The rules in words.

/// The rules of English draughts, a sentence or two each.
pub(super) const WORDS: [&str; 7] = [
    "The board has 32 squares that count, numbered row by row. Black has twelve men on 1 to 12, \
     White on 21 to 32. Black begins and goes towards the higher numbers, White towards the lower.",
    "A man goes one step diagonally forwards to a free square.",
    "A piece captures by jumping over a neighbouring opposing piece to the free square behind it; \
     men capture forwards only. Who can capture must, and may choose which capture.",
    "A capture goes on as long as the piece can jump. No piece is jumped twice; the captured pieces \
     leave the board at the end of the turn.",
    "A man that reaches the far row becomes a king, and that ends the turn. A king goes and captures \
     forwards and backwards, one step or jump at a time.",
    "Who has no piece left, or cannot move, has lost.",
    "Endless play is a draw.",
];
