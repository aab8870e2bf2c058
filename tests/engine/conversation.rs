//! What is said and answered.

use crate::program::complaint;
use crate::running::Engine;

#[test]
fn a_conversation_as_in_the_documentation() {
    let mut engine = Engine::without_database("nine", &[]);
    engine.say("uci");
    let introduction = engine.hear_until("uciok");
    let name = concat!("id name Endmill ", env!("CARGO_PKG_VERSION"), " nine");
    assert_eq!(introduction[0], name);
    let options = introduction
        .iter()
        .filter_map(|line| line.strip_prefix("option name "));
    let options: Vec<_> = options
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(options, ["Database", "Level", "Seed", "Hash"]);
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    engine.say("ucinewgame");
    // White closes a mill with f6; every black man may be taken.
    let position = "startpos moves b6 a1 d6 g1";
    let answer = engine.search(position, "go depth 1");
    assert_eq!(answer.len(), 2, "{answer:?}");
    assert!(
        answer[0].starts_with("info depth 1 score cp "),
        "{answer:?}"
    );
    assert!(answer[0].contains(" pv f6 x"), "{answer:?}");
    assert!(answer[1].starts_with("bestmove f6 x"), "{answer:?}");
    assert_eq!(engine.end(), Vec::<String>::new());
}

#[test]
fn the_same_lines_have_the_same_answers() {
    let talk = |seed: &str| {
        let mut engine = Engine::without_database("draughts", &["--seed", seed, "--level", "low"]);
        let mut answers = Vec::new();
        for position in ["startpos", "startpos moves 11-15 22-18 15x22 25x18"] {
            answers.extend(engine.search(position, "go nodes 3000"));
        }
        answers
    };
    assert_eq!(talk("1"), talk("1"));
    assert_ne!(talk("1"), talk("2"));
}

/// A removal may be a word of its own, or belong to its turn.
#[test]
fn removals_are_read_in_both_ways() {
    let mut engine = Engine::without_database("nine", &["--level", "medium"]);
    let one = engine.search("startpos moves b6 a1 d6 g1 f6 xa1", "go depth 3");
    engine.say("ucinewgame");
    let other = engine.search("startpos moves b6 a1 d6 g1 f6xa1", "go depth 3");
    assert_eq!(one, other);
}

#[test]
fn positions_are_read_in_all_notations() {
    let mut engine = Engine::without_database("nine", &[]);
    let fens = [
        "W:Wa1,d1,b2:Bd7,b4,d6",
        "********/@****O@*/@***OO** w m s 3 0 3 0 0 0 0 0 0 0 1",
    ];
    for fen in fens {
        let answer = engine.search(&format!("fen {fen}"), "go depth 1");
        assert_eq!(answer.last().unwrap(), "bestmove b2-g1 xb4", "{answer:?}");
    }
}

#[test]
fn malformed_lines_are_answered_and_never_fatal() {
    let mut engine = Engine::without_database("nine", &[]);
    for (line, answer) in [
        ("mill", "there is no command \"mill\""),
        (
            "position",
            "expected position startpos or position fen …, then moves …",
        ),
        (
            "position fen",
            "expected position startpos or position fen …, then moves …",
        ),
        ("position fen W:Wa9:B", "a9 is not a point (character 4)"),
        (
            "position startpos moves a1 a1",
            "a1: a1 is not legal: a1 is not free",
        ),
        (
            "position startpos moves xa1",
            "xa1: expected a point, found \"x\" (character 1)",
        ),
        (
            "setoption name Level value best",
            "there is no level \"best\"; there are: low, medium, high, perfect",
        ),
        (
            "setoption name Hash value much",
            "Hash takes a number, found \"much\"",
        ),
        (
            "setoption name Colour value red",
            "there is no option \"Colour\"",
        ),
        ("setoption", "expected setoption name … value …"),
    ] {
        engine.say(line);
        assert_eq!(
            engine.hear(),
            format!("info string error: {answer}"),
            "{line}"
        );
    }
    engine.say_bytes(b"\xff\xfe");
    assert!(engine.hear().starts_with("info string error: "));
    engine.say("");
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    // A position that was refused leaves the one before it.
    engine.say("go depth 1");
    assert_eq!(engine.hear_until("bestmove ").len(), 2);
}

#[test]
fn the_engine_is_asked_for_a_ruleset_and_a_level_that_exist() {
    let answer = complaint(&["engine", "thirteen"]);
    assert!(
        answer.starts_with("endmill: there is no ruleset \"thirteen\""),
        "{answer}"
    );
    let answer = complaint(&["engine", "nine", "--level", "best"]);
    assert!(answer.contains("there is no level \"best\""), "{answer}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::without_database("nine", &[]);
    let answer = engine.search("fen W:Wa1,d1:Ba7,d7,g7", "go");
    assert_eq!(answer, ["bestmove (none)"]);
}
