//! A morris group laid out for solving.
//!
//! Both tables of a group have the same rows: the men of the row side, up to symmetry. The first
//! phase holds the nodes with the row side to move, the second those with the column side to move.
//!
//! - A step of the column side stays in its row: no symmetry, no look-up but the column's rank.
//! - A step of the row side leads from one row to another, and how it moves the columns (a
//!   symmetry, then the renumbering of the free points) is the same for every column of the row:
//!   it is worked out once per pair of rows, as a [`Remap`], and costs a few look-ups a node.
//!
//! Rows are full: all columns are there, also those that a symmetry of the row makes copies of
//! each other. Each step of the row side picks one symmetry and sticks to it, and the un-moves are
//! these very steps turned round, so steps and un-moves match one for one without multiplicities.
//! Where both sides have the same material, the second phase is the same table seen from the
//! other side: a node of one is the mirror of a node of the other, and both are solved alike.

use std::ops::Range;

use super::Morris;
use super::columns::Columns;
use super::index::Numbering;
use super::moves::points;
use super::position::{Force, Position, Table};
use super::rows::Rows;
use crate::game::Colour;
use crate::group::{Appeal, Group, Part, Seed, Solved, Visit};

/// How many columns are collected before they are handed on: few enough to stay in the first
/// cache, many enough that fetching the nodes ahead pays.
const BATCH: usize = 1024;

/// A step of the row side without removal, seen from where it leads.
#[derive(Clone, Copy, Debug, Default)]
struct StepBack {
    /// The row it comes from.
    row: u32,
    /// The symmetry that carries the columns back there.
    symmetry: u8,
    /// The point that the step left, as the row it leads to sees it: no man stands there.
    vacated: u8,
}

/// One view of the free points of a row: renumbered, with the neighbours and lines among them.
#[derive(Debug)]
pub(super) struct FreePoints {
    /// The points by their new numbers.
    pub(super) points: Vec<u8>,
    /// By new numbers.
    pub(super) neighbours: Vec<u32>,
    /// The lines that are wholly free.
    pub(super) lines: Vec<u32>,
}

impl FreePoints {
    pub(super) fn of_row(game: &Morris, row_set: u32) -> FreePoints {
        let free = game.board.all() & !row_set;
        let squeeze = |set: u32| game.bits.pext(set, free);
        let lines = game.board.lines().iter();
        let points: Vec<u8> = points(free).collect();
        FreePoints {
            neighbours: points
                .iter()
                .map(|&point| squeeze(game.board.neighbours(point)))
                .collect(),
            points,
            lines: lines
                .filter(|&line| line & !free == 0)
                .map(|&line| squeeze(line))
                .collect(),
        }
    }

    /// The set of all of them.
    pub(super) fn all(&self) -> u32 {
        (1 << self.points.len()) - 1
    }

    /// The points that would fill a line with two of a squeezed set.
    pub(super) fn mill_closers(&self, men: u32) -> u32 {
        let missing = self.lines.iter().map(|line| line & !men);
        missing
            .filter(|missing| missing.is_power_of_two())
            .fold(0, |set, point| set | point)
    }

    /// The men of a squeezed set that stand in mills.
    #[inline(always)]
    pub(super) fn in_mills(&self, men: u32) -> u32 {
        let mut mills = 0;
        for &line in &self.lines {
            mills |= if men & line == line { line } else { 0 };
        }
        mills
    }
}

/// A sum over the members of a squeezed set, by three look-ups. With a bit for each member the
/// sum is the image of the set; with counts it is a count.
pub(super) struct Remap([[u32; 256]; 3]);

impl Remap {
    pub(super) fn new(images: &[u32]) -> Remap {
        let mut sums = [[0; 256]; 3];
        for (table, images) in sums.iter_mut().zip(images.chunks(8)) {
            for (member, &image) in images.iter().enumerate() {
                let (known, next) = table.split_at_mut(1 << member);
                for (sum, &without) in next.iter_mut().zip(known.iter()) {
                    *sum = without + image;
                }
            }
        }
        Remap(sums)
    }

    #[inline(always)]
    pub(super) fn apply(&self, set: u32) -> u32 {
        let [low, middle, high] = &self.0;
        low[(set & 255) as usize]
            + middle[(set >> 8 & 255) as usize]
            + high[(set >> 16 & 255) as usize]
    }
}

/// See the module.
#[derive(Debug)]
pub struct MorrisGroup<'g> {
    pub(super) game: &'g Morris,
    pub(super) rows: &'g Rows,
    pub(super) numbering: &'g Numbering,
    /// The table in which the row side is to move; its partner has the column side to move.
    pub(super) row_side_moves: Table,
    /// Which of the two are laid out.
    has: [bool; 2],
    steps_back: Vec<StepBack>,
    /// Where the steps into each row start.
    steps_start: Vec<u32>,
    /// For each column of three men the three pairs in it, if the column side flies.
    pairs: Vec<[u8; 3]>,
}

impl<'g> MorrisGroup<'g> {
    pub(super) fn new(game: &'g Morris, table: Table) -> MorrisGroup<'g> {
        let row_side_moves = if table.row_side() == 0 {
            table
        } else {
            table.swapped()
        };
        let reached = game.reached_tables();
        let steps = game.steps_in(table) && game.steps_in(table.swapped());
        let Table {
            mover: row_side,
            opponent: column_side,
        } = row_side_moves;
        let mut group = MorrisGroup {
            game,
            rows: game.rows(u32::from(row_side.men)),
            numbering: game.numbering(u32::from(row_side.men), u32::from(column_side.men)),
            row_side_moves,
            has: [
                reached.contains(&row_side_moves),
                reached.contains(&row_side_moves.swapped()),
            ],
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
            group.lay_steps();
            if game.flies(u32::from(column_side.total())) && column_side.men == 3 {
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

    /// Whether both sides have the same material.
    pub(super) fn is_mirrored(&self) -> bool {
        self.row_side_moves == self.row_side_moves.swapped()
    }

    pub(super) fn columns(&self) -> &'g Columns {
        self.numbering.columns()
    }

    pub(super) fn row_side(&self) -> Force {
        self.row_side_moves.mover
    }

    pub(super) fn column_side(&self) -> Force {
        self.row_side_moves.opponent
    }

    /// The row within the table, and whether the row side is to move.
    pub(super) fn split(&self, row: usize) -> (usize, bool) {
        let first = self.phase(0).len();
        if row < first {
            (row, true)
        } else {
            (row - first, false)
        }
    }

    fn phase(&self, phase: usize) -> Range<usize> {
        let [first, second] = self.has.map(|has| if has { self.rows.len() } else { 0 });
        [0..first, first..first + second][phase].clone()
    }

    /// Visits the steps of the row side from a row: from, to, whether it closes a mill, and the
    /// row it leads to with the symmetry that carries the columns there.
    pub(super) fn visit_row_steps(
        &self,
        row: usize,
        mut visit: impl FnMut(u8, u8, bool, usize, usize),
    ) {
        let board = &self.game.board;
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

    /// Visits the steps of the row side from a row that take nothing.
    fn visit_quiet_steps(&self, row: usize, mut visit: impl FnMut(u8, usize, usize)) {
        let can_take = self.column_side().men > 0;
        self.visit_row_steps(row, |from, _, closes, next, symmetry| {
            if !closes || !can_take {
                visit(from, next, symmetry);
            }
        });
    }

    /// Turns the steps of all rows round.
    fn lay_steps(&mut self) {
        let mut start = vec![0; self.rows.len() + 1];
        for row in 0..self.rows.len() {
            self.visit_quiet_steps(row, |_, next, _| start[next + 1] += 1);
        }
        for row in 0..self.rows.len() {
            start[row + 1] += start[row];
        }
        let mut filled = start.clone();
        let mut steps = vec![StepBack::default(); start[self.rows.len()] as usize];
        let symmetries = self.game.board.symmetries();
        for row in 0..self.rows.len() {
            self.visit_quiet_steps(row, |from, next, symmetry| {
                steps[filled[next] as usize] = StepBack {
                    row: row as u32,
                    symmetry: self.rows.inverse(symmetry),
                    vacated: symmetries[symmetry].images()[usize::from(from)],
                };
                filled[next] += 1;
            });
        }
        self.steps_back = steps;
        self.steps_start = start;
    }

    /// How a symmetry carries the free points of a row to those of another, as one bit each; a
    /// point that is taken there has none.
    pub(super) fn carry(&self, points: &[u8], symmetry: usize, to_row_set: u32) -> Vec<u32> {
        let free = self.game.board.all() & !to_row_set;
        let images = self.game.board.symmetries()[symmetry].images();
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

    /// Steps of the column side stay in the row.
    fn column_unmoves(
        &self,
        row: usize,
        columns: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let target = self.phase(1).start + row;
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let flies = self.game.flies(u32::from(self.column_side().total()));
        let can_take = self.row_side().men > 0;
        // Beyond this the half-moves are cheaper: three per column of the row instead of up to
        // 54 un-moves per column asked about.
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

    /// Un-moves of a side with three flying men, through the half-move: two men stand, one is in
    /// the air. For each pair count the nodes asked about that a third man completes; the turns
    /// from a column into them are the counts of its three pairs, less the column itself, once
    /// for each pair: dropping back is no turn.
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

    /// Steps of the row side come from other rows.
    fn row_unmoves(
        &self,
        row: usize,
        columns: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl Visit,
    ) {
        let sets = self.columns().sets();
        let free = self.game.board.all() & !self.rows.set(row);
        let points: Vec<u8> = points(free).collect();
        let batch = &mut scratch.batch;
        batch.resize(BATCH, 0);
        let steps = self.steps_start[row] as usize..self.steps_start[row + 1] as usize;
        for step in &self.steps_back[steps] {
            let before = step.row as usize;
            let images = self.carry(&points, usize::from(step.symmetry), self.rows.set(before));
            let remap = Remap::new(&images);
            let vacated = 1 << (free & ((1 << step.vacated) - 1)).count_ones();
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
}

/// The numbers of the three pairs in a set of three.
fn pairs_of(set: u32) -> [u8; 3] {
    let men: Vec<usize> = points(set).map(usize::from).collect();
    let pair = |low: usize, high: usize| (men[high] * (men[high] - 1) / 2 + men[low]) as u8;
    [pair(0, 1), pair(0, 2), pair(1, 2)]
}

/// Buffers of one thread.
#[derive(Debug)]
pub struct Scratch {
    batch: Vec<u32>,
    pair_counts: [u16; 256],
    itself: Vec<u8>,
    counted: Vec<(u32, u16)>,
    pub(super) takings: Vec<u32>,
    pub(super) robbed: Vec<Appeal>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            batch: Vec::new(),
            pair_counts: [0; 256],
            itself: Vec::new(),
            counted: Vec::new(),
            takings: Vec::new(),
            robbed: Vec::new(),
        }
    }
}

impl<'g> Group for MorrisGroup<'g> {
    type Table = Table;
    type Part<'p>
        = &'p MorrisGroup<'g>
    where
        Self: 'p;

    fn tables(&self) -> Vec<(Table, Range<usize>)> {
        let homes = self.homes().into_iter().enumerate();
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
        if self.rows.stabiliser(row) == 1 {
            return None;
        }
        let free = self.game.board.all() & !self.rows.set(row);
        let fold = |&squeezed: &u32| {
            let men = self.game.bits.pdep(squeezed, free);
            self.game.folded(self.rows, self.numbering, row, men)
        };
        Some(self.columns().sets().iter().map(fold).collect())
    }

    fn homes(&self) -> [Option<Table>; 2] {
        let [first, second] = self.has;
        let faces = [self.row_side_moves, self.row_side_moves.swapped()];
        [
            first.then_some(faces[0]),
            (second && !self.is_mirrored()).then_some(faces[1]),
        ]
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
            nodes.push(self.game.node_of(&self.position(row, column, false)));
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
            _ if self.row_side_moves.in_hand() > 0 => self.seed_by_turns(row, solved, seeds),
            (row, true) => self.seed_row_side(row, solved, scratch, seeds),
            (row, false) => self.seed_column_side(row, solved, scratch, seeds),
        }
    }

    fn raise(&self, row: usize, solved: &impl Solved<Table>, _: &mut Scratch, best: &mut [Appeal]) {
        if !self.steps_start.is_empty() {
            self.raise_by_inside_turns(row, solved, best);
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

impl MorrisGroup<'_> {
    /// The position of a node.
    pub(super) fn position(&self, row: usize, column: usize, row_side_moves: bool) -> Position {
        let row_men = self.rows.set(row);
        let free = self.game.board.all() & !row_men;
        let column_men = self.game.bits.pdep(self.columns().sets()[column], free);
        let [rows, columns] = [(row_men, self.row_side()), (column_men, self.column_side())];
        let sides = if row_side_moves {
            [rows, columns]
        } else {
            [columns, rows]
        };
        Position {
            men: sides.map(|(men, _)| men),
            hand: sides.map(|(_, force)| force.hand),
            turn: Colour::White,
        }
    }
}
