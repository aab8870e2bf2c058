//! A third game as the proof that a game is rules and numbering: chess, king and rook against
//! king, solved, stored, verified and probed by the same code as the games that are built in.
//!
//! `counts.json` has the counts of positions by plies to mate. Those of orbits with Black to
//! move agree with the published King-Rook v King data set (28,056 positions, 0 to 16 moves, 2,796
//! draws).

mod game;
#[path = "../../games/tests/laws/numbering.rs"]
mod laws;

use std::collections::BTreeMap;
use std::path::Path;

use endmill_dbformat::{Kind, Store};
use endmill_games::{Colour, Numbering, Outcome, Rules, Value};
use endmill_probe::Database;
use endmill_solver::{Budget, BuildOptions, Plan, Sample, Shown};
use game::{Krk, Position, Table};
use tempfile::TempDir;

/// By `plies`, or `draw`.
type Counts = BTreeMap<String, u64>;

fn published(side: &str, what: &str) -> Counts {
    let all: serde_json::Value = serde_json::from_str(include_str!("counts.json")).unwrap();
    serde_json::from_value(all[side][what]["plies"].clone()).unwrap()
}

fn key(value: Option<u16>) -> String {
    value.map_or_else(|| "draw".to_owned(), |plies| plies.to_string())
}

const SIDES: [(Colour, &str); 2] = [
    (Colour::White, "white_to_move"),
    (Colour::Black, "black_to_move"),
];

fn build_with(threads: usize, directory: &Path) {
    let game = Krk::new();
    let store = Store::new(directory, endmill_dbformat::Rules::of(&game));
    let plan = Plan::new(&game, &game.tables(None));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let options = BuildOptions::default();
    let built = pool
        .build()
        .unwrap()
        .install(|| endmill_solver::build(&game, &store, &plan, &options, &()));
    built.unwrap();
}

fn built() -> TempDir {
    let directory = TempDir::new().unwrap();
    build_with(0, directory.path());
    directory
}

#[test]
fn both_tables_hold_the_laws() {
    let game = Krk::new();
    laws::tables_come_after_what_they_lead_to(&game, &game.tables(None));
    laws::what_is_left_out_follows_from_one_turn(&game, &game.tables(None));
    for table in game.tables(None) {
        laws::walk(&game, table);
    }
}

#[test]
fn stored_counts_are_those_that_are_published() {
    let directory = built();
    let game = Krk::new();
    let store = Store::new(directory.path(), endmill_dbformat::Rules::of(&game));
    for (to_move, side) in SIDES {
        let table = Table(to_move);
        let files = store.open(&table.to_string(), game.size(table)).unwrap();
        let statistics = files.statistics();
        let by_plies = (0..)
            .zip(&statistics.histogram)
            .filter(|(_, count)| **count > 0);
        let mut counts: Counts = by_plies
            .map(|(plies, &count)| (key(Some(plies)), count))
            .collect();
        if statistics.draws > 0 {
            counts.insert(key(None), statistics.draws);
        }
        assert_eq!(counts, published(side, "orbits"), "{side}");
    }
}

#[test]
fn probed_boards_are_as_many_as_published() {
    let directory = built();
    let database = Database::open(directory.path(), Krk::new()).unwrap();
    let game = database.game();
    for (to_move, side) in SIDES {
        let table = Table(to_move);
        let mut counts = Counts::new();
        for index in 0..game.size(table) {
            let position = game.unrank(table, index);
            let value = database.probe(&position).unwrap().value().unwrap();
            let boards = 8 / u64::from(game.stabiliser(&position));
            *counts.entry(key(value.plies())).or_default() += boards;
        }
        assert_eq!(counts, published(side, "boards"), "{side}");
    }
}

/// Every value follows from those of the turns, by the rules alone.
#[test]
fn every_answer_is_that_of_its_best_turn() {
    let directory = built();
    let database = Database::open(directory.path(), Krk::new()).unwrap();
    let game = database.game();
    let value_of = |position: &Position| database.probe(position).unwrap().value().unwrap();
    for table in game.tables(None) {
        for position in (0..game.size(table)).map(|index| game.unrank(table, index)) {
            let mut best = None;
            game.visit_routes(&position, &mut |after| {
                best = best.max(Some(value_of(&after).one_turn_earlier()));
            });
            let derived = best.or_else(|| game.finished(&position)).unwrap();
            assert_eq!(value_of(&position), derived, "{position:?}");
        }
    }
}

#[test]
fn both_tables_are_swept_by_rows_and_proved_by_turns() {
    let directory = built();
    let game = Krk::new();
    let store = Store::new(directory.path(), endmill_dbformat::Rules::of(&game));
    let plan = Plan::new(&game, &game.tables(None));
    assert_eq!(plan.groups.len(), 1, "both tables are solved together");
    let sample = Sample {
        positions: u64::MAX,
        seed: 0,
    };
    let budget = Budget::unlimited();
    let swept = endmill_solver::verify(&game, &store, &plan, &budget, sample, &()).unwrap();
    let proved = endmill_solver::prove(&game, &store, &plan, &budget, sample, &()).unwrap();
    let positions = game.tables(None).into_iter().map(|table| game.size(table));
    let positions: u64 = positions.sum();
    for shown in [swept, proved] {
        assert_eq!((shown.shown, shown.positions), (Shown::Right, positions));
        assert!(shown.left_out.is_empty());
    }
}

#[test]
fn best_play_mates_in_the_plies_that_were_said() {
    let directory = built();
    let database = Database::open(directory.path(), Krk::new()).unwrap();
    let game = database.game();
    let longest = (0..game.size(Table(Colour::Black)))
        .map(|index| game.unrank(Table(Colour::Black), index))
        .find(|position| database.probe(position).unwrap().value() == Some(Value::Loss(32)));
    let line = database.line(&longest.unwrap()).unwrap();
    assert_eq!(line.steps.len(), 32);
    assert_eq!(game.finished(&line.last), Some(Value::LOST));

    // A king that takes the rook has drawn: the position has no table, and needs none.
    let prey = Position {
        squares: [0, 27, 28],
        to_move: Colour::Black,
    };
    assert_eq!(database.probe_outcome(&prey).unwrap(), Some(Outcome::Draw));
}

#[test]
fn files_are_the_same_for_any_number_of_threads() {
    let [one, three] = [1, 3].map(|threads| {
        let directory = TempDir::new().unwrap();
        build_with(threads, directory.path());
        directory
    });
    let game = Krk::new();
    let path = |directory: &TempDir, table: Table, kind| {
        let store = Store::new(directory.path(), endmill_dbformat::Rules::of(&game));
        std::fs::read(store.path(&table.to_string(), kind)).unwrap()
    };
    for table in game.tables(None) {
        for kind in Kind::ALL {
            assert!(path(&one, table, kind) == path(&three, table, kind));
        }
    }
}
