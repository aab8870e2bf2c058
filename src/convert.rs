//! `endmill convert`: a compact database from a full one, and back.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use endmill_bench::Stopwatch;
use endmill_dbformat::{Rules, Store};
use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::{Budget, Converted, DatabaseForm, convert};
use indicatif::HumanBytes;
use serde_json::json;

use crate::by_game::GameCommand;
use crate::db::{Missing, Target};
use crate::drawing::{counted, listed};
use crate::errors::{or_resume, solve_error};
use crate::machine::Threads;
use crate::progress::ConsoleProgress;
use crate::size::Size;

/// The default working memory.
const MEMORY: u64 = 5 << 30;

const EXAMPLES: &str = "\
Examples:
  endmill convert nine --to compact
  endmill convert nine --to full --out /disk/full

A compact database gives the same answers, plies included. It omits the plies of tables in which the
side to move has more men, and of every second layer of men in hand if both sides have the same
number: these can be derived from the tables one move ahead. Nine men's morris takes 4.3 GB instead
of 7.3; probing omitted plies takes about ten look-ups instead of one.";

/// Convert a full database to a compact one, or back, without solving.
///
/// Converts in place, table by table, unless --out names another directory. It can be stopped or
/// killed at any moment: nothing is lost, and the same command resumes. The converted database has the
/// same bytes as one that was built in this form. Compacting only copies the outcomes; expanding
/// derives and encodes all omitted plies.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// The new form
    #[arg(long, value_name = "FORM", value_enum)]
    to: Form,
    /// Leave the database unchanged, and write the new one to another directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Working memory; larger groups use scratch files in the database, which is slow
    #[arg(long, value_name = "SIZE", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The form of a database.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Store only the distances that cannot be derived
    Compact,
    /// Store all distances
    Full,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Compact => "compact",
            Form::Full => "full",
        }
    }
}

impl From<Form> for DatabaseForm {
    fn from(form: Form) -> DatabaseForm {
        match form {
            Form::Compact => DatabaseForm::Compact,
            Form::Full => DatabaseForm::Full,
        }
    }
}

impl Args {
    /// Converts, then prints what was done.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.target.run(&self, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let from = self.target.store(&game);
        let target = self.out.as_deref().unwrap_or(&self.target.db);
        let to = Store::new(target, Rules::of(&game));
        let before = bytes(&from)?;
        if before == 0 {
            return Err(Missing::all(&self.target.ruleset, from.directory()).into());
        }
        std::fs::create_dir_all(to.directory())
            .with_context(|| format!("cannot create {}", to.directory().display()))?;
        let pool = self.threads.pool()?;
        let positions = positions(&game, &from)?;
        let stopwatch = Stopwatch::start();
        let progress = ConsoleProgress::new(positions);
        progress.stop_on_interrupt()?;
        let memory = self.memory.map_or(MEMORY, Size::bytes);
        let budget = Budget::new(memory, to.directory().into());
        let form = self.to.into();
        let done = pool.install(|| convert(&game, &from, &to, form, &budget, &progress));
        drop(progress);
        let done = done.map_err(|error| or_resume(solve_error(error, &game)))?;
        let after = bytes(&to)?;
        self.report(out, to.directory(), &done, before, after, &stopwatch)
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
        let usage = stopwatch.read();
        if self.json {
            let answer = json!({
                "ruleset": self.target.ruleset,
                "form": self.to.name(),
                "directory": directory,
                "converted": names(&done.converted),
                "kept": names(&done.kept),
                "bytes_before": before,
                "bytes": after,
                "taken": usage,
            });
            return Ok(writeln!(out, "{answer}")?);
        }
        if !done.kept.is_empty() {
            let kept = counted(done.kept.len() as u64, "table");
            let title = format!("{kept} kept full, because they depend on tables without plies:");
            writeln!(out, "{}", listed(&title, names(&done.kept).into_iter()))?;
        }
        writeln!(
            out,
            "{} converted to the {} form in {}: {} instead of {}, {:.1} s",
            counted(done.converted.len() as u64, "table"),
            self.to.name(),
            directory.display(),
            HumanBytes(after),
            HumanBytes(before),
            usage.wall_seconds,
        )?;
        Ok(())
    }
}

/// The size of all tables.
fn bytes(store: &Store) -> anyhow::Result<u64> {
    Ok(store.files()?.iter().map(|(.., bytes)| bytes).sum())
}

/// The positions of all tables.
fn positions<G: Game>(game: &G, store: &Store) -> anyhow::Result<u128> {
    let mut tables: Vec<String> = store.files()?.into_iter().map(|(name, ..)| name).collect();
    tables.sort();
    tables.dedup();
    let tables = tables.iter().filter_map(|name| game.parse_table(name).ok());
    Ok(tables.map(|table| u128::from(game.size(table))).sum())
}
