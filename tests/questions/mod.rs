//! Questions to a database that change between tables, with the solver's answers.

use std::fmt;
use std::thread;

use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_probe::{Access, Database, Options};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use endmill_testkit::MAPPED;

use crate::solved::Solved;

/// Turns played between two runs of questions.
const WALK: u32 = 8;

/// A database with the solver's values and its most similar tables.
pub struct Subject<G: Game + Layout> {
    pub solved: Solved<G>,
    /// Tables with a single stored outcome: their files differ least.
    pub constant: Vec<G::Table>,
    game: fn() -> G,
}

/// How a database is opened, and the number of threads that ask.
#[derive(Clone, Copy)]
pub struct Way {
    pub access: Access,
    pub cache_bytes: usize,
    pub threads: usize,
}

impl Way {
    pub const ONE_THREAD: Way = Way {
        access: MAPPED,
        cache_bytes: 64 << 20,
        threads: 1,
    };

    /// Mapped and positioned, with caches of 0, 1 and 64 MiB, by one thread and by eight.
    pub fn all() -> impl Iterator<Item = Way> {
        let accesses = [MAPPED, Access::POSITIONED].into_iter();
        accesses.flat_map(|access| {
            [0, 1 << 20, 64 << 20]
                .into_iter()
                .flat_map(move |cache_bytes| {
                    [1, 8].map(|threads| Way {
                        access,
                        cache_bytes,
                        threads,
                    })
                })
        })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Way {
            access,
            cache_bytes,
            threads,
        } = self;
        let access = if access.is_mapped() {
            "mapped"
        } else {
            "positioned"
        };
        write!(f, "{access}, cache of {cache_bytes}, threads: {threads}")
    }
}

impl<G: Game + Layout> Subject<G> {
    /// The database that the program builds with these options. See [`Solved::lasting`].
    pub fn new(name: &str, game: fn() -> G, options: &[&str]) -> Subject<G> {
        let solved = Solved::lasting(name, game(), options);
        Subject {
            constant: solved.constant(),
            solved,
            game,
        }
    }

    pub fn open(&self, way: &Way) -> Database<G> {
        let options = Options {
            access: way.access,
            cache_bytes: way.cache_bytes,
            ..Options::default()
        };
        Database::open_with(self.solved.path(), (self.game)(), &options).unwrap()
    }

    /// The position with a number, modulo the size of the table.
    pub fn position(&self, table: G::Table, number: u64) -> G::Position {
        let game = &self.solved.game;
        game.unrank(table, number % game.size(table))
    }

    /// Asks for a value or for an outcome, as the coin decides, and compares.
    pub fn compare(
        &self,
        database: &Database<G>,
        position: &G::Position,
        coin: bool,
        asked: &dyn fmt::Display,
    ) {
        let value = self.solved.value(position);
        let answered = match coin {
            true => database
                .probe(position)
                .map(|verdict| (verdict == value.into(), verdict.to_string())),
            false => database
                .probe_outcome(position)
                .map(|outcome| (outcome == Some(value.outcome()), format!("{outcome:?}"))),
        };
        let text = || self.solved.game.format_position(position);
        match answered {
            Ok((true, _)) => (),
            Ok((false, wrong)) => panic!("{asked}: {} is {value}, not {wrong}", text()),
            Err(error) => panic!("{asked}: {} is {value}, not an error: {error}", text()),
        }
    }

    /// Asks this number of questions in total, in runs of equal length.
    pub fn ask(&self, way: &Way, count: usize, per_spell: u32) {
        let database = self.open(way);
        thread::scope(|scope| {
            for thread in 0..way.threads {
                let database = &database;
                scope.spawn(move || {
                    let mut questions = Questions::new(self, per_spell, thread as u64);
                    for _ in 0..count / way.threads {
                        let position = questions.next();
                        self.compare(database, &position, questions.coin(), way);
                    }
                });
            }
        });
    }
}

/// An endless sequence of questions.
///
/// It comes in runs. A run repeats the same few numbers for a few tables, so that its questions
/// differ only in the table. Between two runs a random game is played for a few turns.
pub struct Questions<'a, G: Game + Layout> {
    subject: &'a Subject<G>,
    rng: StdRng,
    per_spell: u32,
    /// Of the current run.
    left: u32,
    tables: Vec<G::Table>,
    first: u64,
    walker: G::Position,
    walk_left: u32,
    turns: Vec<G::Turn>,
}

impl<'a, G: Game + Layout> Questions<'a, G> {
    pub fn new(subject: &'a Subject<G>, per_spell: u32, seed: u64) -> Questions<'a, G> {
        let mut rng = StdRng::seed_from_u64(seed);
        let table = *subject.solved.tables.choose(&mut rng).unwrap();
        Questions {
            subject,
            rng,
            per_spell,
            left: 0,
            tables: Vec::new(),
            first: 0,
            walker: subject.position(table, 0),
            walk_left: 0,
            turns: Vec::new(),
        }
    }

    pub fn coin(&mut self) -> bool {
        self.rng.random()
    }

    /// The next position to probe.
    pub fn next(&mut self) -> G::Position {
        if self.left == 0 {
            let table = self.any_table();
            let number = self
                .rng
                .random_range(0..self.subject.solved.game.size(table));
            self.start_spell(number);
        }
        self.left -= 1;
        if self.walk_left > 0 && self.coin() {
            self.walk_left -= 1;
            if let Some(position) = self.step() {
                return position;
            }
        }
        let table = *self.tables.choose(&mut self.rng).unwrap();
        let stretch = u64::from(self.per_spell / 2).clamp(32, 1_000);
        let ahead = match self.coin() {
            true => 0,
            false => self.rng.random_range(0..stretch),
        };
        self.subject.position(table, self.first + ahead)
    }

    /// Switches to other tables, at this number.
    pub fn start_spell(&mut self, number: u64) {
        let alike = self.subject.constant.len() > 1 && self.coin();
        let from = match alike {
            true => &self.subject.constant,
            false => &self.subject.solved.tables,
        };
        let drawn = (0..3).map(|_| *from.choose(&mut self.rng).unwrap());
        self.tables = drawn.collect();
        let partner = self.subject.solved.game.partner(self.tables[0]);
        if self.subject.solved.tables.contains(&partner) {
            self.tables.push(partner);
        }
        self.first = number;
        self.walker = self.subject.position(self.tables[0], number);
        self.walk_left = WALK;
        self.left = self.per_spell;
    }

    fn any_table(&mut self) -> G::Table {
        *self.subject.solved.tables.choose(&mut self.rng).unwrap()
    }

    /// A legal turn; `None` at the end of a game.
    fn step(&mut self) -> Option<G::Position> {
        let game = &self.subject.solved.game;
        game.turns(&self.walker, &mut self.turns);
        let turn = self.turns.choose(&mut self.rng)?;
        self.walker = game.play(&self.walker, turn);
        Some(self.walker)
    }
}
