//! `endmill build`: solves tables and stores them.

mod log;
mod present;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use endmill_dbformat::{ClaimWay, Rules, Store};
use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_solver::{BuildOptions, Plan, SolveError, build, check_room, enough_memory};
use indicatif::HumanBytes;

use self::log::Logged;
pub use self::log::{Run, runs};
use self::present::Present;
use crate::db::Missing;
use crate::drawing::counted;
use crate::machine::{self, Stopwatch, Taken};
use crate::mend::{or_mend, quoted};
use crate::plies::PlyOptions;
use crate::scope::Scope;
use crate::size::Size;
use crate::stats::{BuildTaken, collect};
use crate::watch::Watch;

/// Solve tables and store them in a database.
///
/// Finished tables are kept: the same command again goes on where it was stopped, however it was
/// stopped. Ctrl-C stops after the step at hand, with exit status 130. A file of the right size
/// counts as finished; if one is damaged, --repair finds and mends it.
///
/// The same command may run several times at once, on one machine or on several with a common file
/// system: each takes groups of tables that no other has claimed. `endmill status` tells how far
/// they are.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    /// Only the group of this table, e.g. 5v4; the tables that it leads to must be there
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["pieces", "men", "tables", "repair"])]
    only: Option<String>,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = crate::machine::threads)]
    threads: Option<usize>,
    /// Working memory; a group that takes more is solved in scratch files in the database, which takes
    /// longer. By default 5 GiB, or what the largest group takes, but at most three quarters of what
    /// the machine, or the control group of a container or batch job, has free. A number and K, M, G or T, e.g. 4G; at least 1M
    #[arg(long, value_name = "SIZE", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// When done, write counts, sizes, times and the machine's name to this file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    plies: PlyOptions,
    /// Leave out plies that follow from other tables one turn ahead: nine men's morris takes 4.3 GB
    /// instead of 7.3, and answers the same, but asking for these plies takes longer. A database
    /// that is compact stays so unasked; `endmill convert` makes either of the other
    #[arg(long, conflicts_with = "no_plies")]
    compact: bool,
    /// How builders tell each other what they are at: by locks of the operating system, or, where
    /// the file system has none that work between machines, by leases that expire a minute after
    /// their holder is gone. By default what works when it is tried
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Claiming::Auto)]
    claims: Claiming,
    /// Compare every file with its record first, and build again what differs; a damaged record or
    /// manifest is made anew. Unless tables are chosen, those that are there
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
    /// Builds, then says what was built.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let done = endmill_layout::visit(Ruleset::open(&self.ruleset)?, Build { args: &self, out });
        or_mend(done, &self.ruleset, &self.db)
    }
}

struct Build<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Build<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let Args {
            scope,
            db,
            threads,
            memory,
            plies,
            repair,
            ..
        } = self.args;
        let store = Store::new(db, Rules::of(&game));
        let there = Present::in_store(&game, &store)?;
        let as_it_is = *repair && !there.in_order.is_empty();
        let plan = match &self.args.only {
            Some(table) => Plan::only(&game, &[game.parse_table(table)?]),
            None if *repair && !scope.is_chosen() => Plan::new(&game, &there.in_order),
            None => scope.plan(&game)?,
        };
        let plies = if as_it_is && !plies.is_chosen() {
            there.plies(&game)
        } else {
            plies.choice(&game)
        };
        let stopwatch = Stopwatch::start();
        // Where nothing is to be written, a database that cannot be written to is as good.
        if !*repair && there.has(&plan, plies) && is_closed(&store) {
            writeln!(
                self.out,
                "{} in {}: all is there",
                counted(there.in_order.len() as u64, "table"),
                store.directory().display()
            )?;
            let threads = threads.unwrap_or_else(machine::processors);
            return self.args.report(&game, &store, stopwatch.read(), threads);
        }
        std::fs::create_dir_all(store.directory())
            .with_context(|| format!("cannot make {}", store.directory().display()))?;
        let compact = self.args.compact || there.is_compact();
        check_room(&game, &store, &plan, plies, compact)?;

        let pool = machine::pool(*threads)?;
        let watch = Watch::new(plan.positions());
        watch.heed_interrupts()?;
        let options = BuildOptions {
            memory: memory.map_or_else(|| enough_memory(&plan, plies), Size::bytes),
            plies,
            compact,
            claims: self.args.claims.way(),
            ..BuildOptions::default()
        };
        if let Some(line) = self.args.about_form(&game, &there) {
            watch.say(&line);
        }
        if *repair {
            endmill_solver::repair(&game, &store, &plan, &options, &watch, |path, error| {
                watch.say(&told(path, error));
            })?;
        }
        let logged = Logged::start(
            &watch,
            &game,
            &store,
            &plan,
            plies,
            pool.current_num_threads(),
        )?;
        let built = pool.install(|| build(&game, &store, &plan, &options, &logged));
        logged.end(&built);
        built.map_err(|error| match error {
            SolveError::Wrong(mismatch) => {
                anyhow::anyhow!("the solution is wrong: {}", mismatch.describe(&game))
            }
            SolveError::Stopped => {
                anyhow::Error::from(error).context("the same command goes on from here")
            }
            SolveError::Dependencies { .. } => Missing(error.to_string()).into(),
            other => other.into(),
        })?;
        drop(watch);
        let taken = stopwatch.read();
        writeln!(
            self.out,
            "{}, {} in {}: {:.1} s, {:.1} CPU seconds, {} of memory",
            counted(
                plan.groups
                    .iter()
                    .map(|group| group.tables.len() as u64)
                    .sum::<u64>(),
                "table"
            ),
            counted(plan.positions(), "position"),
            store.directory().display(),
            taken.wall_seconds,
            taken.cpu_seconds,
            HumanBytes(taken.peak_memory_bytes.unwrap_or(0)),
        )?;
        let threads = pool.current_num_threads();
        self.args.report(&game, &store, taken, threads)
    }
}

impl Args {
    /// What is said if some tables are there in another form than was asked for.
    fn about_form<G: Game>(&self, game: &G, there: &Present<G::Table>) -> Option<String> {
        let ruleset = quoted(&self.ruleset);
        let option = crate::db::option(&self.db);
        let convert = |form| format!("endmill convert {ruleset} --to {form}{option}");
        if there.is_compact() && !self.compact {
            let convert = convert("full");
            return Some(format!(
                "this database is compact, and what is added will be; to store all plies: {convert}"
            ));
        }
        let full = there.full(game);
        (self.compact && full > 0).then(|| {
            let (full, convert) = (counted(full, "table"), convert("compact"));
            format!("{full} built before stay full; to make them compact: {convert}")
        })
    }

    /// Writes `--report`.
    fn report<G: Game>(
        &self,
        game: &G,
        store: &Store,
        taken: Taken,
        threads: usize,
    ) -> anyhow::Result<()> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        let mut whole = collect(game, store)?;
        let runs = runs(store.directory());
        whole.build = Some(BuildTaken::of_runs(&runs, taken, threads));
        std::fs::write(path, whole.to_lines()?)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Whether a database cannot be written to: neither the lock, nor anything new beside it.
fn is_closed(store: &Store) -> bool {
    use endmill_dbformat::Error;
    let locked = |error: &Error| matches!(error, Error::Locked { .. });
    store.lock().is_err_and(|error| !locked(&error)) || is_write_protected(store.directory())
}

#[cfg(unix)]
fn is_write_protected(directory: &Path) -> bool {
    rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).is_err()
}

/// Elsewhere only the lock can tell.
#[cfg(not(unix))]
fn is_write_protected(_: &Path) -> bool {
    false
}

/// What `--repair` says of a file that is not as it was written.
fn told(path: &Path, error: &endmill_dbformat::Error) -> String {
    let manifest = path.extension().is_some_and(|end| end == "json");
    let then = if manifest {
        "it is made anew"
    } else {
        "it is built again"
    };
    format!("{error}; {then}")
}
