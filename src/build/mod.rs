//! `endmill build`: solves and stores tables.

mod log;
mod present;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use endmill_bench::{Stopwatch, Usage};
use endmill_dbformat::{ClaimWay, Store};
use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::{
    BuildOptions, ChosenScores, Plan, build, build_draws, check_room, enough_memory,
};
use indicatif::HumanBytes;

use self::log::LoggedProgress;
pub use self::log::{Run, runs};
use self::present::Present;
use crate::by_game::GameCommand;
use crate::db::Target;
use crate::draw_scores::DrawOptions;
use crate::drawing::counted;
use crate::errors::{or_resume, solve_error};
use crate::machine::Threads;
use crate::plies::PlyOptions;
use crate::progress::ConsoleProgress;
use crate::repair::quoted;
use crate::scope::Scope;
use crate::size::Size;
use crate::stats::{BuildUsage, collect};

/// Solve tables and store them in a database.
///
/// Finished tables are kept: after an interruption of any kind, rerun the command to resume. Ctrl-C
/// stops after the current step, with exit status 130. A file of the right size counts as finished;
/// --repair finds and repairs damaged files.
///
/// Several builds of the same tables can run at once, on one machine or on several with a common file
/// system: each takes groups of tables that no other has claimed. `endmill status` shows their
/// progress.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    scope: Scope,
    /// Build only the group of this table, e.g. 5v4; the tables that it depends on must exist
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["pieces", "men", "tables", "repair"])]
    only: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Working memory, e.g. 4G; at least 1M. A larger group is solved in scratch files in the
    /// database, which takes longer. By default 5 GiB, or as much as the largest group needs, but at
    /// most three quarters of the memory that is free on the machine, or in the control group of a
    /// container or batch job
    #[arg(long, value_name = "SIZE", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// Write counts, sizes, times and the machine's name to this file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    plies: PlyOptions,
    /// Omit plies that can be derived from other tables one move ahead: nine men's morris takes 4.3 GB
    /// instead of 7.3, and answers the same, but more slowly. Additions to a compact database are
    /// compact by default; `endmill convert` changes the form
    #[arg(long, conflicts_with = "no_plies")]
    compact: bool,
    #[command(flatten)]
    draws: DrawOptions,
    /// How builders coordinate: by locks of the operating system, or, if the file system has no locks
    /// that work between machines, by leases that expire a minute after their holder is gone. By
    /// default locks if they work
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Claiming::Auto)]
    claims: Claiming,
    /// Compare every file with its record first, and rebuild damaged files, records and the manifest;
    /// by default of all tables in the database
    #[arg(long)]
    repair: bool,
}

/// How groups are claimed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Claiming {
    Auto,
    Locks,
    Leases,
}

impl Claiming {
    fn way(self) -> Option<ClaimWay> {
        match self {
            Claiming::Auto => None,
            Claiming::Locks => Some(ClaimWay::Locks),
            Claiming::Leases => Some(ClaimWay::Leases),
        }
    }
}

impl Args {
    /// Builds, then prints what was built.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.target.run(&self, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let Args {
            scope,
            threads,
            memory,
            plies,
            repair,
            ..
        } = self;
        let store = self.target.store(&game);
        let present = Present::in_store(&game, &store)?;
        // A repair restores the ranks that are recorded.
        let ranks_again = *repair && !self.draws.draws && present.has_draws(&store)?;
        let draws = self.draws.draws || ranks_again;
        let scores = match ranks_again {
            true => ChosenScores::Stored,
            false => self.draws.scores(&game)?,
        };
        let as_it_is = *repair && !present.in_order.is_empty();
        let plan = match &self.only {
            Some(table) => Plan::only(&game, &[game.parse_table(table)?]),
            None if *repair && !scope.is_chosen() => Plan::new(&game, &present.in_order),
            None => scope.plan(&game)?,
        };
        let plies = if as_it_is && !plies.is_chosen() {
            present.plies(&game)
        } else {
            plies.choice(&game)
        };
        let stopwatch = Stopwatch::start();
        // If nothing needs to be written, a read-only database will do.
        if !*repair && !self.draws.draws && present.has(&plan, plies) && is_read_only(&store) {
            writeln!(
                out,
                "{} in {}: nothing to build",
                counted(present.in_order.len() as u64, "table"),
                store.directory().display()
            )?;
            let threads = threads.count();
            return self.report(&game, &store, stopwatch.read(), threads);
        }
        std::fs::create_dir_all(store.directory())
            .with_context(|| format!("cannot create {}", store.directory().display()))?;
        let compact = self.compact || present.is_compact();
        check_room(&game, &store, &plan, plies, compact)?;

        let pool = threads.pool()?;
        let progress = ConsoleProgress::new(plan.positions());
        progress.stop_on_interrupt()?;
        let options = BuildOptions {
            memory: memory.map_or_else(|| enough_memory(&plan, plies), Size::bytes),
            plies,
            compact,
            claims: self.claims.way(),
            ..BuildOptions::default()
        };
        if let Some(line) = self.about_form(&game, &present) {
            progress.say(&line);
        }
        if *repair {
            endmill_solver::repair(&game, &store, &plan, &options, &progress, |_, error| {
                progress.say(&format!("{error}; it will be rebuilt"));
            })?;
        }
        let logged = LoggedProgress::start(
            &progress,
            &game,
            &store,
            &plan,
            plies,
            draws,
            pool.current_num_threads(),
        )?;
        let built = pool.install(|| {
            build(&game, &store, &plan, &options, &logged)?;
            match draws {
                true => build_draws(&game, &store, &plan, &scores, &options, &logged),
                false => Ok(()),
            }
        });
        logged.end(&built);
        built.map_err(|error| or_resume(solve_error(error, &game)))?;
        drop(progress);
        let usage = stopwatch.read();
        let tables = plan.groups.iter().map(|group| group.tables.len() as u64);
        writeln!(
            out,
            "{}, {} in {}: {:.1} s, {:.1} CPU seconds, {} of memory",
            counted(tables.sum::<u64>(), "table"),
            counted(plan.positions(), "position"),
            store.directory().display(),
            usage.wall_seconds,
            usage.cpu_seconds,
            HumanBytes(usage.peak_memory_bytes.unwrap_or(0)),
        )?;
        self.report(&game, &store, usage, pool.current_num_threads())
    }
}

impl Args {
    /// The message about tables whose form is not the requested one.
    fn about_form<G: Game>(&self, game: &G, present: &Present<G::Table>) -> Option<String> {
        let ruleset = quoted(&self.target.ruleset);
        let option = crate::db::option(&self.target.db);
        let convert = |form| format!("endmill convert {ruleset} --to {form}{option}");
        if present.is_compact() && !self.compact {
            let convert = convert("full");
            return Some(format!(
                "this database is compact, and so are additions; to store all plies: {convert}"
            ));
        }
        let full = present.full(game);
        (self.compact && full > 0).then(|| {
            let (full, convert) = (counted(full, "table"), convert("compact"));
            format!("{full} remain full; to make them compact: {convert}")
        })
    }

    /// Writes `--report`.
    fn report<G: Game>(
        &self,
        game: &G,
        store: &Store,
        usage: Usage,
        threads: usize,
    ) -> anyhow::Result<()> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        let mut report = collect(game, store)?;
        let runs = runs(store.directory());
        report.build = Some(BuildUsage::of_runs(&runs, usage, threads));
        std::fs::write(path, report.to_lines()?)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Whether a database is read-only: the lock file or the directory cannot be written.
fn is_read_only(store: &Store) -> bool {
    use endmill_dbformat::Error;
    let locked = |error: &Error| matches!(error, Error::Locked { .. });
    store.lock().is_err_and(|error| !locked(&error)) || is_write_protected(store.directory())
}

#[cfg(unix)]
fn is_write_protected(directory: &Path) -> bool {
    rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).is_err()
}

/// On other systems only the lock file is tested.
#[cfg(not(unix))]
fn is_write_protected(_: &Path) -> bool {
    false
}
