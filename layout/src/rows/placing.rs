//! Sweeps tables with men in hand where every turn places a man, row by row.
//!
//! No turn leads back, so the value of a node is that of its best placement.
//!
//! - The *row side* places on a point: one row and one symmetry for all columns of the row. The
//!   score of the turn is in a column of that row; if it closes a mill, which depends only on the
//!   row, it is that of the best column with a man less, computed for the whole row at once.
//! - The *column side* places: the row stays. Scores of columns with one man more propagate to
//!   their subsets, all at once; only columns with a mill are handled one by one, because the score
//!   of closing it is in other rows, or, if the other side then has more men, in a table with these
//!   men in its rows.

use endmill_games::morris::columns::Columns;
use endmill_games::morris::moves::points;
use endmill_games::morris::{Morris, Table};
use endmill_games::value::TableValues;

use super::group::MorrisGroup;
use super::lookups::{LookUps, TOGETHER};
use super::shadow::{max_by_larger, max_by_smaller};
use super::squeezed::{FreePoints, Remap};
use crate::{Seed, Solved, TurnScore};

/// The buffers of one thread.
#[derive(Debug, Default)]
pub(super) struct PlacingBuffers {
    best: Vec<TurnScore>,
    values: Vec<TurnScore>,
    smaller: Vec<TurnScore>,
    mills: Vec<Mills>,
    images: Images,
    /// Columns not yet won at once.
    open: Vec<u32>,
}

/// Columns are handled one by one when at most one in this number is not yet won at once. (In
/// tables of outcomes every win counts as a win at once.)
const FEW: usize = 3;

/// A column with a mill.
#[derive(Clone, Copy, Debug)]
struct Mills {
    column: u32,
    /// The men that stand in mills.
    men: u32,
    /// The score of closing one.
    worth: TurnScore,
}

/// Where placements lead: without a removal, and with one unless that ends the game. (`taken` is
/// not used if there is no man to remove.)
struct After {
    quiet: Table,
    taken: Option<Table>,
}

impl After {
    /// Returns `None` if the side to move has no man to place.
    fn new(game: &Morris, table: Table) -> Option<After> {
        Some(After {
            quiet: game.after_placing(table)?,
            taken: game.after_placing_and_taking(table, 1),
        })
    }
}

impl MorrisGroup<'_> {
    /// Returns where the placements of a phase lead, if they can be looked up by rows. That is so
    /// in every table of the rulesets; the rows could change sides without a removal only if the
    /// side to move had fewer men in hand.
    fn places_by_rows(&self, table: Table, row_side_places: bool) -> Option<After> {
        let placed_side = usize::from(row_side_places);
        After::new(self.game, table).filter(|after| after.quiet.row_side() == placed_side)
    }

    /// Seeds a row of a table in which every turn places a man.
    pub(super) fn seed_placements(
        &self,
        row: usize,
        row_side_places: bool,
        solved: &impl Solved<Table>,
        buffers: &mut PlacingBuffers,
        seeds: &mut Vec<Seed>,
    ) {
        let table = if row_side_places {
            self.row_side_moves
        } else {
            self.row_side_moves.swapped()
        };
        let Some(after) = self.places_by_rows(table, row_side_places) else {
            let row = self.phase(usize::from(!row_side_places)).start + row;
            return self.seed_by_turns(row, solved, seeds);
        };
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let nothing = self.outside_by_rule(free.points.len() as u32);
        buffers.best.clear();
        buffers.best.resize(self.columns().len(), nothing);
        if row_side_places {
            self.row_side_places(row, &free, &after, solved, buffers);
        } else {
            self.column_side_places(row, &free, &after, solved, buffers);
        }
        let seeded = |&outside: &TurnScore| Seed { inside: 0, outside };
        seeds.extend(buffers.best.iter().map(seeded));
    }

    fn row_side_places(
        &self,
        row: usize,
        free: &FreePoints,
        after: &After,
        solved: &impl Solved<Table>,
        buffers: &mut PlacingBuffers,
    ) {
        let (row_men, column_men) = (self.row_side().men(), self.column_side().men());
        let row_set = self.rows.set(row);
        let rows = self.game.rows(u32::from(row_men) + 1);
        let numbering = |men: u8| self.game.numbering(u32::from(row_men) + 1, u32::from(men));
        let columns = numbering(column_men).columns();
        let closes = |point: u8| column_men > 0 && self.game.board().closes_mill(row_set, point);
        // Removals first: they win most often, which leaves few columns for the others.
        let mut ways: Vec<(u32, u8)> = (0..).zip(free.points.iter().copied()).collect();
        ways.sort_by_key(|&(_, point)| !closes(point));
        let PlacingBuffers {
            best,
            values,
            smaller,
            mills,
            images,
            open,
        } = buffers;
        let mut few_are_open = false;
        for (placed, point) in ways {
            let (next, symmetry) = rows.locate(row_set | 1 << point);
            let carried = self.carry(&free.points, symmetry, rows.set(next));
            if few_are_open && !closes(point) {
                let nodes = next * columns.len();
                let quiet = solved.values(after.quiet);
                let remap = Remap::new(&carried);
                open.retain(|&column| {
                    let set = self.columns().sets()[column as usize];
                    let best = &mut best[column as usize];
                    if set >> placed & 1 == 0 {
                        let column = columns.rank(remap.apply(set)) as usize;
                        *best = (*best).max(quiet.score(nodes + column));
                    }
                    *best < TurnScore::WINS_AT_ONCE
                });
                if open.is_empty() {
                    return;
                }
                continue;
            }
            if !closes(point) {
                let nodes = next * columns.len()..(next + 1) * columns.len();
                solved.values(after.quiet).scores(nodes, values);
            } else if let Some(table) = after.taken {
                let reduced = numbering(column_men - 1).columns();
                let nodes = next * reduced.len()..(next + 1) * reduced.len();
                solved.values(table).scores(nodes, smaller);
                let free = FreePoints::of_row(self.game, rows.set(next));
                let any = self.game.rules().takes_any;
                best_taken(any, &free, columns, reduced, smaller, mills, values);
            } else {
                values.clear();
                values.resize(columns.len(), TurnScore::WINS_AT_ONCE);
            }
            images.lay(self.columns(), &carried, placed);
            images.max_into(self.columns(), columns, values, best);
            let is_open = |best: &TurnScore| *best < TurnScore::WINS_AT_ONCE;
            let count = best.iter().filter(|best| is_open(best)).count();
            if count * FEW < best.len() {
                few_are_open = true;
                open.clear();
                let columns = (0..).zip(best.iter()).filter(|(_, best)| is_open(best));
                open.extend(columns.map(|(column, _): (u32, _)| column));
            }
        }
    }

    fn column_side_places(
        &self,
        row: usize,
        free: &FreePoints,
        after: &After,
        solved: &impl Solved<Table>,
        buffers: &mut PlacingBuffers,
    ) {
        let [row_men, column_men] =
            [self.row_side().men(), self.column_side().men()].map(u32::from);
        let columns = self.game.numbering(row_men, column_men + 1).columns();
        let PlacingBuffers {
            best,
            values,
            mills,
            ..
        } = buffers;
        let nodes = row * columns.len()..(row + 1) * columns.len();
        solved.values(after.quiet).scores(nodes, values);
        mills.clear();
        if row_men > 0 {
            find_mills(free, columns, mills);
        }
        if !mills.is_empty() {
            match after.taken {
                None => {
                    for mills in mills.iter_mut() {
                        mills.worth = TurnScore::WINS_AT_ONCE;
                    }
                }
                Some(table) if table.row_side() == 0 => {
                    self.remove_by_rows(row, free, columns, solved.values(table), mills);
                }
                Some(table) => self.remove_turned(row, columns, solved.values(table), mills),
            }
        }
        for &Mills { column, men, worth } in mills.iter() {
            let quiet = std::mem::replace(&mut values[column as usize], TurnScore::NONE);
            let set = columns.sets()[column as usize];
            for point in points(set) {
                let worth = if men >> point & 1 == 1 { worth } else { quiet };
                let best = &mut best[self.columns().rank(set & !(1 << point)) as usize];
                *best = (*best).max(worth);
            }
        }
        max_by_larger(free.points.len() as u32, column_men, values, best);
    }

    /// Computes the scores of closing a mill if the rest of the row side still makes the rows.
    fn remove_by_rows(
        &self,
        row: usize,
        free: &FreePoints,
        columns: &Columns,
        values: TableValues<'_>,
        mills: &mut [Mills],
    ) {
        let row_set = self.rows.set(row);
        let row_men = u32::from(self.row_side().men()) - 1;
        let rows = self.game.rows(row_men);
        let reduced = self.game.numbering(row_men, columns.men()).columns();
        for taken in points(self.game.removable(row_set)) {
            let (next, symmetry) = rows.locate(row_set & !(1 << taken));
            let remap = Remap::new(&self.carry(&free.points, symmetry, rows.set(next)));
            for mills in mills.iter_mut() {
                let carried = remap.apply(columns.sets()[mills.column as usize]);
                let node = next * reduced.len() + reduced.rank(carried) as usize;
                mills.worth = mills.worth.max(values.score(node));
            }
        }
    }

    /// Computes the scores of closing a mill if the column side now makes the rows: the row of a
    /// column is the same for all men that may be removed.
    fn remove_turned(
        &self,
        row: usize,
        columns: &Columns,
        values: TableValues<'_>,
        mills: &mut [Mills],
    ) {
        let (board, bits) = (self.game.board(), self.game.bits());
        let row_set = self.rows.set(row);
        let removable = self.game.removable(row_set);
        let free = board.all() & !row_set;
        let rows = self.game.rows(columns.men());
        let row_men = u32::from(self.row_side().men()) - 1;
        let turned = self.game.numbering(columns.men(), row_men).columns();
        let mut look_ups = LookUps::new(values);
        for some in mills.chunks_mut(TOGETHER) {
            for mills in &*some {
                let set = bits.pdep(columns.sets()[mills.column as usize], free);
                let (next, symmetry) = rows.locate(set);
                let symmetry = &board.symmetries()[symmetry];
                let vacant = board.all() & !rows.set(next);
                let carried = bits.pext(symmetry.apply(row_set), vacant);
                for taken in points(bits.pext(symmetry.apply(removable), vacant)) {
                    let column = turned.rank(carried & !(1 << taken)) as usize;
                    look_ups.ask(next * turned.len() + column);
                }
                look_ups.end_column();
            }
            look_ups.max_into(some.iter_mut().map(|mills| &mut mills.worth));
        }
    }
}

/// Computes the best score of each column after the removal of a man: `any`, or one outside mills
/// if there is one.
fn best_taken(
    any: bool,
    free: &FreePoints,
    columns: &Columns,
    reduced: &Columns,
    values: &[TurnScore],
    mills: &mut Vec<Mills>,
    best: &mut Vec<TurnScore>,
) {
    best.clear();
    best.resize(columns.len(), TurnScore::NONE);
    let free_points = free.points.len() as u32;
    max_by_smaller(free_points, columns.men() - 1, values, best);
    if any {
        return;
    }
    mills.clear();
    find_mills(free, columns, mills);
    for &Mills { column, men, .. } in mills.iter() {
        let set = columns.sets()[column as usize];
        if set != men {
            let left = points(set & !men).map(|taken| reduced.rank(set & !(1 << taken)));
            let left = left.map(|column| values[column as usize]);
            best[column as usize] = left.max().unwrap_or(TurnScore::NONE);
        }
    }
}

/// Appends the columns that have a mill.
fn find_mills(free: &FreePoints, columns: &Columns, mills: &mut Vec<Mills>) {
    /// Batch size of the vectorised loop.
    const TOGETHER: usize = 64;
    if free.lines.is_empty() {
        return;
    }
    for (chunk, sets) in columns.sets().chunks(TOGETHER).enumerate() {
        let mut in_mills = [0u32; TOGETHER];
        for &line in &free.lines {
            for (in_mills, &set) in in_mills.iter_mut().zip(sets) {
                *in_mills |= if set & line == line { line } else { 0 };
            }
        }
        let first = (chunk * TOGETHER) as u32;
        for (column, &men) in (first..).zip(&in_mills).filter(|(_, men)| **men != 0) {
            mills.push(Mills {
                column,
                men,
                worth: TurnScore::NONE,
            });
        }
    }
}

/// How a placement maps the columns of a row to those of the row it leads to.
///
/// A column is a set of the lower half of the free points and one of the upper half; columns in
/// order are, for each upper set, all lower sets of the remaining size. So the image of a column is
/// the union of entries of two lists.
#[derive(Debug, Default)]
struct Images {
    /// By size, in order: the images of the lower sets without the point of the placement, and
    /// their places among all lower sets of the size.
    lower: Vec<Vec<Lower>>,
    /// The images of the upper sets, whether or not the point is in them.
    upper: Vec<u32>,
    /// The upper set of that point alone, if it is in the upper half.
    placed: u32,
}

#[derive(Clone, Copy, Debug)]
struct Lower {
    image: u32,
    place: u32,
}

impl Images {
    fn lay(&mut self, columns: &Columns, carried: &[u32], placed: u32) {
        let split = columns.ranks().split();
        let (lower, upper) = carried.split_at(split as usize);
        self.placed = (1 << placed) >> split;
        images(upper, &mut self.upper);
        let mut all = Vec::new();
        images(lower, &mut all);
        self.lower.resize_with(split as usize + 1, Vec::new);
        self.lower.iter_mut().for_each(Vec::clear);
        for (set, &image) in (0_u32..).zip(&all) {
            if placed >= split || set >> placed & 1 == 0 {
                let place = columns.ranks().low(set);
                self.lower[set.count_ones() as usize].push(Lower { image, place });
            }
        }
    }

    /// Raises every column without the point of the placement to the score of its image.
    fn max_into(
        &self,
        columns: &Columns,
        target: &Columns,
        values: &[TurnScore],
        best: &mut [TurnScore],
    ) {
        for (set, &upper) in (0_u32..).zip(&self.upper) {
            let left = (columns.men()).checked_sub(set.count_ones());
            let lower = left.and_then(|left| self.lower.get(left as usize));
            let Some(lower) = lower.filter(|_| set & self.placed == 0) else {
                continue;
            };
            let first = columns.ranks().high(set) as usize;
            for &Lower { image, place } in lower {
                let worth = values[target.rank(upper | image) as usize];
                let best = &mut best[first + place as usize];
                *best = (*best).max(worth);
            }
        }
    }
}

/// Computes the images of all sets of some points, given those of the points.
fn images(of_points: &[u32], all: &mut Vec<u32>) {
    all.clear();
    all.push(0);
    for &image in of_points {
        for set in 0..all.len() {
            all.push(all[set] | image);
        }
    }
}
