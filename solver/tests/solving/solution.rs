//! Many tables solved, and their values by position numbers.

use std::collections::BTreeMap;

use endmill_games::Value;
use endmill_games::value::TableValues;
use endmill_layout::Layout;
use endmill_layout::{Group, NodeValue, Solved};
use endmill_solver::{Budget, Plan, PlannedGroup, Resident, solve_plan};

/// The tables of a game with at most `pieces` pieces, or all of them.
pub struct Solution<'g, G: Layout> {
    game: &'g G,
    nodes: BTreeMap<G::Table, Vec<NodeValue>>,
    values: BTreeMap<G::Table, Vec<Value>>,
}

impl<'g, G: Layout> Solution<'g, G> {
    pub fn new(game: &'g G, pieces: impl Into<Option<u32>>) -> Solution<'g, G> {
        Solution::within(&Budget::unlimited(), game, pieces)
    }

    /// Solved with the memory of a budget.
    pub fn within(budget: &Budget, game: &'g G, pieces: impl Into<Option<u32>>) -> Solution<'g, G> {
        let mut solution = Solution {
            game,
            nodes: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        let plan = Plan::new(game, &game.tables(pieces.into()));
        let keep = |planned: &PlannedGroup<G::Table>, resident: &Resident<G::Table>| {
            let group = game.group(planned.tables[0].0);
            for (table, rows) in group.tables() {
                let nodes = resident.get(table).unwrap();
                let values = values(game.size(table), &group, rows, nodes);
                solution.values.insert(table, values);
                solution.nodes.insert(table, nodes.to_vec());
            }
        };
        solve_plan(game, &plan, budget, &(), keep).unwrap();
        solution
    }

    pub fn game(&self) -> &'g G {
        self.game
    }

    pub fn tables(&self) -> impl Iterator<Item = G::Table> + '_ {
        self.nodes.keys().copied()
    }

    /// The nodes of a table.
    pub fn nodes(&self, table: G::Table) -> &[NodeValue] {
        &self.nodes[&table]
    }

    /// The values of a table by position numbers.
    pub fn values(&self, table: G::Table) -> &[Value] {
        &self.values[&table]
    }

    /// The value of a position, also of one that is finished by too few men, and of one with bans:
    /// that of its best turn.
    pub fn value(&self, position: &G::Position) -> Value {
        if let Some(table) = self.game.table_of(position) {
            return self.values[&table][self.game.rank(position) as usize];
        }
        self.game.finished(position).unwrap_or_else(|| {
            let mut turns = Vec::new();
            self.game.turns(position, &mut turns);
            let after = turns.iter().map(|turn| self.game.play(position, turn));
            let worth = after.map(|after| self.value(&after).one_turn_earlier());
            worth.max().unwrap()
        })
    }
}

impl<G: Layout> Solved<G::Table> for Solution<'_, G> {
    fn values(&self, table: G::Table) -> TableValues<'_> {
        TableValues::Nodes(&self.nodes[&table])
    }
}

/// Reads a table's values off its nodes; copies of a position must agree.
fn values(
    size: u64,
    group: &impl Group,
    rows: std::ops::Range<usize>,
    nodes: &[NodeValue],
) -> Vec<Value> {
    let mut values = vec![None; size as usize];
    for (row, nodes) in rows.zip(nodes.chunks(group.width())) {
        let first = group.first_position(row) as usize;
        let copies = group.copies(row);
        for (column, code) in nodes.iter().enumerate() {
            let within = copies
                .as_ref()
                .map_or(column, |copies| copies[column] as usize);
            let known = values[first + within].get_or_insert(code.value());
            assert_eq!(*known, code.value());
        }
    }
    values.into_iter().map(Option::unwrap).collect()
}
