//! Drawing a board on the console: letters above, numbers at the left, row 1 on top.

use super::Morris;
use super::moves::points;
use super::position::Position;
use crate::diagram::{Diagram, Mark, ink};

/// Characters from one column of the grid to the next, and lines from one row to the next.
const WIDE: usize = 4;
const HIGH: usize = 2;

impl Morris {
    pub(super) fn draw(&self, position: &Position) -> Diagram {
        let places: Vec<_> = (0..self.board.points() as u8)
            .map(|p| self.board.place(p))
            .collect();
        let size = 1 + places
            .iter()
            .map(|place| usize::from(place.row))
            .max()
            .unwrap_or(0);
        let mut canvas = vec![vec![Mark::Ink(' '); (size - 1) * WIDE + 1]; (size - 1) * HIGH + 1];
        let at = |point: u8| {
            let place = self.board.place(point);
            (
                usize::from(place.column) * WIDE,
                usize::from(place.row) * HIGH,
            )
        };

        for a in 0..places.len() as u8 {
            for b in points(self.board.neighbours(a)).filter(|&b| a < b) {
                draw_edge(&mut canvas, at(a), at(b));
            }
        }
        for point in 0..places.len() as u8 {
            let (x, y) = at(point);
            canvas[y][x] = self.mark(position, point);
        }

        let letters = (0..size).map(|i| char::from(b'A' + i as u8).to_string());
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
        Diagram::new(rows)
    }

    fn mark(&self, position: &Position, point: u8) -> Mark {
        let stands = |side: usize| position.men[side] >> point & 1 == 1;
        match (stands(0), stands(1)) {
            (true, _) => Mark::Man(position.turn),
            (_, true) => Mark::Man(position.turn.other()),
            _ => Mark::Free,
        }
    }
}

/// Draws from one point to a later one in reading order: across, down, or down along a diagonal.
fn draw_edge(canvas: &mut [Vec<Mark>], from: (usize, usize), to: (usize, usize)) {
    let ((x0, y0), (x1, y1)) = (from, to);
    if y0 == y1 {
        canvas[y0][x0 + 1..x1].fill(Mark::Ink('-'));
        return;
    }
    let (stroke, step) = match x1.cmp(&x0) {
        std::cmp::Ordering::Equal => ('|', 0),
        std::cmp::Ordering::Greater => ('\\', WIDE as isize / HIGH as isize),
        std::cmp::Ordering::Less => ('/', -(WIDE as isize / HIGH as isize)),
    };
    for (i, line) in canvas[y0 + 1..y1].iter_mut().enumerate() {
        let x = x0 as isize + step * (i as isize + 1);
        line[x as usize] = Mark::Ink(stroke);
    }
}
