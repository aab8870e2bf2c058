//! What has to be solved, in which order, and what it will take.

use std::collections::BTreeSet;

use games::Game;

/// Bytes of working memory for a node.
const BYTES_PER_NODE: u64 = 2;

/// Groups in an order in which they can be solved.
#[derive(Clone, Debug)]
pub struct Plan<T> {
    /// Each after all groups it depends on.
    pub groups: Vec<PlannedGroup<T>>,
}

/// One group of a plan.
#[derive(Clone, Debug)]
pub struct PlannedGroup<T> {
    /// The tables that are solved together, with their positions.
    pub tables: Vec<(T, u64)>,
    /// The tables that their outside turns lead to.
    pub depends_on: Vec<T>,
    /// Bytes of memory that solving takes, the tables it depends on included.
    pub memory: u64,
}

impl<T: Copy + Ord> Plan<T> {
    /// Plans for `wanted` tables and everything they depend on.
    pub fn new<G: Game<Table = T>>(game: &G, wanted: &[T]) -> Plan<T> {
        let mut plan = Plan { groups: Vec::new() };
        let mut planned = BTreeSet::new();
        for &table in wanted {
            plan.add(game, table, &mut planned);
        }
        plan
    }

    /// Adds a table's group after the groups it depends on, unless it is there.
    fn add<G: Game<Table = T>>(&mut self, game: &G, table: T, planned: &mut BTreeSet<T>) {
        if planned.contains(&table) {
            return;
        }
        let tables = game.solved_together(table);
        planned.extend(&tables);
        let depends_on: BTreeSet<T> = tables.iter().flat_map(|&t| game.outside(t)).collect();
        for &dependency in &depends_on {
            self.add(game, dependency, planned);
        }
        let tables: Vec<(T, u64)> = tables.into_iter().map(|t| (t, game.size(t))).collect();
        // A single table is laid out twice if both sides have the same material.
        let layouts = if tables.len() == 1 { 2 } else { 1 };
        let own: u64 = tables.iter().map(|&(_, size)| size * layouts).sum();
        let others: u64 = depends_on.iter().map(|&t| game.size(t)).sum();
        self.groups.push(PlannedGroup {
            tables,
            depends_on: depends_on.into_iter().collect(),
            memory: (own + others) * BYTES_PER_NODE,
        });
    }

    /// The tables that the groups after the `i`-th depend on.
    pub fn needed_after(&self, i: usize) -> BTreeSet<T> {
        let later = self.groups[i + 1..].iter();
        later
            .flat_map(|group| group.depends_on.iter().copied())
            .collect()
    }

    /// All positions of all tables.
    pub fn positions(&self) -> u64 {
        self.groups.iter().map(PlannedGroup::positions).sum()
    }
}

impl<T> PlannedGroup<T> {
    /// The positions of its tables.
    pub fn positions(&self) -> u64 {
        self.tables.iter().map(|&(_, size)| size).sum()
    }
}
