//! The kings' steps of all positions with the same men, looked up for whole rows at once.
//!
//! A step leads to the same men with the other side to move. Those positions are laid out as a
//! rectangle of cells, as in a [grid](super::grid): a row per set of own kings, a column per set of
//! opposing ones, each numbered as if the other side had none. A step then leads from one row to
//! another in the same column, so the best step of a row is the elementwise maximum of a few other
//! rows, which vectorises. Where kings of both sides would share a square there is no position, and
//! the cell is [`TurnScore::NONE`]: no step leads there.

use endmill_games::bits::Bits;

use super::captures::Slice;
use super::group::{DraughtsPart, Scratch};
use super::view::{Men, Sets, visit_stepped};
use crate::TurnScore;
use crate::grid::MOST_CELLS;

/// See the module.
pub(super) struct KingSteps<'p> {
    /// The sets of kings of the side to move, and of its opponent.
    own: &'p Sets,
    opponent: &'p Sets,
    /// The score of leading to each position, row by row.
    cells: Vec<TurnScore>,
    /// A row of the slice that is laid out.
    scores: Vec<TurnScore>,
    /// The best step from each cell of the current row.
    best: Vec<TurnScore>,
}

impl<'p> KingSteps<'p> {
    /// Returns the king steps of a phase; `None` if no king can step, or if there are too many
    /// cells.
    pub(super) fn new(part: &'p DraughtsPart<'p>, phase: usize) -> Option<KingSteps<'p>> {
        let [own, opponent] = [phase, 1 - phase].map(|phase| part.king_sets(phase));
        let cells = (own.len() as u64).checked_mul(opponent.len() as u64)?;
        (own.len() > 1 && cells <= MOST_CELLS).then(|| KingSteps {
            own,
            opponent,
            cells: vec![TurnScore::NONE; cells as usize],
            scores: Vec::new(),
            best: Vec::new(),
        })
    }

    /// Lays out the positions that the steps lead to: a slice as its side to move sees it.
    #[inline(always)]
    pub(super) fn lay_out(&mut self, after: &Slice<'_>) {
        let width = self.opponent.len();
        for (row, &kings) in self.opponent.sets().iter().enumerate() {
            let column = self.opponent.turned_number(row) as usize;
            after.row_scores(row, &mut self.scores);
            // Branchless, because it is unpredictable where kings share a square.
            let mut next = 0;
            for (number, &set) in self.own.sets().iter().enumerate() {
                let apart = set & kings == 0;
                let score = self.scores.get(next).copied().unwrap_or(TurnScore::NONE);
                let cell = self.own.turned_number(number) as usize * width + column;
                self.cells[cell] = if apart { score } else { TurnScore::NONE };
                next += usize::from(apart);
            }
        }
    }

    /// Raises `best` by the steps of every column without a capture, in the row with these men and
    /// the own kings of this number. Call [`find_captures`](super::view::View) first.
    #[inline(always)]
    pub(super) fn max_into(
        &mut self,
        bits: Bits,
        men: Men,
        number: usize,
        scratch: &Scratch,
        best: &mut [TurnScore],
    ) {
        if scratch.quiet.is_empty() {
            return;
        }
        let set = self.own.sets()[number];
        let (free, width) = (men.free(), self.opponent.len());
        let kings = bits.pdep(set, free);
        self.best.clear();
        self.best.resize(width, TurnScore::NONE);
        visit_stepped(
            bits,
            kings,
            free,
            #[inline(always)]
            |stepped| {
                let cells = &self.cells[stepped * width..][..width];
                for (best, &score) in self.best.iter_mut().zip(cells) {
                    *best = (*best).max(score);
                }
            },
        );
        // The columns of the row are the cells in which no king stands on one of these.
        let mut column = 0;
        for (&others, &step) in self.opponent.sets().iter().zip(&self.best) {
            let Some(best) = best.get_mut(column) else {
                break;
            };
            let apart = others & set == 0;
            let steps = apart & (scratch.jumped[column] == 0);
            *best = (*best).max(if steps { step } else { TurnScore::NONE });
            column += usize::from(apart);
        }
    }
}
