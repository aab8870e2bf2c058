//! Searches: their limits, their turns, and the time of their answers.

use crate::running::Engine;

#[test]
fn lines_are_answered_while_a_search_runs() {
    let mut engine = Engine::without_database("nine", &["--level", "high"]);
    engine.say("go infinite");
    engine.say("isready");
    engine.hear_until("readyok");
    engine.say("stop");
    engine.hear_until("bestmove ");
    // A command that must wait for a search without end stops it.
    engine.say("go infinite");
    engine.say("position startpos moves a1");
    engine.hear_until("bestmove ");
    engine.say("go infinite");
    engine.say("quit");
    let mut rest = engine.end();
    let last = rest.pop().unwrap();
    assert!(last.starts_with("bestmove "), "{last}");
    assert!(
        rest.iter().all(|line| line.starts_with("info ")),
        "{rest:?}"
    );
}

/// A script pipes all lines at once, with `quit` at the end.
#[test]
fn quit_is_obeyed_soon_and_after_every_answer() {
    let mut engine = Engine::without_database("nine", &["--level", "high"]);
    let searches = [
        "go depth 2",
        "go infinite",
        "go movetime 3600000",
        "go ponder wtime 3600000 btime 3600000",
        "go depth 90",
    ];
    for go in searches {
        engine.say("position startpos moves b6 a1 d6 g1");
        engine.say(go);
    }
    // A change of the database keeps waiting lines.
    engine.say("setoption name Database value <empty>");
    engine.say("go depth 90");
    engine.say("quit");
    engine.say("go depth 1");
    // This takes less than the hour of one of the searches.
    let answers = engine.end();
    let best = answers.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(best.clone().count(), searches.len() + 1, "{answers:?}");
    assert!(
        best.clone().all(|line| line.starts_with("bestmove f6 x")),
        "{answers:?}"
    );
}

/// Every command of the specification, and every word after `go`, alone and together, with good and
/// bad values.
#[test]
fn each_go_is_answered_once_whatever_follows_it() {
    let mut engine = Engine::without_database("nine", &["--level", "low"]);
    for line in ["uci", "debug on", "isready", "register later", "ucinewgame"] {
        engine.say(line);
    }
    engine.hear_until("readyok");
    engine.say("register name anyone code 1234");
    engine.say("position startpos moves b6 a1 d6 g1");
    let values = [
        "",
        "3",
        "0",
        "-7",
        "1e3",
        "99999999999999999999999",
        "x",
        "on",
    ];
    let numbers = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
    ];
    let mut searches = Vec::new();
    for word in numbers {
        searches.extend(values.map(|value| format!("go {word} {value} nodes 200")));
    }
    for line in [
        "go",
        "go nodes 50 depth",
        "go searchmoves",
        "go searchmoves f6 nodes 50",
        "go searchmoves f6 xg1 a4 depth 1",
        "go searchmoves a1 z9 nodes 50",
        "go nodes 20 sideways",
        "go wtime 100 btime 100 winc 1 binc 1 movestogo 40",
        "go wtime -100 btime -100 movestogo 0",
        "go movetime 1 infinitely",
        "joho go nodes 9",
    ] {
        searches.push(line.to_owned());
    }
    let mut asked = 0;
    for go in &searches {
        engine.say(go);
        asked += 1;
    }
    for endless in [
        "go infinite",
        "go ponder",
        "go ponder infinite wtime 5 btime 5",
    ] {
        for end in [
            "stop",
            "ponderhit",
            "position startpos",
            "go nodes 9",
            "ucinewgame",
        ] {
            for line in [endless, end, "stop"] {
                engine.say(line);
                asked += usize::from(line.starts_with("go"));
            }
        }
    }
    let answers = engine.end();
    let best = answers.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(best.clone().count(), asked);
    assert!(
        best.clone().all(|line| line != "bestmove (none)"),
        "{answers:?}"
    );
}

#[test]
fn only_the_turns_named_are_searched() {
    let mut engine = Engine::without_database("nine", &["--level", "high"]);
    let position = "startpos moves b6 a1 d6 g1";
    let answer = engine.search(position, "go searchmoves a4 depth 3");
    assert_eq!(answer.last().unwrap(), "bestmove a4", "{answer:?}");
    // The beginning of a turn stands for every turn with this beginning.
    let answer = engine.search(position, "go depth 2 searchmoves f6");
    assert!(
        answer.last().unwrap().starts_with("bestmove f6 x"),
        "{answer:?}"
    );
    let answer = engine.search(position, "go depth 2 searchmoves g7 f6 xg1");
    assert_eq!(answer.last().unwrap(), "bestmove f6 xg1", "{answer:?}");
    // An illegal turn is reported and ignored.
    let answer = engine.search(position, "go depth 1 searchmoves a1");
    let message = "info string ignored: a1: a1 is not legal: a1 is occupied";
    assert_eq!(answer[0], message);
    assert!(
        answer.last().unwrap().starts_with("bestmove f6 x"),
        "{answer:?}"
    );
}

#[test]
fn a_pondering_search_is_answered_after_its_turn_was_made() {
    let mut engine = Engine::without_database("draughts", &["--level", "high"]);
    engine.say("position fen B:W18:B14");
    // Found immediately, but held back.
    engine.say("go ponder depth 1");
    assert_eq!(engine.hear(), "info depth 1 score plies 1 nodes 1 pv 14x23");
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    engine.say("ponderhit");
    assert_eq!(engine.hear(), "bestmove 14x23");
    // The clock runs from here on.
    engine.say("position startpos");
    engine.say("go ponder wtime 3000 btime 3000");
    engine.say("isready");
    engine.hear_until("readyok");
    engine.say("ponderhit");
    engine.hear_until("bestmove ");
}

/// The result is certain after one ply, but waits for `stop`.
#[test]
fn an_infinite_search_answers_when_it_is_stopped() {
    let mut engine = Engine::without_database("draughts", &["--level", "high"]);
    engine.say("position fen B:W18:B14");
    engine.say("go infinite");
    assert_eq!(engine.hear(), "info depth 1 score plies 1 nodes 1 pv 14x23");
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
    engine.say("stop");
    assert_eq!(engine.hear(), "bestmove 14x23");
    // A second stop has no effect.
    engine.say("stop");
    engine.say("isready");
    assert_eq!(engine.hear(), "readyok");
}

#[test]
fn the_end_of_the_input_waits_for_a_search_that_ends() {
    let mut engine = Engine::without_database("draughts", &[]);
    engine.say("go depth 3");
    let rest = engine.end();
    assert_eq!(rest.len(), 4);
    assert!(rest[3].starts_with("bestmove "), "{rest:?}");
    let mut engine = Engine::without_database("draughts", &[]);
    engine.say("go infinite");
    let rest = engine.end();
    assert!(rest[rest.len() - 1].starts_with("bestmove "), "{rest:?}");
}

/// The lowest level chooses among similar turns, and an unfinished depth may have found a better turn:
/// then a last line reports it.
#[test]
fn the_last_line_of_a_search_begins_with_the_best_move() {
    for protocol in ["uci", "hub"] {
        for level in ["low", "high"] {
            let args = ["--protocol", protocol, "--level", level];
            let mut engine = Engine::without_database("draughts", &args);
            for nodes in [20, 60, 200, 600, 2000, 6000] {
                let search = match protocol {
                    "uci" => engine.search("startpos", &format!("go nodes {nodes}")),
                    _ => {
                        engine.say("pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
                        engine.say(&format!("level nodes={nodes}"));
                        engine.say("go think");
                        engine.hear_until("done ")
                    }
                };
                let [.., last, best] = &search[..] else {
                    panic!("{search:?}");
                };
                let best = best.trim_start_matches("bestmove ");
                let best = best.trim_start_matches("done move=");
                let best = best.split(' ').next().unwrap();
                let line = last.rsplit("pv").next().unwrap();
                let line = line
                    .trim_start_matches(['=', '"', ' '])
                    .trim_end_matches('"');
                assert_eq!(line.split(' ').next(), Some(best), "{search:?}");
            }
        }
    }
}
