//! What the numbering of positions and the generation of turns cost, in time per operation: with
//! the processor's bit instructions, and with the portable code that replaces them.

#![allow(unsafe_code, reason = "sets a variable of the environment")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};

use endmill_games::{Numbering, Ruleset, Unmoves, each_game};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Operations in one iteration: enough that look-up tables are met as cold as in a solver.
const BATCH: u64 = 1 << 16;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (ruleset, table) in [("nine", "8v7"), ("draughts", "12v12")] {
        for (path, portable) in [("bmi2", "0"), ("portable", "1")] {
            if path == "bmi2" && !has_bmi2() {
                continue;
            }
            // SAFETY: no other thread runs: criterion measures on the one that calls it. The game
            // reads the variable while it is set up, and never again.
            unsafe { std::env::set_var("ENDMILL_PORTABLE", portable) };
            let criterion = &mut criterion;
            bench(
                ruleset,
                Bench {
                    criterion,
                    table,
                    path,
                },
            );
        }
    }
    criterion.final_summary();
}

fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    table: &'static str,
    path: &'static str,
}

macro_rules! define {
    ($($family:ident)*) => {
        fn bench(id: &str, bench: Bench<'_>) {
            let ruleset = Ruleset::find(id).expect("a ruleset that is built in");
            $(if let Some(game) = endmill_games::$family::of(ruleset) {
                return bench.run(&game);
            })*
            panic!("there is no ruleset {id}");
        }
    };
}

each_game!(define);

impl Bench<'_> {
    fn run<G: Unmoves>(self, game: &G) {
        let table = game.parse_table(self.table).expect("a table");
        let mut rng = StdRng::seed_from_u64(1);
        let mut random = || rng.random_range(0..game.size(table));
        let indexes: Vec<u64> = (0..BATCH).map(|_| random()).collect();
        let positions: Vec<G::Position> = indexes
            .iter()
            .map(|&index| game.unrank(table, index))
            .collect();
        let middle = game.size(table) / 2;

        let title = format!("{} {}", game.description().id, self.table);
        let mut group = self.criterion.benchmark_group(title);
        group.throughput(Throughput::Elements(BATCH));
        let mut bench = |operation: &str, run: &mut dyn FnMut()| {
            let id = BenchmarkId::new(operation, self.path);
            group.bench_function(id, |bencher| bencher.iter(&mut *run));
        };

        bench("unrank in order", &mut || {
            for index in middle..middle + BATCH {
                black_box(game.unrank(table, index));
            }
        });
        bench("unrank at random", &mut || {
            for &index in &indexes {
                black_box(game.unrank(table, index));
            }
        });
        bench("rank at random", &mut || {
            for position in &positions {
                black_box(game.rank(position));
            }
        });
        let mut turns = Vec::new();
        bench("turns of a position", &mut || {
            for position in &positions {
                game.turns(position, &mut turns);
                black_box(&turns);
            }
        });
        let mut unmoves = Vec::new();
        bench("un-moves of a position", &mut || {
            for position in &positions {
                game.unmoves(position, &mut unmoves);
                black_box(&unmoves);
            }
        });
        let successors: Vec<G::Position> = positions
            .iter()
            .flat_map(|position| inside_successors(game, position))
            .collect();
        bench("rank of successors", &mut || {
            // In the order of generation, as a solver asks for them.
            for next in &successors[..BATCH as usize] {
                black_box(game.rank(next));
            }
        });
        group.finish();
    }
}

/// Where the inside turns of a position lead.
fn inside_successors<G: Numbering>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    turns.retain(|turn| game.is_inside(position, turn));
    turns.iter().map(|turn| game.play(position, turn)).collect()
}
