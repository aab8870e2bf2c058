//! The `endmill` program: one file per subcommand, and none of them knows a game.
//!
//! A subcommand is a struct of arguments with a `run` that writes to the given output. What it
//! does with a ruleset is a [`games::Visitor`], so it works for every game there is.

mod bench;
mod build;
mod engine;
mod line;
mod machine;
mod perft;
mod plan;
mod play;
mod plies;
mod probe;
mod rules;
mod sample;
mod scope;
mod size;
mod stats;
mod tree;
mod verify;
mod watch;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use games::{ParseError, UnknownRuleset};

const EXAMPLES: &str = "\
Examples:
  endmill rules
  endmill build nine --pieces 8
  endmill probe nine 'W:Wa1,d1,g1,c3:Bb2,f2,a4'
  endmill play nine --black medium
  endmill perft draughts --depth 9
  endmill perft nine --depth 2 --divide --from 'W:Wa1,a4,b2:Bd1,d2,g7'

Exit status: 0 if all went well, 2 if the input cannot be read, 3 if a table is missing, 4 if
verify finds values consistent that it cannot prove, 1 for everything else.";

/// Exact endgame databases for the morris family and English draughts.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Rules(rules::Args),
    Perft(perft::Args),
    Plan(plan::Args),
    Build(build::Args),
    Verify(verify::Args),
    Stats(stats::Args),
    Probe(probe::Args),
    Line(line::Args),
    Tree(tree::Args),
    Play(play::Args),
    Sample(sample::Args),
    Engine(engine::Args),
    Bench(bench::Args),
}

impl Command {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Command::Rules(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Plan(args) => args.run(out),
            Command::Build(args) => args.run(out),
            Command::Verify(args) => args.run(out),
            Command::Stats(args) => args.run(out),
            Command::Probe(args) => args.run(out),
            Command::Line(args) => args.run(out),
            Command::Tree(args) => args.run(out),
            Command::Play(args) => args.run(out),
            Command::Sample(args) => args.run(out),
            Command::Engine(args) => args.run(out),
            Command::Bench(args) => args.run(out),
        }
    }
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let done = Cli::parse().command.run(&mut out);
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has read enough (`endmill rules | head -1`).
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if even stderr is closed.
            let _ = writeln!(io::stderr(), "endmill: {error:#}");
            ExitCode::from(status(&error))
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

/// The exit status of a failure.
fn status(error: &anyhow::Error) -> u8 {
    let missing = error
        .downcast_ref()
        .is_some_and(::probe::ProbeError::is_missing);
    match () {
        () if is_bad_input(error) => 2,
        () if missing => 3,
        () if error.is::<verify::NotProved>() => 4,
        () => 1,
    }
}

/// Whether the user's text is at fault: the same exit status as clap's usage errors.
fn is_bad_input(error: &anyhow::Error) -> bool {
    error.is::<ParseError>()
        || error.is::<UnknownRuleset>()
        || error.is::<scope::BadScope>()
        || error.is::<play::BadGame>()
}
