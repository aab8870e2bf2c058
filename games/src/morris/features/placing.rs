//! What to look for while men are in hand: mills that a placement closes, mills that a step will
//! close when the hands are empty, lines still open, and room to move later.

use super::super::Morris;
use super::super::moves::points;
use super::super::position::Table;
use super::TOGETHER;
use super::look::{crossings, interleave};
use super::planes::{Few, Many, Words, transpose, word};
use crate::features::VIEWS;

/// What is seen of one side.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Lines with two men and an empty point.
    pairs: Few,
    /// Those of them that have a man beside the empty point: a step would close them.
    closing: Few,
    /// Lines with one man and two empty points.
    open: Many,
    mills: Few,
    /// Steps that would open a mill.
    opening: Few,
    /// All steps that there would be.
    steps: Many,
    /// Men on the best connected points.
    crossings: Few,
}

/// A line on which the row side has no man.
struct FreeLine {
    line: [u8; 3],
    /// For each point of the line the free points beside it, off the line.
    beside: [u32; 3],
}

/// A line with two men of the row side.
struct RowPair {
    empty: u8,
    /// Whether the row side has a third man beside the empty point.
    closing: bool,
}

/// What to look for in a row. Points are renumbered within the free ones.
pub(super) struct PlacingLook {
    free_lines: Vec<FreeLine>,
    /// Pairs of free neighbours.
    column_edges: Vec<[u8; 2]>,
    /// The best connected points of the board, and those of them that are free.
    best_connected: u32,
    column_crossings: u32,
    row_pairs: Vec<RowPair>,
    /// The free points of lines with one man of the row side.
    row_open: Vec<[u8; 2]>,
    row_mills: u32,
    row_opening: Vec<u8>,
    row_steps: Vec<u8>,
    row_crossings: u32,
    row_moves: bool,
}

impl PlacingLook {
    /// For the rows of a table; [`set_row`](PlacingLook::set_row) says which.
    pub(super) fn new(game: &Morris, table: Table) -> PlacingLook {
        let (points, lines) = (game.board.points(), game.board.lines().len());
        PlacingLook {
            free_lines: Vec::with_capacity(lines),
            column_edges: Vec::with_capacity(2 * points),
            best_connected: crossings(&game.board),
            column_crossings: 0,
            row_pairs: Vec::with_capacity(lines),
            row_open: Vec::with_capacity(lines),
            row_mills: 0,
            row_opening: Vec::with_capacity(points),
            row_steps: Vec::with_capacity(2 * points),
            row_crossings: 0,
            row_moves: table.row_side() == 0,
        }
    }

    /// Works out what to look for in a row.
    pub(super) fn set_row(&mut self, game: &Morris, row_set: u32) {
        let look = self;
        look.free_lines.clear();
        look.column_edges.clear();
        look.row_pairs.clear();
        look.row_open.clear();
        look.row_mills = 0;
        look.row_opening.clear();
        look.row_steps.clear();
        let board = &game.board;
        let free = board.all() & !row_set;
        let squeeze = |set: u32| game.bits.pext(set, free);
        let number = |point: u8| (free & ((1 << point) - 1)).count_ones() as u8;
        look.column_crossings = squeeze(look.best_connected & free);
        look.row_crossings = (look.best_connected & row_set).count_ones();
        for &line in board.lines() {
            let beside = |point: u8| board.neighbours(point) & !line;
            let mut vacant = points(line & free);
            let mut next = || vacant.next().expect("as many as were counted");
            match (line & free).count_ones() {
                3 => {
                    let line = [next(), next(), next()];
                    look.free_lines.push(FreeLine {
                        line: line.map(number),
                        beside: line.map(|point| squeeze(beside(point) & free)),
                    });
                }
                2 => look.row_open.push([next(), next()].map(number)),
                1 => {
                    let empty = next();
                    look.row_pairs.push(RowPair {
                        empty: number(empty),
                        closing: beside(empty) & row_set != 0,
                    });
                }
                _ => {
                    look.row_mills += 1;
                    for man in points(line) {
                        let steps = points(beside(man) & free);
                        look.row_opening.extend(steps.map(number));
                    }
                }
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

    /// What the columns of these planes show of the column side.
    fn column_side(&self, planes: &Words) -> Seen {
        let at = |point: u8| word(planes, point);
        let mut seen = Seen::default();
        seen.open.add_all(&self.free_lines, |free| {
            let [a, b, c] = free.line.map(at);
            (a ^ b ^ c) & !(a & b)
        });
        for FreeLine { line, beside } in &self.free_lines {
            let [a, b, c] = line.map(at);
            let mill = a & b & c;
            let pair = (a & b | c & (a | b)) & !mill;
            seen.pairs.add(pair);
            if pair != 0 {
                let near = beside.map(|set| points(set).fold(0, |any, point| any | at(point)));
                seen.closing
                    .add(pair & (near[0] & !a | near[1] & !b | near[2] & !c));
            }
            if mill != 0 {
                seen.mills.add(mill);
                for point in beside.iter().flat_map(|&set| points(set)) {
                    seen.opening.add(mill & !at(point));
                }
            }
        }
        seen.steps
            .add_all(&self.column_edges, |&[a, b]| at(a) ^ at(b));
        points(self.column_crossings).for_each(|point| seen.crossings.add(at(point)));
        seen
    }

    /// What they show of the row side.
    fn row_side(&self, planes: &Words) -> Seen {
        let empty = |point: u8| !word(planes, point);
        let mut seen = Seen {
            mills: Few::constant(self.row_mills),
            crossings: Few::constant(self.row_crossings),
            ..Seen::default()
        };
        for pair in &self.row_pairs {
            let there = empty(pair.empty);
            seen.pairs.add(there);
            if pair.closing {
                seen.closing.add(there);
            }
        }
        for &point in &self.row_opening {
            seen.opening.add(empty(point));
        }
        seen.open
            .add_all(&self.row_open, |&[a, b]| empty(a) & empty(b));
        seen.steps.add_all(&self.row_steps, |&point| empty(point));
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
        let halves = |many: Many| {
            let [low, high, more] = many.halves();
            [low | more, high | more]
        };
        let [a, b] = [mover.steps.halves(), other.steps.halves()];
        let [m, o] = [mover.pairs.any(), other.pairs.any()];
        let four = |quarters: [[u64; 2]; 4]| {
            let [[a, b], [c, d], [e, f], [g, h]] = quarters;
            [a, b, c, d, e, f, g, h]
        };
        let views = [
            four([
                mover.pairs.0,
                other.pairs.0,
                mover.closing.0,
                other.closing.0,
            ]),
            four([
                mover.opening.0,
                other.opening.0,
                halves(mover.open),
                halves(other.open),
            ]),
            [a[0], a[1], a[2], b[0], b[1], b[2], m, o],
            four([
                mover.mills.0,
                other.mills.0,
                mover.crossings.0,
                other.crossings.0,
            ]),
        ];
        interleave(views.map(transpose))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::rules::RULESETS;
    use super::*;
    use crate::prelude::*;

    /// Of one side, position by position: pairs, pairs that a step closes, mills, open lines.
    fn lines(game: &Morris, own: u32, other: u32) -> [usize; 4] {
        let free = game.board.all() & !(own | other);
        let mut counts = [0; 4];
        for &line in game.board.lines().iter().filter(|&line| line & other == 0) {
            match (line & own).count_ones() {
                3 => counts[2] += 1,
                2 => {
                    let empty = (line & free).trailing_zeros() as u8;
                    let beside = game.board.neighbours(empty) & own & !line;
                    counts[0] += 1;
                    counts[1] += usize::from(beside != 0);
                }
                1 => counts[3] += 1,
                _ => {}
            }
        }
        counts
    }

    #[test]
    fn views_of_placing_tables_count_lines() {
        for (id, name) in [("nine", "3+2v4+1"), ("nine", "6+1v5+0"), ("six", "4+1v4+1")] {
            let rules = RULESETS.iter().find(|rules| rules.id == id).unwrap();
            let game = Morris::new(rules);
            let table = game.parse_table(name).unwrap();
            let size = game.size(table).min(60_000);
            let mut features = Vec::new();
            game.features(table, 0..size, &mut features);
            for (index, feature) in (0..size).zip(&features).step_by(7) {
                let [own, other] = game.unrank(table, index).men;
                let (own, other) = (lines(&game, own, other), lines(&game, other, own));
                let [first, second, _, fourth] = feature.views.map(usize::from);
                let few = |count: usize| count.min(3);
                let expected = [own[0], other[0], own[1], other[1]].map(few);
                assert_eq!([0, 2, 4, 6].map(|bit| first >> bit & 3), expected);
                let expected = [own[3] / 2, other[3] / 2].map(few);
                assert_eq!([4, 6].map(|bit| second >> bit & 3), expected);
                let expected = [own[2], other[2]].map(few);
                assert_eq!([0, 2].map(|bit| fourth >> bit & 3), expected);
            }
        }
    }
}
