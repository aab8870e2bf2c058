//! Hub, the protocol of draughts engines: transcripts.

use crate::program::{complaint, printed};
use crate::running::{Engine, database};

const START: &str = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

fn hub(args: &[&str]) -> Engine {
    let all = [&["--protocol", "hub"], args].concat();
    Engine::without_database("draughts", &all)
}

/// The text of a position, from a list of pieces.
fn position(to_move: char, pieces: &[(usize, char)]) -> String {
    let mut squares = vec!['e'; 32];
    for &(square, piece) in pieces {
        squares[square - 1] = piece;
    }
    std::iter::once(to_move).chain(squares).collect()
}

/// The example of the protocol's description.
#[test]
fn a_game_begins_as_the_protocol_says() {
    let mut engine = hub(&["--level", "medium"]);
    engine.say("hub");
    let introduction = engine.hear_until("wait");
    let version = env!("CARGO_PKG_VERSION");
    let id = format!("id name=Endmill version={version} author=\"the authors of Endmill\"");
    assert_eq!(introduction[0], id);
    assert_eq!(
        introduction[1],
        "param name=variant value=english type=enum values=\"english\""
    );
    let parameters = introduction
        .iter()
        .filter(|line| line.starts_with("param name="));
    assert_eq!(parameters.count(), 5, "{introduction:?}");
    engine.say("set-param name=variant value=english");
    engine.say("set-param name=hash value=4");
    // Values out of the announced range are refused.
    engine.say("set-param name=hash value=99999");
    let refused = "error message=\"hash takes a number from 1 to 4096, found '99999'\"";
    assert_eq!(engine.hear(), refused);
    engine.say("set-param name=level value=high");
    engine.say("init");
    assert_eq!(engine.hear(), "ready");
    engine.say("new-game");
    engine.say("ping");
    assert_eq!(engine.hear(), "pong");
    engine.say(&format!("pos pos={START} moves=\"11-15 22-18\""));
    engine.say("level depth=3");
    engine.say("go think");
    let search = engine.hear_until("done ");
    assert_eq!(search.len(), 4, "{search:?}");
    // The capture is forced, and so is the reply.
    for (depth, line) in search[..3].iter().enumerate() {
        let beginning = format!("info depth={} score=", depth + 1);
        assert!(line.starts_with(&beginning), "{line}");
        assert!(
            line.contains(" pv=15x22x18") || line.contains(" pv=\"15x22x18 "),
            "{line}"
        );
    }
    let done = &search[3];
    let answers = [
        "done move=15x22x18 ponder=25x18x22",
        "done move=15x22x18 ponder=26x17x22",
    ];
    assert!(answers.contains(&done.as_str()), "{done}");
    assert_eq!(engine.end(), Vec::<String>::new());
}

/// Every captured piece is named, also in a capture of several jumps.
#[test]
fn captures_name_what_they_take() {
    let mut engine = hub(&[]);
    let double = position('W', &[(22, 'w'), (18, 'b'), (11, 'b'), (4, 'b')]);
    engine.say(&format!("pos pos={double}"));
    engine.say("level nodes=100");
    engine.say("go think");
    let search = engine.hear_until("done ");
    assert!(
        search[search.len() - 1].starts_with("done move=22x8x11x18"),
        "{search:?}"
    );
    // They can be read in any order.
    for moves in ["22x8x11x18", "22x8x18x11", "22x8"] {
        engine.say(&format!("pos pos={double} moves={moves}"));
        engine.say("go think");
        let search = engine.hear_until("done ");
        assert!(
            search[search.len() - 1].starts_with("done move=4x11x8"),
            "{search:?}"
        );
    }
}

#[test]
fn the_database_is_a_parameter_and_answers_as_the_probe_does() {
    let db = database(&["draughts", "--pieces", "3"]);
    let probed = printed(&[
        "probe",
        "draughts",
        "B:WK15:BK1,K2",
        "--json",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    let probed: serde_json::Value = serde_json::from_str(&probed).unwrap();
    let (plies, best) = (
        &probed["plies"],
        probed["moves"][0]["move"].as_str().unwrap(),
    );
    let mut engine = hub(&[]);
    engine.say(&format!(
        "set-param name=database value=\"{}\"",
        db.path().display()
    ));
    engine.say("init");
    assert_eq!(engine.hear(), "ready");
    engine.say(&format!(
        "pos pos={}",
        position('B', &[(1, 'B'), (2, 'B'), (15, 'W')])
    ));
    engine.say("go analyze");
    let known = engine.hear_until("done ");
    assert!(
        known[0].contains(&format!(" outcome=win plies={plies} ")),
        "{known:?}"
    );
    let score = 100.0 - plies.as_f64().unwrap() / 100.0;
    assert!(
        known[0].contains(&format!(" score={score:.2} ")),
        "{known:?}"
    );
    assert!(
        known[known.len() - 1].starts_with(&format!("done move={best} ponder=")),
        "{known:?}"
    );
}

#[test]
fn searches_are_stopped_pondered_and_pinged() {
    let mut engine = hub(&["--level", "high"]);
    engine.say(&format!("pos pos={START}"));
    engine.say("level infinite");
    engine.say("go analyze");
    engine.say("ping");
    engine.hear_until("pong");
    engine.say("stop");
    engine.hear_until("done move=");
    engine.say("level time=3 inc=0.1");
    engine.say("go ponder");
    engine.say("ping");
    engine.hear_until("pong");
    engine.say("ponder-hit");
    engine.hear_until("done move=");
    engine.say("level moves=9 time=1.5");
    engine.say("go think");
    engine.hear_until("done move=");
    // A second stop has no effect, and quit stops a search, with its answer.
    engine.say("stop");
    engine.say("level infinite");
    engine.say("go analyze");
    engine.say("quit");
    let rest = engine.end();
    assert!(rest[rest.len() - 1].starts_with("done move="), "{rest:?}");
}

#[test]
fn bad_values_are_answered_and_unknown_words_ignored() {
    let mut engine = hub(&[]);
    for (line, answer) in [
        ("pos pos=W", "a position has 33 characters, found 1"),
        ("pos", "expected pos pos=… moves='…'"),
        ("level depth=deep", "depth takes a whole number"),
        (
            "set-param name=variant value=killer",
            "variant is english, not 'killer'",
        ),
        ("set-param name=book value=true", "unknown option 'book'"),
        ("pos pos=\"W", "a quote does not end: 'W"),
    ] {
        engine.say(line);
        assert_eq!(
            engine.hear(),
            format!("error message=\"{answer}\""),
            "{line}"
        );
    }
    for line in [
        "",
        "   ",
        "dance",
        "level blitz",
        "position startpos",
        "new-game now=yes",
    ] {
        engine.say(line);
    }
    engine.say_bytes(b"\xff\xfe");
    engine.say("ping");
    assert_eq!(engine.hear(), "pong");
    // A finished game has no move.
    engine.say(&format!("pos pos={}", position('W', &[(1, 'B')])));
    engine.say("go think");
    assert_eq!(engine.hear_until("done"), ["done move=\"\""]);
}

#[test]
fn after_a_refused_position_there_is_no_move() {
    let mut engine = hub(&[]);
    for bad in ["pos pos=W", "pos", "pos pos=\"W", "pos moves=11-15"] {
        engine.say(&format!("pos pos={START}"));
        engine.say("level depth=1");
        engine.say("go think");
        engine.hear_until("done move=");
        engine.say(bad);
        assert!(engine.hear().starts_with("error "), "{bad}");
        engine.say("go think");
        let none = "error message=\"no position to search: the last one was refused\"";
        assert_eq!(engine.hear_until("done"), [none, "done move=\"\""]);
    }
}

#[test]
fn hub_is_for_draughts() {
    let answer = complaint(&["engine", "nine", "--protocol", "hub"]);
    assert_eq!(
        answer,
        "endmill: nine has no Hub protocol: that is for draughts\n"
    );
    let answer = complaint(&["engine", "draughts", "--protocol", "dxp"]);
    assert!(answer.contains("[possible values: uci, hub]"), "{answer}");
}
