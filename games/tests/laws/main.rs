//! The laws of [`Game`], trait by trait, written once and held by every ruleset.
//!
//! Small tables are walked position by position; of every table some positions, and of the
//! largest ones a few thousand, are drawn at random and examined in more depth. All draws are
//! seeded: a failure comes back.
//!
//! `numbering` asks for no more than a game without notation has: the tests hold other games to it.

mod notation;
mod numbering;
mod random;
mod unmoves;

use endmill_games::{Features, Game, Ruleset, Unmoves, each_game};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// A table of at most this number of positions is small.
const SMALL: u64 = 500_000;
/// The number of positions of small tables to walk per ruleset, besides the tables named below.
const WALK: u64 = 1_000_000;
/// Random positions of every table, and of those named below.
const SAMPLE: u64 = 10;
const LARGE_SAMPLE: u64 = 2_000;

/// One test for each ruleset, with the tables that deserve the most attention: few men and many,
/// a side that flies, men in hand.
macro_rules! laws {
    ($($test:ident($id:literal): $tables:expr;)*) => {$(
        #[test]
        fn $test() {
            hold($id, &$tables);
        }
    )*};
}

laws! {
    nine_holds_the_laws("nine"):
        ["3v3", "3v4", "4v3", "9v9", "8v8", "8v7", "3v9", "9v3", "8+1v8+1", "6+2v5+2", "3+3v6+2"];
    nine_nofly_holds_the_laws("nine-nofly"):
        ["3v3", "3v4", "9v9", "7v8", "3v9", "9v3", "8+1v8+1", "3+3v6+2"];
    twelve_holds_the_laws("twelve"):
        ["3v3", "12v12", "12v11", "11v12", "12v3", "3v12", "10v10", "9+1v8+0", "6+4v7+4"];
    lasker_holds_the_laws("lasker"):
        ["3v3", "10v10", "9v10", "9+1v9+1", "9+1v10+0", "10+0v9+1", "5+4v7+1", "2+1v3+2"];
    six_holds_the_laws("six"): ["3v3", "6v6", "5v6", "5+1v5+1", "3+3v3+3"];
    three_holds_the_laws("three"): ["3v3", "2+1v2+1"];
    nine_any_holds_the_laws("nine-any"): ["3v4", "9v9", "8v7", "6+2v5+2"];
    nine_each_holds_the_laws("nine-each"): ["3v4", "9v9", "9v5", "8v7", "6+2v5+2", "8+1v4+1"];
    eleven_holds_the_laws("eleven"): ["3v4", "11v11", "10v11", "9+2v8+2"];
    twelve_plain_holds_the_laws("twelve-plain"): ["3v4", "12v12", "11v12", "11+1v12+0"];
    twelve_loss_holds_the_laws("twelve-loss"): ["3v4", "12v12", "11v12", "11+1v12+0"];
    morabaraba_holds_the_laws("morabaraba"):
        ["3v3@19", "3v3@20", "3v5@7", "12v12", "8v7", "9+1v8+0"];
    morabaraba_nine_holds_the_laws("morabaraba-nine"):
        ["4v3@0", "9v3@11", "8v9", "7v6"];
    draughts_holds_the_laws("draughts"):
        ["11v11", "40v40", "31v22", "13v31", "04v04", "22v22", "11v60", "02v06", "50v03"];
}

macro_rules! define {
    ($($family:ident)*) => {
        fn hold(id: &str, named: &[&str]) {
            let ruleset = Ruleset::find(id).expect("a ruleset");
            $(if let Some(game) = endmill_games::$family::of(ruleset) {
                return holds_the_laws(&game, named);
            })*
            panic!("unknown ruleset {id}");
        }
    };
}

each_game!(define);

#[test]
fn random_rules_files_hold_the_laws() {
    for number in 0..random::FILES {
        let text = random::rules_file(number);
        let ruleset = Ruleset::from_toml("random", &text);
        let ruleset = ruleset.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let game = endmill_games::morris::of(ruleset).expect("a morris game");
        let again = Ruleset::from_toml("again", &game.rules().to_toml());
        assert_eq!(again.unwrap().own_rules(), ruleset.own_rules(), "{text}");
        holds_the_laws(&game, &[]);
    }
}

fn holds_the_laws<G: Game + Unmoves>(game: &G, named: &[&str]) {
    let mut tables = game.tables(None);
    notation::geometry(game);
    numbering::tables_come_after_what_they_lead_to(game, &tables);
    numbering::what_is_left_out_follows_from_one_turn(game, &tables);

    let mut rng = StdRng::seed_from_u64(2025);
    for &table in &tables {
        sample(game, table, SAMPLE, &mut rng);
    }
    let mut walks = Vec::new();
    for name in named {
        let table = game.parse_table(name).expect(name);
        sample(game, table, LARGE_SAMPLE, &mut rng);
        walks.extend((game.size(table) <= SMALL).then_some(table));
    }
    tables.shuffle(&mut rng);
    let mut budget = WALK;
    for table in tables {
        let size = game.size(table);
        if size <= SMALL.min(budget) && !walks.contains(&table) {
            budget -= size;
            walks.push(table);
        }
    }
    for table in walks {
        walk(game, table, &mut rng);
    }
}

/// Examines every position of a table, and the edges between it and its partner in bulk.
fn walk<G: Unmoves + Features>(game: &G, table: G::Table, rng: &mut StdRng) {
    numbering::walk(game, table);
    for index in 0..game.size(table) {
        unmoves::images(game, table, index, &game.unrank(table, index));
    }
    unmoves::edges_balance_in_bulk(game, table, rng);
}

/// Examines `count` random positions of a table, with their neighbours and their notation.
fn sample<G: Game + Unmoves>(game: &G, table: G::Table, count: u64, rng: &mut StdRng) {
    let outside = game.outside(table);
    for _ in 0..count.min(game.size(table)) {
        let index = rng.random_range(0..game.size(table));
        let position = game.unrank(table, index);
        numbering::numbering(game, table, index, &position);
        unmoves::images(game, table, index, &position);
        numbering::turns(game, table, &outside, &position);
        unmoves::edges_balance(game, &position);
        notation::notation(game, &position);
        notation::estimate(game, &position);
        let end = game.size(table).min(index + 7);
        numbering::features_say_what_is_resolved(game, table, index.saturating_sub(5)..end);
    }
}
