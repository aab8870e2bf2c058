//! What to look for in the positions of a row, and seeing it in 64 of them at once.

use std::array;
use std::ops::Range;

use super::super::Morris;
use super::super::board::Board;
use super::super::moves::points;
use super::super::position::{Force, Table};
use super::TOGETHER;
use super::planes::{Few, Many, Words, transpose, word};
use crate::features::VIEWS;

/// What is seen of one side.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Steps that close a mill.
    closing: Few,
    /// Those after which the other side cannot have stepped onto the point in time.
    unstoppable: Few,
    /// Closing steps of a man that opens another mill: it closes one with every step from now on.
    double: Few,
    /// Lines with two men and an empty point.
    pairs: Few,
    /// Pairs that a man two steps away can make a mill of.
    near: Few,
    /// Steps that open a mill.
    opening: Few,
    /// All steps, not counted for a side that flies.
    steps: Many,
    /// Men on the best connected points.
    crossings: Few,
}

/// A line of two men and an empty point that can become a mill of the column side.
struct Pair {
    men: [u8; 2],
    empty: u8,
    /// Whether the row side has a man beside the empty point.
    stoppable: bool,
    /// Free points beside the empty point, off the line: places in [`Look::beside`].
    beside: Range<usize>,
}

struct Beside {
    point: u8,
    /// Wholly free lines through it, away from the empty point: places in [`Look::lines`].
    lines: Range<usize>,
    /// Free points beside it, off the line and not the empty point.
    behind: u32,
}

/// The same of the row side: its men stand still, only the points in between change.
struct RowPair {
    empty: u8,
    closing: u32,
    double: u32,
    /// Free neighbours of the empty point, where a column man could step in.
    guards: u32,
    /// Free points beside the empty point that a man of the row side can reach.
    near: u32,
}

/// What to look for in a row. Points are renumbered within the free ones.
pub(super) struct Look {
    column_pairs: Vec<Pair>,
    beside: Vec<Beside>,
    /// Two points of a line; the third is known where the line is asked for.
    lines: Vec<[u8; 2]>,
    /// Wholly free lines with the free points beside them.
    column_mills: Vec<([u8; 3], u32)>,
    /// Pairs of free neighbours.
    column_edges: Vec<[u8; 2]>,
    /// The best connected points of the board, and those of them that are free.
    best_connected: u32,
    crossings: u32,
    row_pairs: Vec<RowPair>,
    /// The free points that steps of the row side lead to, and those that open a mill.
    row_steps: Vec<u8>,
    row_opening: Vec<u8>,
    row_crossings: u32,
    /// Whether each side moves its men anywhere: it flies, or has men to place.
    row_flies: bool,
    column_flies: bool,
    row_moves: bool,
}

impl Look {
    /// For the rows of a table; [`set_row`](Look::set_row) says which.
    pub(super) fn new(game: &Morris, table: Table) -> Look {
        let row_side = table.row_side();
        let flies = |force: Force| force.hand > 0 || game.flies(u32::from(force.total()));
        let forces = [table.mover, table.opponent];
        let (points, lines) = (game.board.points(), game.board.lines().len());
        Look {
            column_pairs: Vec::with_capacity(3 * lines),
            beside: Vec::with_capacity(4 * lines),
            lines: Vec::with_capacity(4 * lines),
            column_mills: Vec::with_capacity(lines),
            column_edges: Vec::with_capacity(2 * points),
            best_connected: crossings(&game.board),
            crossings: 0,
            row_pairs: Vec::with_capacity(lines),
            row_steps: Vec::with_capacity(2 * points),
            row_opening: Vec::with_capacity(points),
            row_crossings: 0,
            row_flies: flies(forces[row_side]),
            column_flies: flies(forces[1 - row_side]),
            row_moves: row_side == 0,
        }
    }

    /// Works out what to look for in a row.
    pub(super) fn set_row(&mut self, game: &Morris, row_set: u32) {
        let look = self;
        look.column_pairs.clear();
        look.beside.clear();
        look.lines.clear();
        look.column_mills.clear();
        look.column_edges.clear();
        look.row_pairs.clear();
        look.row_steps.clear();
        look.row_opening.clear();
        let board = &game.board;
        let free = board.all() & !row_set;
        let squeeze = |set: u32| game.bits.pext(set, free);
        let number = |point: u8| (free & ((1 << point) - 1)).count_ones() as u8;
        let near = |point: u8, line: u32| board.neighbours(point) & !line;
        look.crossings = squeeze(look.best_connected & free);
        look.row_crossings = (look.best_connected & row_set).count_ones();
        let row_mills = board.in_mills(row_set);
        for &line in board.lines() {
            if line & row_set == 0 {
                look.free_line(game, row_set, line);
            } else if line & !row_set == 0 {
                for man in points(line) {
                    let steps = points(near(man, line) & free);
                    look.row_opening.extend(steps.map(number));
                }
            } else if (line & !row_set).is_power_of_two() {
                let empty = (line & free).trailing_zeros() as u8;
                let beside = near(empty, line);
                let reached = |&point: &u8| near(point, line) & row_set != 0;
                look.row_pairs.push(RowPair {
                    empty: number(empty),
                    closing: (beside & row_set).count_ones(),
                    double: (beside & row_mills).count_ones(),
                    guards: squeeze(board.neighbours(empty) & free),
                    near: squeeze(
                        points(beside & free)
                            .filter(reached)
                            .map(|point| 1 << point)
                            .sum(),
                    ),
                });
            }
        }
        for man in points(row_set) {
            let steps = points(board.neighbours(man) & free);
            look.row_steps.extend(steps.map(number));
        }
        for point in points(free) {
            let higher = points(board.neighbours(point) & free & !((2 << point) - 1));
            let edges = higher.map(|other| [number(point), number(other)]);
            look.column_edges.extend(edges);
        }
    }

    /// Adds a line on which the row side has no man.
    fn free_line(&mut self, game: &Morris, row_set: u32, line: u32) {
        let board = &game.board;
        let free = board.all() & !row_set;
        let squeeze = |set: u32| game.bits.pext(set, free);
        let number = |point: u8| (free & ((1 << point) - 1)).count_ones() as u8;
        let mut beside_line = 0;
        for empty in points(line) {
            let men = line & !(1 << empty);
            let beside = board.neighbours(empty) & !line & free;
            beside_line |= beside;
            let first = self.beside.len();
            for point in points(beside) {
                let first_line = self.lines.len();
                let away = |pair: &&u32| **pair & (row_set | 1 << empty) == 0;
                for &pair in board.companions(point).iter().filter(away) {
                    self.lines.push(two(pair).map(number));
                }
                let behind = board.neighbours(point) & free & !line;
                self.beside.push(Beside {
                    point: number(point),
                    lines: first_line..self.lines.len(),
                    behind: squeeze(behind & !(1 << empty)),
                });
            }
            self.column_pairs.push(Pair {
                men: two(men).map(number),
                empty: number(empty),
                stoppable: board.neighbours(empty) & row_set != 0,
                beside: first..self.beside.len(),
            });
        }
        let [first, middle] = two(line);
        let last = two(line & (line - 1))[1];
        self.column_mills
            .push(([first, middle, last].map(number), squeeze(beside_line)));
    }

    /// What the columns of these planes show of the column side.
    fn column_side(&self, planes: &Words) -> Seen {
        let at = |point: u8| word(planes, point);
        let mut seen = Seen::default();
        for pair in &self.column_pairs {
            let there = at(pair.men[0]) & at(pair.men[1]) & !at(pair.empty);
            if there == 0 {
                continue;
            }
            seen.pairs.add(there);
            if self.column_flies {
                seen.closing.add(there);
                continue;
            }
            let mut near = 0;
            for beside in &self.beside[pair.beside.clone()] {
                let man = at(beside.point);
                seen.closing.add(there & man);
                if !pair.stoppable {
                    seen.unstoppable.add(there & man);
                }
                for line in &self.lines[beside.lines.clone()] {
                    seen.double.add(there & man & at(line[0]) & at(line[1]));
                }
                let behind = points(beside.behind).fold(0, |any, point| any | at(point));
                near |= !man & behind;
            }
            seen.near.add(there & near);
        }
        for ([a, b, c], beside) in &self.column_mills {
            let there = at(*a) & at(*b) & at(*c);
            if there != 0 {
                points(*beside).for_each(|point| seen.opening.add(there & !at(point)));
            }
        }
        if !self.column_flies {
            let steps = &mut seen.steps;
            steps.add_all(&self.column_edges, |&[a, b]| at(a) ^ at(b));
        }
        points(self.crossings).for_each(|point| seen.crossings.add(at(point)));
        seen
    }

    /// What they show of the row side.
    fn row_side(&self, planes: &Words) -> Seen {
        let empty = |point: u8| !word(planes, point);
        let mut seen = Seen {
            crossings: Few::constant(self.row_crossings),
            ..Seen::default()
        };
        for pair in &self.row_pairs {
            let there = empty(pair.empty);
            seen.pairs.add(there);
            if self.row_flies {
                seen.closing.add(there);
                continue;
            }
            let unguarded = points(pair.guards).fold(there, |all, point| all & empty(point));
            for _ in 0..pair.closing {
                seen.closing.add(there);
                seen.unstoppable.add(unguarded);
            }
            for _ in 0..pair.double {
                seen.double.add(there);
            }
            let near = points(pair.near).fold(0, |any, point| any | empty(point));
            seen.near.add(there & near);
        }
        for &point in &self.row_opening {
            seen.opening.add(empty(point));
        }
        if !self.row_flies {
            seen.steps.add_all(&self.row_steps, |&point| empty(point));
        }
        seen
    }

    /// The views of 64 positions.
    pub(super) fn views(&self, planes: &Words) -> [[u8; VIEWS]; TOGETHER] {
        let (row, column) = (self.row_side(planes), self.column_side(planes));
        let (mover, other) = if self.row_moves {
            (row, column)
        } else {
            (column, row)
        };
        // A side that moves anywhere can always step in.
        let mover_flies = if self.row_moves {
            self.row_flies
        } else {
            self.column_flies
        };
        let threat = if mover_flies {
            Few::default()
        } else {
            other.unstoppable
        };
        let [m, o] = [mover.closing.0, other.closing.0];
        let [a, b] = [mover.steps.halves(), other.steps.halves()];
        let views = [
            concat([threat.0, m, o, [mover.double.any(), other.double.any()]]),
            concat([mover.opening.0, other.opening.0, mover.near.0, other.near.0]),
            [a[0], a[1], a[2], b[0], b[1], b[2], m[0] | m[1], o[0] | o[1]],
            concat([
                mover.pairs.0,
                other.pairs.0,
                mover.crossings.0,
                other.crossings.0,
            ]),
        ];
        interleave(views.map(transpose))
    }
}

/// The two lowest points of a set of at least two.
#[inline(always)]
fn two(set: u32) -> [u8; 2] {
    let rest = set & (set - 1);
    [set, rest].map(|set| set.trailing_zeros() as u8)
}

/// The best connected points of a board.
pub(super) fn crossings(board: &Board) -> u32 {
    let degree = |point: u8| board.neighbours(point).count_ones();
    let most = points(board.all()).map(degree).max().unwrap_or(0);
    let crossings = points(board.all()).filter(|&point| degree(point) == most);
    crossings.map(|point| 1 << point).sum()
}

/// From the numbers of 64 positions, view by view, to the views of each.
pub(super) fn interleave(views: [[u64; 8]; VIEWS]) -> [[u8; VIEWS]; TOGETHER] {
    let mut all = [[0; VIEWS]; TOGETHER];
    for (eight, place) in all.chunks_exact_mut(8).zip(0..) {
        let numbers: [[u8; 8]; VIEWS] = array::from_fn(|view| views[view][place].to_le_bytes());
        for (i, position) in eight.iter_mut().enumerate() {
            *position = array::from_fn(|view| numbers[view][i]);
        }
    }
    all
}

fn concat(pairs: [[u64; 2]; 4]) -> [u64; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = pairs;
    [a, b, c, d, e, f, g, h]
}
