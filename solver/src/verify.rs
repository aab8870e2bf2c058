//! The proof of a table: every value and every count re-derived by the forward rules alone.
//!
//! Nothing here knows of levels, counters or un-moves. Each table is decoded once, with the
//! reader and the resolving rule of the probe, and swept row by row: a position is worth what the best of its turns is
//! worth, and a turn is worth what is stored for the position it leads to. `docs/algorithm.md`
//! says why that proves the table if plies are stored.
//!
//! The sweep looks turns up by the row. So that no error of that can hide, a [`Sample`] of every
//! table is also derived turn by turn from the plain rules, which share no code with it.

use std::collections::BTreeSet;
use std::fmt::{self, Debug, Display};
use std::ops::Range;
use std::sync::Mutex;

use dbformat::{Statistics, Store};
use games::group::{Appeal, Code, Group, Part, Solved};
use games::{Game, Value};
use rayon::prelude::*;

use crate::SolveError;
use crate::counts::Counts;
use crate::load::{Stored, derive, load, load_outcomes, load_table};
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::plan::PlannedGroup;
use crate::room::Room;
use crate::sample::Sample;
use crate::shelf::Shelf;

/// Positions whose counts one task adds up.
const POSITIONS_PER_TASK: u64 = 1 << 18;

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// A position is stored with another value than its turns give it.
    Value {
        /// The table.
        table: String,
        /// The position as text.
        position: String,
        /// As stored.
        stored: Value,
        /// As its turns say.
        derived: Value,
    },
    /// A header's counts are not those of its positions.
    Counts {
        /// The table.
        table: String,
    },
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Value {
                table,
                position,
                stored,
                derived,
            } => {
                write!(
                    f,
                    "{table}: {position} is stored as {stored}, its turns make it {derived}"
                )
            }
            Mismatch::Counts { table } => {
                write!(
                    f,
                    "{table}: the counts in the header are not those of its positions"
                )
            }
        }
    }
}

/// How much a verification shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The outcomes agree with each other; without plies they could be wrong together.
    Consistent,
    /// Every value is right.
    Proved,
}

/// Tables read for verifying, which of them have no plies, and which are not proved.
#[derive(Debug)]
pub struct Verifier<T> {
    shelf: Shelf<T>,
    without_plies: BTreeSet<T>,
    unproved: BTreeSet<T>,
    room: Room,
    limit: u64,
    sample: Sample,
}

impl<T: Copy + Ord + Display + Debug + Send + Sync> Verifier<T> {
    /// Nothing read yet. Beyond `limit` bytes tables are read again rather than kept.
    pub fn new(room: Room, limit: u64, sample: Sample) -> Verifier<T> {
        Verifier {
            shelf: Shelf::new(),
            without_plies: BTreeSet::new(),
            unproved: BTreeSet::new(),
            room,
            limit,
            sample,
        }
    }

    /// Forgets every table that does not satisfy a condition.
    pub fn keep(&mut self, wanted: impl FnMut(T) -> bool) {
        self.shelf.keep(wanted);
    }

    /// Holds a table in less memory, if it is there: from now on only groups depend on it that
    /// [sweep](PlannedGroup::sweeps).
    pub fn shorten(&mut self, table: T) -> Result<(), SolveError> {
        Ok(self.shelf.shorten(table, &self.room)?)
    }

    /// Takes away tables that the group at hand does not depend on until its memory fits below the
    /// limit; those with the greatest keys go first.
    pub fn make_room<K: Ord>(&mut self, planned: &PlannedGroup<T>, key: impl Fn(T) -> K) {
        let there = self.shelf.bytes_of(&planned.depends_on);
        let needed = planned.memory_with_plies.still_needed(there);
        let left = self.limit.saturating_sub(needed);
        self.shelf.shrink(left, |table| {
            (!planned.depends_on.contains(&table)).then(|| key(table))
        });
    }

    /// Verifies the tables of one group, after those they lead to. They, and the tables they lead
    /// to, are read unless they have been. Gives the first mismatch, or what is shown.
    ///
    /// Without inside turns outcomes are proved by the outcomes they lead to; with inside turns
    /// that takes plies.
    pub fn verify<G: Game<Table = T>>(
        &mut self,
        game: &G,
        store: &Store,
        planned: &PlannedGroup<T>,
    ) -> Result<Result<Proof, Mismatch>, SolveError> {
        let group = game.group(planned.tables[0].0);
        let mut opened = Vec::new();
        for (table, rows) in group.tables() {
            let numbered = Numbered::new(&group, rows, game.size(table));
            opened.push((table, numbered, Stored::open(game, store, table)?));
        }
        let has_plies = opened.iter().all(|(.., stored)| stored.has_plies());
        let outcomes_do = planned.sweeps && !has_plies;
        if outcomes_do {
            self.fetch_outcomes(game, store, &planned.depends_on)?;
        } else {
            self.fetch(game, store, &planned.depends_on, planned.sweeps)?;
        }
        let mut tables = Vec::new();
        for (table, numbered, stored) in opened {
            let nodes = load(&stored, &numbered, &self.shelf, &self.room)?;
            let has_plies = stored.has_plies() && self.have_plies(&game.resolved_from(table));
            let mut counted = count(&numbered, nodes.codes());
            let mut stated = stored.statistics().clone();
            if !has_plies {
                counted = counted.without_plies();
                stated = stated.without_plies();
            }
            if counted != stated {
                return Ok(Err(Mismatch::Counts {
                    table: table.to_string(),
                }));
            }
            self.put(table, nodes, has_plies);
            tables.push((table, numbered));
        }
        let mut involved = (tables.iter().map(|(table, _)| table)).chain(&planned.depends_on);
        let compare_plies =
            !outcomes_do && !involved.any(|table| self.without_plies.contains(table));
        let sweep = Sweep {
            game,
            group: &group,
            tables: &tables,
            shelf: &self.shelf,
            compare_plies,
            sample: self.sample,
        };
        let mismatch = sweep.first_mismatch();
        let mut outside = planned.depends_on.iter();
        let outside_proved = !outside.any(|table| self.unproved.contains(table));
        let proof = if outside_proved && (outcomes_do || compare_plies) {
            Proof::Proved
        } else {
            Proof::Consistent
        };
        for (table, _) in &tables {
            if proof == Proof::Consistent {
                self.unproved.insert(*table);
            }
            if outcomes_do {
                self.shelf.forget_plies(*table, &self.room)?;
            }
        }
        Ok(mismatch.map_or(Ok(proof), Err))
    }

    /// Reads tables that have not been, after those that they are resolved from; for a sweep in
    /// as little memory as will do.
    fn fetch<G: Game<Table = T>>(
        &mut self,
        game: &G,
        store: &Store,
        tables: &[T],
        sweeps: bool,
    ) -> Result<(), SolveError> {
        for &table in tables {
            if self.shelf.get(table).is_some() || (sweeps && self.shelf.has_plies(table)) {
                continue;
            }
            let from = game.resolved_from(table);
            self.fetch(game, store, &from, false)?;
            let (nodes, has_plies) = load_table(game, store, table, &self.shelf, &self.room)?;
            self.put(table, nodes, has_plies && self.have_plies(&from));
            if sweeps {
                self.shorten(table)?;
            }
        }
        Ok(())
    }

    /// Sees to it that the outcomes of tables are at hand, and no more than these.
    fn fetch_outcomes<G: Game<Table = T>>(
        &mut self,
        game: &G,
        store: &Store,
        tables: &[T],
    ) -> Result<(), SolveError> {
        for &table in tables {
            if self.shelf.has(table) {
                self.shelf.forget_plies(table, &self.room)?;
            } else {
                self.fetch_outcomes(game, store, &game.resolved_from(table))?;
                let nodes = load_outcomes(game, store, table, &self.shelf, &self.room)?;
                self.shelf.put_outcomes(table, &nodes, &self.room)?;
            }
        }
        Ok(())
    }

    fn have_plies(&self, tables: &[T]) -> bool {
        let mut tables = tables.iter();
        !tables.any(|table| self.without_plies.contains(table))
    }

    fn put(&mut self, table: T, nodes: Nodes, has_plies: bool) {
        self.shelf.put(table, nodes);
        if has_plies {
            self.without_plies.remove(&table);
        } else {
            self.without_plies.insert(table);
        }
    }
}

/// Proves a group that has just been solved; it and the tables it leads to are on the shelf.
pub(crate) fn prove_solved<G: Game>(
    game: &G,
    group: &G::Group<'_>,
    shelf: &Shelf<G::Table>,
) -> Option<Mismatch> {
    let tables = group.tables().into_iter();
    let tables: Vec<_> = tables
        .map(|(table, rows)| (table, Numbered::new(group, rows, game.size(table))))
        .collect();
    let sweep = Sweep {
        game,
        group,
        tables: &tables,
        shelf,
        compare_plies: true,
        sample: Sample::default(),
    };
    sweep.first_mismatch()
}

/// A group whose tables, and those they lead to, are all at hand.
struct Sweep<'a, G: Game, L> {
    game: &'a G,
    group: &'a L,
    tables: &'a [(G::Table, Numbered<'a, L>)],
    shelf: &'a Shelf<G::Table>,
    /// Whether plies are known of all of them.
    compare_plies: bool,
    sample: Sample,
}

impl<G: Game, L: Group<Table = G::Table>> Sweep<'_, G, L> {
    fn first_mismatch(&self) -> Option<Mismatch> {
        let by_rows = (0..self.group.layers()).find_map(|layer| {
            let parts = (0..self.group.parts(layer)).into_par_iter();
            parts.find_map_first(|part| self.check_part(&self.group.part(layer, part)))
        });
        by_rows.or_else(|| {
            let mut tables = self.tables.iter();
            tables.find_map(|(table, _)| self.check_sample(*table))
        })
    }

    /// Whether a stored value is what was derived, as far as plies are known.
    fn agree(&self, stored: Value, derived: Value) -> bool {
        if self.compare_plies {
            stored == derived
        } else {
            stored.outcome() == derived.outcome()
        }
    }

    fn check_part(&self, part: &L::Part<'_>) -> Option<Mismatch> {
        let mut homes = self.group.homes().into_iter().enumerate();
        homes.find_map(|(phase, home)| self.check_phase(part, phase, home?))
    }

    fn check_phase(&self, part: &L::Part<'_>, phase: usize, home: G::Table) -> Option<Mismatch> {
        let rows = part.phases()[phase].clone();
        let width = part.width(phase);
        let runs = part.runs(phase);
        let run = rows.len() * width / runs.len().max(1);
        let stored = self.shelf.nodes(home);
        let first_row = rows.start;
        let found = rows.into_par_iter().find_map_first(|row| {
            let mut scratch = Default::default();
            let (mut seeds, mut twins) = (Vec::new(), Vec::new());
            if part.mirrored(row, &mut twins) {
                return None;
            }
            part.seed(row, self.shelf, &mut scratch, &mut seeds);
            let mut best: Vec<Appeal> = seeds.iter().map(|seed| seed.outside).collect();
            part.raise(row, self.shelf, &mut scratch, &mut best);
            best.iter().enumerate().find_map(|(column, &best)| {
                let at = (row - first_row) * width + column;
                let node = runs[at / run] + at % run;
                let derived = best.value().unwrap_or(Value::LOST);
                let stored = stored[node].value();
                (!self.agree(stored, derived)).then_some((node, stored, derived))
            })
        });
        found.map(|(node, stored, derived)| {
            let index = self.numbered(home).position_of_node(node);
            self.mismatch(home, index, stored, derived)
        })
    }

    /// Derives the sample turn by turn.
    fn check_sample(&self, table: G::Table) -> Option<Mismatch> {
        let size = self.game.size(table);
        let sample = (0..self.sample.count(size)).into_par_iter();
        sample.find_map_first(|i| {
            let index = self.sample.index(size, i);
            let position = self.game.unrank(table, index);
            let derived = match self.game.finished(&position) {
                Some(value) => value,
                None => derive(self.game, &position, self.shelf),
            };
            let stored = self
                .shelf
                .values(table)
                .code(self.game.node(&position))
                .value();
            (!self.agree(stored, derived)).then(|| self.mismatch(table, index, stored, derived))
        })
    }

    fn numbered(&self, table: G::Table) -> &Numbered<'_, L> {
        let found = self.tables.iter().find(|(own, ..)| *own == table);
        &found.expect("a home is a table of the group").1
    }

    fn mismatch(&self, table: G::Table, index: u64, stored: Value, derived: Value) -> Mismatch {
        let position = self.game.unrank(table, index);
        Mismatch::Value {
            table: table.to_string(),
            position: self.game.format_position(&position),
            stored,
            derived,
        }
    }
}

/// The counts of a table's positions.
fn count<G: Group>(numbered: &Numbered<'_, G>, nodes: &[Code]) -> Statistics {
    let size = numbered.positions();
    let tasks = size.div_ceil(POSITIONS_PER_TASK);
    let of_task = |task: u64| {
        let start = task * POSITIONS_PER_TASK;
        let positions: Range<u64> = start..size.min(start + POSITIONS_PER_TASK);
        let mut codes = Vec::new();
        numbered.gather(nodes, positions, &mut codes);
        Counts::of(&codes, start)
    };
    let counts = Mutex::new(Counts::default());
    (0..tasks).into_par_iter().for_each(|task| {
        let of_task = of_task(task);
        counts.lock().expect("adding does not panic").add(&of_task);
    });
    counts
        .into_inner()
        .expect("adding does not panic")
        .statistics()
}
