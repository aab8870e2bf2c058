//! The tables of a ruleset: which there are, and how turns lead from one to another.

use std::collections::BTreeSet;

use super::Morris;
use super::position::{Force, Table};
use crate::game::Game;

impl Morris {
    /// The tables that a turn may lead to from `table` with a change of material. Whether a mill
    /// can stand does not matter: every placement or step may take a man if there is one.
    pub(super) fn tables_after(&self, table: Table) -> Vec<Table> {
        let Table { mover, opponent } = table;
        let placed = (mover.hand > 0).then(|| Force {
            men: mover.men + 1,
            hand: mover.hand - 1,
        });
        let stepped =
            (mover.men > 0 && (mover.hand == 0 || self.rules.moves_while_placing)).then_some(mover);
        let robbed = (opponent.men > 0 && opponent.total() > 3).then(|| Force {
            men: opponent.men - 1,
            ..opponent
        });
        let after = |mover: Option<Force>, opponent: Option<Force>| {
            Some(Table {
                mover: opponent?,
                opponent: mover?,
            })
        };
        [
            after(placed, Some(opponent)),
            after(placed, robbed),
            after(stepped, robbed),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Every table reached from the start. With nothing in hand that is all of 3 to N men a side.
    pub(super) fn reached_tables(&self) -> &BTreeSet<Table> {
        self.reached.get_or_init(|| {
            let full = Force {
                men: 0,
                hand: self.rules.men,
            };
            let start = Table {
                mover: full,
                opponent: full,
            };
            let mut reached = BTreeSet::from([start]);
            let mut ahead = vec![start];
            while let Some(table) = ahead.pop() {
                let mut next = self.tables_after(table);
                if table.mover.men > 0 && self.steps_in(table) {
                    next.push(table.swapped());
                }
                ahead.extend(next.into_iter().filter(|&table| reached.insert(table)));
            }
            reached
        })
    }

    /// Whether the side to move may move a man on the board.
    pub(super) fn steps_in(&self, table: Table) -> bool {
        table.mover.hand == 0 || self.rules.moves_while_placing
    }

    /// Tables in an order in which they can be solved: a placement lowers the number of men in
    /// hand, any other capture the number of men at the same hands. Tables that are solved
    /// together are neighbours.
    ///
    /// Where every turn places a man, tables with as many men in hand do not depend on each other.
    /// There those come together that share the men of the side to move: two of them that differ
    /// by one opposing man lead to a table in common, which is then still in memory.
    pub(super) fn in_solving_order(&self, mut tables: Vec<Table>) -> Vec<Table> {
        tables.sort_by_key(|&table| {
            let (mover, opponent) = (table.mover.total(), table.opponent.total());
            let group = table.max(table.swapped());
            let (first, second) = match self.has_inside_turns(table) {
                true => (mover + opponent, 0),
                false => (u8::MAX - mover, opponent),
            };
            (table.in_hand(), first, second, group, table)
        });
        tables
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
        let reached = self.reached_tables().contains(&table);
        (!reached).then(|| "no game leads there".to_owned())
    }
}
