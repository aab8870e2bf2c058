//! Seeds of a morris group, row by row: inside turns counted, outside turns looked up.
//!
//! What depends on the row alone (which steps of the row side close mills and where they lead,
//! which of its men may be taken) is worked out once; what is left for a column is a sum by three
//! look-ups and, for each capture, the rank of a set in a row that is in the first cache.

use super::group::MorrisGroup;
use super::moves::points;
use super::position::{Force, Table};
use super::squeezed::{FreePoints, Remap};
use super::unsteps::Scratch;
use crate::game::Game;
use crate::group::{Appeal, Code, Seed, Solved};

impl MorrisGroup<'_> {
    /// The plain way, turn by turn; for tables with men in hand, and to test the others against.
    pub(super) fn seed_by_turns(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        seeds: &mut Vec<Seed>,
    ) {
        let (row, row_side_moves) = self.split(row);
        for column in 0..self.columns().len() {
            let position = self.position(row, column, row_side_moves);
            let mut seed = Seed::NO_TURN;
            if let Some(value) = self.game.finished(&position) {
                let drawn = value.plies().is_none();
                seed.outside = if drawn { Appeal::DRAW } else { Appeal::NONE };
            }
            self.game.visit_turns(&position, |turn| {
                if self.game.is_inside(&position, &turn) {
                    seed.inside += 1;
                    return;
                }
                let next = self.game.after(&position, &turn);
                let appeal = match self.game.table_of(&next) {
                    Some(table) => solved.values(table).code(self.game.node_of(&next)).appeal(),
                    None => Appeal::WINS_AT_ONCE,
                };
                seed.outside = seed.outside.max(appeal);
            });
            seeds.push(seed);
        }
    }

    /// Nodes with the row side to move, nothing in hand.
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
        self.visit_row_steps(row, |_, to, closes, next, symmetry| {
            if closes {
                captures.push((squeezed(to), next, symmetry));
            } else {
                quiet_steps_to[squeezed(to)] += 1;
            }
        });

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
        let takings = &mut scratch.takings;
        takings.clear();
        takings.extend(sets.iter().map(|&men| {
            let loose = men & !free.in_mills(men);
            if loose == 0 { men } else { loose }
        }));
        for (to, next, symmetry) in captures {
            let to = 1 << to;
            let images = self.carry(&free.points, symmetry, self.rows.set(next));
            let remap = Remap::new(&images);
            let Some((table, columns)) = self.after_taking_column_man() else {
                for (seed, _) in seeds
                    .iter_mut()
                    .zip(sets)
                    .filter(|(_, men)| **men & to == 0)
                {
                    seed.outside = Appeal::WINS_AT_ONCE;
                }
                continue;
            };
            let nodes = &solved.nodes(table)[next * columns.len()..][..columns.len()];
            for ((seed, &men), &taking) in seeds.iter_mut().zip(sets).zip(takings.iter()) {
                if men & to != 0 {
                    continue;
                }
                let carried = remap.apply(men);
                for taken in points(remap.apply(taking)) {
                    let code = nodes[columns.rank(carried ^ 1 << taken) as usize];
                    seed.outside = seed.outside.max(code.appeal());
                }
            }
        }
    }

    /// Nodes with the column side to move, nothing in hand.
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
        self.rob(row, &free, solved, &mut scratch.robbed);
        let robbed = &scratch.robbed;
        let nothing = self.outside_by_rule(free.points.len() as u32);
        let mut closings: Vec<(u32, u32)> = Vec::new();
        seeds.extend(sets.iter().map(|&men| {
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
            for &(to, from) in &closings {
                steps -= from.count_ones();
                for from in points(from) {
                    let column = self.columns().rank(men ^ 1 << from ^ to);
                    outside = outside.max(robbed[column as usize]);
                }
            }
            Seed {
                inside: steps as u16,
                outside,
            }
        }));
    }

    /// For every column with a mill, how good it is for the column side to leave that column and
    /// take the best man of the row.
    fn rob(
        &self,
        row: usize,
        free: &FreePoints,
        solved: &impl Solved<Table>,
        robbed: &mut Vec<Appeal>,
    ) {
        let sets = self.columns().sets();
        robbed.clear();
        robbed.resize(sets.len(), Appeal::NONE);
        if free.lines.is_empty() {
            return;
        }
        let mills: Vec<usize> = (0..sets.len())
            .filter(|&column| free.in_mills(sets[column]) != 0)
            .collect();
        let row_men = self.rows.set(row);
        for taken in points(self.game.removable(row_men)) {
            let Some((table, numbering)) = self.after_taking_row_man() else {
                for &column in &mills {
                    robbed[column] = Appeal::WINS_AT_ONCE;
                }
                return;
            };
            let rows = self.game.rows(u32::from(self.row_side().men) - 1);
            let (next, symmetry) = rows.locate(row_men & !(1 << taken));
            let remap = Remap::new(&self.carry(&free.points, symmetry, rows.set(next)));
            let columns = numbering.columns();
            let nodes: &[Code] = &solved.nodes(table)[next * columns.len()..][..columns.len()];
            for &column in &mills {
                let code = nodes[columns.rank(remap.apply(sets[column])) as usize];
                robbed[column] = robbed[column].max(code.appeal());
            }
        }
    }

    /// What a position without a turn is worth before any is found: a draw where a full board is.
    pub(super) fn outside_by_rule(&self, free_points: u32) -> Appeal {
        let full = free_points == self.columns().men();
        if full && self.game.rules.full_board_draws {
            Appeal::DRAW
        } else {
            Appeal::NONE
        }
    }

    /// Where it leads when the row side takes a man; `None` if that ends the game.
    fn after_taking_column_man(&self) -> Option<(Table, &super::columns::Columns)> {
        let robbed = without_one(self.column_side())?;
        let table = Table {
            mover: robbed,
            opponent: self.row_side(),
        };
        let men = [self.row_side().men, robbed.men].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1]).columns()))
    }

    /// Where it leads when the column side takes a man; `None` if that ends the game. The rest of
    /// the row side still makes the rows: groups of equal sides are mirrored, not seeded here.
    fn after_taking_row_man(&self) -> Option<(Table, &super::index::Numbering)> {
        let robbed = without_one(self.row_side())?;
        let table = Table {
            mover: robbed,
            opponent: self.column_side(),
        };
        debug_assert_eq!(table.row_side(), 0);
        let men = [robbed.men, self.column_side().men].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1])))
    }
}

/// A force with a man less on the board, if that is enough to play on.
pub(super) fn without_one(force: Force) -> Option<Force> {
    (force.total() > 3).then(|| Force {
        men: force.men - 1,
        ..force
    })
}
