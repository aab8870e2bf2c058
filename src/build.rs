//! `endmill build`: solves tables and stores them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use dbformat::{Rules, Store};
use games::{Game, Ruleset, Visitor};
use solver::{BuildOptions, Plan, build};

use crate::machine::{Stopwatch, usable_memory};
use crate::scope::Scope;
use crate::size::Size;
use crate::stats::{BuildTaken, collect};
use crate::watch::Watch;

/// Bytes on disk for each position, to see beforehand whether there is room: more than any table
/// has taken.
const BYTES_PER_POSITION: f64 = 0.6;
/// The same for outcomes alone.
const BYTES_PER_OUTCOME: f64 = 0.15;

/// Up to so many positions with men in hand their plies are stored unasked: all of nine men's
/// morris, which stays below 8 GB with them.
const FEW_PLACINGS: u64 = 20_000_000_000;

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
    /// Store outcomes only
    #[arg(long)]
    no_plies: bool,
    /// Store plies of positions with men in hand too; without being asked only games do that have
    /// at most 20 billion such positions, all but twelve men's morris
    #[arg(long, conflicts_with = "no_plies")]
    placing_plies: bool,
    /// Store only outcomes of positions with men in hand
    #[arg(long, conflicts_with = "placing_plies")]
    no_placing_plies: bool,
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
            no_plies,
            placing_plies,
            no_placing_plies,
            ..
        } = self.args;
        let plan = scope.plan(&game)?;
        let store = Store::new(db, Rules::of(&game));
        std::fs::create_dir_all(store.directory())
            .with_context(|| format!("cannot make {}", store.directory().display()))?;
        let sweep_plies = *placing_plies || (!no_placing_plies && has_few_placings(&game));
        check_room(&store, &plan, !no_plies && sweep_plies)?;

        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()?;
        let stopwatch = Stopwatch::start();
        let watch = Watch::new(plan.positions());
        let stop = watch.stop_switch();
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))?;
        let options = BuildOptions {
            memory: memory.map_or_else(|| enough_memory(&plan, sweep_plies), Size::bytes),
            plies: !no_plies,
            sweep_plies,
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
            let json = serde_json::to_string_pretty(&whole)? + "\n";
            std::fs::write(path, json)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// Whether the plies of all positions with men in hand are stored unasked. A matter of the ruleset,
/// not of the tables asked for, so that every build of a table gives the same files.
fn has_few_placings<G: Game>(game: &G) -> bool {
    let tables = game.tables(None).into_iter();
    let swept = tables.filter(|&table| !game.has_inside_turns(table));
    swept.map(|table| game.size(table)).sum::<u64>() <= FEW_PLACINGS
}

/// As much memory as makes sense, if it is there.
fn enough_memory<T>(plan: &Plan<T>, sweep_plies: bool) -> u64 {
    let groups = plan.groups.iter().map(|group| {
        if sweep_plies {
            group.memory_with_plies
        } else {
            group.memory
        }
    });
    let largest = groups.max().unwrap_or(0);
    usable_memory().min(largest.max(ENOUGH_MEMORY))
}

/// Whether the disk has room for what is not there yet.
fn check_room<T>(store: &Store, plan: &Plan<T>, sweep_plies: bool) -> anyhow::Result<()> {
    let there: u64 = store.list()?.iter().filter_map(|file| file.bytes).sum();
    let needed = plan.groups.iter().map(|group| {
        let bytes = if group.sweeps && !sweep_plies {
            BYTES_PER_OUTCOME
        } else {
            BYTES_PER_POSITION
        };
        group.positions() as f64 * bytes
    });
    let missing = (needed.sum::<f64>() as u64).saturating_sub(there);
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
