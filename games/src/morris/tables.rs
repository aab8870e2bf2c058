//! The tables of a ruleset: which there are, and how turns lead from one to another.

use std::collections::BTreeSet;

use super::Morris;
use super::position::{Force, Table};
use crate::numbering::Numbering;

impl Morris {
    /// Where a placement leads that takes nothing; `None` if there is no man to place.
    pub fn after_placing(&self, table: Table) -> Option<Table> {
        self.after_placing_and_taking(table, 0)
    }

    /// Where a turn leads that takes some men, at least one, and leaves the mover's men as they
    /// are; `None` if there are not as many to take, or if the game is then over.
    pub fn after_taking(&self, table: Table, count: u8) -> Option<Table> {
        Some(self.just_begun(Table {
            mover: table.opponent.with_taken(count)?,
            opponent: table.mover,
            quiet: None,
        }))
    }

    /// Where a placement leads that takes some men: see [`after_taking`](Morris::after_taking).
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

    /// The most men that a turn takes.
    pub(super) fn most_taken(&self) -> u8 {
        if !self.rules.removes_for_each_mill {
            return 1;
        }
        let points = 0..self.board.points() as u8;
        let lines = points.map(|point| self.board.pairs_through(point).len());
        lines.max().unwrap_or(1).max(1) as u8
    }

    /// Where inside turns of a table lead.
    pub(super) fn inside_of(&self, table: Table) -> Option<Table> {
        table.quiet.is_none().then(|| table.swapped())
    }

    /// Every table reached from the start. With nothing in hand that is all of 3 to N men a side,
    /// each with all counts, if they are counted.
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

    /// The tables of some material with every count.
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

    /// Whether the side to move may move a man on the board.
    pub fn steps_in(&self, table: Table) -> bool {
        table.mover.hand == 0 || self.rules.moves_while_placing
    }

    /// Tables in an order in which they can be solved: a placement lowers the number of men in
    /// hand, any other capture the number of men at the same hands, any other turn raises the
    /// count, where there is one. Tables that are solved together are neighbours.
    ///
    /// Where every turn places a man, tables with as many men in hand do not depend on each other.
    /// There those come together that share the men of the side to move: two of them that differ
    /// by one opposing man lead to a table in common, which is then still in memory.
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

    /// Whether men move in a table or in its partner.
    pub(super) fn steps_in_group(&self, table: Table) -> bool {
        table.in_hand() == 0 || self.rules.moves_while_placing
    }

    /// Why there is no such table.
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
