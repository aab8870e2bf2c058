//! The features of morris positions: mills that can be closed, opened or prepared, mobility, and
//! the positions one step of a column man away.
//!
//! Positions are scanned 64 at a time as [bit planes](super::planes), which all rows share. "Two
//! men on a line, the third point empty, a man next to it" is a few ANDs for 64 positions, and
//! counting is adding with carry across words. The patterns to scan for are prepared once per row
//! ([`FeatureScan`]).
//!
//! The neighbours of a position are those of its row in which one of the lowest column men stands
//! one step away on a lower point.

mod counts;
mod mobility;
mod moving;
mod neighbours;
mod placing;

use std::ops::Range;

use self::moving::MovingScan;
use self::neighbours::Neighbours;
use self::placing::PlacingScan;
use super::Morris;
use super::planes::{PER_WORD, Words};
use super::position::{Position, Table};
use crate::features::{Cost, Feature, Features, NEAR, VIEWS};
use crate::numbering::Numbering;
use crate::rules::Rules;

impl Features for Morris {
    /// A position with a ban is never stored.
    fn is_resolved(&self, position: &Position) -> bool {
        position.banned != 0 && self.finished(position).is_none()
    }

    /// What has a number has no ban.
    fn stores_every_one(&self, _: Table) -> bool {
        true
    }

    fn can_stay(&self, table: Table) -> bool {
        let both_on_board = table.mover().men() > 0 && table.opponent().men() > 0;
        both_on_board && self.has_inside_turns(table)
    }

    /// The side with more men waits for the other: its turns lead to tables in which the side to
    /// move has fewer men. With as many men on either side that fails where a man is moved, but
    /// where every turn places one, every second layer of men in hand leads to the next.
    fn leaves_plies_out(&self, table: Table) -> bool {
        let (mover, opponent) = (table.mover.total(), table.opponent.total());
        let leads_to_next_layer = table.in_hand() % 2 == 1 && !self.steps_in_group(table);
        // Positions with a ban are decided two turns ahead.
        let one_turn_ahead = !self.may_leave_bans(table);
        one_turn_ahead && (mover > opponent || (mover == opponent && leads_to_next_layer))
    }

    fn cost(&self, table: Table, plies: bool) -> Cost {
        // Measured: the moving and the placing tables of nine men's morris, and without plies the
        // placing tables of twelve men's; in Lasker's game, where men move while others are in hand,
        // all tables up to ten men; with a count, morabaraba up to eleven men; with bans, its tables
        // of ten to twelve men, 245, 370 and 600 nanoseconds, and beyond that a guess. Guessed too:
        // placements that take several men, which are worked out turn by turn.
        let moving = table.in_hand() == 0;
        let nanoseconds = match (self.has_inside_turns(table), moving, plies) {
            (_, false, _) if self.rules.removes_for_each_mill => 2500.0,
            (false, true, _) => 160.0,
            (true, true, _) if self.may_leave_bans(table) => {
                let men = table.mover.men + table.opponent.men;
                (150.0 * (f64::from(men) - 8.0)).max(230.0)
            }
            (true, true, _) => 230.0,
            (true, false, _) => 520.0,
            (false, false, true) => 120.0,
            (false, false, false) => 60.0,
        };
        let bytes = match (self.has_inside_turns(table), plies) {
            _ if table.quiet.is_some() => 0.03,
            (true, true) => 0.265,
            (true, false) => 0.045,
            (false, true) => 0.28,
            (false, false) => 0.048,
        };
        Cost { nanoseconds, bytes }
    }

    fn features(&self, table: Table, range: Range<u64>, features: &mut Vec<Feature>) {
        let (_, numbering) = self.rows_of(table);
        features.clear();
        if range.is_empty() {
            return;
        }
        let mut scan = FeatureScan::new(self, table);
        let mut neighbours = Neighbours::new(numbering.columns());
        let mut row = numbering.row_of(range.start);
        let mut position = range.start;
        while position < range.end {
            let start = numbering.start(row);
            let end = range.end.min(numbering.start(row + 1));
            let in_row = (position - start) as u32..(end - start) as u32;
            self.features_of_row(table, row, in_row, &mut scan, &mut neighbours, features);
            position = end;
            row += 1;
        }
    }
}

impl Morris {
    /// Appends the features of some positions of a row.
    fn features_of_row(
        &self,
        table: Table,
        row: usize,
        in_row: Range<u32>,
        scan: &mut FeatureScan,
        neighbours: &mut Neighbours<'_>,
        features: &mut Vec<Feature>,
    ) {
        let (rows, numbering) = self.rows_of(table);
        let row_set = rows.set(row);
        scan.set_row(self, row_set);
        if rows.is_rigid(row) {
            neighbours.set_row(self, row_set);
            let (first, last) = (in_row.start as usize, in_row.end as usize);
            for chunk in first / PER_WORD..last.div_ceil(PER_WORD) {
                let views = scan.views(numbering.planes().chunk(chunk));
                let from = first.max(chunk * PER_WORD);
                let to = last.min((chunk + 1) * PER_WORD);
                features.extend((from..to).map(|column| Feature {
                    views: views[column % PER_WORD],
                    near: neighbours.next(column),
                    resolved: false,
                }));
            }
        } else if !in_row.is_empty() {
            // Earlier columns may be missing here: no neighbours.
            let canonical = numbering.canonical(&self.board, self.bits, rows, row);
            let first = canonical.select(in_row.start) as usize;
            let last = canonical.select(in_row.end - 1) as usize;
            for chunk in first / PER_WORD..=last / PER_WORD {
                let views = scan.views(numbering.planes().chunk(chunk));
                let from = first.max(chunk * PER_WORD);
                let to = (last + 1).min((chunk + 1) * PER_WORD);
                let kept = canonical.word(chunk);
                let columns = (from..to).filter(|column| kept >> (column % PER_WORD) & 1 == 1);
                features.extend(columns.map(|column| Feature {
                    views: views[column % PER_WORD],
                    near: [0; NEAR],
                    resolved: false,
                }));
            }
        }
    }
}

/// The patterns to scan a row for, which depend on whether men are in hand.
enum FeatureScan {
    Moving(MovingScan),
    Placing(PlacingScan),
}

impl FeatureScan {
    fn new(game: &Morris, table: Table) -> FeatureScan {
        match table.in_hand() {
            0 => FeatureScan::Moving(MovingScan::new(game, table)),
            _ => FeatureScan::Placing(PlacingScan::new(game, table)),
        }
    }

    fn set_row(&mut self, game: &Morris, row_set: u32) {
        match self {
            FeatureScan::Moving(scan) => scan.set_row(game, row_set),
            FeatureScan::Placing(scan) => scan.set_row(game, row_set),
        }
    }

    fn views(&self, planes: &Words) -> [[u8; VIEWS]; PER_WORD] {
        match self {
            FeatureScan::Moving(scan) => scan.views(planes),
            FeatureScan::Placing(scan) => scan.views(planes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::points;
    use super::super::rules::RULESETS;
    use super::*;

    fn game(id: &str) -> Morris {
        Morris::new(RULESETS.iter().find(|rules| rules.id == id).unwrap())
    }

    /// Some tables of every kind: rows of either side, flying, men in hand, other boards.
    fn tables() -> Vec<(Morris, &'static str)> {
        [
            ("nine", "5v4"),
            ("nine", "4v5"),
            ("nine", "3v5"),
            ("nine", "4v4"),
            ("nine", "3+2v4+1"),
            ("twelve", "5v3"),
            ("six", "4v3"),
            ("three", "3v3"),
        ]
        .map(|(id, name)| (game(id), name))
        .into()
    }

    fn closing_steps(game: &Morris, men: [u32; 2], flies: bool) -> usize {
        let free = game.board.all() & !(men[0] | men[1]);
        let pairs = game
            .board
            .lines()
            .iter()
            .filter(|&line| (line & men[0]).count_ones() == 2 && line & free != 0);
        pairs
            .map(|line| match flies {
                true => 1,
                false => {
                    let empty = (line & free).trailing_zeros() as u8;
                    let beside = game.board.neighbours(empty) & men[0] & !line;
                    beside.count_ones() as usize
                }
            })
            .sum()
    }

    fn steps(game: &Morris, men: [u32; 2], flies: bool) -> usize {
        let free = game.board.all() & !(men[0] | men[1]);
        let near = |man| (game.board.neighbours(man) & free).count_ones() as usize;
        if flies {
            0
        } else {
            points(men[0]).map(near).sum()
        }
    }

    #[test]
    fn sixty_four_at_once_see_what_one_by_one_sees() {
        for (game, name) in tables() {
            let Ok(table) = game.parse_table(name) else {
                panic!("{name}");
            };
            if table.in_hand() > 0 {
                continue; // looked at in another way, and tested there
            }
            let size = game.size(table).min(60_000);
            let mut features = Vec::new();
            game.features(table, 0..size, &mut features);
            assert_eq!(features.len() as u64, size);
            for (index, feature) in (0..size).zip(&features).step_by(7) {
                let position = game.unrank(table, index);
                let men = position.men;
                let flies =
                    |side: usize| position.hand[side] > 0 || game.flies(position.total(side));
                let other = [men[1], men[0]];
                let counts = [
                    closing_steps(&game, men, flies(0)).min(3),
                    closing_steps(&game, other, flies(1)).min(3),
                ];
                let [first, _, third, _] = feature.views.map(usize::from);
                assert_eq!([first >> 2 & 3, first >> 4 & 3], counts, "{name} {index}");
                let counts = [
                    (steps(&game, men, flies(0)) / 2).min(7),
                    (steps(&game, other, flies(1)) / 2).min(7),
                ];
                assert_eq!([third & 7, third >> 3 & 7], counts, "{name} {index}");
            }
        }
    }

    #[test]
    fn features_do_not_depend_on_the_range_asked_for() {
        for (game, name) in tables() {
            let table = game.parse_table(name).unwrap();
            let size = game.size(table);
            let (start, end) = (size / 3, size.min(size / 3 + 5000));
            let (mut all, mut some) = (Vec::new(), Vec::new());
            game.features(table, start..end, &mut all);
            for from in (start..end).step_by(61) {
                let to = end.min(from + from % 100);
                game.features(table, from..to, &mut some);
                let expected = &all[(from - start) as usize..][..some.len()];
                assert_eq!(some.len() as u64, to - from);
                assert_eq!(some, expected, "{name} {from}..{to}");
            }
        }
    }

    #[test]
    fn neighbours_are_one_step_of_one_man_away() {
        for (game, name) in tables() {
            let table = game.parse_table(name).unwrap();
            let size = game.size(table).min(20_000);
            let mut features = Vec::new();
            game.features(table, 0..size, &mut features);
            for (index, feature) in (0..size).zip(&features) {
                let here = game.unrank(table, index).men;
                for distance in feature.near.into_iter().filter(|&distance| distance > 0) {
                    let there = game.unrank(table, index - u64::from(distance)).men;
                    let column = 1 - table.row_side();
                    assert_eq!(here[1 - column], there[1 - column]);
                    let moved = here[column] ^ there[column];
                    assert_eq!(moved.count_ones(), 2);
                    let point = moved.trailing_zeros() as u8;
                    assert_ne!(game.board.neighbours(point) & moved, 0);
                }
            }
        }
    }
}
