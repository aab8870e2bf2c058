//! Draws a board for the console: letters above, numbers at the left, row 1 on top.

use super::Morris;
use super::moves::points;
use super::position::Position;
use crate::diagram::{Diagram, Frame, Mark, ink};
use crate::piece::PieceKind;

/// Characters from one column of the grid to the next, and lines from one row to the next.
const WIDE: usize = 4;
const HIGH: usize = 2;

/// Draws a position.
pub(super) fn draw(game: &Morris, position: &Position) -> Diagram {
    let points_of_board = 0..game.board.points() as u8;
    let [width, height] = [game.board.width(), game.board.height()].map(usize::from);
    let mut canvas = vec![vec![Mark::Ink(' '); (width - 1) * WIDE + 1]; (height - 1) * HIGH + 1];
    let at = |point: u8| {
        let place = game.board.place(point);
        (
            usize::from(place.column) * WIDE,
            usize::from(place.row) * HIGH,
        )
    };

    for a in points_of_board.clone() {
        for b in points(game.board.neighbours(a)).filter(|&b| a < b) {
            draw_edge(&mut canvas, at(a), at(b));
        }
    }
    for point in points_of_board {
        let (x, y) = at(point);
        canvas[y][x] = mark(position, point);
    }

    let letters = (0..width).map(|i| char::from(b'A' + i as u8).to_string());
    let letters = letters.collect::<Vec<_>>().join("   ");
    let mut rows = vec![ink(&format!("    {letters}")).collect(), Vec::new()];
    for (y, line) in canvas.into_iter().enumerate() {
        let number = if y % HIGH == 0 {
            (y / HIGH + 1).to_string()
        } else {
            String::new()
        };
        rows.push(ink(&format!("{number:<4}")).chain(line).collect());
    }
    let frame = Frame {
        top: 2,
        left: 4,
        cell: 1,
    };
    Diagram::new(rows, frame)
}

fn mark(position: &Position, point: u8) -> Mark {
    let stands = |side: usize| position.men[side] >> point & 1 == 1;
    match (stands(0), stands(1)) {
        (true, _) => Mark::Piece(position.turn, &PieceKind::MAN),
        (_, true) => Mark::Piece(position.turn.other(), &PieceKind::MAN),
        _ => Mark::Free,
    }
}

/// Draws from one point to a later one in reading order: across, down, or aslant. An edge that is
/// not a diagonal of the grid is drawn as close to it as characters allow.
fn draw_edge(canvas: &mut [Vec<Mark>], from: (usize, usize), to: (usize, usize)) {
    let ((x0, y0), (x1, y1)) = (from, to);
    if y0 == y1 {
        canvas[y0][x0 + 1..x1].fill(Mark::Ink('-'));
        return;
    }
    let stroke = match x1.cmp(&x0) {
        std::cmp::Ordering::Equal => '|',
        std::cmp::Ordering::Greater => '\\',
        std::cmp::Ordering::Less => '/',
    };
    let (down, across) = ((y1 - y0) as isize, x1 as isize - x0 as isize);
    for (i, line) in canvas[y0 + 1..y1].iter_mut().enumerate() {
        let step = across * (i as isize + 1);
        let x = x0 as isize + (2 * step + down).div_euclid(2 * down);
        line[x as usize] = Mark::Ink(stroke);
    }
}
