//! Errors for texts that are not a position, turn or table of morris.

use endmill_games::morris::{self, Morris};
use endmill_games::prelude::*;

fn game(id: &str) -> Morris {
    morris::find(id).expect("a morris ruleset")
}

#[test]
fn bad_positions_are_answered_with_what_and_where() {
    for (id, text, message) in [
        (
            "nine",
            "",
            "expected the side to move, W or B, found the end (character 1)",
        ),
        (
            "nine",
            "X:Wa1",
            "expected the side to move, W or B, found \"X\" (character 1)",
        ),
        (
            "nine",
            "W:Wa1,d1,g7",
            "expected ':' and the men of a side, found the end (character 12)",
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
            "expected the men in White's hand, found the end (character 12)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8",
            "expected ',' and the men in Black's hand, found the end (character 13)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H8,8 x",
            "expected the end, found \"x\" (character 16)",
        ),
        (
            "nine",
            "W:Wa1:Bd1:H99999999999,8",
            "expected the men in White's hand, at most 999, found \"99999999999\" (character 12)",
        ),
        ("nine", "W:Wa1:Bd1:H9,8", "white has 10 men, nine allows 9"),
        (
            "nine",
            "W:Wa1:Bd1:H4294967295,8",
            "expected the men in White's hand, at most 999, found \"4294967295\" (character 12)",
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
            "black cannot be to move with 1 man in white's hand and 0 in black's",
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
            "expected a point, found the end (character 1)",
        ),
        (
            "nine",
            moving,
            "a1-",
            "expected a point, found the end (character 4)",
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
            "a1-d1 is not legal: d1 is occupied",
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
            "a1-a4xd6 is not legal: it closes no mill, so it removes no man",
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
            "d1 is not legal: d1 is occupied",
        ),
        ("nine", "W:Wa1,d1:Bb2,b4,d6", "a1-a4", "the game is over"),
    ] {
        let game = game(id);
        let position = game.parse_position(text).expect(text);
        let error = game.parse_turn(&position, turn).expect_err(turn);
        assert_eq!(error.to_string(), message, "{id} {text} {turn}");
    }
    let nine = game("nine");
    let position = nine.parse_position(moving).expect(moving);
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
            "expected 'v' and the other side's men, found the end (character 2)",
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
