//! Morris at the level of single turns: orientation, the rules, and what is said about bad input.

use games::morris::{Morris, Position, RULESETS};
use games::{Game, Outcome, Value};

fn game(id: &str) -> Morris {
    let rules = RULESETS.iter().find(|rules| rules.id == id);
    Morris::new(rules.expect("a morris ruleset"))
}

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
    for rules in &RULESETS {
        let game = Morris::new(rules);
        assert_eq!(game.parse_position("start"), Ok(game.start()));
        let text = format!("W:W:B:H{0},{0}", rules.men);
        assert_eq!(game.format_position(&game.start()), text);
    }
}

#[test]
fn bad_positions_are_answered_with_what_and_where() {
    for (id, text, message) in [
        (
            "nine",
            "",
            "expected the side to move, W or B, found \"the end\" (character 1)",
        ),
        (
            "nine",
            "X:Wa1",
            "expected the side to move, W or B, found \"X\" (character 1)",
        ),
        (
            "nine",
            "W:Wa1,d1,g7",
            "expected ':' and the men of a side, found \"the end\" (character 12)",
        ),
        ("nine", "W:Wa2:B", "a2 is not a point (character 4)"),
        ("nine", "W:Wd4:B", "d4 is not a point (character 4)"),
        ("nine", "W:Wh1:B", "h1 is not a point (character 4)"),
        ("nine", "W:Wa0:B", "a0 is not a point (character 4)"),
        ("six", "W:Wg7:B", "g7 is not a point (character 4)"),
        ("three", "W:Wd1:B", "d1 is not a point (character 4)"),
        ("nine", "W:Wa1,a1:B", "point a1 is used twice (character 7)"),
        ("nine", "W:Wa1:BA1", "point a1 is used twice (character 8)"),
        (
            "nine",
            "W:Wa1:Wd1",
            "expected the men of black, found \"those of white again\" (character 7)",
        ),
        (
            "nine",
            "W:Wa1,:B",
            "expected a point, found \":\" (character 7)",
        ),
        (
            "nine",
            "W:Wa1 d1:B",
            "expected ':' and the men of a side, found \"d\" (character 7)",
        ),
        (
            "nine",
            "W:Wé:B",
            "expected a point, found \"é\" (character 4)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H",
            "expected the men in White's hand, found \"the end\" (character 12)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8",
            "expected ',' and the men in Black's hand, found \"the end\" (character 13)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8,8 x",
            "expected the end, found \"x\" (character 16)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H99999999999,8",
            "white has 4294967295 men, nine allows 9",
        ),
        ("nine", "W:Wa1:Bd1:H9,8", "white has 10 men, nine allows 9"),
        (
            "nine",
            "W:Wa1:Bd1:H4294967295,8",
            "white has 4294967295 men, nine allows 9",
        ),
        (
            "nine",
            "W:Wa1,d1,g1,b2,d2,f2,c3,d3,e3,a4:Bg7,f6,e5",
            "white has 10 men, nine allows 9",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H7,8",
            "white cannot be to move with 7 men in white's hand and 8 in black's",
        ),
        (
            "nine",
            "B:Wa1:Bd1:H8,8",
            "black cannot be to move with 8 men in white's hand and 8 in black's",
        ),
        (
            "nine",
            "B:Wa1:Bd1,d2,d3:H1,0",
            "black cannot be to move with 1 men in white's hand and 0 in black's",
        ),
        (
            "nine",
            "W:Wa1,d1,g1:Bb2,b4",
            "black has only 2 men and is not to move: the game was over before",
        ),
        (
            "nine",
            "********/********/****** w p p 0 9 0 9",
            "expected three rings of eight points, found \"********/********/******\" (character 1)",
        ),
        (
            "nine",
            "********/********/********",
            "expected at least eight fields: board, side, phase, action, counts, found \"********/********/********\" (character 1)",
        ),
        (
            "nine",
            "*****X**/********/******** w p p 0 9 0 9",
            "expected O, @ or *, found \"X\" (character 6)",
        ),
        (
            "nine",
            "O*******/********/******** w p p 0 9 0 9",
            "white's number of men on the board is given as 0 but the board has 1 (character 34)",
        ),
        (
            "nine",
            "OOO*****/@@@*****/******** w m r 3 0 3 0 1 0",
            "a removal is pending: give the position before the turn or after the removal (character 32)",
        ),
        (
            "nine",
            "OOO*****/@@@*****/******** w m s 3 0 3 0 0 1",
            "a removal is pending: give the position before the turn or after the removal (character 32)",
        ),
        (
            "nine",
            "OOO*****/@@@*****/******** x m s 3 0 3 0",
            "expected the side to move, w or b, found \"x\" (character 28)",
        ),
        (
            "six",
            "********/********/******** w p p 0 9 0 9",
            "expected a position as W:W…:B…: this FEN is for 24 points, found \"********/********/********\" (character 1)",
        ),
    ] {
        let error = game(id).parse_position(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{id} {text}");
    }
}

#[test]
fn bad_turns_are_answered_with_the_rule_they_break() {
    let moving = "W:Wa1,d1,g4,c3:Bb2,b4,b6,d6";
    for (id, text, turn, message) in [
        (
            "nine",
            moving,
            "",
            "expected a point, found \"the end\" (character 1)",
        ),
        (
            "nine",
            moving,
            "a1-",
            "expected a point, found \"the end\" (character 4)",
        ),
        ("nine", moving, "a1-a2", "a2 is not a point (character 4)"),
        (
            "nine",
            moving,
            "a1-a4-a7",
            "expected the end, found \"-\" (character 6)",
        ),
        (
            "nine",
            moving,
            "d6",
            "d6 is not legal: there are no men in hand",
        ),
        (
            "nine",
            moving,
            "a1-d2",
            "a1-d2 is not legal: d2 is not next to a1",
        ),
        (
            "nine",
            moving,
            "a1-d1",
            "a1-d1 is not legal: d1 is not free",
        ),
        (
            "nine",
            moving,
            "b2-d2",
            "b2-d2 is not legal: white has no man on b2",
        ),
        (
            "nine",
            moving,
            "a1-a4xd6",
            "a1-a4xd6 is not legal: it closes no mill, nothing may be removed",
        ),
        (
            "nine",
            moving,
            "g4-g1",
            "g4-g1 closes a mill and must name a man to remove: d6",
        ),
        (
            "nine",
            moving,
            "g4g1xb2",
            "g4-g1xb2 is not legal: b2 stands in a mill and others do not",
        ),
        (
            "nine",
            moving,
            "g4-g1xa7",
            "g4-g1xa7 is not legal: black has no man on a7",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8,8",
            "a1-a4",
            "a1-a4 is not legal: men in hand must be placed first",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8,8",
            "d1",
            "d1 is not legal: d1 is not free",
        ),
        (
            "nine",
            "W:Wa1,d1:Bb2,b4,d6",
            "a1-a4",
            "the game is over, there is no turn to make",
        ),
    ] {
        let game = game(id);
        let error = game.parse_turn(&position(&game, text), turn);
        let error = error.expect_err(turn);
        assert_eq!(error.to_string(), message, "{id} {text} {turn}");
    }
    let nine = game("nine");
    let position = position(&nine, moving);
    for turn in ["a1-a4", "A1A4", " a1 - a4 ", "g4-g1xd6", "G4G1XD6"] {
        assert!(nine.parse_turn(&position, turn).is_ok(), "{turn}");
    }
}

#[test]
fn bad_tables_are_answered() {
    for (id, text, message) in [
        (
            "nine",
            "5",
            "expected 'v' and the other side's men, found \"the end\" (character 2)",
        ),
        (
            "nine",
            "v5",
            "expected a number of men, found \"v\" (character 1)",
        ),
        (
            "nine",
            "10v4",
            "nine has no table 10v4: a side has at most 9 men",
        ),
        (
            "nine",
            "999v4",
            "nine has no table 999v4: a side has at most 9 men",
        ),
        (
            "nine",
            "2v4",
            "nine has no table 2v4: a side with fewer than 3 men has lost",
        ),
        (
            "nine",
            "4+1v5",
            "expected men in hand on both sides or on neither, as in 4+1v5+0, found \"4+1v5\"",
        ),
        (
            "nine",
            "4+1v5+1+",
            "expected the end, found \"+\" (character 8)",
        ),
        (
            "nine",
            "5+0v4+1",
            "nine has no table 5+0v4+1: no game leads there",
        ),
    ] {
        let error = game(id).parse_table(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{id} {text}");
    }
}
