//! Proof that a game is rules and numbering: chess, king and rook against king, solved, stored,
//! verified and probed by the same code as the built-in games.
//!
//! `counts.json` holds the counts of positions by plies to mate. Those of orbits with Black to
//! move agree with the published King-Rook v King data set (28,056 positions, 0 to 16 moves, 2,796
//! draws).

mod game;
#[path = "../../games/tests/laws/numbering.rs"]
mod laws;

use std::collections::BTreeMap;

use endmill_dbformat::Store;
use endmill_games::{Colour, Numbering, Outcome, Rules, Value};
use endmill_solver::{BuildOptions, Plan};
use endmill_testkit::{Built, example};
use game::{Krk, Position, Table, images};

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

fn built() -> Built<Krk> {
    Built::new(Krk::new(), None, &BuildOptions::default())
}

#[test]
fn both_tables_obey_the_laws() {
    let game = Krk::new();
    laws::tables_come_after_what_they_lead_to(&game, &game.tables(None));
    laws::what_is_left_out_follows_from_one_turn(&game, &game.tables(None));
    for table in game.tables(None) {
        laws::walk(&game, table);
        for index in 0..game.size(table) {
            for image in images(&game.unrank(table, index)) {
                assert_eq!(game.rank(&image), index, "{image:?}");
            }
        }
    }
}

#[test]
fn stored_counts_are_those_published() {
    let built = built();
    let game = built.database.game();
    let store = Store::new(built.directory.path(), endmill_dbformat::Rules::of(game));
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
    let built = built();
    let database = &built.database;
    let game = database.game();
    for (to_move, side) in SIDES {
        let table = Table(to_move);
        let mut counts = Counts::new();
        for index in 0..game.size(table) {
            let position = game.unrank(table, index);
            let value = database.probe(&position).unwrap().value().unwrap();
            let images = images(&position).into_iter();
            let boards = 8 / images.filter(|image| *image == position).count() as u64;
            *counts.entry(key(value.plies())).or_default() += boards;
        }
        assert_eq!(counts, published(side, "boards"), "{side}");
    }
}

#[test]
fn both_tables_are_swept_by_rows_and_proved_by_turns() {
    let built = built();
    let game = built.database.game();
    let plan = Plan::new(game, &game.tables(None));
    assert_eq!(plan.groups.len(), 1, "both tables are solved together");
    example::is_verified_by_rows_and_by_turns(&built);
    example::every_answer_follows_from_its_turns(&built.database);
    example::threads_do_not_change_the_files(game);
}

#[test]
fn best_play_mates_in_the_stated_plies() {
    let built = built();
    let database = &built.database;
    let game = database.game();
    let longest = (0..game.size(Table(Colour::Black)))
        .map(|index| game.unrank(Table(Colour::Black), index))
        .find(|position| database.probe(position).unwrap().value() == Some(Value::Loss(32)));
    let line = database.line(&longest.unwrap()).unwrap();
    assert_eq!(line.steps.len(), 32);
    assert_eq!(game.finished(&line.last), Some(Value::LOST));

    // A king that takes the rook draws: the position needs no table.
    let prey = Position {
        squares: [0, 27, 28],
        to_move: Colour::Black,
    };
    assert_eq!(database.probe_outcome(&prey).unwrap(), Some(Outcome::Draw));
}
