//! Bad games and their errors.

use endmill_records::transcripts;

use super::seen;

/// The error of the first bad game.
fn complaint(text: &str) -> String {
    match transcripts(text) {
        Err(error) => error.to_string(),
        Ok(_) => {
            let bad = seen(text).into_iter().find_map(Result::err);
            bad.map_or("all is well".to_owned(), |error| error.to_string())
        }
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(complaint(text), *expected, "{text:?}");
    }
}

#[test]
fn texts_without_a_game_are_answered_with_line_and_column() {
    check(&[
        ("", "line 1, column 1: this text contains no game"),
        (" \n\n", "line 1, column 1: this text contains no game"),
        (
            "{only words}",
            "line 1, column 1: this text contains no game",
        ),
        (
            "% a comment\n; another\n",
            "line 1, column 1: this text contains no game",
        ),
    ]);
}

#[test]
fn bad_turns_are_answered_with_line_and_column() {
    check(&[
        (
            "1. 11-15 23-19 2. 8-12 *",
            "line 1, column 19: 8-12 is not legal: 12 is occupied",
        ),
        (
            "1. 11-15 23-19\n2. 8-11 22-17\n3. 33-29 *",
            "line 3, column 4: 33 is not a square",
        ),
        (
            "[GameType \"21\"]\n\n1. 11-15 white resigns",
            "line 3, column 10: expected a square, found \"w\"",
        ),
        (
            "1. 11-15 22-18 2. 9-13 *",
            "line 1, column 19: a capture is mandatory: 15x22",
        ),
        (
            "1. 11-16 22-17\n2. 16-20 17x14 *",
            "line 2, column 10: 17x14 is not legal: it captures nothing, write 17-14",
        ),
        (
            "[FEN \"B:W6,7,14,15:B2,12\"]\n1. 2x18 *",
            "line 2, column 4: 2x18 is ambiguous: 2x9x18, 2x11x18",
        ),
        (
            "[FEN \"B:W6,7,14,15,16:B2,12\"]\n1. 2x11 *",
            "line 2, column 4: 2x11 is not legal: the capture continues: 2x11x18, 2x11x20",
        ),
        (
            "1. 11-15 23-19 2. - - *",
            "line 1, column 19: expected a square, found \"-\"",
        ),
        ("1. 1115 2319 *", "line 1, column 4: 1115 is not a square"),
        (
            "[FEN \"B:W18:BK14\"]\n1. 14x23 2. 18-14 *",
            "line 2, column 13: the game is over",
        ),
        (
            "1. 11-15 22-18 15x22x31 *",
            "line 1, column 16: 15x22x31 is not legal: 31 is occupied",
        ),
        (
            "11-15 0-1 23-19 0-1",
            "line 1, column 11: 23-19 is not legal: black has no piece on 23",
        ),
    ]);
}

#[test]
fn bad_tags_are_answered_with_line_and_column() {
    check(&[
        (
            "[Event \"x]\n1. 11-15 *",
            "line 1, column 1: the tag that begins here does not end",
        ),
        (
            "[Event \"x\"\n1. 11-15 *",
            "line 1, column 1: the tag that begins here does not end",
        ),
        (
            "[Event]\n1. 11-15 *",
            "line 1, column 1: expected a tag such as [Event \"Match\"], found \"[Event]\"",
        ),
        (
            "[\"x\"] 11-15",
            "line 1, column 1: expected a tag such as [Event \"Match\"], found \"[\\\"x\\\"] 11-15\"",
        ),
        (
            "Event \"x\"\n\n11-15",
            "line 1, column 1: expected a point, found \"E\"",
        ),
        (
            "[GameType \"20\"]\n\n1. 32-28 19-23 *",
            "line 1, column 12: GameType \"20\" is not one of our games: it is international draughts",
        ),
        (
            "[Event \"x\"]\n[GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 *",
            "line 2, column 12: GameType \"25,W,8,8,A0,0\" is not one of our games: it is Russian draughts",
        ),
        (
            "[GameType \"99\"] 1. 11-15",
            "line 1, column 12: GameType \"99\" is not one of our games",
        ),
        (
            "[FEN \"W:W33:B1\"]\n*",
            "line 1, column 10: 33 is not a square",
        ),
        (
            "[SetUp \"1\"]\n[FEN \"W:W3:B1\"]\n*",
            "line 2, column 10: man on its crowning row: 3",
        ),
        (
            "[FEN \"W:W18,18:B1\"] *",
            "line 1, column 13: square 18 is used twice",
        ),
        (
            "[FEN \"W:W18:B1:Q7\"] *",
            "line 1, column 16: expected H or F and a number, found \"Q\"",
        ),
        (
            "[Result \"1-0\"]\n\n1. 11-15 0-1",
            "line 3, column 10: the result is 0-1 here and 1-0 in the tag",
        ),
        (
            "[GameType \"21\"]\n[FEN \"\"]\n1. 11-15 *",
            "line 2, column 7: expected W, B or start, found the end",
        ),
        (
            "[Ruleset \"chess\"]\n1. 11-15 *",
            "line 1, column 11: Ruleset \"chess\" is not one of our games",
        ),
    ]);
}

/// White captures both men of Black, who has none left.
#[test]
fn results_that_the_board_contradicts_are_answered_with_line_and_column() {
    let taken = "[FEN \"W:W22,30:B18,11\"]\n";
    let won = "but on the board white has won: no pieces (the points of black, who moves first, \
               come first: 0-1)";
    check(&[
        (
            &format!("{taken}1. 22x8 1-0"),
            &format!("line 2, column 9: the result is 1-0, {won}"),
        ),
        (
            &format!("{taken}1. 22x8 1/2-1/2"),
            &format!("line 2, column 9: the result is 1/2-1/2, {won}"),
        ),
        (
            &format!("[Result \"2-0\"]\n{taken}1. 22x8 *"),
            &format!("line 1, column 10: the result is 2-0, {won}"),
        ),
    ]);
    for good in ["0-1", "0-2", "0-0", "*"] {
        assert_eq!(complaint(&format!("{taken}1. 22x8 {good}")), "all is well");
    }
    assert_eq!(
        complaint(&format!("{taken}1. 30-26 0-1")),
        "line 2, column 4: a capture is mandatory: 22x15x8"
    );
}

/// A byte order mark is not a column, and lines end in three ways.
#[test]
fn places_are_counted_as_editors_do() {
    let bad = "1. 11-15 23-19\n2. 8-12 *";
    let expected = "line 2, column 4: 8-12 is not legal: 12 is occupied";
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(complaint(&bad.replace('\n', end)), expected, "{end:?}");
    }
    let saved = "endmill game 1\nruleset draughts\nstart B:WK32:BK1\n1-7\n";
    for end in ["\n", "\r\n", "\r"] {
        let error = complaint(&saved.replace('\n', end));
        assert!(error.starts_with("line 4, column 1: "), "{error}");
    }
    check(&[
        (
            "\u{feff}1. 8-12 *",
            "line 1, column 4: 8-12 is not legal: 12 is occupied",
        ),
        (
            "\u{feff}endmill game 3\n",
            "line 1, column 14: version 3 is too new, this program reads up to 2",
        ),
    ]);
}

/// Two dashes are a null move, which our games do not have; the turn before it is kept.
#[test]
fn a_turn_that_was_not_made_does_not_spoil_the_one_before() {
    check(&[(
        "1. 11-15 -- *",
        "line 1, column 10: expected a square, found \"-\"",
    )]);
    let games = transcripts("1. 11-15 -- *").unwrap();
    assert_eq!(games[0].turns(), 2);
}

#[test]
fn what_does_not_end_or_begin_are_answered_with_line_and_column() {
    check(&[
        (
            "1. 11-15 {the first\nmove 23-19 2. 8-11",
            "line 1, column 10: the comment that begins here does not end",
        ),
        (
            "1. 11-15 (1. 9-13 22-18\n2. 8-11 *",
            "line 1, column 10: the variation that begins here does not end",
        ),
        (
            "1. 11-15 23-19) 2. 8-11 *",
            "line 1, column 15: expected a turn, found \")\"",
        ),
        (
            "1. 11-15 23-19} 2. 8-11 *",
            "line 1, column 15: expected a turn, a comment or a tag, found \"}\"",
        ),
        (
            "1. 11-15 $ 23-19",
            "line 1, column 10: expected $ and a number up to 255, found \"$\"",
        ),
        (
            "1. 11-15 $256 23-19",
            "line 1, column 10: expected $ and a number up to 255, found \"$256\"",
        ),
        (
            "1. 11-15 /FEN \"W:W18:B5\"/ 18-14",
            "line 1, column 10: a position can be set up before the first turn only",
        ),
        (
            "1. 11-15 /FEN \"W:W18:B5\" 18-14",
            "line 1, column 10: the position that begins here does not end",
        ),
    ]);
}

#[test]
fn bad_games_of_morris_are_answered_with_line_and_column() {
    check(&[
        (
            "1. d6 f4 2. d6 *",
            "line 1, column 13: d6 is not legal: d6 is occupied",
        ),
        (
            "1. d6 f4\n2. d7 b4 3. d5 f6 *",
            "line 2, column 13: d5 closes a mill and must name a man to remove: b4, f4",
        ),
        (
            "1. d6 f4 2. d7 b4 3. d5xa1 *",
            "line 1, column 22: d5xa1 is not legal: black has no man on a1",
        ),
        (
            "1. d6 f4 2. d7 b4 3. d5 xb4xf4 *",
            "line 1, column 22: d5xb4xf4 is not legal: it removes 1 man, not 2",
        ),
        ("1. d6 f4 2. a2 *", "line 1, column 13: a2 is not a point"),
        (
            "1. d6 f4 2. d6-d7 e1",
            "line 1, column 19: e1 is not a point",
        ),
        (
            "[Site \"PlayOK\"]\n1. 5 14 2. 25 *",
            "line 2, column 12: expected a point, found \"2\"",
        ),
        (
            "(2,1) (2,9)",
            "line 1, column 7: expected a point, found \"(\"",
        ),
        (
            "[Ruleset \"nine\"]\n1. a1 a3",
            "line 2, column 7: a3 is not a point",
        ),
        (
            "[FEN \"O@******/********/******** w m r 1 0 1 0 1 0 1\"]\n*",
            "line 1, column 38: a removal is pending: give the position before the turn or after the removal",
        ),
    ]);
}

#[test]
fn bad_saved_games_are_answered_with_line_and_column() {
    check(&[
        (
            "endmill game 3\n",
            "line 1, column 14: version 3 is too new, this program reads up to 2",
        ),
        (
            "endmill game 1 2\n",
            "line 1, column 14: expected a version from 1 to 2, found \"1 2\"",
        ),
        (
            "endmill game 1\nstart W",
            "line 2, column 1: expected \"ruleset\", found \"start W\"",
        ),
        (
            "endmill game 1\nruleset draughts",
            "line 3, column 1: expected \"start\", found the end",
        ),
        (
            "endmill game 1\nruleset draughts\nstart W:W33:B1",
            "line 3, column 10: 33 is not a square",
        ),
        (
            "endmill game 2\nruleset draughts\nwhite x\nsnow 3\nstart start",
            "line 4, column 1: expected \"start\", found \"snow 3\"",
        ),
        (
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\n1-6\n32-28\n  6-16\n",
            "line 6, column 3: 6-16 is not legal: 6 does not touch 16",
        ),
        (
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\nresigned black\n1-6",
            "line 5, column 1: the game is over",
        ),
        (
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\nresigned black\nresigned black",
            "line 5, column 1: the game is over",
        ),
        (
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\nresigned green",
            "line 4, column 1: expected resigned white or resigned black, found \"resigned green\"",
        ),
        (
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\ndraw black",
            "line 4, column 1: expected draw alone, found \"draw black\"",
        ),
        (
            "endmill game 1\nruleset three\nstart W:Wb2,b3:Ba1,a2:H1,1\nb1xa1\nb3\n",
            "line 5, column 1: the game is over",
        ),
        (
            "endmill game 1\nruleset three\nstart W:Wb2,b3:Ba1,a2:H1,1\nb1xa1\nresigned black\n",
            "line 5, column 1: the game is over",
        ),
    ]);
}
