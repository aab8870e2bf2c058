//! Which groups to solve, in which order, and the cost.

use std::collections::BTreeSet;
use std::fmt::Display;

use endmill_games::{Cost, Features, Numbering};

use crate::held::Form;

/// Bytes of working memory for a node.
const BYTES_PER_NODE: u128 = 2;
/// Nodes per byte, if only outcomes are needed.
const OUTCOMES_PER_BYTE: u128 = endmill_games::value::OUTCOMES_PER_BYTE as u128;

/// Up to this number of positions in which every turn places a man, their plies are stored by default.
/// That includes all of nine men's morris, which stays below 8 GB.
const FEW_PLACINGS: u64 = 20_000_000_000;

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
    /// Whether men are in hand.
    pub placing: bool,
    /// What solving takes; of a group that sweeps, without plies.
    pub memory: Memory,
    /// The same with plies, unless these are too many for a byte.
    pub memory_with_plies: Memory,
}

/// Which tables get plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyChoice {
    /// Tables with inside turns, and those without men in hand.
    pub solved: bool,
    /// Tables with men in hand and without inside turns: there every turn places a man, and the
    /// plies follow from those of other tables.
    pub swept: bool,
}

impl PlyChoice {
    /// The default for a game: plies of every table, but of those without inside turns only if there
    /// are few enough. It depends on the ruleset, not on the tables of a build, so that every build of
    /// a table gives the same files.
    pub fn usual<G: Numbering>(game: &G) -> PlyChoice {
        let tables = game.tables(None).into_iter();
        let placing = |table| game.pieces(table).in_hand > 0;
        let swept = tables.filter(|&table| placing(table) && !game.has_inside_turns(table));
        PlyChoice {
            solved: true,
            swept: swept.map(|table| game.size(table)).sum::<u64>() <= FEW_PLACINGS,
        }
    }

    /// Returns true if a group gets plies.
    pub fn of<T>(self, group: &PlannedGroup<T>) -> bool {
        self.by(group.sweeps, group.placing)
    }

    /// Returns true if a table gets plies.
    pub fn of_table<G: Numbering>(self, game: &G, table: G::Table) -> bool {
        let sweeps = !game.has_inside_turns(table);
        self.by(sweeps, game.pieces(table).in_hand > 0)
    }

    fn by(self, sweeps: bool, placing: bool) -> bool {
        if sweeps && placing {
            self.swept
        } else {
            self.solved
        }
    }

    /// Returns true if the plies of a table of a group are stored; a compact database leaves some out.
    pub fn stores<G: Features>(
        self,
        game: &G,
        group: &PlannedGroup<G::Table>,
        table: G::Table,
        compact: bool,
    ) -> bool {
        self.of(group) && !(compact && game.leaves_plies_out(table))
    }

    /// Returns true if solving a group needs the plies of the tables that it depends on.
    pub fn needed_for<T>(self, group: &PlannedGroup<T>) -> bool {
        !group.sweeps || self.of(group)
    }

    /// The form in which solving a group needs the tables that it depends on.
    pub(crate) fn form_for<T>(self, group: &PlannedGroup<T>) -> Form {
        match group.sweeps {
            false => Form::Nodes,
            true if self.needed_for(group) => Form::Bytes,
            true => Form::Outcomes,
        }
    }

    /// The memory for solving a group.
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
    /// What is still needed if tables it depends on take `there` bytes already.
    pub fn still_needed(self, there: u64) -> u64 {
        self.all - there.min(self.outside)
    }
}

impl<T: Copy + Ord> Plan<T> {
    /// Plans for `wanted` tables and everything they depend on.
    pub fn new<G: Numbering<Table = T>>(game: &G, wanted: &[T]) -> Plan<T> {
        let mut plan = Plan { groups: Vec::new() };
        let mut planned = BTreeSet::new();
        for &table in wanted {
            plan.add(game, table, &mut planned);
        }
        plan
    }

    /// The groups of these tables alone, without what they depend on.
    pub fn only<G: Numbering<Table = T>>(game: &G, tables: &[T]) -> Plan<T> {
        let together = |table: &T| game.solved_together(*table);
        let own: BTreeSet<T> = tables.iter().flat_map(together).collect();
        let mut plan = Plan::new(game, tables);
        plan.groups.retain(|group| own.contains(&group.tables[0].0));
        plan
    }

    /// Adds a table's group after the groups it depends on, unless it is there.
    fn add<G: Numbering<Table = T>>(&mut self, game: &G, table: T, planned: &mut BTreeSet<T>) {
        if planned.contains(&table) {
            return;
        }
        // In the same order for each of them: a group has one name.
        let mut tables = game.solved_together(table);
        tables.sort();
        planned.extend(&tables);
        let depends_on: BTreeSet<T> = tables.iter().flat_map(|&t| game.outside(t)).collect();
        for &dependency in &depends_on {
            self.add(game, dependency, planned);
        }
        let tables: Vec<(T, u64)> = tables.into_iter().map(|t| (t, game.size(t))).collect();
        let sweeps = !game.has_inside_turns(table);
        // A single table is laid out twice if inside turns lead to its other view.
        let layouts = if tables.len() == 1 && !sweeps { 2 } else { 1 };
        // Tables that are too large to be solved may still be planned: their bytes exceed 64 bits.
        let own: u128 = (tables.iter())
            .map(|&(_, size)| u128::from(size) * layouts)
            .sum();
        let sizes = || depends_on.iter().map(|&t| u128::from(game.size(t)));
        let others: u128 = sizes().sum();
        let (memory, memory_with_plies) = if sweeps {
            // What is read or solved is packed afterwards: into a byte with plies.
            let unpacked = own.max(sizes().max().unwrap_or(0)) * BYTES_PER_NODE;
            let packed = |per_byte: u128| Memory {
                all: bytes(unpacked + (own + others).div_ceil(per_byte)),
                outside: bytes(others / per_byte),
            };
            (packed(OUTCOMES_PER_BYTE), packed(1))
        } else {
            let memory = Memory {
                all: bytes((own + others) * BYTES_PER_NODE),
                outside: bytes(others * BYTES_PER_NODE),
            };
            (memory, memory)
        };
        self.groups.push(PlannedGroup {
            tables,
            depends_on: depends_on.into_iter().collect(),
            sweeps,
            placing: game.pieces(table).in_hand > 0,
            memory,
            memory_with_plies,
        });
    }

    /// The cost of all tables; `plies` decides for which tables of a group plies are stored.
    pub fn cost<G: Features<Table = T>>(
        &self,
        game: &G,
        plies: impl Fn(&PlannedGroup<T>, T) -> bool,
    ) -> Cost {
        let groups = self.groups.iter();
        sum(groups.map(|group| group.cost(game, |table| plies(group, table))))
    }

    /// The number of positions of all tables.
    pub fn positions(&self) -> u128 {
        let groups = self.groups.iter();
        groups.map(|group| u128::from(group.positions())).sum()
    }
}

fn sum(costs: impl Iterator<Item = Cost>) -> Cost {
    let nothing = Cost {
        nanoseconds: 0.0,
        bytes: 0.0,
    };
    costs.fold(nothing, |sum, each| Cost {
        nanoseconds: sum.nanoseconds + each.nanoseconds,
        bytes: sum.bytes + each.bytes,
    })
}

/// A number of bytes, or more than any machine has.
fn bytes(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl<T> PlannedGroup<T> {
    /// The positions of its tables.
    pub fn positions(&self) -> u64 {
        self.tables.iter().map(|&(_, size)| size).sum()
    }
}

impl<T: Copy> PlannedGroup<T> {
    /// Its tables.
    pub(crate) fn own_tables(&self) -> impl Iterator<Item = T> {
        self.tables.iter().map(|(table, _)| *table)
    }

    /// Its tables, and those that they lead to.
    pub(crate) fn involved(&self) -> impl Iterator<Item = T> {
        self.own_tables().chain(self.depends_on.iter().copied())
    }

    /// The cost of its tables; `plies` decides for which of them plies are stored.
    pub fn cost<G: Features<Table = T>>(&self, game: &G, plies: impl Fn(T) -> bool) -> Cost {
        sum(self.tables.iter().map(|&(table, size)| {
            let each = game.cost(table, plies(table));
            Cost {
                nanoseconds: each.nanoseconds * size as f64,
                bytes: each.bytes * size as f64,
            }
        }))
    }
}

impl<T: Display> PlannedGroup<T> {
    /// The names of its tables, `5v4 & 4v5`.
    pub fn name(&self) -> String {
        let names = self.tables.iter().map(|(table, _)| table.to_string());
        names.collect::<Vec<String>>().join(" & ")
    }
}
