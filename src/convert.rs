//! `endmill convert`: a compact database from a full one, and back.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use endmill_dbformat::{Rules, Store};
use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_solver::{Budget, Converted, DatabaseForm, SolveError, convert};
use indicatif::HumanBytes;
use serde_json::json;

use crate::db::Missing;
use crate::drawing::{counted, listed};
use crate::machine::{self, Stopwatch};
use crate::mend::or_mend;
use crate::size::Size;
use crate::watch::Watch;

/// Working memory unless the user says otherwise.
const MEMORY: u64 = 5 << 30;

const EXAMPLES: &str = "\
Examples:
  endmill convert nine --to compact
  endmill convert nine --to full --out /disk/full

A compact database answers the same, plies too. It leaves out the plies of tables in which the side
to move has more men, and of every second layer of men in hand where both have as many: these follow
from the tables one turn ahead. Nine men's morris takes 4.3 GB instead of 7.3; to ask for plies that
are left out takes some ten look-ups instead of one.";

/// Make a compact database of a full one, or a full one of a compact one, without solving.
///
/// In place, table by table, unless --out names another directory. It may be stopped or killed at
/// any moment: nothing is lost, and the same command goes on from there. A full database that was
/// made like this has the bytes of one that was built. To compact takes no more than copying the
/// outcomes; to expand, every position that was left out is derived and coded.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The form that it is to have
    #[arg(long, value_name = "FORM", value_enum)]
    to: Form,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
    /// Leave the database as it is, and write all of it in the new form to another directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads; all processors by default. The bytes do not depend on it
    #[arg(long, value_name = "N", value_parser = crate::machine::threads)]
    threads: Option<usize>,
    /// Working memory; beyond it scratch files in the database are used, which is slow
    #[arg(long, value_name = "SIZE", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// What was done, as JSON
    #[arg(long)]
    json: bool,
}

/// Which plies are stored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Those that do not follow from others one turn ahead
    Compact,
    /// All
    Full,
}

impl Form {
    fn of_database(self) -> DatabaseForm {
        match self {
            Form::Compact => DatabaseForm::Compact,
            Form::Full => DatabaseForm::Full,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Form::Compact => "compact",
            Form::Full => "full",
        }
    }
}

impl Args {
    /// Converts, then says what was done.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let done =
            endmill_layout::visit(Ruleset::open(&self.ruleset)?, Convert { args: &self, out });
        or_mend(done, &self.ruleset, &self.db)
    }
}

struct Convert<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Convert<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let Convert { args, out } = self;
        let from = Store::new(&args.db, Rules::of(&game));
        let target = args.out.as_deref().unwrap_or(&args.db);
        let to = Store::new(target, Rules::of(&game));
        let before = bytes(&from)?;
        if before == 0 {
            return Err(Missing::all(&args.ruleset, from.directory()).into());
        }
        std::fs::create_dir_all(to.directory())
            .with_context(|| format!("cannot make {}", to.directory().display()))?;
        let pool = machine::pool(args.threads)?;
        let positions = positions(&game, &from)?;
        let stopwatch = Stopwatch::start();
        let watch = Watch::new(positions);
        watch.heed_interrupts()?;
        let memory = args.memory.map_or(MEMORY, Size::bytes);
        let budget = Budget::new(memory, to.directory().into());
        let form = args.to.of_database();
        let done = pool.install(|| convert(&game, &from, &to, form, &budget, &watch));
        drop(watch);
        let done = done.map_err(|error| told(error, &game))?;
        let after = bytes(&to)?;
        args.report(out, to.directory(), &done, before, after, &stopwatch)
    }
}

impl Args {
    fn report<T: ToString>(
        &self,
        out: &mut dyn Write,
        directory: &Path,
        done: &Converted<T>,
        before: u64,
        after: u64,
        stopwatch: &Stopwatch,
    ) -> anyhow::Result<()> {
        let names = |tables: &[T]| -> Vec<String> { tables.iter().map(T::to_string).collect() };
        let taken = stopwatch.read();
        if self.json {
            let answer = json!({
                "ruleset": self.ruleset,
                "form": self.to.word(),
                "directory": directory,
                "converted": names(&done.converted),
                "kept": names(&done.kept),
                "bytes_before": before,
                "bytes": after,
                "taken": taken,
            });
            return Ok(writeln!(out, "{answer}")?);
        }
        if !done.kept.is_empty() {
            let kept = counted(done.kept.len() as u64, "table");
            let title = format!("{kept} left full, as tables they lead to have no plies:");
            writeln!(out, "{}", listed(&title, names(&done.kept).into_iter()))?;
        }
        writeln!(
            out,
            "{} made {} in {}: {} instead of {}, {:.1} s",
            counted(done.converted.len() as u64, "table"),
            self.to.word(),
            directory.display(),
            HumanBytes(after),
            HumanBytes(before),
            taken.wall_seconds,
        )?;
        Ok(())
    }
}

/// What the tables take.
fn bytes(store: &Store) -> anyhow::Result<u64> {
    Ok(store.files()?.iter().map(|(.., bytes)| bytes).sum())
}

/// Their positions.
fn positions<G: Game>(game: &G, store: &Store) -> anyhow::Result<u128> {
    let mut tables: Vec<String> = store.files()?.into_iter().map(|(name, ..)| name).collect();
    tables.sort();
    tables.dedup();
    let tables = tables.iter().filter_map(|name| game.parse_table(name).ok());
    Ok(tables.map(|table| u128::from(game.size(table))).sum())
}

fn told<G: Game>(error: SolveError, game: &G) -> anyhow::Error {
    match error {
        SolveError::Differs(mismatch) => anyhow::anyhow!("{}", mismatch.describe(game)),
        SolveError::Stopped => {
            anyhow::Error::from(error).context("the same command goes on from here")
        }
        SolveError::Dependencies { .. } => Missing(error.to_string()).into(),
        other => other.into(),
    }
}
