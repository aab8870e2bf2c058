//! `endmill completions`: completions for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  endmill completions bash > ~/.local/share/bash-completion/completions/endmill
  endmill completions zsh > ~/.zfunc/_endmill       # a directory of fpath
  endmill completions fish > ~/.config/fish/completions/endmill.fish";

/// Print the completion script of a shell.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    /// Prints the script.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut crate::Cli::command(),
            "endmill",
            &mut script,
        );
        Ok(out.write_all(&script)?)
    }
}
