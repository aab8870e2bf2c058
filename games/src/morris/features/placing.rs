//! Scans positions with men in hand, 64 at once: mills that a placement closes, mills that a step
//! will close when the hands are empty, open lines, and mobility.

use super::super::Morris;
use super::super::moves::points;
use super::super::planes::{PER_WORD, Words, word};
use super::super::position::Table;
use super::counts::{Counts2, Counts6, concat, interleave, transpose};
use super::mobility::{FreePoints, Mobility};
use crate::features::VIEWS;

/// The counts of one side.
#[derive(Clone, Copy, Default)]
struct PackedFeatures {
    /// Lines with two men and an empty point.
    pairs: Counts2,
    /// Pairs with a man next to the empty point: a step would close them.
    closing: Counts2,
    /// Lines with one man and two empty points.
    open: Counts6,
    mills: Counts2,
    /// Steps that would open a mill.
    opening: Counts2,
    /// All steps, if men could move.
    steps: Counts6,
    /// Men on the best connected points.
    crossings: Counts2,
}

/// A line without men of the row side.
struct FreeLine {
    line: [u8; 3],
    /// For each point of the line, the free points next to it, off the line.
    beside: [u32; 3],
}

/// A line with two men of the row side.
struct RowPair {
    empty: u8,
    /// Whether the row side has a third man next to the empty point.
    closing: bool,
}

/// The patterns to scan for in a row, with free points renumbered.
pub(super) struct PlacingScan {
    free_lines: Vec<FreeLine>,
    row_pairs: Vec<RowPair>,
    /// The free points of lines with one man of the row side.
    row_open: Vec<[u8; 2]>,
    row_mills: u32,
    mobility: Mobility,
    row_moves: bool,
}

impl PlacingScan {
    /// Returns a scan for a table; [`set_row`](PlacingScan::set_row) selects the row.
    pub(super) fn new(game: &Morris, table: Table) -> PlacingScan {
        let lines = game.board.lines().len();
        PlacingScan {
            free_lines: Vec::with_capacity(lines),
            row_pairs: Vec::with_capacity(lines),
            row_open: Vec::with_capacity(lines),
            row_mills: 0,
            mobility: Mobility::new(&game.board),
            row_moves: table.row_side() == 0,
        }
    }

    /// Prepares the patterns of a row.
    pub(super) fn set_row(&mut self, game: &Morris, row_set: u32) {
        self.free_lines.clear();
        self.row_pairs.clear();
        self.row_open.clear();
        self.row_mills = 0;
        let board = &game.board;
        let free = FreePoints::of_row(game, row_set);
        self.mobility.set_row(board, free, row_set);
        let number = |point: u8| free.number(point);
        for &line in board.lines() {
            let beside = |point: u8| board.neighbours(point) & !line;
            let mut vacant = points(line & free.set);
            let mut next = || vacant.next().expect("as many as were counted");
            match (line & free.set).count_ones() {
                3 => {
                    let line = [next(), next(), next()];
                    self.free_lines.push(FreeLine {
                        line: line.map(number),
                        beside: line.map(|point| free.squeeze(beside(point) & free.set)),
                    });
                }
                2 => self.row_open.push([next(), next()].map(number)),
                1 => {
                    let empty = next();
                    self.row_pairs.push(RowPair {
                        empty: number(empty),
                        closing: beside(empty) & row_set != 0,
                    });
                }
                _ => self.row_mills += 1,
            }
        }
    }

    /// Counts for the column side of 64 columns.
    fn column_side(&self, planes: &Words) -> PackedFeatures {
        let at = |point: u8| word(planes, point);
        let mut seen = PackedFeatures {
            open: Counts6::sum(&self.free_lines, |free| {
                let [a, b, c] = free.line.map(at);
                (a ^ b ^ c) & !(a & b)
            }),
            steps: self.mobility.column_steps(planes),
            crossings: self.mobility.column_crossings(planes),
            ..PackedFeatures::default()
        };
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
        seen
    }

    /// Counts for the row side of 64 columns.
    fn row_side(&self, planes: &Words) -> PackedFeatures {
        let empty = |point: u8| !word(planes, point);
        let mut seen = PackedFeatures {
            mills: Counts2::constant(self.row_mills),
            open: Counts6::sum(&self.row_open, |&[a, b]| empty(a) & empty(b)),
            opening: self.mobility.row_opening(planes),
            steps: self.mobility.row_steps(planes),
            crossings: self.mobility.row_crossings(),
            ..PackedFeatures::default()
        };
        for pair in &self.row_pairs {
            let there = empty(pair.empty);
            seen.pairs.add(there);
            if pair.closing {
                seen.closing.add(there);
            }
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
        let halves = |many: Counts6| {
            let [low, high, more] = many.halves();
            [low | more, high | more]
        };
        let [a, b] = [mover.steps.halves(), other.steps.halves()];
        let [m, o] = [mover.pairs.any(), other.pairs.any()];
        let views = [
            concat([
                mover.pairs.0,
                other.pairs.0,
                mover.closing.0,
                other.closing.0,
            ]),
            concat([
                mover.opening.0,
                other.opening.0,
                halves(mover.open),
                halves(other.open),
            ]),
            [a[0], a[1], a[2], b[0], b[1], b[2], m, o],
            concat([
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
