//! `endmill build`: solves tables and stores them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use dbformat::{Rules, Store};
use games::{Game, Ruleset, Visitor};
use solver::{BuildOptions, build};

use crate::machine::{Stopwatch, usable_memory};
use crate::scope::Scope;
use crate::size::Size;
use crate::stats::{BuildTaken, collect};
use crate::watch::Watch;

/// Bytes on disk for each position, to see beforehand whether there is room: more than any table
/// has taken.
const BYTES_PER_POSITION: f64 = 0.6;

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
    /// three quarters of what is free
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// When done, write counts, sizes, times and the machine's name to this file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Store outcomes only
    #[arg(long)]
    no_plies: bool,
    /// Store plies of positions with men in hand too
    #[arg(long, conflicts_with = "no_plies")]
    placing_plies: bool,
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
            ..
        } = self.args;
        let plan = scope.plan(&game)?;
        let store = Store::new(db, Rules::of(&game));
        std::fs::create_dir_all(store.directory())
            .with_context(|| format!("cannot make {}", store.directory().display()))?;
        check_room(&store, plan.positions())?;

        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()?;
        let stopwatch = Stopwatch::start();
        let watch = Watch::new(plan.positions());
        let stop = watch.stop_switch();
        ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))?;
        let options = BuildOptions {
            memory: memory.map_or_else(usable_memory, Size::bytes),
            plies: !no_plies,
            sweep_plies: *placing_plies,
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

/// Whether the disk has room for what is not there yet.
fn check_room(store: &Store, positions: u64) -> anyhow::Result<()> {
    let there: u64 = store.list()?.iter().filter_map(|file| file.bytes).sum();
    let needed = (positions as f64 * BYTES_PER_POSITION) as u64;
    let missing = needed.saturating_sub(there);
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
