//! Drawing the board on the console: square 1 at the top, every dark square with its number.

use super::board::{Position, sides};
use super::setup::KINDS;
use crate::diagram::{Diagram, Frame, Mark, ink};
use crate::geometry::{Geometry, Place, PlaceKind};

/// Between two rows of squares, and around the board.
const RULE: &str = "+----+----+----+----+----+----+----+----+";

/// Draws the board as White sees it, Black's home on top.
pub(super) fn draw(position: &Position) -> Diagram {
    let sides = sides(position);
    let mark = |square: u32| {
        let here = sides.iter().find(|(_, side)| side.pieces() & square != 0);
        here.map_or(Mark::Free, |&(colour, side)| {
            let king = side.kings & square != 0;
            Mark::Piece(colour, &KINDS[usize::from(king)])
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
    let frame = Frame {
        cell: "|    ".len(),
        ..Frame::default()
    };
    Diagram::new(rows, frame)
}

/// The squares of the board, square 1 in the row on top. Light squares are not listed.
pub(super) fn geometry() -> Geometry {
    let places = (0..32).map(|square: u32| {
        let row = square / 4;
        let column = 2 * (square % 4) + u32::from(row.is_multiple_of(2));
        Place {
            name: (square + 1).to_string(),
            x: f64::from(column) + 0.5,
            y: f64::from(row) + 0.5,
        }
    });
    Geometry {
        kind: PlaceKind::Square,
        width: 8.0,
        height: 8.0,
        places: places.collect(),
        edges: Vec::new(),
        lines: Vec::new(),
    }
}
