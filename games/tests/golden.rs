//! Numbering, features and rules are those of existing files.
//!
//! A file holds values by the number of a position, and its codec leans on the features of that
//! position. Changing either makes files unreadable that still look right, so a change must change
//! the fingerprint too. `golden.json` has, for every ruleset, the fingerprint of its rules, and for
//! some tables the size and the hashes of sampled positions and features.

use std::collections::BTreeMap;

use endmill_games::prelude::*;
use endmill_games::{Visitor, rulesets};
use serde::{Deserialize, Serialize};

const GOLDEN: &str = include_str!("golden.json");

/// Positions hashed of each table, and ranges of features with their length.
const POSITIONS: u64 = 256;
const RANGES: u64 = 24;
const RANGE: u64 = 150;

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
struct Golden {
    /// BLAKE3 of the rules' text: the fingerprint in every file.
    rules: String,
    tables: BTreeMap<String, Hashes>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
struct Hashes {
    positions: u64,
    /// BLAKE3 of ranks with the texts of their positions.
    numbering: String,
    /// BLAKE3 of features, field by field.
    features: String,
}

/// The current hashes of the tables that `golden` names.
struct Now<'a> {
    golden: &'a Golden,
}

impl Visitor for Now<'_> {
    type Output = Golden;

    fn visit<G: Game>(self, game: G) -> Golden {
        let rules = blake3::hash(game.rules_text().as_bytes());
        let tables = self.golden.tables.keys().map(|name| {
            let table = game.parse_table(name).expect(name);
            let hashes = Hashes {
                positions: game.size(table),
                numbering: numbering(&game, table),
                features: features(&game, table),
            };
            (name.clone(), hashes)
        });
        Golden {
            rules: rules.to_string(),
            tables: tables.collect(),
        }
    }
}

/// The first and the last number below `size`, and `count` between them: multiples of an odd
/// constant, which spread evenly.
fn sampled(size: u64, count: u64) -> impl Iterator<Item = u64> {
    let between = (1..=count).map(move |i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % size);
    [0, size - 1].into_iter().chain(between)
}

fn numbering<G: Game>(game: &G, table: G::Table) -> String {
    let mut hasher = blake3::Hasher::new();
    for index in sampled(game.size(table), POSITIONS) {
        let text = game.format_position(&game.unrank(table, index));
        hasher.update(format!("{index} {text}\n").as_bytes());
    }
    hasher.finalize().to_string()
}

fn features<G: Game>(game: &G, table: G::Table) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut features = Vec::new();
    let size = game.size(table);
    for start in sampled(size, RANGES) {
        let range = start..size.min(start + RANGE);
        game.features(table, range.clone(), &mut features);
        assert_eq!(features.len() as u64, range.end - range.start);
        for feature in &features {
            hasher.update(&feature.views);
            for near in feature.near {
                hasher.update(&near.to_le_bytes());
            }
            hasher.update(&[u8::from(feature.resolved)]);
        }
    }
    hasher.finalize().to_string()
}

fn golden() -> BTreeMap<String, Golden> {
    serde_json::from_str(GOLDEN).expect("hashes by ruleset")
}

/// What to do about a difference.
fn advice(before: &Golden, now: &Golden) -> &'static str {
    let same_tables = before.tables == now.tables;
    match (before.rules == now.rules, same_tables) {
        (true, _) => {
            "numbers or features of positions changed under the same rules: files written before \
             would be read wrongly. Undo it, or raise `numbering=` in the text of the rules"
        }
        (false, true) => "the text of the rules changed: files written before are refused",
        (false, false) => "the numbering changed and so did the text of the rules, as it must",
    }
}

#[test]
fn numbering_features_and_rules_are_those_of_the_files() {
    let golden = golden();
    let mut now = BTreeMap::new();
    for ruleset in rulesets() {
        let golden = golden.get(ruleset.id());
        let golden = golden.unwrap_or_else(|| panic!("golden.json lacks {}", ruleset.id()));
        now.insert(ruleset.id().to_owned(), ruleset.visit(Now { golden }));
    }
    let mut changes = Vec::new();
    for (id, before) in &golden {
        let now = now.get(id);
        let now = now.unwrap_or_else(|| panic!("golden.json has {id}, which is not a ruleset"));
        if before == now {
            continue;
        }
        changes.push(format!("{id}: {}", advice(before, now)));
        for (table, before) in &before.tables {
            let now = &now.tables[table];
            let changed = [
                ("size", before.positions != now.positions),
                ("numbering", before.numbering != now.numbering),
                ("features", before.features != now.features),
            ];
            for (what, _) in changed.iter().filter(|(_, changed)| *changed) {
                changes.push(format!("  {table}: another {what}"));
            }
        }
    }
    if changes.is_empty() {
        return;
    }
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/golden.json");
    let text = serde_json::to_string_pretty(&now).expect("plain data") + "\n";
    std::fs::write(path, text).expect("a file in the target directory");
    panic!(
        "{}\nIf the change is meant, copy {path} to games/tests/golden.json.",
        changes.join("\n")
    );
}

#[test]
fn every_kind_of_table_is_among_the_hashed_ones() {
    for (id, golden) in golden() {
        let tables = &golden.tables;
        assert!(tables.len() >= 3, "{id} has too few tables");
        if id != "draughts" {
            assert!(tables.keys().any(|table| table.contains('+')), "{id}");
            assert!(tables.keys().any(|table| !table.contains('+')), "{id}");
        }
    }
}
