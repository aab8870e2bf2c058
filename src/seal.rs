//! `endmill seal`: rebuilds the manifest.

use std::io::Write;

use endmill_games::Game;
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};
use crate::db::{Missing, Target};
use crate::drawing::counted;

/// Rebuild the manifest of a database from the records beside its tables.
///
/// Every build does so at its end. After a build that was killed the manifest may be stale. That is
/// not an error: every reader uses the records too.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
}

impl Args {
    /// Rebuilds the manifest, and prints the number of files in it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.target.ruleset, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let store = self.target.store(&game);
        if store.files()?.is_empty() {
            return Err(Missing::all(&self.target.ruleset, store.directory()).into());
        }
        endmill_solver::seal(&store)?;
        let files = store.manifest()?.files.len() as u64;
        let path = store.manifest_path();
        writeln!(out, "{}: {}", path.display(), counted(files, "file"))?;
        Ok(())
    }
}
