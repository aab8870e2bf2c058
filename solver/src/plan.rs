//! What has to be solved, in which order, and what it will take.

use std::collections::BTreeSet;

use games::{Cost, Game};

/// Bytes of working memory for a node.
const BYTES_PER_NODE: u64 = 2;
/// Of tables of which only outcomes are needed.
const OUTCOMES_PER_BYTE: u64 = games::values::OUTCOMES_PER_BYTE as u64;

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
    /// Whether no inside turn leads from them: their values follow from one sweep.
    pub sweeps: bool,
    /// What solving takes; of a group that sweeps, without plies.
    pub memory: Memory,
    /// The same with plies, unless these are too many for a byte.
    pub memory_with_plies: Memory,
}

/// Which tables get plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyChoice {
    /// Tables with inside turns.
    pub solved: bool,
    /// Tables without. Their plies follow from those of other tables.
    pub swept: bool,
}

impl PlyChoice {
    /// Whether a group gets plies.
    pub fn of<T>(self, group: &PlannedGroup<T>) -> bool {
        if group.sweeps {
            self.swept
        } else {
            self.solved
        }
    }

    /// Whether plies of the tables that a group depends on are needed to solve it.
    pub fn needed_for<T>(self, group: &PlannedGroup<T>) -> bool {
        !group.sweeps || self.swept
    }

    /// What solving a group takes.
    pub fn memory<T>(self, group: &PlannedGroup<T>) -> Memory {
        if self.needed_for(group) {
            group.memory_with_plies
        } else {
            group.memory
        }
    }
}

/// Bytes of memory that a group takes while it is being solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Altogether.
    pub all: u64,
    /// Of that, the tables it depends on.
    pub outside: u64,
}

impl Memory {
    /// What is still needed if tables it depends on are there in so many bytes.
    pub fn still_needed(self, there: u64) -> u64 {
        self.all - there.min(self.outside)
    }
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
        let sweeps = !game.has_inside_turns(table);
        // A single table is laid out twice if inside turns lead to its other view.
        let layouts = if tables.len() == 1 && !sweeps { 2 } else { 1 };
        let own: u64 = tables.iter().map(|&(_, size)| size * layouts).sum();
        let others: u64 = depends_on.iter().map(|&t| game.size(t)).sum();
        let (memory, memory_with_plies) = if sweeps {
            // What is read or solved is packed afterwards: into a byte with plies.
            let unpacked = depends_on.iter().map(|&t| game.size(t)).max().unwrap_or(0);
            let unpacked = own.max(unpacked) * BYTES_PER_NODE;
            let packed = |per_byte: u64| Memory {
                all: unpacked + (own + others).div_ceil(per_byte),
                outside: others / per_byte,
            };
            (packed(OUTCOMES_PER_BYTE), packed(1))
        } else {
            let memory = Memory {
                all: (own + others) * BYTES_PER_NODE,
                outside: others * BYTES_PER_NODE,
            };
            (memory, memory)
        };
        self.groups.push(PlannedGroup {
            tables,
            depends_on: depends_on.into_iter().collect(),
            sweeps,
            memory,
            memory_with_plies,
        });
    }

    /// The tables that the groups after the `i`-th depend on.
    pub fn needed_after(&self, i: usize) -> BTreeSet<T> {
        let later = self.groups[i + 1..].iter();
        later
            .flat_map(|group| group.depends_on.iter().copied())
            .collect()
    }

    /// The first group from the `i`-th on that depends on a table, among those that satisfy a
    /// condition.
    pub fn next_use(
        &self,
        i: usize,
        table: T,
        wanted: impl Fn(&PlannedGroup<T>) -> bool,
    ) -> Option<usize> {
        let groups = self.groups.iter().enumerate().skip(i);
        let mut users = groups.filter(|(_, group)| group.depends_on.contains(&table));
        users.find(|(_, group)| wanted(group)).map(|(i, _)| i)
    }

    /// Whether no group from the `i`-th on that depends on a table needs more of it than a sweep.
    pub fn only_sweeps_need(&self, i: usize, table: T) -> bool {
        self.next_use(i, table, |group| !group.sweeps).is_none()
    }

    /// What all tables take together; `plies` tells of which groups plies are stored.
    pub fn cost<G: Game<Table = T>>(
        &self,
        game: &G,
        plies: impl Fn(&PlannedGroup<T>) -> bool,
    ) -> Cost {
        let mut sum = Cost {
            nanoseconds: 0.0,
            bytes: 0.0,
        };
        for group in &self.groups {
            for &(table, size) in &group.tables {
                let each = game.cost(table, plies(group));
                sum.nanoseconds += each.nanoseconds * size as f64;
                sum.bytes += each.bytes * size as f64;
            }
        }
        sum
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
