//! Scans positions without men in hand, 64 at once.

use std::ops::Range;

use super::super::Morris;
use super::super::moves::points;
use super::super::planes::{PER_WORD, Words, word};
use super::super::position::{Force, Table};
use super::counts::{Counts2, Counts6, concat, interleave, transpose};
use super::mobility::{FreePoints, Mobility};
use crate::features::VIEWS;

/// The counts of one side.
#[derive(Clone, Copy, Default)]
struct PackedFeatures {
    /// Steps that close a mill.
    closing: Counts2,
    /// Closing steps that the other side cannot prevent by stepping onto the point.
    unstoppable: Counts2,
    /// Closing steps of a man that opens another mill: a double mill, which closes one with every
    /// step.
    double: Counts2,
    /// Lines with two men and an empty point.
    pairs: Counts2,
    /// Pairs that a man two steps away can complete.
    near: Counts2,
    /// Steps that open a mill.
    opening: Counts2,
    /// All steps; 0 for a side that flies.
    steps: Counts6,
    /// Men on the best connected points.
    crossings: Counts2,
}

/// Two points and the empty third point of a line on which the column side may close a mill.
struct Pair {
    men: [u8; 2],
    empty: u8,
    /// Whether the row side has a man next to the empty point.
    stoppable: bool,
    /// The free points next to the empty point, off the line: indices into [`MovingScan::beside`].
    beside: Range<usize>,
}

struct Beside {
    point: u8,
    /// The wholly free lines through it, not through the empty point: indices into
    /// [`MovingScan::lines`].
    lines: Range<usize>,
    /// The free points next to it, off the line and not the empty point.
    behind: u32,
}

/// Such a pair of the row side: its men stand still, only the points in between change.
struct RowPair {
    empty: u8,
    closing: u32,
    double: u32,
    /// Free neighbours of the empty point, where a column man could step in.
    guards: u32,
    /// The free points next to the empty point that a man of the row side can reach.
    near: u32,
}

/// The patterns to scan for in a row, with free points renumbered.
pub(super) struct MovingScan {
    column_pairs: Vec<Pair>,
    beside: Vec<Beside>,
    /// Two points of a line; its users know the third.
    lines: Vec<[u8; 2]>,
    /// Wholly free lines with the free points next to them.
    column_mills: Vec<([u8; 3], u32)>,
    row_pairs: Vec<RowPair>,
    mobility: Mobility,
    /// Whether each side moves its men anywhere: it flies, or has men to place.
    row_flies: bool,
    column_flies: bool,
    row_moves: bool,
}

impl MovingScan {
    /// Returns a scan for a table; [`set_row`](MovingScan::set_row) selects the row.
    pub(super) fn new(game: &Morris, table: Table) -> MovingScan {
        let row_side = table.row_side();
        let flies = |force: Force| force.hand > 0 || game.flies(u32::from(force.total()));
        let forces = [table.mover, table.opponent];
        let lines = game.board.lines().len();
        MovingScan {
            column_pairs: Vec::with_capacity(3 * lines),
            beside: Vec::with_capacity(4 * lines),
            lines: Vec::with_capacity(4 * lines),
            column_mills: Vec::with_capacity(lines),
            row_pairs: Vec::with_capacity(lines),
            mobility: Mobility::new(&game.board),
            row_flies: flies(forces[row_side]),
            column_flies: flies(forces[1 - row_side]),
            row_moves: row_side == 0,
        }
    }

    /// Prepares the patterns of a row.
    pub(super) fn set_row(&mut self, game: &Morris, row_set: u32) {
        self.column_pairs.clear();
        self.beside.clear();
        self.lines.clear();
        self.column_mills.clear();
        self.row_pairs.clear();
        let board = &game.board;
        let free = FreePoints::of_row(game, row_set);
        self.mobility.set_row(board, free, row_set);
        let near = |point: u8, line: u32| board.neighbours(point) & !line;
        let row_mills = board.in_mills(row_set);
        for &line in board.lines() {
            if line & row_set == 0 {
                self.free_line(game, row_set, line);
            } else if (line & !row_set).is_power_of_two() {
                let empty = (line & free.set).trailing_zeros() as u8;
                let beside = near(empty, line);
                let reached = |&point: &u8| near(point, line) & row_set != 0;
                self.row_pairs.push(RowPair {
                    empty: free.number(empty),
                    closing: (beside & row_set).count_ones(),
                    double: (beside & row_mills).count_ones(),
                    guards: free.squeeze(board.neighbours(empty) & free.set),
                    near: free.squeeze(
                        points(beside & free.set)
                            .filter(reached)
                            .map(|point| 1 << point)
                            .sum(),
                    ),
                });
            }
        }
    }

    /// Adds a line without men of the row side.
    fn free_line(&mut self, game: &Morris, row_set: u32, line: u32) {
        let board = &game.board;
        let free = FreePoints::of_row(game, row_set);
        let number = |point: u8| free.number(point);
        let mut beside_line = 0;
        for empty in points(line) {
            let men = line & !(1 << empty);
            let beside = board.neighbours(empty) & !line & free.set;
            beside_line |= beside;
            let first = self.beside.len();
            for point in points(beside) {
                let first_line = self.lines.len();
                let away = |pair: &&u32| **pair & (row_set | 1 << empty) == 0;
                for &pair in board.pairs_through(point).iter().filter(away) {
                    self.lines.push(two(pair).map(number));
                }
                let behind = board.neighbours(point) & free.set & !line;
                self.beside.push(Beside {
                    point: number(point),
                    lines: first_line..self.lines.len(),
                    behind: free.squeeze(behind & !(1 << empty)),
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
            .push(([first, middle, last].map(number), free.squeeze(beside_line)));
    }

    /// Counts for the column side of 64 columns.
    fn column_side(&self, planes: &Words) -> PackedFeatures {
        let at = |point: u8| word(planes, point);
        let mut seen = PackedFeatures {
            crossings: self.mobility.column_crossings(planes),
            ..PackedFeatures::default()
        };
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
            seen.steps = self.mobility.column_steps(planes);
        }
        seen
    }

    /// Counts for the row side of 64 columns.
    fn row_side(&self, planes: &Words) -> PackedFeatures {
        let empty = |point: u8| !word(planes, point);
        let mut seen = PackedFeatures {
            crossings: self.mobility.row_crossings(),
            opening: self.mobility.row_opening(planes),
            ..PackedFeatures::default()
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
        if !self.row_flies {
            seen.steps = self.mobility.row_steps(planes);
        }
        seen
    }

    /// Returns the views of 64 positions.
    pub(super) fn views(&self, planes: &Words) -> [[u8; VIEWS]; PER_WORD] {
        let (row, column) = (self.row_side(planes), self.column_side(planes));
        let (mover, other) = if self.row_moves {
            (row, column)
        } else {
            (column, row)
        };
        // A side that moves anywhere can always prevent a mill.
        let mover_flies = if self.row_moves {
            self.row_flies
        } else {
            self.column_flies
        };
        let threat = if mover_flies {
            Counts2::default()
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

/// Returns the two lowest points of a set of at least two.
#[inline(always)]
fn two(set: u32) -> [u8; 2] {
    let rest = set & (set - 1);
    [set, rest].map(|set| set.trailing_zeros() as u8)
}
