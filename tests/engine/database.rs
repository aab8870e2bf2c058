//! The engine with a database.

use crate::program::printed;
use crate::running::{Engine, database};

/// The database chooses among the named turns.
#[test]
fn the_best_of_the_turns_named_is_found_in_the_database() {
    let db = database(&["draughts", "--pieces", "3"]);
    let mut engine = Engine::start("draughts", db.path(), &[]);
    let position = "B:WK15:BK1,K2";
    let probed = printed(&[
        "probe",
        "draughts",
        position,
        "--json",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    let probed: serde_json::Value = serde_json::from_str(&probed).unwrap();
    let moves = probed["moves"].as_array().unwrap();
    let last = moves.last().unwrap()["move"].as_str().unwrap();
    let before = moves[moves.len() - 2]["move"].as_str().unwrap();
    let go = format!("go nodes 1 searchmoves {last}");
    let answer = engine.search(&format!("fen {position}"), &go);
    assert_eq!(*answer.last().unwrap(), format!("bestmove {last}"));
    let go = format!("go nodes 100 searchmoves {last} {before}");
    let answer = engine.search(&format!("fen {position}"), &go);
    assert_eq!(*answer.last().unwrap(), format!("bestmove {before}"));
}

/// A new database is used immediately, for the current position too, and only by the level
/// `perfect`.
#[test]
fn the_database_is_an_option() {
    let db = database(&["draughts", "--pieces", "3"]);
    let mut engine = Engine::without_database("draughts", &[]);
    // Two kings win against one outside the double corner, at a distance that the database knows.
    engine.say("position fen B:WK15:BK1,K2");
    engine.say("go depth 2");
    let searched = engine.hear_until("bestmove ");
    assert!(searched[0].contains(" score cp "), "{searched:?}");
    engine.say(&format!(
        "setoption name Database value {}",
        db.path().display()
    ));
    engine.say("go");
    let known = engine.hear_until("bestmove ");
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
    assert_eq!(known.len(), 2);
    let expected = format!("info depth 0 score plies {plies} nodes 0 pv {best} ");
    assert!(
        known[0].starts_with(&expected),
        "{known:?} is not {expected}"
    );
    assert_eq!(known[1], format!("bestmove {best}"));
    engine.say("setoption name Level value high");
    engine.say("go depth 2");
    let searched = engine.hear_until("bestmove ");
    assert!(searched[0].contains(" score cp "), "{searched:?}");
}

/// Missing tables are reported, and the engine continues.
#[test]
fn a_database_without_tables_is_reported() {
    let db = database(&["draughts", "--pieces", "2"]);
    let empty = tempfile::TempDir::new().unwrap();
    // Tables of another ruleset do not count.
    let other = database(&["three", "--tables", "3v3"]);
    for protocol in ["uci", "hub"] {
        let mut engine = Engine::start("draughts", db.path(), &["--protocol", protocol]);
        let nowhere = empty.path().join("nowhere");
        for place in [empty.path(), &nowhere, other.path()] {
            let place = place.display();
            let none = format!("{place} has no tables of draughts; playing without tables");
            let (set, said, ready) = match protocol {
                "uci" => (
                    format!("setoption name Database value {place}"),
                    format!("info string error: {none}"),
                    ["isready", "readyok"],
                ),
                _ => (
                    format!("set-param name=database value=\"{place}\""),
                    format!("error message=\"{none}\""),
                    ["ping", "pong"],
                ),
            };
            engine.say(&set);
            assert_eq!(engine.hear(), said);
            // Reported once; the engine can be used.
            engine.say(ready[0]);
            assert_eq!(engine.hear(), ready[1]);
        }
        assert_eq!(engine.end(), Vec::<String>::new());
    }
}

/// A short version of what the documentation reports; the command fails if a promise is broken.
#[test]
fn bench_engine_measures_play() {
    let db = database(&["three"]);
    let db = db.path().to_str().unwrap();
    let matched = printed(&[
        "bench",
        "engine",
        "match",
        "three",
        "medium",
        "low",
        "--games",
        "4",
        "--opening",
        "2",
        "--db",
        db,
    ]);
    assert!(
        matched.starts_with("three medium - low: ") && matched.contains(" of 4: "),
        "{matched}"
    );
    let endings = printed(&[
        "bench",
        "engine",
        "endings",
        "three",
        "perfect:100",
        "--games",
        "40",
        "--db",
        db,
    ]);
    let expected = "three perfect - perfect:100: 20 of 20 won positions won in the stated plies; \
                    of 20 drawn ones 0 won, 20 drawn, 0 lost\n";
    assert_eq!(endings, expected);
    let (small, large) = (
        database(&["draughts", "--pieces", "2"]),
        database(&["draughts", "--pieces", "3"]),
    );
    let outside = printed(&[
        "bench",
        "engine",
        "outside",
        "draughts",
        "--pieces",
        "3",
        "-n",
        "30",
        "--nodes",
        "300",
        "--db",
        small.path().to_str().unwrap(),
        "--truth",
        large.path().to_str().unwrap(),
    ]);
    assert_eq!(outside.lines().count(), 2, "{outside}");
}

#[test]
fn tables_are_built_on_the_way_if_that_is_said() {
    let db = database(&["three", "--tables", "3v3"]);
    let mut engine = Engine::start("three", db.path(), &["--build", "yes"]);
    engine.search("fen W:Wa1:Bb2:H2,2", "go depth 1");
    assert_eq!(engine.end(), Vec::<String>::new());
    assert!(db.path().join("three/1+2v1+2.wld").is_file());
    let none = database(&["three", "--tables", "3v3"]);
    let mut engine = Engine::start("three", none.path(), &[]);
    engine.search("fen W:Wa1:Bb2:H2,2", "go depth 1");
    assert!(!none.path().join("three/1+2v1+2.wld").exists());
}
