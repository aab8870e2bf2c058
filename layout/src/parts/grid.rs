//! A part of draughts as a grid: the kings of either side numbered on the squares without men.
//!
//! In a cell the kings of the side to move are the row and those of its opponent the column, each
//! numbered as if the other side had none. A step of the opponent's kings changes the column alone,
//! and the columns it may come from do not depend on the row: they are listed once for each men
//! configuration. Where kings of both sides would stand on one square there is no node.

use endmill_games::bits::Bits;
use endmill_games::combinadics::colex_rank;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::singles;

use super::captures::Slices;
use super::group::{DraughtsPart, NEIGHBOURS, Scratch};
use super::view::Sets;
use crate::grid::Grid;
use crate::{Seed, Solved};

/// See the module.
#[derive(Debug)]
pub struct DraughtsGrid<'p> {
    part: &'p DraughtsPart<'p>,
    /// The steps of the kings of the side to move in each phase.
    steps: [Steps; 2],
}

/// Where the kings of one side can step, for every men configuration of a part.
#[derive(Debug, Default)]
struct Steps {
    /// By configuration and number of the kings: where its list begins; at the end where the last
    /// one ends.
    starts: Vec<u32>,
    /// The first cell of each row that a step leads to, or comes from, which is the same.
    rows: Vec<u32>,
}

impl Steps {
    #[inline(always)]
    fn new(bits: Bits, part: &DraughtsPart<'_>, phase: usize) -> Steps {
        let sets = part.king_sets(phase);
        let width = part.king_sets(1 - phase).len();
        let mut steps = Steps::default();
        if part.group.views[phase].table.own().kings == 0 {
            return steps;
        }
        steps.starts.push(0);
        for (configuration, men) in part.men().iter().enumerate() {
            let free = men[phase].free();
            let first = configuration * sets.len();
            for &set in sets.sets() {
                let kings = bits.pdep(set, free);
                for from in singles(kings) {
                    let near = NEIGHBOURS[from.trailing_zeros() as usize];
                    for to in singles(near & free & !kings) {
                        let stepped = colex_rank(bits.pext(kings ^ from ^ to, free)) as usize;
                        steps.rows.push(((first + stepped) * width) as u32);
                    }
                }
                steps.starts.push(steps.rows.len() as u32);
            }
        }
        steps
    }

    /// Whether no king steps at all.
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The steps of the kings with this number, counted through all configurations.
    #[inline(always)]
    fn of(&self, kings: usize) -> &[u32] {
        &self.rows[self.starts[kings] as usize..self.starts[kings + 1] as usize]
    }
}

impl<'p> DraughtsGrid<'p> {
    pub(super) fn new(part: &'p DraughtsPart<'p>) -> DraughtsGrid<'p> {
        let bits = part.group.game.bits();
        let steps = bits.in_place(|bits| [0, 1].map(|phase| Steps::new(bits, part, phase)));
        DraughtsGrid { part, steps }
    }

    /// The kings of the side to move, and of its opponent.
    fn sides(&self, phase: usize) -> [&'p Sets; 2] {
        [phase, 1 - phase].map(|phase| self.part.king_sets(phase))
    }
}

impl Grid for DraughtsGrid<'_> {
    type Table = Table;

    fn cells(&self, phase: usize) -> usize {
        let [own, opponent] = self.sides(phase);
        self.part.men().len() * own.len() * opponent.len()
    }

    fn seed(&self, phase: usize, solved: &impl Solved<Table>, visit: &mut impl FnMut(usize, Seed)) {
        let [own, opponent] = self.sides(phase);
        let bits = self.part.group.game.bits();
        let mut slices = Slices::new(self.part.group.game, solved);
        let (mut scratch, mut seeds) = (Scratch::default(), Vec::new());
        let mut first = 0;
        for men in self.part.men() {
            for &kings in own.sets() {
                bits.in_place(
                    #[inline(always)]
                    |bits| {
                        let view = &self.part.group.views[phase];
                        view.seed_row(
                            bits,
                            men[phase],
                            kings,
                            &mut slices,
                            &mut scratch,
                            &mut seeds,
                        );
                    },
                );
                let mut seeds = seeds.iter();
                for (column, &others) in opponent.sets().iter().enumerate() {
                    if others & kings == 0
                        && let Some(&seed) = seeds.next()
                    {
                        visit(first + column, seed);
                    }
                }
                first += opponent.len();
            }
        }
    }

    fn unmoves(&self, phase: usize, cells: &[u32], visit: &mut impl FnMut(usize)) {
        let [own, opponent] = self.sides(phase);
        let steps = &self.steps[1 - phase];
        if steps.is_empty() {
            return;
        }
        // In 32 bits, as cells are: that divides twice as fast.
        let (rows, width) = (own.len() as u32, opponent.len() as u32);
        for &cell in cells {
            let (row, column) = (cell / width, (cell % width) as usize);
            let (configuration, row) = (row / rows, (row % rows) as usize);
            // The other side sees the same kings with other numbers.
            let waiting = own.turned_number(row);
            let stepped = opponent.turned_number(column);
            for &row in steps.of((configuration * width + stepped) as usize) {
                visit((row + waiting) as usize);
            }
        }
    }

    fn compact(&self, phase: usize, cells: &[u16], nodes: &mut [u16]) {
        let [own, opponent] = self.sides(phase);
        let width = self.part.group.views[phase].columns.len();
        let rows = cells.chunks(opponent.len()).zip(nodes.chunks_mut(width));
        for ((cells, nodes), &kings) in rows.zip(own.sets().iter().cycle()) {
            let cells = cells.iter().zip(opponent.sets());
            let taken = cells.filter(|(_, others)| *others & kings == 0);
            for (node, (&cell, _)) in nodes.iter_mut().zip(taken) {
                *node = cell;
            }
        }
    }
}
