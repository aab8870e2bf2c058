//! A part of draughts as a grid: the kings of either side numbered on the squares without men.
//!
//! Both phases lie alike, so that the same cell of both is the same diagram: its row is the kings of
//! the side to move in the first phase, its column those of the other side, each numbered as if
//! the other had none, and all as the first phase sees it. A step of the one side changes the row,
//! one of the other side the column, and where to does not depend on the kings that stand still: it
//! is listed once for each men configuration. Un-moves stay in a row, or go from one to few others,
//! which are in the first cache. Where kings of both sides would stand on one square there is no
//! node.

use endmill_games::bits::Bits;
use endmill_games::combinadics::colex_rank;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::singles;

use super::captures::Slices;
use super::group::{DraughtsPart, NEIGHBOURS, Scratch};
use super::view::{Men, Sets};
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
    /// The kings that a step leads to, or comes from, which is the same.
    kings: Vec<u32>,
}

impl Steps {
    /// Of the kings that can stand as `sets` say. Their numbers are multiplied by `factor`, and by
    /// configuration, if `apart`, go on where those of the one before ended.
    #[inline(always)]
    fn new(bits: Bits, men: &[[Men; 2]], sets: &Sets, apart: bool, factor: usize) -> Steps {
        let mut steps = Steps::default();
        if sets.len() == 1 {
            return steps;
        }
        steps.starts.reserve(men.len() * sets.len() + 1);
        steps.starts.push(0);
        for (configuration, men) in men.iter().enumerate() {
            let free = men[0].free();
            let first = if apart { configuration * sets.len() } else { 0 };
            for &set in sets.sets() {
                let kings = bits.pdep(set, free);
                for from in singles(kings) {
                    let near = NEIGHBOURS[from.trailing_zeros() as usize];
                    for to in singles(near & free & !kings) {
                        let stepped = colex_rank(bits.pext(kings ^ from ^ to, free)) as usize;
                        steps.kings.push(((first + stepped) * factor) as u32);
                    }
                }
                steps.starts.push(steps.kings.len() as u32);
            }
        }
        steps
    }

    /// Whether no king steps at all.
    fn is_empty(&self) -> bool {
        self.kings.is_empty()
    }

    /// The steps of the kings with this number, counted through all configurations.
    #[inline(always)]
    fn of(&self, kings: usize) -> &[u32] {
        &self.kings[self.starts[kings] as usize..self.starts[kings + 1] as usize]
    }
}

impl<'p> DraughtsGrid<'p> {
    pub(super) fn new(part: &'p DraughtsPart<'p>) -> DraughtsGrid<'p> {
        let bits = part.group.game.bits();
        let (men, [rows, columns]) = (part.men(), [0, 1].map(|phase| part.king_sets(phase)));
        let steps = bits.in_place(
            #[inline(always)]
            |bits| {
                [
                    Steps::new(bits, men, rows, true, columns.len()),
                    Steps::new(bits, men, columns, false, 1),
                ]
            },
        );
        DraughtsGrid { part, steps }
    }

    /// The kings of the side to move, and of its opponent.
    fn sides(&self, phase: usize) -> [&'p Sets; 2] {
        [phase, 1 - phase].map(|phase| self.part.king_sets(phase))
    }

    /// The cells of a row of a phase of the part, by the numbers of the opponent's kings: the first
    /// one, how far they lie apart, and the numbers they have.
    #[inline(always)]
    fn line(&self, phase: usize, configuration: usize, row: usize) -> Line<'p> {
        let [rows, columns] = [0, 1].map(|phase| self.part.king_sets(phase));
        let width = columns.len();
        let start = configuration * rows.len() * width;
        match phase {
            0 => Line {
                first: start + row * width,
                turned: None,
            },
            _ => Line {
                first: start + columns.turned_number(row) as usize,
                turned: Some((rows, width)),
            },
        }
    }

    #[inline(always)]
    fn seed_phase(
        &self,
        bits: Bits,
        phase: usize,
        solved: &impl Solved<Table>,
        visit: &mut impl FnMut(usize, Seed),
    ) {
        let [own, opponent] = self.sides(phase);
        let view = &self.part.group.views[phase];
        let mut slices = Slices::new(self.part.group.game, solved);
        let (mut scratch, mut seeds) = (Scratch::default(), Vec::new());
        for (configuration, men) in self.part.men().iter().enumerate() {
            for (row, &kings) in own.sets().iter().enumerate() {
                let men = men[phase];
                view.seed_row(bits, men, kings, &mut slices, &mut scratch, &mut seeds);
                let line = self.line(phase, configuration, row);
                for (cell, &seed) in line.nodes(kings, opponent).zip(&seeds) {
                    visit(cell, seed);
                }
            }
        }
    }
}

/// The cells of a row of the part: in the second phase they lie in a column.
struct Line<'p> {
    first: usize,
    /// In the second phase: the kings that it has in its columns, whose numbers are those of the
    /// first phase once they are turned, and how far rows lie apart.
    turned: Option<(&'p Sets, usize)>,
}

impl Line<'_> {
    /// The cells that stand for a node, where the own kings stand as given.
    #[inline(always)]
    fn nodes(&self, kings: u32, opponent: &Sets) -> impl Iterator<Item = usize> {
        let columns = opponent.sets().iter().enumerate();
        let columns = columns.filter(move |(_, others)| *others & kings == 0);
        columns.map(|(column, _)| match self.turned {
            None => self.first + column,
            Some((sets, width)) => self.first + sets.turned_number(column) as usize * width,
        })
    }
}

impl Grid for DraughtsGrid<'_> {
    type Table = Table;

    fn cells(&self, _: usize) -> usize {
        let [rows, columns] = self.sides(0);
        self.part.men().len() * rows.len() * columns.len()
    }

    fn seed(&self, phase: usize, solved: &impl Solved<Table>, visit: &mut impl FnMut(usize, Seed)) {
        let bits = self.part.group.game.bits();
        bits.in_place(
            #[inline(always)]
            |bits| self.seed_phase(bits, phase, solved, visit),
        );
    }

    fn unmoves(&self, phase: usize, cells: &[u32], visit: &mut impl FnMut(u32, &[u32])) {
        let steps = &self.steps[1 - phase];
        if steps.is_empty() {
            return;
        }
        let [rows, columns] = self.sides(0).map(|sets| sets.len() as u32);
        // In 32 bits, as cells are: that divides twice as fast.
        for &cell in cells {
            let (row, column) = (cell / columns, cell % columns);
            if phase == 0 {
                let kings = row / rows * columns + column;
                visit(cell - column, steps.of(kings as usize));
            } else {
                visit(column, steps.of(row as usize));
            }
        }
    }

    fn compact(&self, phase: usize, cells: &[u16], nodes: &mut [u16]) {
        let [own, opponent] = self.sides(phase);
        let rows = self.part.group.views[phase].columns.len();
        let mut nodes = nodes.chunks_mut(rows);
        for configuration in 0..self.part.men().len() {
            for ((row, &kings), nodes) in own.sets().iter().enumerate().zip(&mut nodes) {
                let line = self.line(phase, configuration, row);
                for (node, cell) in nodes.iter_mut().zip(line.nodes(kings, opponent)) {
                    *node = cells[cell];
                }
            }
        }
    }
}
