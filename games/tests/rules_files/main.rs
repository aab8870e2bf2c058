//! Rules files: what is read, what is written, and every mistake with its place.

mod bad;

use endmill_games::morris::rules_file::read;
use endmill_games::morris::{self, Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_games::{Ruleset, parse_tables, rulesets};

#[test]
fn every_mistake_is_told_with_its_line_and_field() {
    assert!(bad::BAD.len() >= 30);
    for (text, expected) in bad::BAD {
        let mistakes = read(text).expect_err(text);
        let reported: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        if expected[0].ends_with("TOML: ") {
            // What follows are the words of the parser.
            let mut pairs = reported.iter().zip(*expected);
            assert!(
                pairs.all(|(reported, begins)| reported.starts_with(begins)),
                "{text}: {reported:?}"
            );
            assert_eq!(reported.len(), expected.len(), "{text}: {reported:?}");
        } else {
            assert_eq!(reported, *expected, "{text}");
        }
    }
}

#[test]
fn what_is_written_is_read_as_the_same_rules() {
    for ruleset in rulesets() {
        let Some(text) = ruleset.to_toml() else {
            assert_eq!(ruleset.id(), "draughts");
            continue;
        };
        let again = Ruleset::from_toml("a file", &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.own_rules(), Some(text.as_str()));
        let built_in = RULESETS.iter().find(|rules| rules.id == ruleset.id());
        assert_eq!(read(&text).ok().as_ref(), built_in, "{text}");
    }
}

fn game(text: &str) -> Morris {
    let variant = read(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    Morris::new(&variant)
}

#[test]
fn what_is_not_said_is_as_in_nine() {
    let own = game("id = \"own\"\nboard = \"nine\"\nmen = 9");
    let nine = RULESETS.iter().find(|rules| rules.id == "nine").unwrap();
    assert_eq!(own.rules_text(), nine.text());
    assert_eq!(own.description().title, "own");
}

/// The order of lines, the direction of a line and capitals do not matter.
#[test]
fn the_fingerprint_is_of_the_normalised_rules() {
    let three = RULESETS.iter().find(|rules| rules.id == "three").unwrap();
    let written = game(
        "id = \"mine\"\nmen = 3\nflying = false\n[board]\nlines = [\"c3 b2 a1\", \"a3 b2 c1\",\n\
         \"c1 c2 c3\", \"b1 b2 b3\", \"a3 a2 a1\", \"A3 B3 C3\", \"a2 b2 c2\", \"a1 b1 c1\"]",
    );
    assert_eq!(written.rules_text(), three.text());
    let lines = ["a1 b1 c1\", \"a2 b2 c2", "c2 b2 a2\", \"c1 b1 a1"];
    let texts = lines.map(|lines| {
        let file = format!("id = \"mine\"\nmen = 3\n[board]\nlines = [\"{lines}\"]");
        game(&(file + "\nspokes = [\"a1 a2\"]")).rules_text()
    });
    assert_eq!(texts[0], texts[1]);
    assert_ne!(texts[0], three.text());
}

#[test]
fn a_board_of_its_own_is_drawn_and_named() {
    let text = "id = \"mine\"\nmen = 3\n[board]\nlines = [\"b1 b2 b3\", \"a12 b12 d12\"]\n\
                spokes = [\"b3 b12\"]";
    let game = game(text);
    let start = game.start();
    let geometry = game.geometry();
    let names: Vec<&str> = geometry
        .places
        .iter()
        .map(|place| place.name.as_str())
        .collect();
    assert_eq!(names, ["b1", "b2", "b3", "a12", "b12", "d12"]);
    assert_eq!((geometry.width, geometry.height), (3.0, 11.0));
    assert_eq!(geometry.edges.len(), 5);
    let turn = game.parse_turn(&start, "d12").unwrap();
    assert_eq!(game.format_turn(&start, &turn), "d12");
    let drawn = game.diagram(&start).to_string();
    assert!(drawn.contains("12  ·---·-------·\n"), "{drawn}");
    let again = Ruleset::from_toml("mine", &game.rules().to_toml()).unwrap();
    assert_eq!(morris::of(again).unwrap().rules(), game.rules());
}

#[test]
fn positions_say_what_they_remember() {
    let game =
        game("id = \"m\"\nboard = \"six\"\nmen = 6\nquiet-limit = 6\nbroken-mill = \"banned\"");
    for text in [
        "W:Wa1,c1,e1:Bb2,c2,d2,d4:Q6",
        "B:Wa1,c1,e1,b2,b3:Bd3,d4,a5,c5:Xb2-b3-b4",
        "B:Wa1,c1,b2,b3:Bd3,d4,a5,c5:Xa1-c1-e1,b2-b3-b4",
    ] {
        let position = game.parse_position(text).expect(text);
        assert_eq!(game.format_position(&position), text);
    }
    let why = |text: &str| game.parse_position(text).unwrap_err().to_string();
    for (text, said) in [
        (
            "W:Wa1,c1,e1:Bb2,c2,d2:Q7",
            "the count of quiet plies cannot be 7 here: the limit is 6",
        ),
        (
            "W:Wa1,c1,e1,a5:Bb2,c2,d2,d4:Q1",
            "the count of quiet plies cannot be 1 here: plies count while a side has exactly three men \
             and no men are in hand",
        ),
        (
            "W:Wa1,c1,e1:Bb2,c2,d2:Xa1-c1-b2",
            "a1-c1-b2 is not a line of the board (character 24)",
        ),
        (
            "W:Wa1,c1,e1:Bb2,c2,d2:Xa1-c1-e1",
            "a1-c1-e1 cannot be banned: two men of one side must stand on it, and no man on the \
             third point",
        ),
        (
            "W:Wa1,c1,e1:Bb2,c2,d2:Q1:Q2",
            "expected each of H and the men in hand, Q and the quiet plies, or X and banned mills \
             once, found \"Q\" (character 26)",
        ),
    ] {
        assert_eq!(why(text), said);
    }
    let six = endmill_games::morris::six();
    let said = six
        .parse_position("W:Wa1,c1,e1:Bb2,c2,d2:Q1")
        .unwrap_err()
        .to_string();
    assert_eq!(said, "six has no count of quiet plies");
    let tables = parse_tables(&game, "3v5").unwrap();
    let names: Vec<String> = tables.iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        [
            "3v5@0", "3v5@1", "3v5@2", "3v5@3", "3v5@4", "3v5@5", "3v5@6"
        ]
    );
    let said = game.parse_table("3v5").unwrap_err().to_string();
    assert_eq!(
        said,
        "m has no table 3v5: it has a table for each count, 3v5@0 to 3v5@6"
    );
    let said = game.parse_table("4v5@1").unwrap_err().to_string();
    assert!(
        said.contains("counted while a side has three men"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_no_text_or_endless_is_refused() {
    let directory = std::env::temp_dir().join(format!("endmill-rules-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("latin.toml");
    std::fs::write(&file, b"id = \"x\"\ntitle = \"caf\xe9\"\n").unwrap();
    let error = Ruleset::open(file.to_str().unwrap()).unwrap_err();
    let expected = "line 2: expected UTF-8, found the byte 0xe9";
    assert!(error.to_string().ends_with(expected), "{error}");
    std::fs::remove_dir_all(&directory).unwrap();
    #[cfg(unix)]
    {
        let error = Ruleset::open("/dev/zero").unwrap_err();
        assert!(error.to_string().contains("at most 65536 bytes"), "{error}");
    }
}
