//! Compiles the C example, links it with the library in both forms and runs it; it must not leak.

mod linked;
mod small;

use std::ffi::OsString;
use std::fmt::Write;
use std::process::Command;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_probe::{Database, LineEnd};
use linked::{compile, dynamically, printed, run, statically};
use small::{database, home, nine};

const GUIDE: &str = include_str!("../../docs/plug-in.md");
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/probe.c");
/// The expected output of the example for a position, from the Rust probe.
fn shown<G: Game>(game: G, text: &str) -> String {
    let database = Database::open(database(), game).unwrap();
    let game = database.game();
    let position = game.parse_position(text).unwrap();
    let mut shown = format!("{text}: {}\n", database.probe(&position).unwrap());
    for ranked in database.moves(&position).unwrap() {
        let name = game.format_turn(&position, &ranked.turn);
        writeln!(shown, "{name}: {}", ranked.value.verdict().unwrap()).unwrap();
    }
    let line = database.line(&position).unwrap();
    assert_eq!(line.end, LineEnd::Finished);
    shown += "line:";
    for step in &line.steps {
        shown = shown + " " + &game.format_turn(&step.position, &step.turn);
    }
    shown + "\n\n"
}

fn expected() -> String {
    let morris = shown(nine(), "W:Wa1,d1,g4:Bb2,b4,d6");
    let draughts = shown(Draughts::new(), "B:WK5:BK10,K14");
    let version = env!("CARGO_PKG_VERSION");
    let unknown = endmill_games::Ruleset::find("thirteen").unwrap_err();
    format!(
        "libendmill {version}\n\n\
         nine: 1 tables, up to 6 pieces\n{morris}{morris}\
         draughts: 16 tables, up to 3 pieces\n{draughts}{draughts}\
         unknown ruleset: {unknown}\n"
    )
}

#[test]
fn the_example_answers_as_the_probe_does_linked_either_way() {
    let directory = tempfile::tempdir().unwrap();
    for (name, link) in [("static", statically()), ("dynamic", dynamically())] {
        let program = directory.path().join(name);
        compile(SOURCE.as_ref(), &program, &[], &link).unwrap();
        let answered = printed(run(program.to_str().unwrap(), &[database().into()]));
        assert_eq!(answered, expected(), "{name}");
    }
}

#[test]
fn the_example_of_the_guide_prints_what_the_guide_says() {
    let between = |text: &'static str, start: &str, end: &str| {
        let (_, rest) = text.split_once(start).expect(start);
        rest.split_once(end).expect(end)
    };
    let (source, rest) = between(GUIDE, "```c\n", "```");
    let (promised, _) = between(rest, "./heart\n", "```");
    let directory = tempfile::tempdir().unwrap();
    let [file, program] = ["heart.c", "heart"].map(|name| directory.path().join(name));
    std::fs::write(&file, source).unwrap();
    compile(&file, &program, &[], &statically()).unwrap();
    let run = Command::new(program).current_dir(home()).output().unwrap();
    assert_eq!(printed(run), promised);
}

/// Uses valgrind if it is installed, otherwise the sanitizer of the compiler.
#[test]
fn the_example_leaks_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("probe");
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    let run = if has_valgrind {
        compile(SOURCE.as_ref(), &program, &[], &statically()).unwrap();
        let flags = ["--quiet", "--leak-check=full", "--error-exitcode=9"];
        let mut args: Vec<OsString> = flags.iter().map(OsString::from).collect();
        args.extend([program.into(), database().into()]);
        run("valgrind", &args)
    } else {
        let sanitizer = ["-fsanitize=address,leak", "-fno-omit-frame-pointer"];
        if let Err(complaint) = compile(SOURCE.as_ref(), &program, &sanitizer, &statically()) {
            panic!("this test needs valgrind or a compiler with sanitizers: {complaint}");
        }
        run(program.to_str().unwrap(), &[database().into()])
    };
    assert_eq!(printed(run), expected());
}
