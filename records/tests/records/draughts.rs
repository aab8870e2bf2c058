//! PDN of the standard, and of draughts programs.

use super::{one, seen};

/// Every element of PDN 3.0 in one game.
pub const STANDARD: &str = r#"% Board game: English draughts 8x8
[Event "Club match \"A\" \\ B"]
[Site "St. Ives ENG"]
[Date "2012.02.??"]
[Round "3.1"]
[White "Doe, J."]
[Black "Roe, R."]
[Result "0-1"]
[GameType "21,B,8,8,N1,0"]
[Annotator "me"]

{ The Old Fourteenth } 1. 11-15 23-19 2. 8-11 22-17! 3. 4-8 $1 (3. 9-13 17-14 (17x8?
{ no ) such } 1-0) 4. 10x17) 17-13 4. 15-18(?) {[%clk 1:55:21]} 24-20 5. 11-15
28-24 $10 $146 6. 8-11 26-23 7. 9-14
% the plot thickens
31-26 8. 6-9 13x6 9. 2x9 26-22 10. 1-6 { Black
  is   well } 32-28 0-1
"#;

const FOURTEENTH: &str = "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24 8-11 26-23 9-14 \
                          31-26 6-9 13x6 2x9 26-22 1-6 32-28";

#[test]
fn the_whole_standard_is_read() {
    let game = one(STANDARD);
    assert_eq!(
        (game.ruleset, game.line().as_str()),
        ("draughts", FOURTEENTH)
    );
    assert_eq!(game.result.as_deref(), Some("0-1"));
    assert_eq!(game.opening, ["The Old Fourteenth"]);
    let names: Vec<&str> = game.tags.iter().map(|(name, _)| name.as_str()).collect();
    let kept = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Annotator",
    ];
    assert_eq!(names, kept);
    assert_eq!(game.tags[0].1, r#"Club match "A" \ B"#);
    let note = |number, nags: &[u16], comments: &[&str]| {
        let comments = comments.iter().map(|comment| (*comment).to_owned());
        (number, nags.to_vec(), comments.collect::<Vec<_>>())
    };
    assert_eq!(
        game.notes,
        [
            note(4, &[1], &[]),
            note(5, &[1], &[]),
            note(7, &[2], &["[%clk 1:55:21]"]),
            note(10, &[10, 146], &[]),
            note(19, &[], &["Black is well"]),
        ]
    );
    let written = game.pdn.split_once("\n\n").unwrap().1;
    let first = "{The Old Fourteenth} 1. 11-15 23-19 2. 8-11 22-17 $1 3. 4-8 $1 17-13 4. 15-18";
    assert_eq!(written.lines().next(), Some(first));
    assert!(
        game.pdn
            .contains("[Result \"0-1\"]\n[GameType \"21\"]\n[Annotator \"me\"]\n\n")
    );
    assert!(game.pdn.lines().all(|line| line.len() < 80), "{}", game.pdn);
}

/// The same six plies in many notations.
#[test]
fn moves_are_read_in_all_styles() {
    let plies = "11-15 23-19 8-11 22-17 9-13 17-14";
    for text in [
        // The standard, and the least that it asks for.
        "1. 11-15 23-19 2. 8-11 22-17 3. 9-13 17-14 *",
        "11-15 23-19 8-11 22-17 9-13 17-14",
        "11-15\n23-19\n8-11\n22-17\n9-13\n17-14\n",
        "[GameType \"21\"] 11-15 23-19 8-11 22-17 9-13 17-14 *",
        // Numbers in all styles.
        "1.11-15 23-19 2.8-11 22-17 3.9-13 17-14 1/2-1/2",
        "1. 11-15 1... 23-19 2. 8-11 2... 22-17 3. 9-13 3... 17-14 1-1",
        "1.11-15 1...23-19 2.8-11 2...22-17 3.9-13 3...17-14 2-0",
        "1 11-15 23-19 2 8-11 22-17 3 9-13 17-14 0-2",
        "01. 11-15 23-19 02. 08-11 22-17 03. 09-13 17-14 0-0",
        "1. 11-15, 23-19; the main line\n2. 8-11, 22-17\n3. 9-13, 17-14",
        "1. 11-15 23-19 {so far the book} 2. 8-11 22-17 ; known\n 3. 9-13 17-14 1-0 {Black won}",
        // As old programs and people write.
        "1. 11 - 15 23 - 19 2. 8 -11 22- 17 3. 9 - 13 17 - 14 *",
        "1. 11\u{2013}15 23\u{2013}19 2. 8\u{2212}11 22-17 3. 9-13 17-14 \u{bd}-\u{bd}",
        "1. 11-15! 23-19?! 2. 8-11!? 22-17?? 3. 9-13* 17-14(!) *",
        "\u{feff}[Event \"x\"]\r\n\r\n1. 11-15 23-19\r\n2. 8-11 22-17\r\n3. 9-13 17-14\r\n*\r\n",
        "# by hand\n11-15 23-19 8-11 22-17 9-13 17-14",
        "start start\n11-15 23-19 8-11 22-17 9-13 17-14",
        "/FEN \"B:W21-32:B1-12\"/ 1. 11-15 23-19 2. 8-11 22-17 3. 9-13 17-14",
        // Tags that say nothing.
        "[FEN \"?\"]\n[Result \"?\"]\n[GameType \"21,W,8,8,N1,0\"]\n11-15 23-19 8-11 22-17 9-13 17-14",
    ] {
        let game = one(text);
        assert_eq!(
            (game.ruleset, game.line().as_str()),
            ("draughts", plies),
            "{text}"
        );
    }
    let strong = one("1. 11-15! 23-19?! 2. 8-11!? 22-17?? 3. 9-13* 17-14(!) *");
    let nags: Vec<u16> = strong
        .notes
        .iter()
        .flat_map(|note| note.1.clone())
        .collect();
    assert_eq!(nags, [1, 6, 5, 4, 7, 1]);
}

#[test]
fn every_result_is_read_and_written() {
    for result in ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"] {
        let game = one(&format!("[Result \"{result}\"]\n1. 11-15 {result}"));
        assert_eq!(game.result.as_deref(), Some(result));
        assert!(
            game.pdn.ends_with(&format!("1. 11-15 {result}\n\n")),
            "{}",
            game.pdn
        );
    }
    // The tag alone will do, and may be anything; a star says nothing.
    assert_eq!(
        one("[Result \"1-0\"] 11-15 *").result.as_deref(),
        Some("1-0")
    );
    assert_eq!(
        one("[Result \"1+ - 1-\"] 11-15").result.as_deref(),
        Some("1+ - 1-")
    );
    assert_eq!(
        one("[Result \"2-0\"] 11-15 1-0").result.as_deref(),
        Some("1-0")
    );
    assert_eq!(one("11-15 *").result, None);
}

/// A comment with a closing brace is kept as a line comment.
#[test]
fn braces_in_comments_are_kept() {
    let game = one("1. 11-15 ; a } brace\n23-19 {more} *");
    assert_eq!(game.notes[0].2, ["a } brace"]);
    assert!(
        game.pdn
            .ends_with("\n1. 11-15\n; a } brace\n1... 23-19 {more} *\n\n"),
        "{}",
        game.pdn
    );
    let before = one("; } first\n1. 11-15 *");
    assert_eq!(before.opening, ["} first"]);
}

/// A king on 22 that captures 18 and 11, and men with several paths to the same square.
#[test]
fn captures_are_read_long_and_short() {
    let fen = "[FEN \"W:WK22,32:B11,18,K1\"]\n";
    for capture in [
        "22x15x8",
        "22x8",
        "22:15:8",
        "22x15",
        "22-8",
        "22 x 15 x 8",
        "22\u{d7}8",
    ] {
        let game = one(&format!("{fen}1. {capture} 1-5 *"));
        assert_eq!(game.line(), "22x15x8 1-5", "{capture}");
        assert_eq!(game.last, "W:WK8,32:BK5");
        // Only what tells it apart is written, and White's turn is the second of a pair.
        assert!(
            game.pdn.ends_with("\n1... 22x8 2. 1-5 *\n\n"),
            "{}",
            game.pdn
        );
        assert!(
            game.pdn
                .contains("[SetUp \"1\"]\n[FEN \"W:WK22,32:BK1,11,18\"]\n")
        );
    }
    // From 2 to 18 by 9 or by 11: both are written out.
    let fork = "[FEN \"B:W6,7,14,15:B2,12\"]\n";
    for capture in ["2x9x18", "2x11x18"] {
        let game = one(&format!("{fork}{capture}"));
        assert!(
            game.pdn.ends_with(&format!("\n1. {capture} *\n\n")),
            "{}",
            game.pdn
        );
    }
}

#[test]
fn positions_are_read_as_programs_write_them() {
    for fen in [
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29.",
        "b:w18,24,27-28,k10,k15:b12,16,20,k22,k25,k29",
        "B:BK29,12,K22,16,20,K25:WK15,K10,18,24,27,28",
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29:H3:F12",
    ] {
        let game = one(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. 16-19 *"));
        assert_eq!(game.turns, ["16-19"], "{fen}");
    }
    let ranges = one("[FEN \"W:WK1-3,30:B10-12,K31\"] 30-25");
    assert_eq!(ranges.last, "B:WK1,K2,K3,25:B10,11,12,K31");
    // No turn is as good as many.
    let problem = one("[Event \"Problem 7\"]\n[FEN \"W:W18,K31:B12,K5\"]\n*\n");
    assert_eq!(problem.last, "W:W18,K31:BK5,12");
    assert!(problem.turns.is_empty());
}

/// The second game has no end, the third has no tags, and one of them is bad.
#[test]
fn a_file_has_several_games() {
    let text = "[Event \"1\"]\n[Black \"a\"]\n1. 11-15 23-19 1-0 {by time}\n\n\
                [Event \"2\"]\n1. 9-13 22-18\n\n[Event \"3\"]\n1. 9-13 13-9 0-1\n\n\
                12-16 24-20 *\n[Event \"5\"]\n{nothing yet}\n*\n{the end}";
    let games = seen(text);
    let lines: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(game) => game.line(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        lines,
        [
            "11-15 23-19",
            "9-13 22-18",
            "line 9, column 9: 13-9 is not legal: white has no piece on 13",
            "12-16 24-20",
            ""
        ]
    );
    let comments = |game: usize| games[game].as_ref().unwrap();
    assert_eq!(comments(0).notes, [(2, vec![], vec!["by time".to_owned()])]);
    assert_eq!(comments(4).opening, ["nothing yet", "the end"]);
}

/// The exact texts of two well-known kinds of programs.
#[test]
fn files_of_programs_are_read() {
    let with_times = "[Event \"Casual game\"]\n[Date \"2024.12.26\"]\n[White \"p2\"]\n[Black \"p1\"]\n\
                      [Result \"1-0\"]\n[TimeControl \"300+5\"]\n[BlackElo \"1172\"]\n\
                      [GameType \"21,B,8,8,N1,0\"]\n[Setup \"\"]\n\n\
                      1. 10-14 {[%clock w0:05:00 B0:04:58]} 22-18 {[%clock W0:04:59 b0:04:58]} \
                      2. 11-15 18x11 3. 8x15 1-0";
    let game = one(with_times);
    assert_eq!(game.turns.len(), 5);
    assert_eq!(game.notes.len(), 2);
    let analysed = "[Event \"Engine match\"]\n[Result \"*\"]\n1. 11-15 {book} 23-19 {value=12, \
                    depth 17/25/33, 12.3s, 1540 kN/s, pv 8-11 22-17} 2. 8-11 (9-14 22-17 {=}) \
                    (10-14 19x10 6x15) 22-17 {game drawn} *";
    let game = one(analysed);
    assert_eq!(game.line(), "11-15 23-19 8-11 22-17");
    assert_eq!(game.notes.len(), 3);
    let empty = one("[Event \"Forfeit\"]\n[Result \"2-0\"]\n\n1. 2-0\n");
    assert_eq!(
        (empty.turns.len(), empty.result.as_deref()),
        (0, Some("2-0"))
    );
}
