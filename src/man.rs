//! `endmill man`: the manual, a page for the program and one for each command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};

use crate::drawing::counted;

const EXAMPLES: &str = "\
Examples:
  endmill man ~/.local/share/man/man1
  man endmill-build";

/// Write the manual pages: endmill.1, and endmill-build.1 and so on for the commands.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where they go; made if it is not there
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Args {
    /// Writes every page, and says how many.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let directory = &self.directory;
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        clap_mangen::generate_to(crate::Cli::command(), directory)
            .with_context(|| format!("cannot write into {}", directory.display()))?;
        let pages = 1 + subcommands(&crate::Cli::command());
        writeln!(out, "{} in {}", counted(pages, "page"), directory.display())?;
        Ok(())
    }
}

/// How many commands there are, those within commands too.
fn subcommands(command: &Command) -> u64 {
    let shown = command.get_subcommands().filter(|each| !each.is_hide_set());
    shown.map(|each| 1 + subcommands(each)).sum()
}
