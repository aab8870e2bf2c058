//! Mobility, counted alike with and without men in hand: steps, steps that open a mill, and men on
//! the best connected points.

use super::super::Morris;
use super::super::board::Board;
use super::super::moves::points;
use super::super::planes::{Words, word};
use super::counts::{Counts2, Counts6};
use crate::bits::Bits;

/// The free points of a row, renumbered 0, 1, 2 ….
#[derive(Clone, Copy)]
pub(super) struct FreePoints {
    bits: Bits,
    pub(super) set: u32,
}

impl FreePoints {
    pub(super) fn of_row(game: &Morris, row_set: u32) -> FreePoints {
        FreePoints {
            bits: game.bits,
            set: game.board.all() & !row_set,
        }
    }

    /// The new numbers of the free points of a set, as a set.
    pub(super) fn squeeze(self, set: u32) -> u32 {
        self.bits.pext(set, self.set)
    }

    /// The new number of a free point.
    pub(super) fn number(self, point: u8) -> u8 {
        (self.set & ((1 << point) - 1)).count_ones() as u8
    }
}

/// The steps to scan for in a row.
pub(super) struct Mobility {
    /// Pairs of free neighbours.
    column_edges: Vec<[u8; 2]>,
    /// The best connected points of the board, and those of them that are free.
    best_connected: u32,
    column_crossings: u32,
    /// The free points that steps of the row side lead to, and those of steps that open a mill.
    row_steps: Vec<u8>,
    row_opening: Vec<u8>,
    row_crossings: u32,
}

impl Mobility {
    pub(super) fn new(board: &Board) -> Mobility {
        Mobility {
            column_edges: Vec::with_capacity(2 * board.points()),
            best_connected: best_connected(board),
            column_crossings: 0,
            row_steps: Vec::with_capacity(2 * board.points()),
            row_opening: Vec::with_capacity(board.points()),
            row_crossings: 0,
        }
    }

    pub(super) fn set_row(&mut self, board: &Board, free: FreePoints, row_set: u32) {
        self.column_edges.clear();
        self.row_steps.clear();
        self.row_opening.clear();
        let number = |point| free.number(point);
        self.column_crossings = free.squeeze(self.best_connected & free.set);
        self.row_crossings = (self.best_connected & row_set).count_ones();
        for &mill in board.lines().iter().filter(|&line| line & !row_set == 0) {
            for man in points(mill) {
                let steps = points(board.neighbours(man) & !mill & free.set);
                self.row_opening.extend(steps.map(number));
            }
        }
        for man in points(row_set) {
            let steps = points(board.neighbours(man) & free.set);
            self.row_steps.extend(steps.map(number));
        }
        for point in points(free.set) {
            let higher = points(board.neighbours(point) & free.set & !((2 << point) - 1));
            let edges = higher.map(|other| [number(point), number(other)]);
            self.column_edges.extend(edges);
        }
    }

    pub(super) fn column_steps(&self, planes: &Words) -> Counts6 {
        let at = |point: u8| word(planes, point);
        Counts6::sum(&self.column_edges, |&[a, b]| at(a) ^ at(b))
    }

    pub(super) fn row_steps(&self, planes: &Words) -> Counts6 {
        Counts6::sum(&self.row_steps, |&point| !word(planes, point))
    }

    pub(super) fn row_opening(&self, planes: &Words) -> Counts2 {
        let mut opening = Counts2::default();
        for &point in &self.row_opening {
            opening.add(!word(planes, point));
        }
        opening
    }

    pub(super) fn column_crossings(&self, planes: &Words) -> Counts2 {
        let mut crossings = Counts2::default();
        points(self.column_crossings).for_each(|point| crossings.add(word(planes, point)));
        crossings
    }

    pub(super) fn row_crossings(&self) -> Counts2 {
        Counts2::constant(self.row_crossings)
    }
}

/// Returns the best connected points of a board.
fn best_connected(board: &Board) -> u32 {
    let degree = |point: u8| board.neighbours(point).count_ones();
    let most = points(board.all()).map(degree).max().unwrap_or(0);
    let best = points(board.all()).filter(|&point| degree(point) == most);
    best.map(|point| 1 << point).sum()
}
