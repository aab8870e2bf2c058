//! A database that the program built, beside the values that the solver gives in memory.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::Path;

use games::morris::{Morris, RULESETS};
use games::{Game, Value};
use probe::{Access, Database, Options};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use solver::{Plan, Room, Shelf, solve};
use tempfile::TempDir;

use crate::program::printed;

pub fn morris(id: &str) -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == id).unwrap())
}

/// All tables with at most so many pieces, twice.
pub struct Solved<G: Game> {
    pub game: G,
    pub directory: TempDir,
    pub tables: Vec<G::Table>,
    shelf: Shelf<G::Table>,
}

impl<G: Game> Solved<G> {
    pub fn new(game: G, pieces: u32) -> Solved<G> {
        let directory = TempDir::new().unwrap();
        let (id, most) = (game.description().id, pieces.to_string());
        let db = directory.path().to_str().unwrap();
        printed(&["build", &id, "--pieces", &most, "--db", db]);

        let tables = game.tables(Some(pieces));
        let mut shelf = Shelf::new();
        for planned in Plan::new(&game, &tables).groups {
            let group = game.group(planned.tables[0].0);
            for (table, nodes) in solve(&group, &shelf, &Room::unlimited(), &()).unwrap() {
                shelf.put(table, nodes);
            }
        }
        Solved {
            game,
            directory,
            tables,
            shelf,
        }
    }

    pub fn value(&self, position: &G::Position) -> Value {
        match self.game.table_of(position) {
            Some(table) => {
                let nodes = self.shelf.get(table).expect("it was solved");
                nodes.codes()[self.game.node(position)].value()
            }
            None => self.game.finished(position).expect("too few men"),
        }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// So many random positions of a table in the order of their numbers; all, if it has no more.
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

pub fn seeded() -> StdRng {
    StdRng::seed_from_u64(2025)
}

/// Name and bytes of every table file of a ruleset.
pub fn bytes(database: &Path, ruleset: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(database.join(ruleset)).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "wld" || end == "dtw")
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The three ways to read a database, each with a word for it.
pub fn all_ways<G: Game>(
    database: &Path,
    game: impl Fn() -> G,
) -> Vec<(&'static str, probe::Result<Database<G>>)> {
    let open = |access| {
        let options = Options {
            access,
            ..Options::default()
        };
        Database::open_with(database, game(), &options)
    };
    let files = bytes(database, &game().description().id);
    let embedded = Database::from_bytes(files, game(), &Options::default());
    vec![
        ("mapped", open(Access::Mapped)),
        ("positioned", open(Access::Positioned)),
        ("from bytes", embedded),
    ]
}
