//! Commands and their answers.

use crate::program::complaint;
use crate::running::Engine;

#[test]
fn the_conversation_of_the_documentation() {
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
    let known = ["Database", "Level", "Seed", "Hash", "OneActionAtATime"];
    assert_eq!(options, known);
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    engine.say("ucinewgame");
    // White closes a mill with f6; every black man may be removed.
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

/// A removal may be a separate word or part of its turn.
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
        ("mill", "unknown command \"mill\""),
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
            "a1: a1 is not legal: a1 is occupied",
        ),
        (
            "position startpos moves xa1",
            "xa1: expected a point, found \"x\" (character 1)",
        ),
        (
            "setoption name Level value best",
            "unknown level \"best\"; expected one of low, medium, high, perfect",
        ),
        (
            "setoption name Hash value much",
            "Hash takes a number, found \"much\"",
        ),
        (
            "setoption name Colour value red",
            "unknown option \"Colour\"",
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
    // A bad line leaves the position unchanged.
    let answer = engine.search("startpos", "go depth 1");
    assert_eq!(answer.len(), 2, "{answer:?}");
}

/// Not even after a change of the database, until the next valid position.
#[test]
fn after_a_refused_position_there_is_no_move() {
    let mut engine = Engine::without_database("nine", &[]);
    for bad in [
        "fen W:Wa9:B",
        "startpos moves a1 a1",
        "startpos moves b6 a1 d6 g1 f6 g4",
    ] {
        let answer = engine.search("startpos moves a1", "go depth 1");
        assert_ne!(answer.last().unwrap(), "bestmove (none)");
        engine.say(&format!("position {bad}"));
        assert!(engine.hear().starts_with("info string error: "), "{bad}");
        for go in ["go depth 1", "go infinite", "go ponder"] {
            engine.say(go);
            let none = "info string error: no position to search: the last one was refused";
            assert_eq!(
                engine.hear_until("bestmove"),
                [none, "bestmove (none)"],
                "{go}"
            );
        }
        engine.say("setoption name Database value <empty>");
        engine.say("go depth 1");
        assert_eq!(
            engine.hear_until("bestmove").last().unwrap(),
            "bestmove (none)"
        );
    }
}

/// In common morris programs a removal is a separate action.
#[test]
fn a_pending_removal_is_asked_for_apart() {
    let mut engine = Engine::without_database("nine", &["--level", "medium"]);
    let pending = [
        // b6-d6-f6 is closed, and a1 or g1 can be removed.
        "startpos moves b6 a1 d6 g1 f6",
        "fen ********/OO*****O/***@*@** w p r 3 6 2 7 1 0 0 0 0 0 0 0 3",
        "fen ********/OO*****O/***@*@** w p r 3 6 2 7",
    ];
    for position in pending {
        let answer = engine.search(position, "go depth 3");
        let best = answer.last().unwrap();
        assert!(
            ["bestmove xa1", "bestmove xg1"].contains(&best.as_str()),
            "{answer:?}"
        );
        let line = best.replace("bestmove", " pv");
        assert!(answer[answer.len() - 2].contains(&line), "{answer:?}");
        for man in ["a1", "g1"] {
            let answer = engine.search(position, &format!("go depth 1 searchmoves x{man}"));
            assert_eq!(*answer.last().unwrap(), format!("bestmove x{man}"));
        }
        // The game continues with the removal, and not without.
        let separator = if position.contains("moves") {
            ""
        } else {
            " moves"
        };
        engine.say("ucinewgame");
        let after = engine.search(&format!("{position}{separator} xa1 a1"), "go depth 2");
        engine.say("ucinewgame");
        let whole = engine.search("startpos moves b6 a1 d6 g1 f6xa1 a1", "go depth 2");
        assert_eq!(after, whole);
        engine.say(&format!("position {position}{separator} a4 xa1"));
        let refused = engine.hear();
        assert!(
            refused.contains(" closes a mill and must name a man to remove: a1, g1"),
            "{refused}"
        );
    }
    // A man that was moved, in the moving phase.
    let moved = "fen ********/@*****@*/@**OOO** w m r 3 0 3 0 1 0 0 0 0 0 0 0 9";
    let answer = engine.search(moved, "go depth 2");
    assert!(
        answer.last().unwrap().starts_with("bestmove x"),
        "{answer:?}"
    );
}

#[test]
fn one_action_at_a_time_is_an_option() {
    let mut engine = Engine::without_database("nine", &["--level", "medium"]);
    engine.say("setoption name OneActionAtATime value true");
    let before = "startpos moves b6 a1 d6 g1";
    let answer = engine.search(before, "go depth 3");
    assert_eq!(answer.last().unwrap(), "bestmove f6");
    assert!(answer[answer.len() - 2].contains(" pv f6 x"), "{answer:?}");
    let answer = engine.search(&format!("{before} f6"), "go depth 3");
    assert!(
        answer.last().unwrap().starts_with("bestmove x"),
        "{answer:?}"
    );
    let answer = engine.search("startpos", "go depth 1");
    assert_eq!(answer.last().unwrap().split(' ').count(), 2, "{answer:?}");
    engine.say("setoption name OneActionAtATime value false");
    let answer = engine.search(before, "go depth 3");
    assert!(
        answer.last().unwrap().starts_with("bestmove f6 x"),
        "{answer:?}"
    );
    engine.say("setoption name OneActionAtATime value maybe");
    let said = "info string error: OneActionAtATime takes true or false, found \"maybe\"";
    assert_eq!(engine.hear(), said);
}

#[test]
fn the_engine_is_asked_for_a_ruleset_and_a_level_that_exist() {
    let answer = complaint(&["engine", "thirteen"]);
    assert!(
        answer.starts_with("endmill: unknown ruleset \"thirteen\""),
        "{answer}"
    );
    let answer = complaint(&["engine", "nine", "--level", "best"]);
    assert!(answer.contains("unknown level \"best\""), "{answer}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::without_database("nine", &[]);
    let answer = engine.search("fen W:Wa1,d1:Ba7,d7,g7", "go");
    assert_eq!(answer, ["bestmove (none)"]);
}
