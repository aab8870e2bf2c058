//! A database that the program built, together with the solver's values in memory.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use endmill_games::Value;
use endmill_games::prelude::*;
use endmill_layout::{Layout, NodeValue};
use endmill_solver::{Budget, Plan, PlannedGroup, Resident, solve_plan};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

use crate::program::build;

/// The same tables in files and in memory.
pub struct Solved<G: Game + Layout> {
    pub game: G,
    pub tables: Vec<G::Table>,
    directory: PathBuf,
    codes: BTreeMap<G::Table, Vec<NodeValue>>,
    _temporary: Option<TempDir>,
}

impl<G: Game + Layout> Solved<G> {
    /// All tables with at most this number of pieces.
    pub fn new(game: G, pieces: u32) -> Solved<G> {
        let temporary = TempDir::new().unwrap();
        let directory = temporary.path().to_owned();
        let solved = Solved::built_in(directory, game, &["--pieces", &pieces.to_string()]);
        Solved {
            _temporary: Some(temporary),
            ..solved
        }
    }

    /// The tables that the program builds with these options. For statics, which are never dropped:
    /// the files remain in the target directory until the next run replaces them.
    pub fn lasting(name: &str, game: G, options: &[&str]) -> Solved<G> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        Solved::built_in(directory, game, options)
    }

    fn built_in(directory: PathBuf, game: G, options: &[&str]) -> Solved<G> {
        let id = game.description().id;
        build(&directory, &[&[id.as_str()], options].concat());
        let files = directory.join(&id);
        let mut tables = game.tables(None);
        tables.retain(|table| files.join(format!("{table}.wld")).exists());
        let codes = solved(&game, &tables);
        Solved {
            game,
            tables,
            directory,
            codes,
            _temporary: None,
        }
    }

    pub fn value(&self, position: &G::Position) -> Value {
        match self.game.table_of(position) {
            Some(table) => self.codes[&table][self.game.node(position)].value(),
            None => self.game.finished(position).expect("too few men"),
        }
    }

    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// The tables in which all stored positions have the same outcome.
    pub fn constant(&self) -> Vec<G::Table> {
        let mut tables = self.tables.clone();
        tables.retain(|&table| {
            let positions =
                (0..self.game.size(table)).map(|number| self.game.unrank(table, number));
            let stored = positions.filter(|position| !self.game.is_resolved(position));
            let mut outcomes = stored.map(|position| self.value(&position).outcome());
            let first = outcomes.next();
            outcomes.all(|outcome| Some(outcome) == first)
        });
        tables
    }

    /// Up to `count` random positions of a table, in the order of their numbers.
    pub fn draw(&self, table: G::Table, count: u64, rng: &mut StdRng) -> Vec<G::Position> {
        let size = self.game.size(table);
        let mut numbers: Vec<u64> = if size <= count {
            (0..size).collect()
        } else {
            (0..count).map(|_| rng.random_range(0..size)).collect()
        };
        numbers.sort_unstable();
        let unrank = |number| self.game.unrank(table, number);
        numbers.into_iter().map(unrank).collect()
    }
}

/// The nodes of tables and of all tables they lead to, straight from the solver.
pub fn solved<G: Layout>(game: &G, tables: &[G::Table]) -> BTreeMap<G::Table, Vec<NodeValue>> {
    let mut codes = BTreeMap::new();
    let plan = Plan::new(game, tables);
    let keep = |group: &PlannedGroup<G::Table>, resident: &Resident<G::Table>| {
        for (table, _) in &group.tables {
            codes.insert(*table, resident.get(*table).unwrap().to_vec());
        }
    };
    solve_plan(game, &plan, &Budget::unlimited(), &(), keep).unwrap();
    codes
}

pub fn seeded() -> StdRng {
    StdRng::seed_from_u64(2025)
}
