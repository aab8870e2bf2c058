//! The distances to neighbours along a row.
//!
//! The distance of a step of the lowest men depends only on these men, not on those above; and
//! while the men above stand still, the lowest go through all their places in the same order. So
//! most distances are copied from the previous round.

use std::array;

use super::super::Morris;
use super::super::columns::Columns;
use super::super::moves::points;
use crate::features::NEAR;

/// The number of lowest column men whose steps lead to neighbours; steps of higher men lead too far
/// away.
const LOWEST: usize = 4;
/// The number of lower neighbours of a point that count; on most boards no point has more.
const LOWER: usize = 2;

/// Walks along a row.
pub(super) struct Neighbours<'a> {
    columns: &'a Columns,
    /// For each free point, its highest free lower neighbours, as singleton sets; empty sets if
    /// there are fewer.
    lower: [[u32; LOWER]; 33],
    /// The lowest men, whose distances repeat, in their first position. Not all men of a column,
    /// since all together never return.
    first: u32,
    /// The number of columns since they were there; `None` before.
    since: Option<usize>,
    /// Their distances, by that number.
    known: Vec<Found>,
    /// Whether the highest man counts too and is not among them.
    highest_counts: bool,
}

/// Distances to neighbours, 16 bits each, and their number. Kept in one integer, because writing
/// parts to memory and reading them as a whole stalls the processor.
#[derive(Clone, Copy, Default)]
struct Found {
    /// The first in the lowest bits; bits beyond those that are read are arbitrary.
    distances: u64,
    count: u32,
}

impl Found {
    /// No branch on `is_there`: it is unpredictable.
    #[inline(always)]
    fn add(&mut self, distance: u16, is_there: bool) {
        let distance = u64::from(distance) * u64::from(is_there);
        self.distances |= distance << (16 * self.count.min(NEAR as u32));
        self.count += u32::from(is_there);
    }

    #[inline(always)]
    fn nearest(self) -> [u16; NEAR] {
        array::from_fn(|i| (self.distances >> (16 * i)) as u16)
    }
}

impl<'a> Neighbours<'a> {
    /// Returns a walk for a table; [`set_row`](Neighbours::set_row) selects the row.
    pub(super) fn new(columns: &'a Columns) -> Neighbours<'a> {
        let men = columns.men() as usize;
        Neighbours {
            columns,
            lower: [[0; LOWER]; 33],
            first: (1 << LOWEST.min(men.saturating_sub(1))) - 1,
            since: None,
            known: Vec::new(),
            highest_counts: (1..=LOWEST).contains(&men),
        }
    }

    /// Starts a row.
    pub(super) fn set_row(&mut self, game: &Morris, row_set: u32) {
        let free = game.board.all() & !row_set;
        self.lower = [[0; LOWER]; 33];
        for (point, lower) in points(free).zip(&mut self.lower) {
            let near = game.board.neighbours(point) & free & ((1 << point) - 1);
            let mut near = game.bits.pext(near, free);
            for lower in lower {
                *lower = (1 << 31) >> near.leading_zeros().min(31) & near;
                near ^= *lower;
            }
        }
        self.since = None;
        self.known.clear();
    }

    /// Returns the distances of a column: the one after the previous column, or any column at
    /// first.
    #[inline(always)]
    pub(super) fn next(&mut self, column: usize) -> [u16; NEAR] {
        let set = self.columns.sets()[column];
        if set & self.first == self.first {
            self.since = Some(0);
        }
        let mut found = match self.since {
            None => self.find(column, set),
            Some(since) => {
                self.since = Some(since + 1);
                match self.known.get(since) {
                    Some(&known) => known,
                    None => {
                        let found = self.find(column, set);
                        self.known.push(found);
                        found
                    }
                }
            }
        };
        if self.highest_counts {
            let highest = (1 << 31) >> set.leading_zeros().min(31) & set;
            self.add(column, set, highest, &mut found);
        }
        found.nearest()
    }

    /// Returns the distances of the men whose distances repeat.
    fn find(&self, column: usize, set: u32) -> Found {
        let mut found = Found::default();
        let mut rest = set;
        for _ in 0..self.first.count_ones() {
            let man = rest & rest.wrapping_neg();
            rest ^= man;
            self.add(column, set, man, &mut found);
        }
        found
    }

    /// Adds the neighbours reached by a step of one man.
    #[inline(always)]
    fn add(&self, column: usize, set: u32, man: u32, found: &mut Found) {
        for point in self.lower[man.trailing_zeros() as usize] {
            let there = self.columns.rank(set ^ man ^ point);
            let distance = (column as u16).wrapping_sub(there as u16);
            found.add(distance, point & !set != 0);
        }
    }
}
