//! Forward look-ups of turns that change no material, row by row, for verifying and for sweeping
//! tables with a count.
//!
//! Separate from the un-moves on purpose: verification uses the forward rules alone.

use endmill_games::morris::moves::points;
use endmill_games::morris::planes::{Words, word};
use endmill_games::value::TableValues;

use super::group::MorrisGroup;
use super::lookups::{LookUps, TOGETHER};
use super::squeezed::{FreePoints, Remap};
use crate::TurnScore;

/// A step of a column man, in squeezed points.
struct ColumnStep {
    from: u8,
    to: u8,
    /// The other two points of each line that the step would fill.
    closes: Vec<[u8; 2]>,
}

impl ColumnStep {
    /// Returns all steps between free points. If the side can remove a man, a step that closes a
    /// mill is not quiet, so the lines that it would fill are included.
    fn all(free: &FreePoints, flies: bool, can_take: bool) -> Vec<ColumnStep> {
        let mut steps = Vec::new();
        for from in points(free.all()) {
            let near = match flies {
                true => free.all() & !(1 << from),
                false => free.neighbours[usize::from(from)],
            };
            for to in points(near) {
                let filled = free
                    .lines
                    .iter()
                    .filter(|&&line| can_take && line >> to & 1 == 1 && line >> from & 1 == 0);
                let closes = filled.map(|line| {
                    let mut others = points(line & !(1 << to));
                    [(); 2].map(|()| others.next().expect("a line has three points"))
                });
                steps.push(ColumnStep {
                    from,
                    to,
                    closes: closes.collect(),
                });
            }
        }
        steps
    }

    /// Returns the columns of a chunk in which the step is possible and fills no line.
    #[inline(always)]
    fn movers(&self, words: &Words) -> u64 {
        let at = |point: u8| word(words, point);
        let movers = at(self.from) & !at(self.to);
        let lines = self.closes.iter();
        lines.fold(movers, |movers, &[a, b]| movers & !(at(a) & at(b)))
    }
}

impl MorrisGroup<'_> {
    /// Raises `best` by the steps without removal of every column of a row; `next` is the table
    /// that they lead to: the partner, or the partner with the next count.
    pub(super) fn max_by_quiet_steps(
        &self,
        row: usize,
        next: TableValues<'_>,
        scores: &mut Vec<TurnScore>,
        best: &mut [TurnScore],
    ) {
        match self.split(row) {
            (row, true) if self.is_mirrored() => self.max_by_turned_steps(row, next, best),
            (row, true) => self.max_by_row_steps(row, next, scores, best),
            (row, false) => self.max_by_column_steps(row, next, scores, best),
        }
    }

    /// For equal material, the partner is the same table seen from the other side: the column's men
    /// make the row of the position after a step, the same row for all steps.
    fn max_by_turned_steps(&self, row: usize, next: TableValues<'_>, best: &mut [TurnScore]) {
        let (board, bits) = (self.game.board(), self.game.bits());
        let columns = self.columns();
        let row_men = self.rows.set(row);
        let free = board.all() & !row_men;
        let can_take = self.column_side().men() > 0;
        let mut steps = Vec::new();
        self.visit_row_steps(row, |from, to, closes, _, _| {
            if !closes || !can_take {
                steps.push((from, to));
            }
        });
        let mut look_ups = LookUps::new(next);
        let together = best.chunks_mut(TOGETHER);
        for (best, sets) in together.zip(columns.sets().chunks(TOGETHER)) {
            for &squeezed in sets {
                let column_men = bits.pdep(squeezed, free);
                let (turned, symmetry) = self.rows.locate(column_men);
                let symmetry = &board.symmetries()[symmetry];
                let vacant = board.all() & !self.rows.set(turned);
                let first = turned * columns.len();
                let carried = symmetry.apply(row_men);
                let image = |point: u8| 1 << symmetry.images()[usize::from(point)];
                for &(from, to) in steps.iter().filter(|(_, to)| column_men >> to & 1 == 0) {
                    let after = carried ^ image(from) ^ image(to);
                    let column = columns.rank(bits.pext(after, vacant));
                    look_ups.ask(first + column as usize);
                }
                look_ups.end_column();
            }
            look_ups.max_into(best.iter_mut());
        }
    }

    /// Raises `best` by steps of the row side.
    pub(super) fn max_by_row_steps(
        &self,
        row: usize,
        partner: TableValues<'_>,
        scores: &mut Vec<TurnScore>,
        best: &mut [TurnScore],
    ) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.column_side().men() > 0;
        self.visit_row_steps(row, |_, to, closes, next, symmetry| {
            if closes && can_take {
                return;
            }
            let to = free.points.iter().position(|&point| point == to);
            let to = to.expect("a step leads to a free point");
            let remap = Remap::new(&self.carry(&free.points, symmetry, self.rows.set(next)));
            partner.scores(next * columns.len()..(next + 1) * columns.len(), scores);
            let vacant = |words: &Words| !word(words, to as u8);
            self.numbering
                .planes()
                .visit(columns.len(), vacant, |column| {
                    let there = columns.rank(remap.apply(columns.sets()[column]));
                    best[column] = best[column].max(scores[there as usize]);
                });
        });
    }

    fn max_by_column_steps(
        &self,
        row: usize,
        partner: TableValues<'_>,
        scores: &mut Vec<TurnScore>,
        best: &mut [TurnScore],
    ) {
        let columns = self.columns();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let can_take = self.row_side().men() > 0;
        let flies = self.game.flies(u32::from(self.column_side().total()));
        partner.scores(row * columns.len()..(row + 1) * columns.len(), scores);
        for step in ColumnStep::all(&free, flies, can_take) {
            let both = 1 << step.from | 1 << step.to;
            let movers = |words: &Words| step.movers(words);
            self.numbering
                .planes()
                .visit(columns.len(), movers, |column| {
                    let there = columns.rank(columns.sets()[column] ^ both);
                    best[column] = best[column].max(scores[there as usize]);
                });
        }
    }
}
