//! A morris group laid out for solving.
//!
//! Both tables of a group have the same rows: the men of the row side, up to symmetry. The first
//! phase holds the nodes with the row side to move, the second those with the column side to move.
//!
//! - A step of the column side stays in its row: no symmetry, no look-up but the column's rank.
//! - A step of the row side leads from one row to another, and how it moves the columns (a
//!   symmetry, then the renumbering of the free points) is the same for every column of the row: it
//!   is computed once per pair of rows, as a [`Remap`](super::squeezed::Remap), and costs a few
//!   look-ups per node.
//!
//! Rows are full: all columns are present, even those that a symmetry of the row makes copies of
//! each other. Each step of the row side uses one fixed symmetry, and the un-moves are these steps
//! reversed, so steps and un-moves match one for one without multiplicities. For equal material,
//! the second phase is the same table seen from the other side: a node of one is the mirror of a
//! node of the other, and both are solved alike.

use std::ops::Range;

use endmill_games::Numbering;
use endmill_games::morris::Morris;
use endmill_games::morris::columns::Columns;
use endmill_games::morris::index::TableNumbering;
use endmill_games::morris::moves::points;
use endmill_games::morris::rows::Rows;
use endmill_games::morris::{Force, Position, Table};

use super::unsteps::{Scratch, pairs_of};
use crate::absent::Absent;
use crate::{Group, Layout, Part, RowPass, Seed, Solved, TurnScore, Visit};

/// A step of the row side without removal, reversed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepBack {
    /// The row it comes from.
    pub(super) row: u32,
    /// The symmetry that maps the columns back there.
    pub(super) symmetry: u16,
    /// The point that the step left, in terms of the row it leads to: it has no man.
    pub(super) vacated: u8,
}

/// See the module.
#[derive(Debug)]
pub struct MorrisGroup<'g> {
    pub(super) game: &'g Morris,
    pub(super) rows: &'g Rows,
    pub(super) numbering: &'g TableNumbering,
    /// The table in which the row side is to move; its partner has the column side to move.
    pub(super) row_side_moves: Table,
    /// Which of the two are laid out.
    has: [bool; 2],
    steps_back: Vec<StepBack>,
    /// Where the steps into each row start.
    steps_start: Vec<u32>,
    /// For each column of three men the three pairs in it, if the column side flies.
    pub(super) pairs: Vec<[u8; 3]>,
}

impl<'g> MorrisGroup<'g> {
    pub(super) fn new(game: &'g Morris, table: Table) -> MorrisGroup<'g> {
        let row_side_moves = if table.row_side() == 0 {
            table
        } else {
            table.swapped()
        };
        let reached = game.reached_tables();
        let has = [row_side_moves, row_side_moves.swapped()].map(|own| reached.contains(&own));
        // If one of the two is not reached, the other has no man on the board that could step.
        let both_step = game.steps_in(table) && game.steps_in(table.swapped());
        let steps = both_step && has == [true; 2] && game.has_inside_turns(table);
        let (row_side, column_side) = (row_side_moves.mover(), row_side_moves.opponent());
        let mut group = MorrisGroup {
            game,
            rows: game.rows(u32::from(row_side.men())),
            numbering: game.numbering(u32::from(row_side.men()), u32::from(column_side.men())),
            row_side_moves,
            has,
            steps_back: Vec::new(),
            steps_start: Vec::new(),
            pairs: Vec::new(),
        };
        if !steps {
            // No turn leads to the partner: each table is solved by itself.
            let row_side_first = table == row_side_moves;
            group.has = [row_side_first, !row_side_first];
        }
        if steps {
            group.reverse_steps();
            if game.flies(u32::from(column_side.total())) && column_side.men() == 3 {
                group.pairs = group
                    .columns()
                    .sets()
                    .iter()
                    .map(|&set| pairs_of(set))
                    .collect();
            }
        }
        group
    }

    /// Returns whether both sides have the same material.
    pub(super) fn is_mirrored(&self) -> bool {
        self.row_side_moves == self.row_side_moves.swapped()
    }

    pub(super) fn columns(&self) -> &'g Columns {
        self.numbering.columns()
    }

    pub(super) fn row_side(&self) -> Force {
        self.row_side_moves.mover()
    }

    pub(super) fn column_side(&self) -> Force {
        self.row_side_moves.opponent()
    }

    /// Returns the table of a row.
    pub(super) fn table_of_row(&self, row: usize) -> Table {
        match self.split(row) {
            (_, true) => self.row_side_moves,
            (_, false) => self.row_side_moves.swapped(),
        }
    }

    /// Returns the row within the table, and whether the row side is to move.
    pub(super) fn split(&self, row: usize) -> (usize, bool) {
        let first = self.phase(0).len();
        if row < first {
            (row, true)
        } else {
            (row - first, false)
        }
    }

    pub(super) fn phase(&self, phase: usize) -> Range<usize> {
        let [first, second] = self.has.map(|has| if has { self.rows.len() } else { 0 });
        [0..first, first..first + second][phase].clone()
    }

    /// Visits the steps of the row side from a row: from, to, whether it closes a mill, and the row
    /// it leads to with the symmetry that maps the columns there.
    pub(super) fn visit_row_steps(
        &self,
        row: usize,
        mut visit: impl FnMut(u8, u8, bool, usize, usize),
    ) {
        let board = &self.game.board();
        let men = self.rows.set(row);
        let total = u32::from(self.row_side().total());
        for from in points(men) {
            let others = men & !(1 << from);
            for to in points(self.game.reach(from, board.all() & !men, total)) {
                let closes = board.closes_mill(others, to);
                let (next, symmetry) = self.rows.locate(others | 1 << to);
                visit(from, to, closes, next, symmetry);
            }
        }
    }

    /// Visits the steps of the row side from a row that remove nothing.
    pub(super) fn visit_quiet_steps(&self, row: usize, mut visit: impl FnMut(u8, usize, usize)) {
        let can_take = self.column_side().men() > 0;
        self.visit_row_steps(row, |from, _, closes, next, symmetry| {
            if !closes || !can_take {
                visit(from, next, symmetry);
            }
        });
    }

    /// Reverses the steps of all rows.
    fn reverse_steps(&mut self) {
        let mut start = vec![0; self.rows.len() + 1];
        for row in 0..self.rows.len() {
            self.visit_quiet_steps(row, |_, next, _| start[next + 1] += 1);
        }
        for row in 0..self.rows.len() {
            start[row + 1] += start[row];
        }
        let mut filled = start.clone();
        let mut steps = vec![StepBack::default(); start[self.rows.len()] as usize];
        for row in 0..self.rows.len() {
            self.visit_quiet_steps(row, |from, next, symmetry| {
                steps[filled[next] as usize] = self.reversed(row, from, symmetry);
                filled[next] += 1;
            });
        }
        self.steps_back = steps;
        self.steps_start = start;
    }

    /// Returns the reverse of a step from a point of a row, given the symmetry that maps the
    /// columns to where it leads.
    pub(super) fn reversed(&self, row: usize, from: u8, symmetry: usize) -> StepBack {
        let images = self.game.board().symmetries()[symmetry].images();
        StepBack {
            row: row as u32,
            symmetry: self.rows.inverse(symmetry),
            vacated: images[usize::from(from)],
        }
    }

    /// Returns the quiet steps of the row side that lead to a row.
    pub(super) fn steps_into(&self, row: usize) -> &[StepBack] {
        let [start, end] = [row, row + 1].map(|row| self.steps_start[row] as usize);
        &self.steps_back[start..end]
    }

    /// Returns how a symmetry maps the free points of a row to those of another, as one bit each;
    /// none for a point that is occupied there.
    pub(super) fn carry(&self, points: &[u8], symmetry: usize, to_row_set: u32) -> Vec<u32> {
        let free = self.game.board().all() & !to_row_set;
        let images = self.game.board().symmetries()[symmetry].images();
        let squeezed = |point: &u8| {
            let image = 1u32 << images[usize::from(*point)];
            if free & image == 0 {
                0
            } else {
                1 << (free & (image - 1)).count_ones()
            }
        };
        points.iter().map(squeezed).collect()
    }
}

impl<'g> Group for MorrisGroup<'g> {
    type Table = Table;
    type Part<'p>
        = &'p MorrisGroup<'g>
    where
        Self: 'p;

    fn tables(&self) -> Vec<(Table, Range<usize>)> {
        let homes = self.phase_tables().into_iter().enumerate();
        homes
            .filter_map(|(phase, home)| Some((home?, self.phase(phase))))
            .collect()
    }

    fn width(&self) -> usize {
        self.columns().len()
    }

    fn first_position(&self, row: usize) -> u64 {
        self.numbering.start(self.split(row).0)
    }

    fn copies(&self, row: usize) -> Option<Vec<u32>> {
        let (row, _) = self.split(row);
        if self.rows.is_rigid(row) {
            return None;
        }
        let free = self.game.board().all() & !self.rows.set(row);
        let fold = |&squeezed: &u32| {
            let men = self.game.bits().pdep(squeezed, free);
            self.game
                .canonical_rank(self.rows, self.numbering, row, men)
        };
        Some(self.columns().sets().iter().map(fold).collect())
    }

    fn originals(&self, row: usize) -> Option<Vec<u32>> {
        let (row, _) = self.split(row);
        if self.rows.is_rigid(row) {
            return None;
        }
        let mut columns = Vec::with_capacity(self.columns().len());
        columns.extend(self.game.canonical_columns(self.rows, self.numbering, row));
        Some(columns)
    }

    fn phase_tables(&self) -> [Option<Table>; 2] {
        let [first, second] = self.has;
        let faces = [self.row_side_moves, self.row_side_moves.swapped()];
        [
            first.then_some(faces[0]),
            (second && !self.is_mirrored()).then_some(faces[1]),
        ]
    }

    fn has_inside_turns(&self) -> bool {
        self.game.has_inside_turns(self.row_side_moves)
    }

    fn layers(&self) -> usize {
        1
    }

    fn parts(&self, _: usize) -> usize {
        1
    }

    fn part(&self, _: usize, _: usize) -> &MorrisGroup<'g> {
        self
    }
}

/// The group is its own only part.
impl Part for &MorrisGroup<'_> {
    type Table = Table;
    type Scratch = Scratch;
    type Grid<'a>
        = Absent<Table>
    where
        Self: 'a;
    type RowPass<'a>
        = Self
    where
        Self: 'a;

    fn grid(&self) -> Option<Absent<Table>> {
        None
    }

    fn row_pass(&self) -> Option<Self> {
        (!self.steps_start.is_empty()).then_some(*self)
    }

    fn phases(&self) -> [Range<usize>; 2] {
        [self.phase(0), self.phase(1)]
    }

    fn width(&self, _: usize) -> usize {
        self.columns().len()
    }

    fn runs(&self, _: usize) -> Vec<usize> {
        vec![0]
    }

    fn mirrored(&self, row: usize, nodes: &mut Vec<usize>) -> bool {
        let (row, row_side_moves) = self.split(row);
        if row_side_moves || !self.is_mirrored() {
            return false;
        }
        nodes.clear();
        for column in 0..self.columns().len() {
            nodes.push(self.game.node(&self.position(row, column, false)));
        }
        true
    }

    fn seed(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        seeds.clear();
        match self.split(row) {
            _ if self.row_side_moves.quiet().is_some() => {
                self.seed_counted(row, solved, scratch, seeds);
            }
            _ if self.row_side_moves.in_hand() > 0 && self.places_by_turns() => {
                self.seed_by_turns(row, solved, seeds);
            }
            (row, row_side_places) if self.row_side_moves.in_hand() > 0 => {
                self.seed_placements(row, row_side_places, solved, &mut scratch.placing, seeds);
            }
            (row, true) => self.seed_row_side(row, solved, scratch, seeds),
            (row, false) => self.seed_column_side(row, solved, scratch, seeds),
        }
    }

    fn max_into(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        best: &mut [TurnScore],
    ) {
        if !self.steps_start.is_empty() {
            let (table, scores) = (self.table_of_row(row), &mut scratch.scores);
            match solved.mirror(table) {
                Some(mirror) => self.max_by_row_steps(row, mirror, scores, best),
                None => {
                    let partner = solved.values(table.swapped());
                    self.max_by_quiet_steps(row, partner, scores, best);
                }
            }
        }
    }

    fn unmoves(&self, row: usize, columns: &[u32], scratch: &mut Scratch, visit: &mut impl Visit) {
        if self.steps_start.is_empty() {
            return;
        }
        match self.split(row) {
            (row, true) => self.column_unmoves(row, columns, scratch, visit),
            (row, false) => self.row_unmoves(row, columns, scratch, visit),
        }
    }
}

impl RowPass for &MorrisGroup<'_> {
    type Scratch = Scratch;

    fn rows_before(&self, row: usize, visit: &mut impl FnMut(usize)) {
        let (row, _) = self.split(row);
        for step in self.steps_into(row) {
            visit(step.row as usize);
        }
    }

    fn unmoves_into(
        &self,
        row: usize,
        asked_about: &mut impl FnMut(usize, &mut Vec<u32>),
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        self.row_unmoves_into(row, asked_about, scratch, visit);
    }
}

impl MorrisGroup<'_> {
    /// Returns the position of a node.
    pub(super) fn position(&self, row: usize, column: usize, row_side_moves: bool) -> Position {
        let row_men = self.rows.set(row);
        let free = self.game.board().all() & !row_men;
        let column_men = self.game.bits().pdep(self.columns().sets()[column], free);
        let (table, men) = if row_side_moves {
            (self.row_side_moves, [row_men, column_men])
        } else {
            (self.row_side_moves.swapped(), [column_men, row_men])
        };
        self.game.position_unchecked(table, men)
    }
}
