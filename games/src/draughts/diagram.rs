//! Drawing the board on the console: square 1 at the top, every dark square with its number.

use super::board::{Position, sides};
use crate::diagram::{Diagram, Mark, ink};

/// Between two rows of squares, and around the board.
const RULE: &str = "+----+----+----+----+----+----+----+----+";

/// Draws the board as White sees it, Black's home on top.
pub(super) fn draw(position: &Position) -> Diagram {
    let sides = sides(position);
    let mark = |square: u32| {
        let here = sides.iter().find(|(_, side)| side.pieces() & square != 0);
        here.map_or(Mark::Free, |&(colour, side)| {
            if side.kings & square != 0 {
                Mark::King(colour)
            } else {
                Mark::Man(colour)
            }
        })
    };
    let mut rows = vec![ink(RULE).collect::<Vec<_>>()];
    for row in 0..8 {
        let mut marks = Vec::new();
        for column in 0..8 {
            // Square 1 stands second in its row, square 5 first in the next.
            if (row + column) % 2 == 0 {
                marks.extend(ink("|    "));
            } else {
                let index = 4 * row + column / 2;
                marks.extend(ink(&format!("|{:>2} ", index + 1)));
                marks.push(mark(1 << index));
            }
        }
        marks.extend(ink("|"));
        rows.push(marks);
        rows.push(ink(RULE).collect());
    }
    Diagram::new(rows)
}
