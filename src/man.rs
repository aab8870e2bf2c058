//! `endmill man`: the manual pages.

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

/// Write the manual pages: endmill.1, and one per command, such as endmill-build.1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The output directory, created if necessary
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Args {
    /// Writes all pages, and prints their number.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let directory = &self.directory;
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        clap_mangen::generate_to(crate::Cli::command(), directory)
            .with_context(|| format!("cannot write to {}", directory.display()))?;
        let pages = 1 + subcommands(&crate::Cli::command());
        writeln!(out, "{} in {}", counted(pages, "page"), directory.display())?;
        Ok(())
    }
}

/// The number of commands, including subcommands of commands.
fn subcommands(command: &Command) -> u64 {
    let shown = command.get_subcommands().filter(|each| !each.is_hide_set());
    shown.map(|each| 1 + subcommands(each)).sum()
}
