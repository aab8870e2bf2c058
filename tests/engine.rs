//! The line protocol of `endmill engine`, driven as a program would drive it.

mod program;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use program::{complaint, printed, program};
use tempfile::TempDir;

/// A running engine.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(ruleset: &str, db: &Path, args: &[&str]) -> Engine {
        let mut program = program();
        program.args(["engine", ruleset, "--db"]).arg(db).args(args);
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = program.spawn().expect("the program starts");
        let output = BufReader::new(process.stdout.take().unwrap());
        Engine {
            input: process.stdin.take(),
            process,
            output,
        }
    }

    fn without_database(ruleset: &str, args: &[&str]) -> Engine {
        Engine::start(ruleset, Path::new("there-is-no-such-directory"), args)
    }

    fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    fn say_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the engine has gone");
        without_time(line.trim_end())
    }

    /// All lines up to one that begins so.
    fn hear_until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = vec![self.hear()];
        while !lines[lines.len() - 1].starts_with(beginning) {
            lines.push(self.hear());
        }
        lines
    }

    /// The answer to `go …`.
    fn search(&mut self, position: &str, go: &str) -> Vec<String> {
        self.say(&format!("position {position}"));
        self.say(go);
        self.hear_until("bestmove ")
    }

    /// What comes after the last line that was heard, when the input is closed.
    fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        let rest = self.output.lines();
        let rest = rest.map(|line| without_time(&line.unwrap())).collect();
        assert!(self.process.wait().unwrap().success());
        rest
    }
}

/// Times differ from run to run.
fn without_time(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let time = words.iter().position(|&word| word == "time");
    let kept = words.iter().enumerate();
    let kept = kept.filter(|(i, _)| time.is_none_or(|time| *i != time && *i != time + 1));
    let kept: Vec<&str> = kept.map(|(_, &word)| word).collect();
    kept.join(" ")
}

fn database(args: &[&str]) -> TempDir {
    let db = TempDir::new().unwrap();
    let mut all = vec!["build"];
    all.extend(args);
    all.extend(["--db", db.path().to_str().unwrap()]);
    printed(&all);
    db
}

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
        ("go depth three", "depth takes a number, found \"three\""),
        ("go sideways", "go has no \"sideways\""),
        ("stop it", "stop stands alone, found \"it\""),
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
        ("setoption name Hash value 0", "Hash is 1 to 4096, not 0"),
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
fn lines_are_answered_while_a_search_runs() {
    let mut engine = Engine::without_database("nine", &["--level", "high"]);
    engine.say("go infinite");
    engine.say("isready");
    engine.hear_until("readyok");
    engine.say("position startpos");
    let busy = engine.hear_until("info string");
    assert_eq!(
        busy[busy.len() - 1],
        "info string error: a search is under way: stop it first"
    );
    engine.say("stop");
    engine.hear_until("bestmove ");
    engine.say("go infinite");
    engine.say("quit");
    let rest: Vec<_> = engine.end();
    assert!(
        rest.iter().all(|line| line.starts_with("info ")),
        "{rest:?}"
    );
}

/// Nothing is left to be found out after a ply, but the answer waits for `stop`.
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
    // A stop too many is nothing.
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

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::without_database("nine", &[]);
    let answer = engine.search("fen W:Wa1,d1:Ba7,d7,g7", "go");
    assert_eq!(answer, ["bestmove (none)"]);
}

/// The database is used as soon as it is named, for the position that was set before, and only by
/// the level that may.
#[test]
fn the_database_is_an_option() {
    let db = database(&["draughts", "--pieces", "3"]);
    let mut engine = Engine::without_database("draughts", &[]);
    // Two kings win against one that is not in its double corner; the database knows in how
    // many plies.
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

#[test]
fn the_engine_is_asked_for_a_ruleset_and_a_level_that_exist() {
    let answer = complaint(&["engine", "eleven"]);
    assert!(
        answer.starts_with("endmill: there is no ruleset \"eleven\""),
        "{answer}"
    );
    let answer = complaint(&["engine", "nine", "--level", "best"]);
    assert!(answer.contains("there is no level \"best\""), "{answer}");
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
