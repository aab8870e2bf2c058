//! The `endmill` program: one file per subcommand, and none of them knows a game.
//!
//! A subcommand is a struct of arguments with a `run` that writes to the given output. What it
//! does with a ruleset is a [`endmill_games::Visitor`], so it works for every game there is.

mod bench;
mod build;
mod columns;
mod compare;
mod completions;
mod convert;
mod db;
mod drawing;
mod engine;
mod export;
mod game_file;
mod line;
mod machine;
mod man;
mod mend;
mod missing;
mod perft;
mod plan;
mod play;
mod plies;
mod probe;
mod review;
mod rules;
mod sample;
mod scope;
mod seal;
mod sectors;
mod serve;
mod size;
mod stats;
mod status;
mod tree;
mod verify;
mod watch;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand};
use endmill_games::{ParseError, RulesetError};
use endmill_probe::ProbeError;

const EXAMPLES: &str = "\
Examples:
  endmill rules
  endmill build nine --pieces 8
  endmill probe nine 'W:Wa1,d1,g1,c3:Bb2,f2,a4'
  endmill play nine --black medium
  endmill review game.pdn
  endmill serve
  endmill perft draughts --depth 9
  endmill perft nine --depth 2 --divide --from 'W:Wa1,a4,b2:Bd1,d2,g7'

Exit status: 0 if all went well, 2 if the input cannot be read, 3 if a table is missing, 4 if
verify finds outcomes consistent but cannot show them to be right, 130 if build or verify was
interrupted by Ctrl-C, 1 for everything else.";

/// The program, the newest file format that it reads and writes, and the commit that it was built
/// from, where that is known.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("ENDMILL_COMMIT").map(|commit| format!(", commit {commit}"));
    format!(
        "{} (file format {}{})",
        env!("CARGO_PKG_VERSION"),
        endmill_dbformat::FORMAT_VERSION,
        commit.unwrap_or_default()
    )
});

/// Exact endgame databases for the morris family and English draughts.
#[derive(Parser)]
#[command(version = VERSION.as_str(), after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Boards in plain ASCII, without colours; so are they where the locale has no UTF-8
    #[arg(long, global = true)]
    ascii: bool,
}

#[derive(Subcommand)]
enum Command {
    Rules(rules::Args),
    Perft(perft::Args),
    Plan(plan::Args),
    Build(build::Args),
    Verify(verify::Args),
    Status(status::Args),
    Seal(seal::Args),
    Convert(convert::Args),
    Stats(stats::Args),
    Probe(probe::Args),
    Line(line::Args),
    Tree(tree::Args),
    Review(review::Args),
    Play(play::Args),
    Sample(sample::Args),
    Engine(engine::Args),
    Serve(serve::Args),
    Export(export::Args),
    Compare(compare::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Command::Rules(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Plan(args) => args.run(out),
            Command::Build(args) => args.run(out),
            Command::Verify(args) => args.run(out),
            Command::Status(args) => args.run(out),
            Command::Seal(args) => args.run(out),
            Command::Convert(args) => args.run(out),
            Command::Stats(args) => args.run(out),
            Command::Probe(args) => args.run(out),
            Command::Line(args) => args.run(out),
            Command::Tree(args) => args.run(out),
            Command::Review(args) => args.run(out),
            Command::Play(args) => args.run(out),
            Command::Sample(args) => args.run(out),
            Command::Engine(args) => args.run(out),
            Command::Serve(args) => args.run(out),
            Command::Export(args) => args.run(out),
            Command::Compare(args) => args.run(out),
            Command::Bench(args) => args.run(out),
            Command::Completions(args) => args.run(out),
            Command::Man(args) => args.run(out),
        }
    }
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let Cli { command, ascii } = Cli::parse();
    drawing::choose(ascii);
    // Whoever overwrites a table while it is mapped gets an answer too.
    let ready = endmill_dbformat::survive_cut_files().and_then(|()| machine::survive_large_files());
    let ready = ready.map_err(anyhow::Error::from);
    let done = ready.and_then(|()| command.run(&mut out));
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has read enough (`endmill rules | head -1`).
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if even stderr is closed.
            let _ = writeln!(io::stderr(), "endmill: {}", mend::message(&error));
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
    let probed = error.downcast_ref::<ProbeError>();
    let missing = error.is::<probe::NotKnown>()
        || error.is::<sample::NoMatch>()
        || probed.is_some_and(ProbeError::is_missing);
    match () {
        () if is_bad_input(error) || probed.is_some_and(ProbeError::is_bad_input) => 2,
        () if missing || error.is::<db::Missing>() => 3,
        () if error.is::<verify::ConsistentOnly>() => 4,
        () if is_stopped(error) => 130,
        () => 1,
    }
}

fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref(),
        Some(endmill_solver::SolveError::Stopped)
    )
}

/// Whether the user's text is at fault: the same exit status as clap's usage errors.
fn is_bad_input(error: &anyhow::Error) -> bool {
    let sectors = error.downcast_ref::<endmill_malom::Error>();
    sectors.is_some_and(endmill_malom::Error::is_bad_input)
        || error.is::<ParseError>()
        || error.is::<RulesetError>()
        || error.is::<scope::BadScope>()
        || error.is::<game_file::BadGame>()
        || error.is::<rules::NoRulesFile>()
}
