//! English draughts: what is read, what is printed, and what is refused with which words.

use endmill_games::Problem;
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

fn reprint(text: &str) -> String {
    let game = Draughts::new();
    game.format_position(&game.parse_position(text).unwrap())
}

#[test]
fn positions_are_printed_in_one_form_and_read_in_many() {
    let printed = "W:W18,K31:BK5,12";
    for text in [
        "W:W18,K31:BK5,12",
        "W:W18,K31:B12,K5",
        "W:BK5,12:WK31,18",
        "w:w18,k31:b12,k5.",
        "  W : W 18 , K31 : B 12, K 5 . ",
        "W:W18-18,K31-31:B12,K5-5",
        "W:W018,K31:B12,K05",
    ] {
        assert_eq!(reprint(text), printed, "{text}");
    }
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    for text in [
        "start",
        " START ",
        "B:B1-12:W21-32",
        "B:W21-32:B1-12.",
        start,
    ] {
        assert_eq!(reprint(text), start, "{text}");
    }
    assert_eq!(reprint("B:BK1-3:WK30-32"), "B:WK30,K31,K32:BK1,K2,K3");
}

#[test]
fn bad_positions_are_refused_with_a_reason() {
    let game = Draughts::new();
    let cases = [
        ("", r#"expected W, B or start, found the end (character 1)"#),
        ("begin", r#"expected :, found "e" (character 2)"#),
        (
            "é:W1:B2",
            r#"expected W, B or start, found "é" (character 1)"#,
        ),
        ("W", r#"expected :, found the end (character 2)"#),
        ("W:", r#"expected W or B, found the end (character 3)"#),
        ("W:18:B12", r#"expected W or B, found "1" (character 3)"#),
        ("W:W18", r#"expected :, found the end (character 6)"#),
        ("W:W18:", r#"expected B, found the end (character 7)"#),
        ("W:W18:W12", r#"expected B, found "W" (character 7)"#),
        ("W:B12:B18", r#"expected W, found "B" (character 7)"#),
        (
            "W:W18:B12:W5",
            r#"expected H or F and a number, found "W" (character 11)"#,
        ),
        (
            "W:W18:B12..",
            r#"expected the end, found "." (character 11)"#,
        ),
        (
            "W:W18:B12 x",
            r#"expected the end, found "x" (character 11)"#,
        ),
        (
            "W:W18,:B12",
            r#"expected a square, found ":" (character 7)"#,
        ),
        (
            "W:W18,,19:B12",
            r#"expected a square, found "," (character 7)"#,
        ),
        ("W:WK:B12", r#"expected a square, found ":" (character 5)"#),
        (
            "W:WKK31:B12",
            r#"expected a square, found "K" (character 5)"#,
        ),
        ("W:W١٨:B12", r#"expected a square, found "١" (character 4)"#),
        (
            "W:W18-:B12",
            r#"expected a square, found ":" (character 7)"#,
        ),
        ("W:W33:B12", "33 is not a square (character 4)"),
        ("W:W0:B12", "0 is not a square (character 4)"),
        (
            "W:W18:B12,99999999999999999999",
            "99999999999999999999 is not a square (character 11)",
        ),
        ("W:W18:B9-40", "40 is not a square (character 10)"),
        (
            "W:W22-18:B12",
            r#"expected a range from the lower to the higher square, found "22-18" (character 4)"#,
        ),
        ("W:W12:B12", "square 12 is used twice (character 8)"),
        ("W:W18,K18:B12", "square 18 is used twice (character 8)"),
        ("W:W18:B1-5,K3", "square 3 is used twice (character 13)"),
        ("W:W18:B32", "man on its crowning row: 32 (character 8)"),
        ("W:W4:B12", "man on its crowning row: 4 (character 4)"),
        (
            "W:W20-32:B1",
            "white has 13 men, draughts allows 12 (character 4)",
        ),
        (
            "W:W32:BK1-13",
            "black has 13 men, draughts allows 12 (character 8)",
        ),
        (
            "W:W18:B",
            "black has no pieces and is not to move: the game was over before",
        ),
        (
            "B:W:B",
            "white has no pieces and is not to move: the game was over before",
        ),
    ];
    for (text, message) in cases {
        let error = game.parse_position(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

/// Two men with five captures between them.
const FORK: &str = "B:B2,3:W6,7,14,15,16";
const OPEN: &str = "W:W18,28,32:B8,12,K29";

#[test]
fn turns_are_read_in_full_and_in_short() {
    let game = Draughts::new();
    for (position, text, printed) in [
        ("start", "11-15", "11-15"),
        ("start", " 11 - 15 ", "11-15"),
        (OPEN, "18-15", "18-15"),
        (FORK, "2x9x18", "2x9x18"),
        (FORK, "2X11X18", "2x11x18"),
        (FORK, "2x20", "2x11x20"),
        // As many write it, where it can only mean one thing.
        (FORK, "2-20", "2x11x20"),
        (FORK, "2-11-20", "2x11x20"),
        (FORK, "2 11 20", "2x11x20"),
        (FORK, "2:11:20", "2x11x20"),
        (OPEN, "18 15", "18-15"),
        ("B:BK15:W9,10,17,18,32", "15x6x13x22x15", "15x22x13x6x15"),
        ("B:BK15:W9,10,17,18,32", "15x15", "15x22x13x6x15"),
    ] {
        let position = game.parse_position(position).unwrap();
        let turn = game.parse_turn(&position, text).unwrap();
        assert_eq!(game.format_turn(&position, &turn), printed);
    }
}

#[test]
fn bad_turns_are_refused_with_a_reason() {
    let game = Draughts::new();
    let cases = [
        (
            "start",
            "",
            r#"expected a square, found the end (character 1)"#,
        ),
        (
            "start",
            "11",
            r#"expected - or x, found the end (character 3)"#,
        ),
        (
            "start",
            "11+15",
            r#"expected - or x, found "+" (character 3)"#,
        ),
        (
            "start",
            "11-",
            r#"expected a square, found the end (character 4)"#,
        ),
        (
            "start",
            "11-15-18",
            "11-15-18 is not legal: no jump leads from 11 to 15",
        ),
        (
            "start",
            "11x15-18",
            r#"expected the end, found "-" (character 6)"#,
        ),
        (
            "start",
            "11–15",
            r#"expected - or x, found "–" (character 3)"#,
        ),
        ("start", "11-33", "33 is not a square (character 4)"),
        ("start", "11-18", "11-18 is not legal: 11 does not touch 18"),
        (
            "start",
            "15-18",
            "15-18 is not legal: black has no piece on 15",
        ),
        (
            "start",
            "22-18",
            "22-18 is not legal: black has no piece on 22",
        ),
        ("start", "7-11", "7-11 is not legal: 11 is occupied"),
        (
            "start",
            "11x15",
            "11x15 is not legal: it captures nothing, write 11-15",
        ),
        (
            "start",
            "11x18",
            "11x18 is not legal: white has no piece on 15",
        ),
        (
            "start",
            "11x25",
            "11x25 is not legal: no jump leads from 11 to 25",
        ),
        (
            "start",
            "15x22",
            "15x22 is not legal: black has no piece on 15",
        ),
        (
            OPEN,
            "18-22",
            "18-22 is not legal: a man moves forwards only",
        ),
        (
            FORK,
            "3-8",
            "a capture is mandatory: 2x9x18, 2x11x18, 2x11x20, 3x10x17, 3x10x19",
        ),
        (FORK, "3-12", "3-12 is not legal: white has no piece on 8"),
        (FORK, "2-18", "2-18 is ambiguous: 2x9x18, 2x11x18"),
        (FORK, "2x18", "2x18 is ambiguous: 2x9x18, 2x11x18"),
        (
            FORK,
            "2x9",
            "2x9 is not legal: the capture continues: 2x9x18",
        ),
        (
            FORK,
            "2x11",
            "2x11 is not legal: the capture continues: 2x11x18, 2x11x20",
        ),
        (
            FORK,
            "2x11x20x27",
            "2x11x20x27 is not legal: white has no piece on 24",
        ),
        (
            FORK,
            "2x9x18x9",
            "2x9x18x9 is not legal: 14 was jumped before",
        ),
        (
            "B:B1,5:W6,9,10",
            "1x10",
            "1x10 is not legal: 10 is occupied",
        ),
        ("B:B15,1:W10,6", "15x6", "15x6 is not legal: 6 is occupied"),
        (
            "B:B15,2:W10,7",
            "15x6",
            "15x6 is not legal: a man captures forwards only",
        ),
        (
            "B:B21:W25,26",
            "21x30x23",
            "21x30x23 is not legal: crowning ends the turn",
        ),
        (
            "B:BK21:W25,26",
            "21x30",
            "21x30 is not legal: the capture continues: 21x30x23",
        ),
        ("W:W12:B8,3", "12-8", "the game is over"),
    ];
    for (position, text, message) in cases {
        let position = game.parse_position(position).unwrap();
        let error = game.parse_turn(&position, text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

#[test]
fn tables_are_named_with_dots_only_where_needed() {
    let game = Draughts::new();
    for (text, name) in [
        ("12v03", "12v03"),
        ("12.0v11.1", "12.0v11.1"),
        ("0.10v3.0", "0.10v3.0"),
        (" 1.2V0.3 ", "12v03"),
    ] {
        let table = game.parse_table(text).unwrap();
        assert_eq!(table.to_string(), name);
        assert_eq!(game.parse_table(name).unwrap(), table);
    }
}

#[test]
fn bad_tables_are_refused_with_a_reason() {
    let game = Draughts::new();
    let shape = "expected men and kings, such as 12 or 12.0, found";
    for (text, message) in [
        ("", format!(r#"{shape} the end (character 1)"#)),
        ("1v2", format!(r#"{shape} "1" (character 1)"#)),
        ("12v3", format!(r#"{shape} "3" (character 4)"#)),
        ("12v", format!(r#"{shape} the end (character 4)"#)),
        (
            "12",
            r#"expected v, found the end (character 3)"#.to_owned(),
        ),
        (
            "12.v11.1",
            r#"expected a number, found "v" (character 4)"#.to_owned(),
        ),
        ("12v034", format!(r#"{shape} "0" (character 4)"#)),
        (
            "12v03x",
            r#"expected the end, found "x" (character 6)"#.to_owned(),
        ),
    ] {
        assert_eq!(
            game.parse_table(text).unwrap_err().to_string(),
            message,
            "{text:?}"
        );
    }
    for text in [
        "00v01",
        "10v00",
        "76v10",
        "13.0v1.0",
        "1.0v0.4294967295",
        "1.0v99999999999.1",
    ] {
        let error = game.parse_table(text).unwrap_err();
        assert!(
            matches!(error.problem, Problem::NoSuchTable { .. }),
            "{text}: {error}"
        );
    }
}

#[test]
fn no_text_makes_a_reader_panic() {
    let game = Draughts::new();
    let mut random = StdRng::seed_from_u64(32);
    let tokens = [
        "W",
        "B",
        ":",
        ":",
        ",",
        "-",
        "x",
        "K",
        ".",
        "v",
        " ",
        "1",
        "2",
        "11",
        "15",
        "22",
        "32",
        "33",
        "99999999999",
        "é",
        "🂡",
        "\u{0}",
        "١",
        "start",
    ];
    let positions = ["start", FORK, OPEN, "W:W:B12"].map(|p| game.parse_position(p).unwrap());
    for _ in 0..100_000 {
        let length = random.random_range(0..12);
        let text: String = (0..length)
            .filter_map(|_| tokens.choose(&mut random))
            .copied()
            .collect();
        if let Ok(position) = game.parse_position(&text) {
            assert_eq!(
                game.parse_position(&game.format_position(&position)),
                Ok(position)
            );
        }
        for position in &positions {
            let _ = game.parse_turn(position, &text);
        }
        let _ = game.parse_table(&text);
    }
}
