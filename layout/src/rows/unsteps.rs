//! Un-moves of a group, row by row.
//!
//! Un-moves of the column side stay within the row; if three men fly, they use half-moves. Un-moves
//! of the row side follow the steps that the group has reversed.

use endmill_games::morris::moves::points;

use super::group::{MorrisGroup, StepBack};
use super::squeezed::{FreePoints, Remap};
use crate::{NodeValue, TurnScore, Visit};

/// Columns per batch: few enough to stay in the first-level cache, enough to make prefetching nodes
/// pay.
const BATCH: usize = 1024;

impl MorrisGroup<'_> {
    /// Visits the un-moves of the column side, which stay in the row.
    pub(super) fn column_unmoves(
        &self,
        row: usize,
        columns: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let target = self.phase(1).start + row;
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let flies = self.game.flies(u32::from(self.column_side().total()));
        let can_take = self.row_side().men() > 0;
        // With more columns half-moves are cheaper: three per column of the row instead of up to 54
        // un-moves per given column.
        if !self.pairs.is_empty() && columns.len() * 10 > self.columns().len() {
            return self.flights(target, &free, can_take, columns, scratch, visit);
        }
        let sets = self.columns().sets();
        let batch = &mut scratch.batch;
        batch.clear();
        for &column in columns {
            let men = sets[column as usize];
            let mills = if can_take { free.in_mills(men) } else { 0 };
            let vacant = free.all() & !men;
            for to in points(men & !mills) {
                let near = if flies {
                    vacant
                } else {
                    vacant & free.neighbours[usize::from(to)]
                };
                let others = men & !(1 << to);
                for from in points(near) {
                    batch.push(self.columns().rank(others | 1 << from));
                }
            }
            if batch.len() >= BATCH {
                visit.each(target, batch);
                batch.clear();
            }
        }
        visit.each(target, batch);
    }

    /// Visits the un-moves of a side with three flying men, by half-moves: two men stand, one is in
    /// the air. For each pair, count the given nodes that a third man completes; the turns from a
    /// column into them are the counts of its three pairs, less the column itself once per pair,
    /// because landing on the same point is not a turn.
    fn flights(
        &self,
        target: usize,
        free: &FreePoints,
        can_take: bool,
        columns: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let sets = self.columns().sets();
        let counts = &mut scratch.pair_counts;
        counts.fill(0);
        let itself = &mut scratch.itself;
        itself.clear();
        itself.resize(sets.len(), 0);
        for &column in columns {
            let column = column as usize;
            let is_mill = free.lines.contains(&sets[column]);
            if is_mill && can_take {
                continue;
            }
            for pair in self.pairs[column] {
                counts[usize::from(pair)] += 1;
            }
            itself[column] = 3;
        }
        let counted = &mut scratch.counted;
        counted.clear();
        for (column, pairs) in self.pairs.iter().enumerate() {
            let sum: u16 = pairs.iter().map(|&pair| counts[usize::from(pair)]).sum();
            let turns = sum - u16::from(itself[column]);
            if turns > 0 {
                counted.push((column as u32, turns));
            }
        }
        visit.counted(target, counted);
    }

    /// Visits the un-moves of the row side, which come from other rows.
    pub(super) fn row_unmoves(
        &self,
        row: usize,
        columns: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let free = self.game.board().all() & !self.rows.set(row);
        let points: Vec<u8> = points(free).collect();
        for step in self.steps_into(row) {
            self.unstep(step, &points, columns, &mut scratch.batch, visit);
        }
    }

    /// Visits the same un-moves, selected by the row that they lead to.
    pub(super) fn row_unmoves_into(
        &self,
        row: usize,
        asked_about: &mut impl FnMut(usize, &mut Vec<u32>),
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let Scratch { batch, columns, .. } = scratch;
        let second = self.phase(1).start;
        self.visit_quiet_steps(row, |from, next, symmetry| {
            columns.clear();
            asked_about(second + next, columns);
            if columns.is_empty() {
                return;
            }
            let free = self.game.board().all() & !self.rows.set(next);
            let points: Vec<u8> = points(free).collect();
            let step = self.reversed(row, from, symmetry);
            self.unstep(&step, &points, columns, batch, visit);
        });
    }

    /// Visits the un-moves of one step from some columns of the row that it leads to, which has
    /// these free points.
    fn unstep(
        &self,
        step: &StepBack,
        points: &[u8],
        columns: &[u32],
        batch: &mut Vec<u32>,
        visit: &mut impl Visit,
    ) {
        let sets = self.columns().sets();
        let before = step.row as usize;
        let images = self.carry(points, usize::from(step.symmetry), self.rows.set(before));
        let remap = Remap::new(&images);
        let place = points.iter().position(|&point| point == step.vacated);
        let vacated = 1 << place.expect("the vacated point is free");
        batch.resize(BATCH, 0);
        for columns in columns.chunks(BATCH) {
            let mut count = 0;
            for &column in columns {
                let men = sets[column as usize];
                batch[count] = self.columns().rank(remap.apply(men));
                count += usize::from(men & vacated == 0);
            }
            visit.each(before, &batch[..count]);
        }
    }
}

/// Returns the numbers of the three pairs in a set of three.
pub(super) fn pairs_of(set: u32) -> [u8; 3] {
    let men: Vec<usize> = points(set).map(usize::from).collect();
    let pair = |low: usize, high: usize| (men[high] * (men[high] - 1) / 2 + men[low]) as u8;
    [pair(0, 1), pair(0, 2), pair(1, 2)]
}

/// Buffers of one thread.
#[derive(Debug)]
pub struct Scratch {
    batch: Vec<u32>,
    columns: Vec<u32>,
    pair_counts: [u16; 256],
    itself: Vec<u8>,
    counted: Vec<(u32, u16)>,
    /// Values of a row of another table.
    pub(super) codes: Vec<NodeValue>,
    /// Their scores.
    pub(super) scores: Vec<TurnScore>,
    pub(super) takings: Vec<u32>,
    pub(super) removals: Vec<TurnScore>,
    pub(super) placing: super::placing::PlacingBuffers,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            batch: Vec::new(),
            columns: Vec::new(),
            pair_counts: [0; 256],
            itself: Vec::new(),
            counted: Vec::new(),
            codes: Vec::new(),
            scores: Vec::new(),
            takings: Vec::new(),
            removals: Vec::new(),
            placing: super::placing::PlacingBuffers::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use endmill_games::Numbering;
    use endmill_games::morris::{Morris, RULESETS};

    use super::*;
    use crate::{Layout, Part, RowPass};

    /// How many un-moves lead to each row and column.
    #[derive(Default)]
    struct Counted(BTreeMap<(usize, u32), u16>);

    impl Visit for Counted {
        fn each(&mut self, row: usize, columns: &[u32]) {
            for &column in columns {
                *self.0.entry((row, column)).or_default() += 1;
            }
        }

        fn counted(&mut self, row: usize, columns: &[(u32, u16)]) {
            for &(column, turns) in columns {
                *self.0.entry((row, column)).or_default() += turns;
            }
        }

        fn scattered(&mut self, _: &[u32]) {
            unreachable!("morris visits nodes by rows");
        }
    }

    #[test]
    fn unmoves_asked_for_by_where_they_lead_are_the_same() {
        for (id, table) in [("nine", "5v3"), ("nine", "3v3"), ("nine-nofly", "4v3")] {
            let rules = RULESETS.iter().find(|rules| rules.id == id).unwrap();
            let game = Morris::new(rules);
            let mut tables = game.tables(Some(8)).into_iter();
            let table = tables.find(|own| own.to_string() == table).unwrap();
            let group = game.group(table);
            let group = Part::row_pass(&&group).unwrap();
            let [first, second] = group.phases();
            assert_eq!(first.len(), second.len());
            // A different choice of columns in each row.
            let chosen = |row: usize| -> Vec<u32> {
                let columns = 0..group.width(1) as u32;
                let start = (row * 7 % 5) as u32;
                match row % 3 {
                    0 => Vec::new(),
                    step => columns.skip(start as usize).step_by(step * 4).collect(),
                }
            };
            let (mut scratch, mut expected) = (Scratch::default(), Counted::default());
            let mut reached = vec![false; first.len()];
            for row in second {
                group.unmoves(row, &chosen(row), &mut scratch, &mut expected);
                group.rows_before(row, &mut |before| reached[before] = true);
            }
            let mut found = Counted::default();
            for row in first.clone() {
                let mut asked_about =
                    |row: usize, columns: &mut Vec<u32>| columns.extend(chosen(row));
                group.unmoves_into(row, &mut asked_about, &mut scratch, &mut found);
            }
            assert!(found.0 == expected.0, "{id} {table}");
            assert!(found.0.keys().all(|&(row, _)| reached[row]), "{id} {table}");
            // And the un-moves of the first phase stay in their row.
            for row in first.clone() {
                let mut there = Counted::default();
                group.unmoves(row, &chosen(row), &mut scratch, &mut there);
                let place = |&(there, _): &(usize, u32)| there == first.len() + row;
                assert!(there.0.keys().all(place), "{id} {table}");
            }
        }
    }
}
