//! The distances to neighbours along a row.
//!
//! Steps of the lowest men lead back as far as these men tell, whatever stands above them; and
//! while the men above stand still, the lowest go through all their places in the same order
//! again. So most distances are copied from the last time.

use std::array;

use super::super::Morris;
use super::super::columns::Columns;
use super::super::moves::points;
use crate::features::NEAR;

/// The steps of this number of the lowest column men lead to neighbours; those of higher men lead too
/// far away.
const LOWEST: usize = 4;
/// Lower neighbours of a point that count; on most boards no point has more.
const LOWER: usize = 2;

/// Goes along a row.
pub(super) struct Neighbours<'a> {
    columns: &'a Columns,
    /// For each free point the highest free ones of its lower neighbours, as sets; empty sets if
    /// there are fewer, and where there is no man.
    lower: [[u32; LOWER]; 33],
    /// The lowest men, whose distances repeat, where they are lowest: not all men of a column, since
    /// those never come back to where they were.
    first: u32,
    /// How many columns ago they were there; `None` until they are.
    since: Option<usize>,
    /// What was found of them that number of columns after.
    known: Vec<Found>,
    /// Whether the highest man counts too, and is not among them.
    highest_counts: bool,
}

/// Distances to neighbours, 16 bits each, and how many have been found. Kept in one number: what is
/// written to memory in parts and read as a whole makes the processor wait.
#[derive(Clone, Copy, Default)]
struct Found {
    /// The first in the lowest bits; behind those that anybody looks at there may be anything.
    distances: u64,
    count: u32,
}

impl Found {
    /// Without a branch on whether it is there: that would be guessed wrong all the time.
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
    /// For the rows of a table; [`set_row`](Neighbours::set_row) says which.
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

    /// Starts to go along a row.
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

    /// Of the column after the last one asked about, or of any column at first.
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

    /// Of the men whose distances repeat.
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

    /// Adds the neighbours that a step of one man leads to.
    #[inline(always)]
    fn add(&self, column: usize, set: u32, man: u32, found: &mut Found) {
        for point in self.lower[man.trailing_zeros() as usize] {
            let there = self.columns.rank(set ^ man ^ point);
            let distance = (column as u16).wrapping_sub(there as u16);
            found.add(distance, point & !set != 0);
        }
    }
}
