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

const TUTORIAL: &str = include_str!("../../docs/tutorials/c.md");
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

/// The tutorial's commands run as printed, in a directory with the names of a clone.
#[test]
fn the_tutorial_runs_as_printed() {
    let between = |text: &'static str, start: &str, end: &str| {
        let (_, rest) = text.split_once(start).expect(start);
        rest.split_once(end).expect(end)
    };
    if Command::new("cc").arg("--version").output().is_err() {
        return endmill_testkit::skip("there is no C compiler, cc");
    }
    let (source, rest) = between(TUTORIAL, "```c\n", "```");
    let (_, rest) = between(
        rest,
        "<!-- run by capi/tests/example.rs -->\n",
        "```console\n",
    );
    let (commands, _) = rest.split_once("```").expect("the end of the block");
    let directory = tempfile::tempdir().unwrap();
    let here = |name: &str| directory.path().join(name);
    std::fs::write(here("ending.c"), source).unwrap();
    std::fs::create_dir(here("target")).unwrap();
    let crate_directory = env!("CARGO_MANIFEST_DIR");
    std::os::unix::fs::symlink(crate_directory, here("capi")).unwrap();
    std::os::unix::fs::symlink(linked::library_directory(), here("target/release")).unwrap();
    std::os::unix::fs::symlink(home().join("data"), here("data")).unwrap();
    for block in commands.split("$ ").skip(1) {
        let (command, promised) = block.split_once('\n').expect("a line");
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(directory.path());
        assert_eq!(printed(shell.output().unwrap()), promised, "{command}");
    }
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
