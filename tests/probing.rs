//! Probing databases that the program built: the answers are the solver's, from any number of threads,
//! and games played by them end when stated.

mod program;
mod solved;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_layout::Layout;
use endmill_probe::{Database, Options, SampleFilter};
use endmill_testkit::{all_ways, morris};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use solved::{Solved, seeded};

fn equals_the_solver<G: Game + Layout>(solved: &Solved<G>, game: impl Fn() -> G, per_table: u64) {
    let ways = all_ways(solved.path(), game);
    let mut rng = seeded();
    for &table in &solved.tables {
        let positions = solved.draw(table, per_table, &mut rng);
        for (way, database) in &ways {
            let database = database.as_ref().unwrap();
            for position in &positions {
                let value = solved.value(position);
                let text = || format!("{way}: {}", solved.game.format_position(position));
                let verdict = database.probe(position).unwrap();
                assert_eq!(verdict.value(), Some(value), "{}", text());
                let outcome = database.probe_outcome(position).unwrap();
                assert_eq!(outcome, Some(value.outcome()), "{}", text());
            }
        }
    }
}

#[test]
fn morris_is_answered_as_solved() {
    equals_the_solver(&Solved::new(morris("nine"), 7), || morris("nine"), 10_000);
}

#[test]
fn draughts_are_answered_as_solved() {
    equals_the_solver(&Solved::new(Draughts::new(), 3), Draughts::new, 10_000);
}

/// `cargo test --release --features long-tests --test probing`
#[cfg(feature = "long-tests")]
#[test]
fn long_morris_is_answered_as_solved() {
    equals_the_solver(&Solved::new(morris("nine"), 9), || morris("nine"), 100_000);
}

#[cfg(feature = "long-tests")]
#[test]
fn long_draughts_are_answered_as_solved() {
    equals_the_solver(&Solved::new(Draughts::new(), 4), Draughts::new, 100_000);
}

/// A cache that is too small for all blocks, so that threads evict each other's.
fn threads_agree<G: Game + Layout>(solved: &Solved<G>, game: impl Fn() -> G) {
    let options = Options {
        cache_bytes: 1 << 20,
        ..Options::default()
    };
    let open = || Database::open_with(solved.path(), game(), &options).unwrap();
    let mut rng = seeded();
    let tables = solved.tables.iter();
    let positions: Vec<G::Position> = tables
        .flat_map(|&table| solved.draw(table, 500, &mut rng))
        .collect();
    let alone = open();
    let ask = |position| alone.probe(position).unwrap();
    let expected: Vec<_> = positions.iter().map(ask).collect();
    let shared = open();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (shared, positions, expected) = (&shared, &positions, &expected);
            scope.spawn(move || {
                for i in 0..positions.len() {
                    let i = (i + thread * positions.len() / 8) % positions.len();
                    let verdict = shared.probe(&positions[i]).unwrap();
                    assert_eq!(verdict, expected[i]);
                    let outcome = shared.probe_outcome(&positions[i]).unwrap();
                    assert_eq!(outcome, Some(expected[i].outcome()));
                }
            });
        }
    });
}

#[test]
fn eight_threads_agree_with_one() {
    threads_agree(&Solved::new(morris("nine"), 7), || morris("nine"));
    threads_agree(&Solved::new(Draughts::new(), 3), Draughts::new);
}

/// Random won positions, spread over the tables.
fn won<G: Game + Layout>(
    solved: &Solved<G>,
    database: &Database<G>,
    count: usize,
) -> Vec<(G::Position, u16)> {
    let wanted = SampleFilter {
        outcome: Some(Outcome::Win),
        plies: None,
    };
    let each = count.div_ceil(solved.tables.len());
    let mut won = Vec::new();
    // Some tables have few wins; others compensate.
    for round in 0.. {
        for &table in &solved.tables {
            for (position, verdict) in database.sample(table, &wanted, each, round).unwrap() {
                won.push((position, verdict.plies().unwrap()));
            }
        }
        if won.len() >= count {
            break;
        }
    }
    won.truncate(count);
    won
}

/// Plays the best turns for the winner and the turns that `reply` chooses for the loser, until the
/// game ends. Returns the number of plies.
fn play<G: Game + Layout>(
    database: &Database<G>,
    start: G::Position,
    mut reply: impl FnMut(&G::Position) -> G::Position,
) -> u16 {
    let game = database.game();
    let (mut position, mut plies) = (start, 0);
    while game.finished(&position).is_none() {
        position = match plies % 2 {
            0 => database.best(&position).unwrap().expect("a turn").after,
            _ => reply(&position),
        };
        plies += 1;
    }
    assert_eq!(game.finished(&position), Some(Value::LOST));
    assert_eq!(plies % 2, 1, "the winner made the last turn");
    plies
}

fn any_turn<G: Game + Layout>(game: &G, position: &G::Position, rng: &mut StdRng) -> G::Position {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    game.play(position, turns.choose(rng).expect("a turn"))
}

fn games_end_as_stated<G: Game + Layout>(solved: &Solved<G>, game: G, count: usize) {
    let database = Database::open(solved.path(), game).unwrap();
    let game = database.game();
    let mut rng = seeded();
    for (start, plies) in won(solved, &database, count) {
        let text = game.format_position(&start);
        let best = |position: &_| database.best(position).unwrap().expect("a turn").after;
        assert_eq!(play(&database, start, best), plies, "{text}");
        // Sometimes the best turn, so that some defences last.
        let mixed = |position: &_| match rng.random_ratio(1, 2) {
            true => database.best(position).unwrap().expect("a turn").after,
            false => any_turn(game, position, &mut rng),
        };
        assert!(play(&database, start, mixed) <= plies, "{text}");
        let random = |position: &_| any_turn(game, position, &mut rng);
        assert!(play(&database, start, random) <= plies, "{text}");
    }
}

#[test]
fn morris_games_end_as_stated() {
    games_end_as_stated(&Solved::new(morris("nine"), 7), morris("nine"), 1_000);
}

#[test]
fn draughts_games_end_as_stated() {
    games_end_as_stated(&Solved::new(Draughts::new(), 3), Draughts::new(), 1_000);
}

#[cfg(feature = "long-tests")]
#[test]
fn long_games_end_as_stated() {
    games_end_as_stated(&Solved::new(morris("nine"), 9), morris("nine"), 1_000);
    games_end_as_stated(&Solved::new(Draughts::new(), 4), Draughts::new(), 1_000);
}
