//! Counts of whole tables, as published or computed by others.

use std::collections::BTreeMap;

use endmill_games::Value;
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use serde_json::{Value as Json, json};

use crate::solution::Solution;

/// What the reference says of a table, counted from its values.
#[derive(Default)]
pub struct Counts {
    outcomes: [u64; 3],
    longest: [u16; 2],
    sums: [u64; 2],
    plies: BTreeMap<u16, u64>,
}

const WIN: usize = 0;
const LOSS: usize = 1;
const DRAW: usize = 2;

impl Counts {
    fn add(&mut self, values: &[Value]) {
        for value in values {
            let (outcome, plies) = match *value {
                Value::Win(plies) => (WIN, plies),
                Value::Loss(plies) => (LOSS, plies),
                Value::Draw => {
                    self.outcomes[DRAW] += 1;
                    continue;
                }
            };
            self.outcomes[outcome] += 1;
            self.longest[outcome] = self.longest[outcome].max(plies);
            self.sums[outcome] += u64::from(plies);
            *self.plies.entry(plies).or_default() += 1;
        }
    }

    pub fn of(values: &[Value]) -> Counts {
        let mut counts = Counts::default();
        counts.add(values);
        counts
    }

    /// Whether a table's entry in the reference says the same, as far as it says anything.
    pub fn assert_agree(&self, table: &str, stated: &Json) {
        let histogram: BTreeMap<String, u64> = (self.plies.iter())
            .map(|(plies, count)| (plies.to_string(), *count))
            .collect();
        let counted = json!({
            "positions": self.outcomes.iter().sum::<u64>(),
            "win": self.outcomes[WIN],
            "loss": self.outcomes[LOSS],
            "draw": self.outcomes[DRAW],
            "longest_win": self.longest[WIN],
            "longest_loss": self.longest[LOSS],
            "sum_win": self.sums[WIN],
            "sum_loss": self.sums[LOSS],
            "longest": self.longest[WIN].max(self.longest[LOSS]),
            "plies": histogram,
        });
        for (name, stated) in stated.as_object().unwrap() {
            assert_eq!(counted[name], *stated, "{name} of {table}");
        }
    }
}

#[test]
fn draughts_tables_have_the_counts_of_the_reference() {
    let reference = include_str!("../../../games/tests/reference/draughts.json");
    let reference: Json = serde_json::from_str(reference).unwrap();
    let game = Draughts::new();
    let solution = Solution::new(&game, 4);
    let mut totals: BTreeMap<u32, Counts> = BTreeMap::new();
    let mut compared = 0;
    for table in solution.tables() {
        let values = solution.values(table);
        let name = table.to_string();
        if table.pieces() < 4 {
            Counts::of(values).assert_agree(&name, &reference["tables"][&name]);
            compared += 1;
        }
        totals.entry(table.pieces()).or_default().add(values);
    }
    assert_eq!(compared, reference["tables"].as_object().unwrap().len());
    for (pieces, counts) in totals {
        let pieces = pieces.to_string();
        counts.assert_agree(&pieces, &reference["totals"][&pieces]);
    }
}

#[test]
fn morris_tables_have_the_counts_of_the_reference() {
    let reference = include_str!("../../../games/tests/reference/morris.json");
    let reference: Json = serde_json::from_str(reference).unwrap();
    let game = endmill_testkit::morris("nine");
    let solution = Solution::new(&game, 8);
    for name in ["3v3", "3v4", "4v3", "4v4", "3v5", "5v3"] {
        let table = game.parse_table(name).unwrap();
        let counts = Counts::of(solution.values(table));
        counts.assert_agree(name, &reference["tables"][name]);
    }
}
