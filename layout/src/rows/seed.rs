//! Seeds of a morris group, row by row: inside turns counted, outside turns looked up.
//!
//! Everything that depends on the row alone (which steps of the row side close mills and where they
//! lead, which of its men may be removed) is computed once; a column needs a sum by three look-ups
//! and, for each capture, the rank of a set in a row that is in the first-level cache.

use std::cmp::Reverse;

use endmill_games::by_turns::score_of;
use endmill_games::morris::columns::Columns;
use endmill_games::morris::moves::points;
use endmill_games::morris::{Position, Table, Turn};
use endmill_games::{Numbering, Rules};

use super::bans::Capture;
use super::group::MorrisGroup;
use super::squeezed::{FreePoints, Remap};
use super::unsteps::Scratch;
use crate::{Layout, NodeValue, Seed, Solved, TurnScore};

impl MorrisGroup<'_> {
    /// Turn by turn; for tables with men in hand, and to test the others.
    pub(super) fn seed_by_turns(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        seeds: &mut Vec<Seed>,
    ) {
        let (row, row_side_moves) = self.split(row);
        for column in 0..self.columns().len() {
            let position = self.position(row, column, row_side_moves);
            let mut seed = Seed::by_rule(self.game.finished(&position));
            self.game.visit_turns(&position, |turn| {
                if self.game.is_inside(&position, &turn) {
                    seed.inside += 1;
                    return;
                }
                let score = self.worth(&position, &turn, solved);
                seed.outside = seed.outside.max(score);
            });
            seeds.push(seed);
        }
    }

    /// Returns the score of an outside turn, by the plain rules.
    fn worth(&self, position: &Position, turn: &Turn, solved: &impl Solved<Table>) -> TurnScore {
        let stored = |table, next: &Position| solved.values(table).node(self.game.node(next));
        let next = self.game.play(position, turn);
        score_of(self.game, &next, solved.scale(), &stored)
    }

    /// Seeds nodes of a table with a count: every turn leads outside, even without a removal. At
    /// the limit only the existence of a turn matters.
    pub(super) fn seed_counted(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let next = self.game.after_quiet_step(self.table_of_row(row));
        let (row_of_table, row_side_moves) = self.split(row);
        let Some(next) = next else {
            seeds.extend((0..self.columns().len()).map(|column| {
                let position = self.position(row_of_table, column, row_side_moves);
                Seed::by_rule(self.game.finished(&position))
            }));
            return;
        };
        match row_side_moves {
            true => self.seed_row_side(row_of_table, solved, scratch, seeds),
            false => self.seed_column_side(row_of_table, solved, scratch, seeds),
        }
        let mut best: Vec<TurnScore> = seeds.iter().map(|seed| seed.outside).collect();
        self.max_by_quiet_steps(row, solved.values(next), &mut scratch.scores, &mut best);
        seeds.clear();
        seeds.extend(best.iter().map(|&outside| Seed { inside: 0, outside }));
    }

    /// Seeds nodes with the row side to move and empty hands.
    pub(super) fn seed_row_side(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let sets = self.columns().sets();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let squeezed = |point: u8| free.points.iter().position(|&p| p == point).expect("free");
        let mut quiet_steps_to = vec![0; free.points.len()];
        let mut captures = Vec::new();
        self.visit_row_steps(row, |from, to, closes, next, symmetry| {
            if closes {
                let kind = self.kind_of_capture(self.rows.set(row), [from, to]);
                captures.push((kind, [from, to], next, symmetry));
            } else {
                quiet_steps_to[squeezed(to)] += 1;
            }
        });
        // Captures that rows decide come first: they may make the others irrelevant.
        captures.sort_by_key(|&(kind, ..)| kind);

        let all: u32 = quiet_steps_to.iter().sum();
        let blocked = Remap::new(&quiet_steps_to);
        let nothing = self.outside_by_rule(free.points.len() as u32);
        seeds.extend(sets.iter().map(|&men| Seed {
            inside: (all - blocked.apply(men)) as u16,
            outside: nothing,
        }));
        if captures.is_empty() {
            return;
        }
        let Scratch { takings, codes, .. } = scratch;
        takings.clear();
        let any = self.game.rules().takes_any;
        takings.extend(sets.iter().map(|&men| {
            let loose = men & !free.in_mills(men);
            if loose == 0 || any { men } else { loose }
        }));
        for (kind, step, next, symmetry) in captures {
            let to = 1 << squeezed(step[1]);
            let by_turns = |column: usize, floor: TurnScore| {
                self.best_capture(&self.position(row, column, true), step, floor, solved)
            };
            let seeds = seeds.iter_mut().zip(sets).enumerate();
            let seeds = seeds.filter(|(_, (_, men))| **men & to == 0);
            let Some((table, columns)) = self.after_taking_column_man() else {
                seeds.for_each(|(_, (seed, _))| seed.outside = TurnScore::WINS_AT_ONCE);
                continue;
            };
            if kind == Capture::Several {
                seeds.for_each(|(column, (seed, _))| {
                    seed.outside = by_turns(column, seed.outside);
                });
                continue;
            }
            let images = self.carry(&free.points, symmetry, self.rows.set(next));
            let remap = Remap::new(&images);
            let nodes = next * columns.len()..(next + 1) * columns.len();
            let nodes = solved.values(table).nodes(nodes, codes);
            for (column, (seed, &men)) in seeds {
                let carried = remap.apply(men);
                let mut most = seed.outside;
                for taken in points(remap.apply(takings[column])) {
                    let code = nodes[columns.rank(carried ^ 1 << taken) as usize];
                    most = most.max(code.score());
                }
                seed.outside = match kind {
                    Capture::Banning if most > seed.outside => by_turns(column, seed.outside),
                    _ => most,
                };
            }
        }
    }

    /// Seeds nodes with the column side to move and empty hands.
    pub(super) fn seed_column_side(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let sets = self.columns().sets();
        let free = FreePoints::of_row(self.game, self.rows.set(row));
        let flies = self.game.flies(u32::from(self.column_side().total()));
        let Scratch {
            removals, codes, ..
        } = scratch;
        self.best_removals(row, &free, solved, removals, codes);
        let removals = &*removals;
        let rules = self.game.rules();
        let may_be_special = rules.removes_for_each_mill || rules.bans_broken_mills;
        let nothing = self.outside_by_rule(free.points.len() as u32);
        let vacant_of_row = self.game.board().all() & !self.rows.set(row);
        let mut closings: Vec<(u32, u32)> = Vec::new();
        let mut later: Vec<(Capture, TurnScore, [u8; 2])> = Vec::new();
        seeds.extend(sets.iter().enumerate().map(|(column, &men)| {
            let vacant = free.all() & !men;
            let mut steps = 0;
            if flies {
                steps = men.count_ones() * vacant.count_ones();
            } else {
                for from in points(men) {
                    steps += (free.neighbours[usize::from(from)] & vacant).count_ones();
                }
            }
            // A step closes a mill if it goes to the one vacant point of a line from outside the
            // line; more than one line may lead to the same step.
            closings.clear();
            for &line in &free.lines {
                let to = line & vacant;
                if to.is_power_of_two() {
                    let near = free.neighbours[to.trailing_zeros() as usize];
                    let from = men & !line & if flies { u32::MAX } else { near };
                    match closings.iter_mut().find(|(same, _)| *same == to) {
                        Some((_, all)) => *all |= from,
                        None if from != 0 => closings.push((to, from)),
                        None => {}
                    }
                }
            }
            let mut outside = nothing;
            later.clear();
            for &(to, from) in &closings {
                steps -= from.count_ones();
                for from in points(from) {
                    let most = removals[self.columns().rank(men ^ 1 << from ^ to) as usize];
                    let step = [from, to.trailing_zeros() as u8];
                    let step = step.map(|point| free.points[usize::from(point)]);
                    let kind = match may_be_special {
                        true => {
                            let own = self.game.bits().pdep(men, vacant_of_row);
                            self.kind_of_capture(own, step)
                        }
                        false => Capture::Plain,
                    };
                    match kind {
                        Capture::Plain => outside = outside.max(most),
                        _ => later.push((kind, most, step)),
                    }
                }
            }
            // The most promising first: it may make the others irrelevant.
            later.sort_by_key(|&(_, most, _)| Reverse(most));
            for &(kind, most, step) in &later {
                if kind == Capture::Several || most > outside {
                    let position = self.position(row, column, false);
                    outside = self.best_capture(&position, step, outside, solved);
                }
            }
            Seed {
                inside: steps as u16,
                outside,
            }
        }));
    }

    /// Computes, for every column with a mill, the score of reaching it and removing the best man
    /// of the row.
    fn best_removals(
        &self,
        row: usize,
        free: &FreePoints,
        solved: &impl Solved<Table>,
        removals: &mut Vec<TurnScore>,
        buffer: &mut Vec<NodeValue>,
    ) {
        let sets = self.columns().sets();
        removals.clear();
        removals.resize(sets.len(), TurnScore::NONE);
        if free.lines.is_empty() {
            return;
        }
        let mills: Vec<usize> = (0..sets.len())
            .filter(|&column| free.in_mills(sets[column]) != 0)
            .collect();
        let row_men = self.rows.set(row);
        for taken in points(self.game.removable(row_men)) {
            let Some((table, columns)) = self.after_taking_row_man() else {
                for &column in &mills {
                    removals[column] = TurnScore::WINS_AT_ONCE;
                }
                return;
            };
            let rows = self.game.rows(u32::from(self.row_side().men()) - 1);
            let (next, symmetry) = rows.locate(row_men & !(1 << taken));
            let remap = Remap::new(&self.carry(&free.points, symmetry, rows.set(next)));
            let nodes = next * columns.len()..(next + 1) * columns.len();
            let nodes = solved.values(table).nodes(nodes, buffer);
            for &column in &mills {
                let code = nodes[columns.rank(remap.apply(sets[column])) as usize];
                removals[column] = removals[column].max(code.score());
            }
        }
    }

    /// Returns whether tables with men in hand are seeded turn by turn: because men may move too,
    /// or a placement may remove several.
    pub(super) fn places_by_turns(&self) -> bool {
        let rules = self.game.rules();
        rules.moves_while_placing || rules.removes_for_each_mill
    }

    /// Returns the score of a position without turns: a draw on a full board if the rules say so.
    pub(super) fn outside_by_rule(&self, free_points: u32) -> TurnScore {
        let full = free_points == self.columns().men();
        if full && self.game.rules().full_board_draws {
            TurnScore::DRAW
        } else {
            TurnScore::NONE
        }
    }

    /// Returns the table after the row side removes a man, and its columns; `None` if that ends the
    /// game.
    fn after_taking_column_man(&self) -> Option<(Table, &Columns)> {
        let table = self.game.after_taking(self.row_side_moves, 1)?;
        let men = [table.opponent().men(), table.mover().men()].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1]).columns()))
    }

    /// Returns the table after the column side removes a man, and its columns; `None` if that ends
    /// the game. The rest of the row side still makes the rows: groups of equal sides are mirrored,
    /// not seeded here.
    fn after_taking_row_man(&self) -> Option<(Table, &Columns)> {
        let table = self.game.after_taking(self.row_side_moves.swapped(), 1)?;
        debug_assert_eq!(table.row_side(), 0);
        let men = [table.mover().men(), table.opponent().men()].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1]).columns()))
    }
}
