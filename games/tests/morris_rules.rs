//! Morris at the level of single turns: orientation and the rules.

use endmill_games::morris::{Morris, Position, RULESETS};
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_testkit::morris as game;

fn position(game: &Morris, text: &str) -> Position {
    let read = game.parse_position(text);
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn turns(game: &Morris, position: &Position) -> Vec<String> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let names = turns.iter().map(|turn| game.format_turn(position, turn));
    names.collect()
}

fn check(id: &str, texts: &[&str], expected: &str) {
    let game = game(id);
    for text in texts {
        let found = turns(&game, &position(&game, text)).join(" ");
        assert_eq!(found, expected, "{id} {text}");
    }
}

#[test]
fn nine_moves_along_rings_and_the_middle_spokes() {
    check(
        "nine",
        &[
            "W:Wa1,d2,f4,c5:Bb2,d6,g4,e3",
            "w:Bb2,D6,g4,e3 : W a1,d2,F4,c5",
            "***@***O/@*O*O@**/**@**O** w m s 4 0 4 0 0 0 0 0 0 0 0 0 1",
            "***@***O/@*O*O@**/**@**O** w m s 4 0 4 0",
        ],
        "a1-d1 a1-a4 d2-d1 d2-f2 d2-d3 f4-f2 f4-e4 f4-f6 c5-c4 c5-d5",
    );
}

#[test]
fn twelve_moves_along_the_corner_diagonals_too() {
    check(
        "twelve",
        &[
            "W:Wa1,b2,e5,d7:Bg1,f2,g7,a4",
            "*O******/***@*O**/O@*@*O@* w m s 4 0 4 0 0 0",
        ],
        "a1-d1 b2-d2 b2-c3 b2-b4 e5-e4 e5-d5 e5-f6 d7-d6 d7-a7",
    );
}

#[test]
fn a_corner_diagonal_is_a_mill_in_twelve_only() {
    let closing = "W:Wa1,b2,d3,g7:Bg1,f2,d7,a4";
    let removing = |id: &str| {
        let game = game(id);
        let all = turns(&game, &position(&game, closing));
        let removing = all.into_iter().filter(|turn| turn.contains('x'));
        removing.collect::<Vec<_>>()
    };
    assert_eq!(
        removing("twelve"),
        ["d3-c3xg1", "d3-c3xf2", "d3-c3xa4", "d3-c3xd7"]
    );
    assert!(removing("nine").is_empty());
}

#[test]
fn six_moves_along_spokes_that_are_no_lines() {
    check(
        "six",
        &["W:Wa1,c2,b3,e5:Bc1,e1,d3,d4"],
        "a1-a3 c2-b2 c2-d2 b3-b2 b3-a3 b3-b4 e5-e3 e5-c5",
    );
}

#[test]
fn three_moves_through_the_centre_and_its_lines_take_men() {
    check(
        "three",
        &["W:Wa1,b2,c1:Ba2,b3,c3"],
        "a1-b1 c1-b1 c1-c2 b2-b1xa2 b2-b1xb3 b2-b1xc3 b2-c2 b2-a3",
    );
}

#[test]
fn lasker_places_or_moves_while_men_are_in_hand() {
    let lasker = game("lasker");
    let start = position(&lasker, "W:Wa1:Bd6,d7:H9,8");
    let all = turns(&lasker, &start);
    assert_eq!(all.len(), 21 + 2);
    assert_eq!(all[21..], ["a1-d1", "a1-a4"]);
    let nine = game("nine");
    let same = position(&nine, "B:Wd6,f4:Ba1:H7,8");
    assert!(turns(&nine, &same).iter().all(|turn| !turn.contains('-')));
}

#[test]
fn a_man_in_a_mill_is_safe_while_others_are_not() {
    check(
        "nine",
        &["W:Wa1,d1,g4,c3:Bb2,b4,b6,d6"],
        "a1-a4 d1-g1 d1-d2 c3-d3 c3-c4 g4-g1xd6 g4-f4 g4-g7",
    );
    let nine = game("nine");
    let all_in_mills = position(&nine, "W:Wa1,d1,g4,c3:Bb2,b4,b6");
    let taking = turns(&nine, &all_in_mills);
    let taking = taking.iter().filter(|turn| turn.contains('x'));
    assert!(taking.eq(["g4-g1xb2", "g4-g1xb4", "g4-g1xb6"].iter()));
}

#[test]
fn two_mills_at_once_take_one_man() {
    let nine = game("nine");
    let double = position(&nine, "W:Wd1,d2,c3,e3,d6:Ba1,a7,g1,g7:H1,1");
    let all = turns(&nine, &double);
    let closing: Vec<_> = all.iter().filter(|turn| turn.starts_with("d3")).collect();
    assert_eq!(closing, ["d3xa1", "d3xg1", "d3xa7", "d3xg7"]);
}

#[test]
fn three_men_fly_where_the_rules_let_them() {
    let text = "W:Wa1,d1,g4:Bb2,b4,d6,f6";
    let nine = game("nine");
    let flying = turns(&nine, &position(&nine, text));
    // 3 men to 17 free points; the one that closes a mill takes one of 4 men.
    assert_eq!(flying.len(), 3 * 17 - 1 + 4);
    let grounded = game("nine-nofly");
    let walking = turns(&grounded, &position(&grounded, text)).join(" ");
    let expected = "a1-a4 d1-g1 d1-d2 g4-g1xb2 g4-g1xb4 g4-g1xd6 g4-g1xf6 g4-f4 g4-g7";
    assert_eq!(walking, expected);
}

#[test]
fn men_in_hand_count_against_flying_and_against_losing() {
    let lasker = game("lasker");
    let in_hand = position(&lasker, "W:Wa1,d1:Bb2,b4,d6:H2,0");
    assert!(!turns(&lasker, &in_hand).contains(&"a1-g7".to_owned()));
    let last_three = position(&lasker, "W:Wa1,d1:Bb2,b4,d6:H1,0");
    assert!(turns(&lasker, &last_three).contains(&"a1-g7".to_owned()));
    assert_eq!(lasker.finished(&last_three), None);
}

#[test]
fn a_finished_game_is_a_value() {
    let nine = game("nine");
    for lost in [
        "W:Wa1,d1:Bb2,b4,d6",                // two men left
        "W:W:Bb2,b4,d6",                     // none left
        "B:Wd1,a4,g4,d7,b4,d6:Ba1,g1,a7,g7", // shut in
    ] {
        let position = position(&nine, lost);
        let value = nine.finished(&position);
        assert_eq!(value, Some(Value::LOST), "{lost}");
        assert!(turns(&nine, &position).is_empty(), "{lost}");
    }
}

#[test]
fn a_full_board_is_a_draw_in_twelve() {
    let twelve = game("twelve");
    let full = "W:Wa1,d1,g1,b2,d2,f2,c3,d3,e3,a4,b4,c4:Be4,f4,g4,c5,d5,e5,b6,d6,f6,a7,d7,g7";
    let value = twelve.finished(&position(&twelve, full));
    assert_eq!(value.map(Value::outcome), Some(Outcome::Draw));
}

#[test]
fn the_start_is_read_by_name() {
    for rules in RULESETS.iter() {
        let game = Morris::new(rules);
        assert_eq!(game.parse_position("start"), Ok(game.start()));
        let text = format!("W:W:B:H{0},{0}", rules.men);
        assert_eq!(game.format_position(&game.start()), text);
    }
}
