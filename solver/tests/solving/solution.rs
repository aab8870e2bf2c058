//! Many tables solved, and their values by position numbers.

use std::collections::BTreeMap;

use games::group::{Code, Group, Solved};
use games::{Game, Value};
use solver::Nodes;
use solver::{Room, solve};

/// The tables of a game with at most so many pieces, or all of them.
pub struct Solution<'g, G: Game> {
    game: &'g G,
    nodes: BTreeMap<G::Table, Nodes>,
    values: BTreeMap<G::Table, Vec<Value>>,
}

impl<'g, G: Game> Solution<'g, G> {
    pub fn new(game: &'g G, pieces: impl Into<Option<u32>>) -> Solution<'g, G> {
        let mut solution = Solution {
            game,
            nodes: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        for table in game.tables(pieces.into()) {
            if !solution.nodes.contains_key(&table) {
                let group = game.group(table);
                let solved = solve(&group, &solution, &Room::unlimited(), &()).unwrap();
                for ((table, nodes), (listed, rows)) in solved.into_iter().zip(group.tables()) {
                    assert!(table == listed);
                    let values = values(game.size(table), &group, rows, nodes.codes());
                    solution.values.insert(table, values);
                    solution.nodes.insert(table, nodes);
                }
            }
        }
        solution
    }

    pub fn tables(&self) -> impl Iterator<Item = G::Table> + '_ {
        self.nodes.keys().copied()
    }

    /// The values of a table by position numbers.
    pub fn values(&self, table: G::Table) -> &[Value] {
        &self.values[&table]
    }

    /// The value of a position, also of one that is finished by too few men.
    pub fn value(&self, position: &G::Position) -> Value {
        match self.game.table_of(position) {
            Some(table) => self.values[&table][self.game.rank(position) as usize],
            None => self.game.finished(position).unwrap(),
        }
    }
}

impl<G: Game> Solved<G::Table> for Solution<'_, G> {
    fn nodes(&self, table: G::Table) -> &[Code] {
        self.nodes[&table].codes()
    }
}

/// Reads a table's values off its nodes; copies of a position must agree.
fn values(
    size: u64,
    group: &impl Group,
    rows: std::ops::Range<usize>,
    nodes: &[Code],
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
