//! A part of draughts as a grid: the kings of either side numbered on the squares without men.
//!
//! Both phases have the same layout, so the same cell of both is the same diagram: its row is the
//! kings of the side to move in the first phase, its column those of the other side, each numbered
//! as if the other had none, as the first phase sees them. A step of one side changes the row, a
//! step of the other the column, and the target does not depend on the kings that stand still: it
//! is listed once per men configuration. Un-moves stay in a row, or lead from one row to few
//! others, which are in the first-level cache. Cells with kings of both sides on one square have no
//! node.

use endmill_games::bits::Bits;
use endmill_games::draughts::Table;

use super::captures::Slices;
use super::group::{DraughtsPart, Scratch};
use super::view::{Men, Sets, visit_stepped};
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
    /// The start of each list, by configuration and number of the kings, and finally the end of the
    /// last.
    starts: Vec<u32>,
    /// The kings that a step leads to, or comes from: steps are symmetric.
    kings: Vec<u32>,
}

impl Steps {
    /// Returns the steps of the kings with these sets. Their numbers are multiplied by `factor`; if
    /// `apart`, each configuration continues the numbers of the previous one.
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
                visit_stepped(bits, kings, free, |stepped| {
                    steps.kings.push(((first + stepped) * factor) as u32);
                });
                steps.starts.push(steps.kings.len() as u32);
            }
        }
        steps
    }

    /// Returns whether no king can step.
    fn is_empty(&self) -> bool {
        self.kings.is_empty()
    }

    /// Returns the steps of the kings with this number, counted through all configurations.
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

    /// Returns the king sets of the side to move, and of its opponent.
    fn sides(&self, phase: usize) -> [&'p Sets; 2] {
        [phase, 1 - phase].map(|phase| self.part.king_sets(phase))
    }

    /// Returns where the cells of a row of the part are.
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

/// The cells of a row of the part: in the second phase they form a column.
struct Line<'p> {
    first: usize,
    /// In the second phase: the kings that it has in its columns, whose numbers are those of the
    /// first phase once they are turned, and how far rows lie apart.
    turned: Option<(&'p Sets, usize)>,
}

impl Line<'_> {
    /// Returns the cells with a node, given the own kings.
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
        // 32-bit division is twice as fast.
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

    fn compact<N: Copy>(&self, phase: usize, cells: &[N], nodes: &mut [N]) {
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

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use endmill_games::Numbering;
    use endmill_games::draughts::Draughts;
    use endmill_games::value::TableValues;

    use super::super::DraughtsGroup;
    use super::*;
    use crate::{Group, NodeValue, Part, Visit};

    /// Kings on both sides, on one, on none; equal sides; many configurations in a part.
    const TABLES: [&str; 6] = ["11v11", "12v01", "11v02", "21v10", "20v11", "20v10"];

    /// Meaningless values that distinguish nodes.
    pub(in super::super) struct MadeUp(BTreeMap<Table, Vec<NodeValue>>);

    impl MadeUp {
        pub(in super::super) fn new(game: &Draughts) -> MadeUp {
            let tables = game.tables(Some(4)).into_iter();
            let value = |node: u64| match node.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56 {
                drawn if drawn > 200 => NodeValue::DRAW,
                plies => NodeValue(NodeValue::DECIDED | plies as u16),
            };
            let values = |table| (0..game.size(table)).map(value).collect();
            MadeUp(tables.map(|table| (table, values(table))).collect())
        }
    }

    impl Solved<Table> for MadeUp {
        fn values(&self, table: Table) -> TableValues<'_> {
            TableValues::Nodes(&self.0[&table])
        }
    }

    pub(in super::super) fn each_part(mut check: impl FnMut(&DraughtsPart<'_>)) {
        let game = Draughts::new();
        for name in TABLES {
            let mut tables = game.tables(Some(4)).into_iter();
            let table = tables.find(|table| table.to_string() == name);
            let group = DraughtsGroup::new(&game, table.unwrap());
            for layer in 0..group.layers() {
                // Some parts of every layer suffice.
                for number in (0..group.parts(layer)).step_by(5) {
                    check(&group.part(layer, number));
                }
            }
        }
    }

    /// For each cell the node that it stands for, by what compacting makes of numbered cells.
    fn cells_of_nodes(
        part: &DraughtsPart<'_>,
        grid: &DraughtsGrid<'_>,
        phase: usize,
    ) -> Vec<usize> {
        let cells = grid.cells(phase);
        let nodes = part.phases()[phase].len() * part.width(phase);
        let mut found = vec![0; nodes];
        let numbers: Vec<usize> = (0..cells).collect();
        grid.compact(phase, &numbers, &mut found);
        found
    }

    #[test]
    fn cells_are_seeded_like_the_nodes_they_stand_for() {
        let game = Draughts::new();
        let solved = MadeUp::new(&game);
        each_part(|part| {
            let grid = part.grid().unwrap();
            for phase in 0..2 {
                let mut by_cell = vec![None; grid.cells(phase)];
                grid.seed(phase, &solved, &mut |cell, seed| {
                    assert_eq!(by_cell[cell].replace(seed), None);
                });
                let mut cells = cells_of_nodes(part, &grid, phase).into_iter();
                for row in part.phases()[phase].clone() {
                    let mut seeds = Vec::new();
                    part.seed(row, &solved, &mut Default::default(), &mut seeds);
                    for seed in seeds {
                        assert_eq!(by_cell[cells.next().unwrap()].take(), Some(seed));
                    }
                }
                assert_eq!(cells.next(), None);
                assert!(by_cell.iter().all(Option::is_none));
            }
        });
    }

    #[derive(Default)]
    struct Counted(BTreeMap<usize, usize>);

    impl Visit for Counted {
        fn each(&mut self, _: usize, _: &[u32]) {
            unreachable!("draughts visits nodes one by one");
        }

        fn counted(&mut self, _: usize, _: &[(u32, u16)]) {
            unreachable!("draughts visits nodes one by one");
        }

        fn scattered(&mut self, nodes: &[u32]) {
            for &node in nodes {
                *self.0.entry(node as usize).or_default() += 1;
            }
        }
    }

    #[test]
    fn unmoves_of_cells_are_those_of_the_nodes_they_stand_for() {
        each_part(|part| {
            let grid = part.grid().unwrap();
            for phase in 0..2 {
                let mut node_of = vec![None; grid.cells(1 - phase)];
                for (node, cell) in cells_of_nodes(part, &grid, 1 - phase)
                    .into_iter()
                    .enumerate()
                {
                    node_of[cell] = Some(node);
                }
                let width = part.width(phase);
                let rows = part.phases()[phase].clone();
                let cells = cells_of_nodes(part, &grid, phase);
                for (node, &cell) in cells.iter().enumerate().step_by(7) {
                    let mut expected = Counted::default();
                    let (row, column) = (rows.start + node / width, (node % width) as u32);
                    part.unmoves(row, &[column], &mut Default::default(), &mut expected);
                    let mut found = Counted::default();
                    grid.unmoves(phase, &[cell as u32], &mut |offset, cells| {
                        for &cell in cells {
                            if let Some(node) = node_of[(offset + cell) as usize] {
                                *found.0.entry(node).or_default() += 1;
                            }
                        }
                    });
                    assert_eq!(found.0, expected.0);
                }
            }
        });
    }
}
