//! The tables of a ruleset: which exist, and where kinds of turns lead.

use std::collections::BTreeSet;

use super::Morris;
use super::position::{Force, Table};
use crate::numbering::Numbering;

impl Morris {
    /// Returns where a placement without removal leads; `None` if the hand is empty.
    pub fn after_placing(&self, table: Table) -> Option<Table> {
        self.after_placing_and_taking(table, 0)
    }

    /// Returns where a step that removes some men, at least one, leads; `None` if there are not as
    /// many to remove, or if the game is then over.
    pub fn after_taking(&self, table: Table, count: u8) -> Option<Table> {
        Some(self.just_begun(Table {
            mover: table.opponent.with_taken(count)?,
            opponent: table.mover,
            quiet: None,
        }))
    }

    /// Returns where a placement that removes some men leads: see
    /// [`after_taking`](Morris::after_taking).
    pub fn after_placing_and_taking(&self, table: Table, count: u8) -> Option<Table> {
        let opponent = table.mover.with_one_placed()?;
        let mover = match count {
            0 => table.opponent,
            count => table.opponent.with_taken(count)?,
        };
        Some(self.just_begun(Table {
            mover,
            opponent,
            quiet: None,
        }))
    }

    /// Returns the largest number of men that a turn removes.
    pub(super) fn most_taken(&self) -> u8 {
        if !self.rules.removes_for_each_mill {
            return 1;
        }
        let points = 0..self.board.points() as u8;
        let lines = points.map(|point| self.board.pairs_through(point).len());
        lines.max().unwrap_or(1).max(1) as u8
    }

    /// Returns where inside turns of a table lead.
    pub(super) fn inside_of(&self, table: Table) -> Option<Table> {
        table.quiet.is_none().then(|| table.swapped())
    }

    /// Returns every table reached from the start. With empty hands these are all tables of 3 to N
    /// men per side, each with all counts where plies are counted.
    pub fn reached_tables(&self) -> &BTreeSet<Table> {
        self.reached.get_or_init(|| {
            let full = Force {
                men: 0,
                hand: self.rules.men,
            };
            let start = Table {
                mover: full,
                opponent: full,
                quiet: None,
            };
            let mut reached = BTreeSet::from([start]);
            let mut ahead = vec![start];
            while let Some(table) = ahead.pop() {
                let mut next = self.outside(table);
                if table.mover.men > 0 && self.steps_in(table) {
                    next.extend(self.inside_of(table));
                }
                for counted in next.clone().into_iter().filter(|next| next.quiet.is_some()) {
                    for table in [counted, counted.swapped()] {
                        next.extend(self.with_all_counts(table));
                    }
                }
                ahead.extend(next.into_iter().filter(|&table| reached.insert(table)));
            }
            reached
        })
    }

    /// Returns the tables of some material with every count.
    pub(super) fn with_all_counts(&self, table: Table) -> Vec<Table> {
        if !self.counts_quiet(table) {
            return vec![table];
        }
        let counts = 0..=self.rules.quiet_limit;
        let table = |quiet| Table {
            quiet: Some(quiet),
            ..table
        };
        counts.map(table).collect()
    }

    /// Returns whether the side to move may move a man on the board.
    pub fn steps_in(&self, table: Table) -> bool {
        table.mover.hand == 0 || self.rules.moves_while_placing
    }

    /// Sorts tables into an order in which they can be solved: a placement lowers the number of men
    /// in hand, a removal by a step the number of men with the same hands, any other turn raises
    /// the count, if there is one. Tables that are solved together are adjacent.
    ///
    /// Where every turn places a man, tables with the same number of men in hand do not depend on
    /// each other. Those that share the men of the side to move are adjacent: two of them that
    /// differ by one opposing man lead to a common table, which is then still in memory.
    pub(super) fn in_solving_order(&self, mut tables: Vec<Table>) -> Vec<Table> {
        tables.sort_by_key(|&table| {
            let (mover, opponent) = (table.mover.total(), table.opponent.total());
            let group = table.max(table.swapped());
            let (first, second) = match self.steps_in_group(table) {
                true => (mover + opponent, 0),
                false => (u8::MAX - mover, opponent),
            };
            let left = self.rules.quiet_limit - table.quiet.unwrap_or(0);
            (table.in_hand(), first, second, left, group, table)
        });
        tables
    }

    /// Returns whether men move in a table or in its partner.
    pub(super) fn steps_in_group(&self, table: Table) -> bool {
        table.in_hand() == 0 || self.rules.moves_while_placing
    }

    /// Returns why a table does not exist.
    pub(super) fn objection_to(&self, table: Table) -> Option<String> {
        let most = self.rules.men;
        let (mover, opponent) = (table.mover.total(), table.opponent.total());
        if mover.max(opponent) > most {
            return Some(format!("a side has at most {most} men"));
        }
        if mover.min(opponent) < 3 {
            return Some("a side with fewer than 3 men has lost".to_owned());
        }
        let limit = self.rules.quiet_limit;
        match (table.quiet, self.counts_quiet(table)) {
            (Some(_), false) if limit == 0 => {
                return Some("it has no limit of quiet plies".to_owned());
            }
            (Some(_), false) => {
                return Some(
                    "quiet plies are counted while a side has three men, none in hand".to_owned(),
                );
            }
            (Some(quiet), true) if quiet > limit => {
                return Some(format!("the limit of quiet plies is {limit}"));
            }
            (None, true) => {
                return Some(format!(
                    "it has a table for each count, {table}@0 to {table}@{limit}"
                ));
            }
            _ => {}
        }
        let reached = self.reached_tables().contains(&table);
        (!reached).then(|| "no game leads there".to_owned())
    }
}
