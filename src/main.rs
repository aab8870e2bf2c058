//! The `endmill` program: one file per subcommand, without knowledge of any game.
//!
//! A subcommand is a struct of arguments with a `run` that writes to the given output. Its work on a
//! ruleset is a [`by_game::GameCommand`], so it works for every game.

mod bench;
mod build;
mod by_game;
mod columns;
mod compare;
mod completions;
mod convert;
mod db;
mod draw_scores;
mod drawing;
mod engine;
mod errors;
mod export;
mod game_file;
mod line;
mod machine;
mod man;
mod missing;
mod perft;
mod plan;
mod play;
mod plies;
mod probe;
mod progress;
mod repair;
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

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand};

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

Exit status: 0 on success, 2 if the input cannot be read, 3 if a table is missing, 4 if verify finds
outcomes consistent but cannot prove them, 130 if build or verify is interrupted by Ctrl-C, 1 for all
other errors.";

/// The version of the program, the newest file format that it supports, and its commit if known.
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
    /// Draw boards in plain ASCII without colours, the default in a locale without UTF-8
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
    // Turn signals into errors: a mapped table is truncated, or a file exceeds its limit.
    let ready = endmill_dbformat::survive_cut_files().and_then(|()| machine::survive_large_files());
    let ready = ready.map_err(anyhow::Error::from);
    let done = ready.and_then(|()| command.run(&mut out));
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if errors::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr is closed too, there is nothing left to do.
            let _ = writeln!(io::stderr(), "endmill: {}", errors::message(&error));
            ExitCode::from(errors::status(&error))
        }
    }
}
