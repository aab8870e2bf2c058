//! `endmill seal`: makes the manifest anew.

use std::io::Write;
use std::path::PathBuf;

use endmill_dbformat::{Rules, Store};
use endmill_games::{Game, Ruleset, Visitor};

use crate::db::Missing;
use crate::drawing::counted;

/// Make the manifest of a database anew, from the records beside its tables.
///
/// Every build does so when it ends. After one that was killed the manifest may lag behind, which
/// is no error: whoever reads the database takes the records too.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
}

impl Args {
    /// Makes the manifest, and says what is in it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let store = Ruleset::open(&self.ruleset)?.visit(OpenStore(&self));
        if store.files()?.is_empty() {
            return Err(Missing::all(&self.ruleset, store.directory()).into());
        }
        endmill_solver::seal(&store)?;
        let files = store.manifest()?.files.len() as u64;
        let path = store.manifest_path();
        writeln!(out, "{}: {}", path.display(), counted(files, "file"))?;
        Ok(())
    }
}

struct OpenStore<'a>(&'a Args);

impl Visitor for OpenStore<'_> {
    type Output = Store;

    fn visit<G: Game>(self, game: G) -> Store {
        Store::new(&self.0.db, Rules::of(&game))
    }
}
