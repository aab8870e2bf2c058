//! The examples work on the files that the tests of the program keep.

#[path = "../examples/any_ruleset.rs"]
mod any_ruleset;
#[path = "../examples/ask.rs"]
mod ask;
#[path = "../examples/search.rs"]
mod search;

use std::path::PathBuf;

/// Four men against three, won in one ply, as every win of this table.
const WON_AT_ONCE: &str = "W:Wa1,g1,b2,d2:Bf2,c3,d3";

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/v2")
}

#[test]
fn asking_prints_the_winner_the_turns_and_the_end() {
    let answer = ask::run(&fixtures(), WON_AT_ONCE).unwrap();
    let mut lines = answer.lines();
    assert_eq!(lines.next(), Some("win in 1"));
    let best = lines.next().unwrap();
    assert!(best.ends_with(": win in 1"), "{best}");
    assert_eq!(lines.last(), Some("over after 1 plies of best play"));
}

#[test]
fn searching_finds_the_turn_of_the_tables() {
    let turn = search::run(&fixtures(), WON_AT_ONCE).unwrap();
    let answer = ask::run(&fixtures(), WON_AT_ONCE).unwrap();
    assert!(answer.contains(&format!("{turn}: win in 1")), "{turn}");
    // No table here has five men against four.
    let turn = search::run(&fixtures(), "W:Wa1,g1,b2,d2,a7:Bf2,c3,d3,e3").unwrap();
    assert!(!turn.is_empty());
}

#[test]
fn any_ruleset_answers_in_json() {
    let answer = any_ruleset::run(&fixtures(), "three", "start").unwrap();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["outcome"], "win");
    assert_eq!(answer["plies"], 9);
}
