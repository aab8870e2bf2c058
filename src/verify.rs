//! `endmill verify`: checks a database against itself.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use dbformat::{Kind, Rules, Store};
use games::{Game, Ruleset, Visitor};
use solver::{Plan, Shelf, verify_group};

use crate::watch::Watch;

/// Re-derive every value and every count of a database from the rules.
///
/// Exit status 0 if everything is right, 1 if a file is damaged or a value is wrong.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// Compare checksums only
    #[arg(long)]
    quick: bool,
    /// Threads; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Args {
    /// Verifies.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Verify { args: &self, out })
    }
}

struct Verify<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Verify<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let store = Store::new(&self.args.db, Rules::of(&game));
        let files = check_files(&game, &store)?;
        writeln!(self.out, "{files} files are as they were written")?;
        if self.args.quick {
            return Ok(());
        }
        let threads = self.args.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let positions = pool.install(|| derive(&game, &store))?;
        writeln!(
            self.out,
            "{positions} positions and all counts are proved by the rules"
        )?;
        Ok(())
    }
}

/// Compares every file with the manifest and every block with its checksum.
fn check_files<G: Game>(game: &G, store: &Store) -> anyhow::Result<usize> {
    let listed = store.list()?;
    anyhow::ensure!(
        !listed.is_empty(),
        "there is no table in {}",
        store.directory().display()
    );
    for file in &listed {
        let table = game.parse_table(&file.table)?;
        let record = file.record.as_ref();
        let record = record.ok_or_else(|| {
            anyhow::anyhow!(
                "{} is not in the manifest",
                store.path(&file.table, file.kind).display()
            )
        })?;
        store.verify_file(&file.table, file.kind, record)?;
        let outcomes = store.outcomes(&file.table, game.size(table))?;
        match file.kind {
            Kind::Outcomes => outcomes.file().verify_blocks()?,
            Kind::Plies => store.plies(&outcomes)?.file().verify_blocks()?,
        }
    }
    Ok(listed.len())
}

/// Re-derives all tables that are there; gives the number of their positions.
fn derive<G: Game>(game: &G, store: &Store) -> anyhow::Result<u64> {
    let listed = store.list()?;
    let outcomes = listed.iter().filter(|file| file.kind == Kind::Outcomes);
    let present: BTreeSet<G::Table> = outcomes
        .map(|file| game.parse_table(&file.table))
        .collect::<Result<_, _>>()?;
    let present: Vec<G::Table> = present.into_iter().collect();
    let plan = Plan::new(game, &present);
    let watch = Watch::new(plan.positions());
    let mut shelf = Shelf::new();
    for (i, group) in plan.groups.iter().enumerate() {
        let name = solver::group_name(group);
        solver::BuildProgress::group(&watch, &name, group.positions());
        if let Some(mismatch) = verify_group(game, store, group, &mut shelf)? {
            anyhow::bail!("{mismatch}");
        }
        watch.done(group.positions());
        watch.say(&format!(
            "{name}: proved ({:.1} s)",
            watch.elapsed().as_secs_f64()
        ));
        let needed = plan.needed_after(i);
        shelf.keep(|table| needed.contains(&table));
    }
    Ok(plan.positions())
}
