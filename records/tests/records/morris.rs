//! Games of morris: our saved games, and lists of moves of morris programs.

use endmill_games::Colour;

use super::one;

/// A game exported by the most common app.
pub const SANMILL: &str = "[Event \"Sanmill-Game\"]\r\n[Site \"Sanmill\"]\r\n[Date \"2026.1.17\"]\r\n\
[Round \"3\"]\r\n[White \"Human\"]\r\n[Black \"AI\"]\r\n[Result \"*\"]\r\n\
[Variant \"Nine Men's Morris\"]\r\n[PlyCount \"8\"]\r\n\r\n\
 1.    d6    f4\r\n 2.    d7    b4 (d2 f6)\r\n 3.    d5xf4    f4 $2 {again}\r\n 4.    f6    d2 *";

/// A game saved by `endmill play`.
pub const SAVED: &str = "endmill game 2\nruleset three\nwhite human\nblack medium\nseed 1\n\
                         start W:W:B:H3,3\nb2\na1\nb3\na2\nresigned white\n";

const EIGHT: &str = "d6 f4 d7 b4 d5xf4 f4 f6 d2";

#[test]
fn lists_of_moves_are_read_in_all_styles() {
    for text in [
        SANMILL,
        "1. d6 f4 2. d7 b4 3. d5xf4 f4 4. f6 d2",
        "1.d6 f4 2.d7 b4 3.d5xf4 f4 4.f6 d2 1-0",
        "D6 F4 D7 B4 D5XF4 F4 F6 D2",
        "d6\nf4\nd7\nb4\nd5xf4\nf4\nf6\nd2\n",
        "d6, f4, d7, b4, d5xf4, f4, f6, d2",
        // The removal as a separate word, as in protocols and some lists.
        "1. d6 f4 2. d7 b4 3. d5 xf4 f4 4. f6 d2",
        "d6\nf4\nd7\nb4\nd5\nxf4\nf4\nf6\nd2",
        "1. d6 f4 2. d7 b4 3. d5 {a mill} xf4 f4 4. f6 d2",
        "1 d6 f4\n2 d7 b4\n3 d5xf4 f4\n4 f6 d2\n",
        // By numbers, and by rings.
        "[Site \"PlayOK\"]\n\n1. 5 14 2. 2 11 3. 8x14 14 4. 6 20 *",
        "(2,1) (2,3) (3,1) (2,7) (1,1) -(2,3) (2,3) (2,2) (2,5)",
        "1. (2,1) (2,3)\n2. (3,1) (2,7)\n3. (1,1)-(2,3) (2,3)\n4. (2,2) (2,5)\n",
        "[Ruleset \"nine\"]\n[FEN \"********/********/******** w p p 0 9 0 9 0 0 1\"]\n[SetUp \"1\"]\n\n\
         1. d6 f4 2. d7 b4 3. d5xf4 f4 4. f6 d2",
        "{a game} 1... d6 f4 (here { one } other) d7 b4 d5xf4 f4 f6 d2 1/2-1/2",
        "start W:W:B:H9,9\nd6 f4 d7 b4 d5xf4 f4 f6 d2",
        "endmill game 1\nruleset nine\nstart start\nd6\nf4\n\n# a mill\nd7\n b4 \nd5xf4\nf4\nf6\nd2",
    ] {
        let game = one(text);
        assert_eq!(
            (game.ruleset, game.line().as_str()),
            ("nine", EIGHT),
            "{text}"
        );
        assert_eq!(game.last, "W:Wd5,d6,f6,d7:Bd2,b4,f4:H5,5");
    }
    let sanmill = one(SANMILL);
    assert_eq!(sanmill.notes, [(6, vec![2], vec!["again".to_owned()])]);
    assert!(
        sanmill
            .pdn
            .contains("[Ruleset \"nine\"]\n[Variant \"Nine Men's Morris\"]\n")
    );
    assert!(
        sanmill
            .pdn
            .ends_with("3. d5xf4 f4 $2 {again} 4. f6 d2 *\n\n"),
        "{}",
        sanmill.pdn
    );
}

/// Moving and flying from a position, in our notation and in others.
#[test]
fn moves_after_the_placing_are_read_in_all_styles() {
    let start = "W:Wa1,d1,g4,a7:Bb2,b4,d6,e3,f4";
    for moves in [
        "g4-g1xb2 f4-g4 a7-a4",
        "G4G1XB2 F4G4 A7A4",
        "1. g4-g1 xb2 f4-g4 2. a7-a4",
        "1. 15-24x19 14-15 2. 1-10",
        "(3,3)->(3,4)-(2,6) (2,3)->(3,3) (3,8)->(3,7)",
        "(3,3)->(3,4) -(2,6) (2,3)->(3,3) (3,8)->(3,7)",
        "g4->g1xb2 f4->g4 a7->a4",
        "g4 -> g1 xb2 f4 -> g4 a7 -> a4",
    ] {
        let game = one(&format!("start {start}\n{moves}"));
        let line = "g4-g1xb2 f4-g4 a7-a4";
        assert_eq!(
            (game.ruleset, game.line().as_str()),
            ("nine", line),
            "{moves}"
        );
    }
}

#[test]
fn saved_games_are_read_as_the_program_writes_them() {
    let game = one(SAVED);
    assert_eq!(
        (game.ruleset, game.line().as_str()),
        ("three", "b2 a1 b3 a2")
    );
    assert_eq!(game.result.as_deref(), Some("0-1"));
    let tags: Vec<_> = game
        .tags
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    assert_eq!(tags, ["White human", "Black medium", "Seed 1"]);
    let late =
        one("endmill game 2\nruleset draughts\nclock 5+3\nstart B:WK32:BK1\n1-6\nlate white\n");
    assert_eq!(late.result.as_deref(), Some("1-0"));
    assert_eq!(late.winner, Some(Some(Colour::Black)));
    assert!(
        late.pdn.contains("[Termination \"time forfeit\"]"),
        "{}",
        late.pdn
    );
    let drawn = one("endmill game 2\nruleset draughts\nstart B:WK32:BK1\ndraw\n");
    assert_eq!(drawn.result.as_deref(), Some("1/2-1/2"));
}

/// A record without a game is of the game in which it can be replayed.
#[test]
fn the_game_is_found_by_its_moves() {
    for (text, ruleset) in [
        ("1. d6 f4 2. d2", "nine"),
        ("1. b2 a1 2. b3 a2 3. b1xa1", "three"),
        ("1. a3 c2 2. e1 e3", "six"),
        ("1. d6 f4 2. d6-d7 d2", "lasker"),
        ("1. 11-15 22-18", "draughts"),
        (
            "[Variant \"Twelve Men's Morris\"]\n1. a1 f4 2. b2 d2 3. c3xf4",
            "twelve",
        ),
        ("1. a1 f4 2. b2 d2 3. c3xf4", "twelve"),
        ("[FEN \"W:W18,K31:B12,K5\"]", "draughts"),
    ] {
        assert_eq!(one(text).ruleset, ruleset, "{text}");
    }
}
