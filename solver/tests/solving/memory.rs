//! Rules that look back, against counts that a solver computed which shares nothing with this one:
//! `games/tests/reference/memory.json` says how.

use endmill_games::morris::Morris;
use endmill_games::morris::Position;
use endmill_games::prelude::*;
use endmill_games::{Ruleset, perft};
use serde_json::Value as Json;

use crate::reference::Counts;
use crate::solution::Solution;

fn reference() -> Json {
    let reference = include_str!("../../../games/tests/reference/memory.json");
    serde_json::from_str(reference).unwrap()
}

/// The game with the rules of a variant of the reference.
fn game(id: &str, rules: &Json) -> Morris {
    let mut text = format!("id = {id:?}\n");
    for (name, value) in rules.as_object().unwrap() {
        text += &format!("{name} = {value}\n");
    }
    let ruleset = Ruleset::from_toml(id, &text).unwrap_or_else(|error| panic!("{error}"));
    endmill_games::morris::of(ruleset).unwrap()
}

#[test]
fn rules_with_memory_have_the_counts_of_the_reference() {
    for (id, variant) in reference()["variants"].as_object().unwrap() {
        let game = game(id, &variant["rules"]);
        let solution = Solution::new(&game, None);
        let tables = variant["tables"].as_object().unwrap();
        // The reference also has tables that no game leads to.
        for name in tables.keys() {
            if let Err(error) = game.parse_table(name) {
                assert!(
                    error.to_string().ends_with("no game leads there"),
                    "{error}"
                );
            }
        }
        for table in solution.tables() {
            let name = table.to_string();
            let stated = tables
                .get(&name)
                .unwrap_or_else(|| panic!("{id} has no {name}"));
            Counts::of(solution.values(table)).assert_agree(&format!("{id} {name}"), stated);
        }
        let start = solution.value(&game.start());
        let start = match start.plies() {
            Some(plies) => format!("{} {plies}", start.outcome()),
            None => "draw".to_owned(),
        };
        assert_eq!(start, variant["start"], "{id}");
        for kind in ["ban_samples", "ban_samples_both_sides"] {
            for sample in variant[kind].as_array().into_iter().flatten() {
                agrees_on_a_ban(&game, &solution, sample);
            }
        }
    }
}

/// A turn that leaves a ban behind, and what the position after it is worth.
fn agrees_on_a_ban(game: &Morris, solution: &Solution<'_, Morris>, sample: &Json) {
    let text = |name: &str| sample[name].as_str().unwrap();
    let before = game.parse_position(text("before")).unwrap();
    let turn = game.parse_turn(&before, text("turn")).unwrap();
    let after = game.play(&before, &turn);
    let bans = ["bans_of_mover", "bans_of_other"].map(|side| sample[side].as_array().unwrap());
    let bans: Vec<String> = bans
        .into_iter()
        .flatten()
        .map(|line| line.as_str().unwrap().replace(' ', "-"))
        .collect();
    let stated = format!("{}:X{}", text("after"), bans.join(","));
    assert_eq!(game.parse_position(&stated), Ok(after), "{stated}");
    let value = solution.value(&after);
    let value = match value.plies() {
        Some(plies) => format!("{} {plies}", value.outcome()),
        None => "draw".to_owned(),
    };
    assert_eq!(value, text("value"), "{stated}");
}

/// The sequences of turns of a length: what `perft` counts where the rules look back.
fn sequences(game: &Morris, position: &Position, depth: u32) -> u64 {
    if !game.counts_ended_games() {
        return perft(game, position, depth);
    }
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    game.visit_routes(position, &mut |next| {
        count += sequences(game, &next, depth - 1)
    });
    count
}

#[test]
fn perft_obeys_bans_and_counts() {
    let reference = reference();
    for (id, cases) in reference["perft"].as_object().unwrap() {
        let rules = match reference["variants"].get(id) {
            Some(variant) => variant["rules"].clone(),
            None => serde_json::json!({"board": "six", "men": 6, "broken-mill": "banned"}),
        };
        let with = |field: &str, value: Json| {
            let mut rules = rules.clone();
            rules[field] = value;
            game(id, &rules)
        };
        let games = [
            ("counts", game(id, &rules)),
            ("counts_without_bans", with("broken-mill", "free".into())),
            ("counts_without_quiet_limit", with("quiet-limit", 0.into())),
        ];
        for case in cases.as_array().unwrap() {
            let text = case["position"].as_str().unwrap();
            for (name, game) in &games {
                let position = game.parse_position(text).unwrap();
                let counts = case[*name].as_array().unwrap();
                for (depth, count) in (1..)
                    .zip(counts)
                    .filter(|(_, count)| count.as_u64() < Some(500_000))
                {
                    assert_eq!(
                        sequences(game, &position, depth),
                        count.as_u64().unwrap(),
                        "{id} {name} {text} {depth}"
                    );
                }
            }
        }
    }
}
