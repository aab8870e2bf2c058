//! Morris: sizes of tables and counts of turns against numbers that were published or computed by
//! others. The file says what they count.

use std::collections::BTreeMap;

use endmill_games::prelude::*;
use endmill_games::{Ruleset, Visitor};
use serde_json::Value;

fn reference() -> Value {
    serde_json::from_str(include_str!("reference/morris.json")).expect("valid JSON")
}

fn numbers(list: &Value) -> Vec<u64> {
    serde_json::from_value(list.clone()).expect("a list of counts")
}

fn ruleset(id: &str) -> Ruleset {
    Ruleset::find(id).expect("a ruleset")
}

/// The size of every table, by its name.
struct Sizes;

impl Visitor for Sizes {
    type Output = BTreeMap<String, u64>;

    fn visit<G: Game>(self, game: G) -> BTreeMap<String, u64> {
        let tables = game.tables(None).into_iter();
        tables
            .map(|table| (table.to_string(), game.size(table)))
            .collect()
    }
}

/// The men in hand of both sides together: `3+2v4+1` has 3.
fn in_hand(table: &str) -> usize {
    let hand = |side: &str| {
        side.split_once('+')
            .map_or(0, |(_, hand)| hand.parse().unwrap())
    };
    table.split('v').map(hand).sum()
}

#[test]
fn moving_tables_of_nine_have_the_known_sizes() {
    let known: BTreeMap<String, u64> =
        serde_json::from_value(reference()["positions"].take()).expect("sizes by table");
    assert_eq!(known.len(), 49);
    for id in ["nine", "nine-nofly"] {
        let mut sizes = ruleset(id).visit(Sizes);
        sizes.retain(|table, _| in_hand(table) == 0);
        assert_eq!(sizes, known, "{id}");
    }
}

#[test]
fn nine_has_the_known_tables_for_each_number_of_men_in_hand() {
    let placement = &reference()["placement"];
    let sizes = ruleset("nine").visit(Sizes);
    let mut tables = vec![0; 19];
    for table in sizes.keys() {
        tables[in_hand(table)] += 1;
    }
    assert_eq!(tables, numbers(&placement["tables"]));
    assert_eq!(sizes.len(), 498);
    assert_eq!(placement["positions_all"], sizes.values().sum::<u64>());
}

struct Perft {
    depth: u32,
}

impl Visitor for Perft {
    type Output = u64;

    fn visit<G: Game>(self, game: G) -> u64 {
        endmill_games::perft(&game, &game.start(), self.depth)
    }
}

#[test]
fn perft_from_the_start_gives_the_known_counts() {
    for id in ["nine", "twelve", "lasker"] {
        let known = numbers(&reference()["perft"][id]);
        let depths = 1..=known.len() as u32;
        let counts: Vec<u64> = depths
            .map(|depth| ruleset(id).visit(Perft { depth }))
            .collect();
        assert_eq!(counts, known, "{id}");
    }
}
