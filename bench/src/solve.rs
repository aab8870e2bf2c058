//! Solving in memory, without storing.

use std::io;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::{Budget, Plan, PlannedGroup, Progress, SolveError, solve_plan};
use rayon::ThreadPool;
use serde::Serialize;

use crate::usage::{Stopwatch, Usage};

/// The time that a group took, or all groups.
#[derive(Serialize)]
pub struct GroupUsage {
    /// The tables of the group; none for all groups.
    pub tables: Vec<String>,
    /// Their positions.
    pub positions: u128,
    /// Wall-clock time.
    pub wall_seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: f64,
    /// Per second of wall-clock time.
    pub positions_per_second: f64,
}

impl GroupUsage {
    fn new(usage: &Usage, tables: Vec<String>, positions: u128) -> GroupUsage {
        GroupUsage {
            tables,
            positions,
            wall_seconds: usage.wall_seconds,
            cpu_seconds: usage.cpu_seconds,
            positions_per_second: positions as f64 / usage.wall_seconds,
        }
    }
}

/// What solving a plan took.
#[derive(Serialize)]
pub struct SolveReport {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The number of threads.
    pub threads: usize,
    /// Each group.
    pub groups: Vec<GroupUsage>,
    /// All groups.
    pub total: GroupUsage,
    /// The peak memory, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// The processors.
    pub machine: String,
}

/// Solves a plan, keeping only tables that are still needed. `each` is called after every group.
pub fn solve<G: Game + Layout>(
    game: &G,
    plan: &Plan<G::Table>,
    pool: &ThreadPool,
    mut each: impl FnMut(&GroupUsage) -> io::Result<()>,
) -> anyhow::Result<SolveReport> {
    let all = Stopwatch::start();
    let mut groups = Vec::new();
    let (sender, solved) = mpsc::channel();
    thread::scope(|scope| -> anyhow::Result<()> {
        let solving = scope.spawn(move || pool.install(|| solve_groups(game, plan, &sender)));
        for group in solved {
            each(&group)?;
            groups.push(group);
        }
        Ok(solving.join().expect("solving does not panic")?)
    })?;
    let usage = all.read();
    Ok(SolveReport {
        ruleset: game.description().id,
        threads: pool.current_num_threads(),
        groups,
        total: GroupUsage::new(&usage, Vec::new(), plan.positions()),
        peak_memory_bytes: usage.peak_memory_bytes,
        machine: usage.machine,
    })
}

/// Restarts with every group.
struct GroupStopwatch(Mutex<Stopwatch>);

impl Progress for GroupStopwatch {
    fn group(&self, _: &str, _: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Stopwatch::start();
    }
}

fn solve_groups<G: Layout>(
    game: &G,
    plan: &Plan<G::Table>,
    sender: &mpsc::Sender<GroupUsage>,
) -> Result<(), SolveError> {
    let stopwatch = GroupStopwatch(Mutex::new(Stopwatch::start()));
    let solved = |group: &PlannedGroup<G::Table>, _: &_| {
        let stopwatch = stopwatch.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names = group.tables.iter().map(|(table, _)| table.to_string());
        let positions = u128::from(group.positions());
        let usage = GroupUsage::new(&stopwatch.read(), names.collect(), positions);
        // Fails only after an error of the output.
        let _ = sender.send(usage);
    };
    solve_plan(game, plan, &Budget::unlimited(), &stopwatch, solved)
}
