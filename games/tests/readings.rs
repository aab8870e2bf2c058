//! What a person types at the board: whole turns, turns that are begun, and answers that end them.

use endmill_games::prelude::*;
use endmill_games::{Reading, Ruleset, Visitor};

/// Types a text and then answers, each after the question before it; what comes of the last.
struct Type<'a> {
    position: &'a str,
    texts: &'a [&'a str],
}

impl Visitor for Type<'_> {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let position = game.parse_position(self.position).expect("a position");
        let mut read = game.read_turn(&position, self.texts[0]);
        for answer in &self.texts[1..] {
            let Ok(Reading::Partial(partial)) = read else {
                panic!("nothing is open before {answer}");
            };
            read = partial.complete(&game, &position, answer);
        }
        match read {
            Ok(Reading::Whole(turn)) => game.format_turn(&position, &turn),
            Ok(Reading::Partial(partial)) => {
                // Every answer that is offered makes the turn that it is offered for.
                for (answer, turn) in &partial.answers {
                    let whole = partial.complete(&game, &position, answer);
                    assert_eq!(whole, Ok(Reading::Whole(*turn)), "{answer}");
                }
                let answers: Vec<_> = partial
                    .answers
                    .iter()
                    .map(|(answer, _)| &**answer)
                    .collect();
                format!("{} {}", partial.question, answers.join(" "))
            }
            Err(error) => format!("! {error}"),
        }
    }
}

fn typed(ruleset: &str, position: &str, texts: &[&str]) -> String {
    let ruleset = Ruleset::find(ruleset).expect("a ruleset");
    ruleset.visit(Type { position, texts })
}

/// White closes a1 d1 g1; of Black's men those on c3 d3 e3 stand in a mill.
const MILL: &str = "W:Wa1,d1,b2:Bc3,d3,e3,a7,f4:H1,1";

#[test]
fn a_mill_asks_for_the_man_to_remove() {
    let nine = |texts: &[&str]| typed("nine", MILL, texts);
    let question = "g1 closes a mill: which man is removed? f4 a7";
    assert_eq!(nine(&["G1"]), question);
    for answer in ["a7", " A7 ", "xa7", "X a7", "g1xa7", "G1 x A7"] {
        assert_eq!(nine(&["g1", answer]), "g1xa7", "{answer}");
    }
    assert_eq!(nine(&["g1xf4"]), "g1xf4");
    assert_eq!(nine(&["b4"]), "b4");
}

#[test]
fn a_wrong_removal_is_answered_with_the_reason_and_the_place_in_the_answer() {
    let nine = |answer: &str| typed("nine", MILL, &["g1", answer]);
    let illegal = |why: &str| format!("! {why}");
    for (answer, why) in [
        (
            "c3",
            "g1xc3 is not legal: c3 stands in a mill and others do not",
        ),
        ("b2", "g1xb2 is not legal: black has no man on b2"),
        ("g7", "g1xg7 is not legal: black has no man on g7"),
        ("a2", "a2 is not a point (character 1)"),
        ("xa2", "a2 is not a point (character 2)"),
        ("a7 b", r#"expected the end, found "b" (character 4)"#),
        ("b4xa7", "g1xb4xa7 is not legal: black has no man on b4"),
    ] {
        assert_eq!(nine(answer), illegal(why), "{answer}");
    }
}

/// Two men with five captures between them.
const FORK: &str = "B:B2,3:W6,7,14,15,16";

#[test]
fn a_capture_with_two_meanings_is_asked_about() {
    let draughts = |texts: &[&str]| typed("draughts", FORK, texts);
    let ways = "2x18 can be made in several ways: which? 2x9x18 2x11x18";
    assert_eq!(draughts(&["2x18"]), ways);
    assert_eq!(draughts(&["2x18", "2x9x18"]), "2x9x18");
    let goes_on = "2x11 continues: where to? 18 20";
    assert_eq!(draughts(&["2x11"]), goes_on);
    for answer in ["18", "x18", "2x11x18"] {
        assert_eq!(draughts(&["2x11", answer]), "2x11x18", "{answer}");
    }
    let wrong = "! 2x11x25 is not legal: no jump leads from 11 to 25";
    assert_eq!(draughts(&["2x11", "25"]), wrong);
}

#[test]
fn a_capture_that_can_go_on_in_one_way_does() {
    assert_eq!(typed("draughts", FORK, &["2x9"]), "2x9x18");
    // Round in a circle: two routes, one turn.
    let circle = "B:BK15:W9,10,17,18,32";
    assert_eq!(typed("draughts", circle, &["15x22"]), "15x22x13x6x15");
    assert_eq!(typed("draughts", circle, &["15x6"]), "15x22x13x6x15");
}

#[test]
fn what_is_no_beginning_of_a_turn_is_refused_as_ever() {
    for (ruleset, position, text, why) in [
        ("nine", MILL, "a2", "a2 is not a point (character 1)"),
        (
            "nine",
            MILL,
            "b4xa7",
            "b4xa7 is not legal: it closes no mill, so it removes no man",
        ),
        (
            "draughts",
            FORK,
            "2x12",
            "2x12 is not legal: no jump leads from 2 to 12",
        ),
        (
            "draughts",
            FORK,
            "3-8",
            "a capture is mandatory: 2x9x18, 2x11x18, 2x11x20, 3x10x17, 3x10x19",
        ),
    ] {
        assert_eq!(typed(ruleset, position, &[text]), format!("! {why}"));
    }
}
