//! Forward look-ups of inside turns, for verifying.
//!
//! Separate from the un-moves on purpose: verification uses the forward rules alone.

use endmill_games::bits::Bits;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::{Side, visit_king_steps};

use super::captures::Slices;
use super::group::{DraughtsPart, Scratch};
use super::king_steps::KingSteps;
use super::view::{Men, View};
use crate::{Part, Solved, TurnScore};

/// How to score a position with a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Captures {
    /// Look up its best capture.
    LookUp,
    /// Call it [resolved](TurnScore::RESOLVED).
    Name,
}

impl DraughtsPart<'_> {
    /// Visits the rows of a phase with the best turn of every column.
    #[inline(always)]
    pub(super) fn best_of_phase(
        &self,
        bits: Bits,
        phase: usize,
        solved: &impl Solved<Table>,
        captures: Captures,
        visit: &mut impl FnMut(usize, &[TurnScore]),
    ) {
        let view = &self.group.views[phase];
        let mut slices = Slices::new(self.group.game, solved);
        let (mut scratch, mut best) = (Scratch::default(), Vec::new());
        let mut king_steps = KingSteps::new(self, phase);
        // Steps of kings lead to the same men, seen from the other side.
        let counts = [view.table.opponent().kings, view.table.own().kings];
        let mut row = self.phases()[phase].start;
        for men in self.men() {
            let men = men[phase];
            if let Some(steps) = &mut king_steps {
                steps.lay_out(slices.slice(men.turned(), counts));
            }
            for (number, &kings) in view.rows.sets().iter().enumerate() {
                let own = Side::new(men.own, bits.pdep(kings, men.free()));
                view.find_captures(bits, own, men.opponent, &mut scratch);
                best.clear();
                let columns = scratch.kings.iter().zip(&scratch.jumped);
                best.extend(columns.map(|(&kings, &jumped)| match captures {
                    _ if jumped == 0 => TurnScore::NONE,
                    Captures::LookUp => {
                        slices.best_capture(bits, own, Side::new(men.opponent, kings))
                    }
                    Captures::Name => TurnScore::RESOLVED,
                }));
                let max = |column: u32, score| {
                    let best: &mut TurnScore = &mut best[column as usize];
                    *best = (*best).max(score);
                };
                view.visit_man_scores(bits, men.opponent, own, &mut slices, &scratch, max);
                match &mut king_steps {
                    Some(steps) => steps.max_into(bits, men, number, &scratch, &mut best),
                    None => {
                        view.max_by_king_steps(
                            bits,
                            men,
                            kings,
                            &mut slices,
                            &mut scratch,
                            &mut best,
                        );
                    }
                }
                visit(row, &best);
                row += 1;
            }
        }
    }
}

impl View {
    /// Raises `best` by the kings' steps of every column of the row with these men and own kings,
    /// given by their numbers among the squares without men. Call [`View::find_captures`] first.
    #[inline(always)]
    pub(super) fn max_by_king_steps<S: Solved<Table>>(
        &self,
        bits: Bits,
        men: Men,
        kings: u32,
        slices: &mut Slices<'_, S>,
        scratch: &mut Scratch,
        best: &mut [TurnScore],
    ) {
        if kings == 0 || scratch.quiet.is_empty() {
            return;
        }
        let kings = bits.pdep(kings, men.free());
        let left = men.free() & !kings;
        // Steps of kings lead to the same men, seen from the other side.
        let counts = [self.table.opponent().kings, self.table.own().kings];
        let after = slices.slice(men.turned(), counts);
        let (turned, turned_left) = (self.columns.turned(), left.reverse_bits());
        scratch.waiting.clear();
        scratch.waiting.extend(scratch.quiet.iter().map(|&column| {
            let waiting = bits.pdep(turned[column as usize], turned_left);
            (waiting, after.row(bits, waiting))
        }));
        visit_king_steps(
            kings,
            left,
            #[inline(always)]
            |from, to| {
                let stepped = (kings ^ from ^ to).reverse_bits();
                let to = to.reverse_bits();
                for (&column, &(waiting, row)) in scratch.quiet.iter().zip(&scratch.waiting) {
                    if waiting & to == 0 {
                        let best = &mut best[column as usize];
                        *best = (*best).max(after.score_in(bits, row, waiting, stepped));
                    }
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::draughts::Draughts;
    use endmill_games::{Features, Numbering};

    use super::super::grid::tests::{MadeUp, each_part};
    use crate::{Part, TurnScore};

    #[test]
    fn best_turns_of_a_phase_are_those_of_its_rows() {
        let game = Draughts::new();
        let solved = MadeUp::new(&game);
        each_part(|part| {
            for phase in 0..2 {
                let mut rows = part.phases()[phase].clone();
                part.best_turns(phase, &solved, &mut |row, best| {
                    assert_eq!(rows.next(), Some(row));
                    let (mut scratch, mut seeds) = Default::default();
                    part.seed(row, &solved, &mut scratch, &mut seeds);
                    let mut expected: Vec<_> = seeds.iter().map(|seed| seed.outside).collect();
                    part.max_into(row, &solved, &mut scratch, &mut expected);
                    assert_eq!(best, expected);
                });
                assert_eq!(rows.next(), None);
            }
        });
    }

    #[test]
    fn captures_are_named_where_positions_are_resolved_and_nowhere_else() {
        let game = Draughts::new();
        let solved = MadeUp::new(&game);
        each_part(|part| {
            for phase in 0..2 {
                let table = part.group.views[phase].table;
                let slice = part.group.views[phase].slice() as u64;
                let runs = part.runs(phase).into_iter();
                let mut numbers = runs.flat_map(|start| start as u64..start as u64 + slice);
                let mut expected = Vec::new();
                part.best_turns(phase, &solved, &mut |row, best| {
                    let of_column = |&best: &TurnScore| {
                        let position = game.unrank(table, numbers.next().unwrap());
                        match game.is_resolved(&position) {
                            true => TurnScore::RESOLVED,
                            false => best,
                        }
                    };
                    expected.push((row, best.iter().map(of_column).collect()));
                });
                let mut found: Vec<(usize, Vec<TurnScore>)> = Vec::new();
                let mut visit = |row, best: &[TurnScore]| found.push((row, best.to_vec()));
                assert!(part.best_stored_turns(phase, &solved, &mut visit));
                assert_eq!(found, expected);
            }
        });
    }
}
