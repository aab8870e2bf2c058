//! The proof of a table: every value and every count re-derived by the forward rules alone.
//!
//! Nothing here knows of levels, counters or un-moves. Each table is decoded once, with the
//! reader of the probe, and swept row by row: a position is worth what the best of its turns is
//! worth, and a turn is worth what is stored for the position it leads to. `docs/algorithm.md`
//! says why that proves the table if plies are stored.
//!
//! The sweep looks turns up by the row. So that no error of that can hide, a sample of every table
//! is also derived turn by turn from [`Game::turns`], which shares no code with it.

use std::ops::Range;
use std::sync::Mutex;

use dbformat::{Statistics, Store};
use games::group::{Appeal, Code, Group, Part, Solved};
use games::{Game, Value};
use rayon::prelude::*;

use crate::SolveError;
use crate::counts::Counts;
use crate::load::{Stored, load, load_table};
use crate::numbered::Numbered;
use crate::plan::PlannedGroup;
use crate::shelf::Shelf;

/// Positions of each table that are also derived turn by turn.
const SAMPLE: u64 = 20_000;
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

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

/// Verifies the tables of one group. The tables it leads to are read into `shelf` unless they are
/// there, and so are its own. Gives the first mismatch.
pub fn verify_group<G: Game>(
    game: &G,
    store: &Store,
    planned: &PlannedGroup<G::Table>,
    shelf: &mut Shelf<G::Table>,
) -> Result<Option<Mismatch>, SolveError> {
    for &table in &planned.depends_on {
        if shelf.get(table).is_none() {
            shelf.put(table, load_table(game, store, table)?);
        }
    }
    let group = game.group(planned.tables[0].0);
    let mut stated = Vec::new();
    for (table, rows) in group.tables() {
        let size = game.size(table);
        let stored = Stored::open(game, store, table)?;
        let numbered = Numbered::new(&group, rows, size);
        shelf.put(table, load(&stored, &numbered)?);
        stated.push((table, stored.statistics().clone(), numbered));
    }
    let sweep = Sweep {
        game,
        group: &group,
        tables: &stated,
        shelf,
    };
    Ok(sweep.first_mismatch())
}

/// A group whose tables, and those they lead to, are all at hand.
struct Sweep<'a, G: Game, L> {
    game: &'a G,
    group: &'a L,
    tables: &'a [(G::Table, Statistics, Numbered<'a, L>)],
    shelf: &'a Shelf<G::Table>,
}

impl<G: Game, L: Group<Table = G::Table>> Sweep<'_, G, L> {
    fn first_mismatch(&self) -> Option<Mismatch> {
        let counts = self
            .tables
            .iter()
            .find(|(table, stated, numbered)| count(numbered, self.shelf.nodes(*table)) != *stated);
        if let Some((table, ..)) = counts {
            return Some(Mismatch::Counts {
                table: table.to_string(),
            });
        }
        let by_rows = (0..self.group.layers()).find_map(|layer| {
            let parts = 0..self.group.parts(layer);
            parts
                .into_par_iter()
                .find_map_first(|part| self.check_part(&self.group.part(layer, part)))
        });
        by_rows.or_else(|| {
            let mut tables = self.tables.iter();
            tables.find_map(|(table, ..)| self.check_sample(*table))
        })
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
                let derived = Code::new(best.value().unwrap_or(Value::LOST));
                let stored = decided_or_draw(stored[node]);
                (stored != derived).then_some((node, stored, derived))
            })
        });
        found.map(|(node, stored, derived)| {
            let index = self.numbered(home).position_of_node(node);
            self.mismatch(home, index, stored.value(), derived.value())
        })
    }

    /// Derives evenly spread positions turn by turn.
    fn check_sample(&self, table: G::Table) -> Option<Mismatch> {
        let size = self.game.size(table);
        let step = (size / SAMPLE).max(1);
        let indexes: Vec<u64> = (0..size).step_by(step as usize).collect();
        indexes.into_par_iter().find_map_first(|index| {
            let position = self.game.unrank(table, index);
            let derived = self.derive(&position);
            let stored = self
                .stored(&position)
                .expect("a numbered position has a table");
            (stored != derived).then(|| self.mismatch(table, index, stored, derived))
        })
    }

    /// What a position is worth, by its turns.
    fn derive(&self, position: &G::Position) -> Value {
        if let Some(value) = self.game.finished(position) {
            return value;
        }
        let mut turns = Vec::new();
        self.game.turns(position, &mut turns);
        let after = turns.iter().map(|turn| {
            let next = self.game.play(position, turn);
            let value = self.stored(&next).or_else(|| self.game.finished(&next));
            value
                .expect("without a table a game is finished")
                .one_turn_earlier()
        });
        after.max().expect("an unfinished game has turns")
    }

    /// What is stored for a position, if it has a table.
    fn stored(&self, position: &G::Position) -> Option<Value> {
        let table = self.game.table_of(position)?;
        let node = self.game.node(position);
        Some(self.shelf.nodes(table)[node].value())
    }

    fn numbered(&self, table: G::Table) -> &Numbered<'_, L> {
        let found = self.tables.iter().find(|(own, ..)| *own == table);
        &found.expect("a home is a table of the group").2
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

/// Nodes keep the solver's counts where they are drawn.
fn decided_or_draw(code: Code) -> Code {
    Code::new(code.value())
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
        Counts::of(&codes)
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
