//! `endmill build`: solves tables and stores them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use dbformat::{Rules, Store};
use games::{Game, Ruleset, Visitor};
use solver::{BuildOptions, Plan, PlyChoice, build};

use crate::machine::{Stopwatch, usable_memory};
use crate::plies::PlyOptions;
use crate::scope::Scope;
use crate::size::Size;
use crate::stats::{BuildTaken, collect};
use crate::watch::Watch;

/// How much more than on average tables may take on disk.
const MARGIN: f64 = 1.3;

/// Working memory that no build should need more than, unless a single group does: more of it
/// would only spare reading some tables again.
const ENOUGH_MEMORY: u64 = 5 << 30;

/// Solve tables and store them in a database.
///
/// Finished tables are kept: the same command again goes on where it was stopped, however it was
/// stopped. Ctrl-C stops after the step at hand.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    #[command(flatten)]
    scope: Scope,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// Threads; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Working memory; beyond it scratch files in the database are used, which is slow. By default
    /// 5 GiB, or what the largest group takes, but at most three quarters of what is free
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// When done, write counts, sizes, times and the machine's name to this file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    plies: PlyOptions,
}

impl Args {
    /// Builds, then says what was built.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Build { args: &self, out })
    }
}

struct Build<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Build<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Args {
            scope,
            db,
            threads,
            memory,
            plies,
            ..
        } = self.args;
        let plan = scope.plan(&game)?;
        let store = Store::new(db, Rules::of(&game));
        std::fs::create_dir_all(store.directory())
            .with_context(|| format!("cannot make {}", store.directory().display()))?;
        let plies = plies.choice(&game);
        check_room(&game, &store, &plan, plies)?;

        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()?;
        let stopwatch = Stopwatch::start();
        let watch = Watch::new(plan.positions());
        let stop = watch.stop_switch();
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))?;
        let options = BuildOptions {
            memory: memory.map_or_else(|| enough_memory(&plan, plies), Size::bytes),
            plies,
        };
        pool.install(|| build(&game, &store, &plan, &options, &watch))?;
        let steps = watch.steps();
        drop(watch);
        let taken = stopwatch.read();
        writeln!(
            self.out,
            "{} tables, {} positions in {}: {:.1} s, {:.1} s of processors, {} of memory",
            plan.groups
                .iter()
                .map(|group| group.tables.len())
                .sum::<usize>(),
            plan.positions(),
            store.directory().display(),
            taken.wall_seconds,
            taken.cpu_seconds,
            Size::of(taken.peak_memory_bytes.unwrap_or(0)),
        )?;
        if let Some(path) = &self.args.report {
            let mut whole = collect(&game, &store)?;
            let threads = pool.current_num_threads();
            whole.build = Some(BuildTaken {
                taken,
                threads,
                steps,
            });
            std::fs::write(path, whole.to_lines()?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// As much memory as makes sense, if it is there.
fn enough_memory<T>(plan: &Plan<T>, plies: PlyChoice) -> u64 {
    let groups = plan.groups.iter().map(|group| plies.memory(group).all);
    let largest = groups.max().unwrap_or(0);
    usable_memory().min(largest.max(ENOUGH_MEMORY))
}

/// Whether the disk has room for what is not there yet.
fn check_room<G: Game>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    plies: PlyChoice,
) -> anyhow::Result<()> {
    let there: u64 = store.list()?.iter().filter_map(|file| file.bytes).sum();
    let needed = plan.cost(game, |group| plies.of(group)).bytes * MARGIN;
    let missing = (needed as u64).saturating_sub(there);
    let free = fs4::available_space(store.directory())?;
    if free < missing {
        bail!(
            "{} has {} free, but {} may be needed",
            store.directory().display(),
            Size::of(free),
            Size::of(missing)
        );
    }
    Ok(())
}
