//! Seeds of a morris group, row by row: inside turns counted, outside turns looked up.
//!
//! What depends on the row alone (which steps of the row side close mills and where they lead,
//! which of its men may be taken) is worked out once; what is left for a column is a sum by three
//! look-ups and, for each capture, the rank of a set in a row that is in the first cache.

use endmill_games::morris::moves::points;
use endmill_games::morris::{Position, Table, Turn};
use endmill_games::{Numbering, Rules, Value};

use super::group::MorrisGroup;
use super::squeezed::{FreePoints, Remap};
use super::unsteps::Scratch;
use crate::resolved::code_of;
use crate::{Layout, NodeValue, Seed, Solved, TurnScore};

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
                seed.outside = if drawn {
                    TurnScore::DRAW
                } else {
                    TurnScore::NONE
                };
            }
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

    /// How good an outside turn is, by the plain rules.
    fn worth(&self, position: &Position, turn: &Turn, solved: &impl Solved<Table>) -> TurnScore {
        let stored = |table, next: &Position| solved.values(table).code(self.game.node(next));
        let next = self.game.play(position, turn);
        code_of(self.game, &next, &stored).score()
    }

    /// Whether rows cannot tell what a step that closes mills is worth: where it takes more than
    /// one man, or leaves a ban behind. `own` are the men of its side before it.
    fn is_special(&self, own: u32, from: u8, to: u8) -> bool {
        let (rules, board) = (self.game.rules(), self.game.board());
        let others = own & !(1 << from);
        let several = rules.removes_for_each_mill && board.mills_closed(others, to) > 1;
        several || (rules.bans_broken_mills && board.closes_mill(others, from))
    }

    /// The best of the turns with a step that closes a mill, by the plain rules.
    fn best_capture(
        &self,
        position: &Position,
        from: u8,
        to: u8,
        solved: &impl Solved<Table>,
    ) -> TurnScore {
        let mut best = TurnScore::NONE;
        self.game.visit_turns_by(position, Some(from), to, |turn| {
            if best < TurnScore::WINS_AT_ONCE {
                best = best.max(self.worth(position, &turn, solved));
            }
        });
        best
    }

    /// Nodes of a table with a count: every turn leads outside, also those that take nothing. At the
    /// limit no turn counts but that there is one.
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
                let drawn = self.game.finished(&position) == Some(Value::Draw);
                let outside = if drawn {
                    TurnScore::DRAW
                } else {
                    TurnScore::NONE
                };
                Seed { inside: 0, outside }
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
        let mut special = Vec::new();
        self.visit_row_steps(row, |from, to, closes, next, symmetry| {
            if closes && self.is_special(self.rows.set(row), from, to) {
                special.push((from, to));
            } else if closes {
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
        for (from, to) in special {
            let taken = 1 << squeezed(to);
            let columns = sets.iter().enumerate().filter(|(_, men)| *men & taken == 0);
            for (column, _) in columns {
                let position = self.position(row, column, true);
                let score = self.best_capture(&position, from, to, solved);
                seeds[column].outside = seeds[column].outside.max(score);
            }
        }
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
                    seed.outside = TurnScore::WINS_AT_ONCE;
                }
                continue;
            };
            let nodes = next * columns.len()..(next + 1) * columns.len();
            let nodes = solved.values(table).codes(nodes, codes);
            for ((seed, &men), &taking) in seeds.iter_mut().zip(sets).zip(takings.iter()) {
                if men & to != 0 {
                    continue;
                }
                let carried = remap.apply(men);
                for taken in points(remap.apply(taking)) {
                    let code = nodes[columns.rank(carried ^ 1 << taken) as usize];
                    seed.outside = seed.outside.max(code.score());
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
        let Scratch {
            removals, codes, ..
        } = scratch;
        self.best_removals(row, &free, solved, removals, codes);
        let removals = &*removals;
        let rules = self.game.rules();
        let may_be_special = rules.removes_for_each_mill || rules.bans_broken_mills;
        let nothing = self.outside_by_rule(free.points.len() as u32);
        let mut closings: Vec<(u32, u32)> = Vec::new();
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
            for &(to, from) in &closings {
                steps -= from.count_ones();
                for from in points(from) {
                    let score = if may_be_special {
                        let turn = [from, to.trailing_zeros() as u8];
                        let turn = turn.map(|point| free.points[usize::from(point)]);
                        self.special_appeal(row, column, turn, solved)
                    } else {
                        None
                    };
                    outside = outside.max(score.unwrap_or_else(|| {
                        let column = self.columns().rank(men ^ 1 << from ^ to);
                        removals[column as usize]
                    }));
                }
            }
            Seed {
                inside: steps as u16,
                outside,
            }
        }));
    }

    /// What a step of the column side that closes a mill is worth, if rows cannot tell.
    fn special_appeal(
        &self,
        row: usize,
        column: usize,
        [from, to]: [u8; 2],
        solved: &impl Solved<Table>,
    ) -> Option<TurnScore> {
        let position = self.position(row, column, false);
        let special = self.is_special(position.men()[0], from, to);
        special.then(|| self.best_capture(&position, from, to, solved))
    }

    /// For every column with a mill, how good it is for the column side to leave that column and
    /// take the best man of the row.
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
            let Some((table, numbering)) = self.after_taking_row_man() else {
                for &column in &mills {
                    removals[column] = TurnScore::WINS_AT_ONCE;
                }
                return;
            };
            let rows = self.game.rows(u32::from(self.row_side().men()) - 1);
            let (next, symmetry) = rows.locate(row_men & !(1 << taken));
            let remap = Remap::new(&self.carry(&free.points, symmetry, rows.set(next)));
            let columns = numbering.columns();
            let nodes = next * columns.len()..(next + 1) * columns.len();
            let nodes = solved.values(table).codes(nodes, buffer);
            for &column in &mills {
                let code = nodes[columns.rank(remap.apply(sets[column])) as usize];
                removals[column] = removals[column].max(code.score());
            }
        }
    }

    /// Whether tables with men in hand are seeded turn by turn: men may move there too, or a
    /// placement may take several.
    pub(super) fn places_by_turns(&self) -> bool {
        let rules = self.game.rules();
        rules.moves_while_placing || rules.removes_for_each_mill
    }

    /// What a position without a turn is worth before any is found: a draw where a full board is.
    pub(super) fn outside_by_rule(&self, free_points: u32) -> TurnScore {
        let full = free_points == self.columns().men();
        if full && self.game.rules().full_board_draws {
            TurnScore::DRAW
        } else {
            TurnScore::NONE
        }
    }

    /// Where it leads when the row side takes a man; `None` if that ends the game.
    fn after_taking_column_man(&self) -> Option<(Table, &endmill_games::morris::columns::Columns)> {
        let table = self.game.after_taking(self.row_side_moves, 1)?;
        let men = [table.opponent().men(), table.mover().men()].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1]).columns()))
    }

    /// Where it leads when the column side takes a man; `None` if that ends the game. The rest of
    /// the row side still makes the rows: groups of equal sides are mirrored, not seeded here.
    fn after_taking_row_man(
        &self,
    ) -> Option<(Table, &endmill_games::morris::index::TableNumbering)> {
        let table = self.game.after_taking(self.row_side_moves.swapped(), 1)?;
        debug_assert_eq!(table.row_side(), 0);
        let men = [table.mover().men(), table.opponent().men()].map(u32::from);
        Some((table, self.game.numbering(men[0], men[1])))
    }
}
