//! What a build may take of the machine: memory by default, and room on the disk.

use endmill_dbformat::{Kind, Store};
use endmill_games::Features;

use crate::SolveError;
use crate::plan::{Plan, PlyChoice};

/// Working memory that no build should need more than, unless a single group does: more of it
/// would only spare reading some tables again.
const ENOUGH_MEMORY: u64 = 5 << 30;

/// How much more than on average tables may take on disk.
const MARGIN: f64 = 1.3;

/// As much memory as makes sense for a plan, if it is there.
pub fn enough_memory<T>(plan: &Plan<T>, plies: PlyChoice) -> u64 {
    let groups = plan.groups.iter().map(|group| plies.memory(group).all);
    let largest = groups.max().unwrap_or(0);
    usable_memory().min(largest.max(ENOUGH_MEMORY))
}

/// Three quarters of the memory that is free now; 4 GiB where the system does not say.
fn usable_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("MemAvailable"));
    let value = line.and_then(|line| line.split_once(':'));
    let kilobytes = value.and_then(|(_, value)| value.trim().strip_suffix("kB"));
    let kilobytes = kilobytes.and_then(|value| value.trim().parse::<u64>().ok());
    kilobytes.map_or(4 << 30, |kilobytes| (kilobytes << 10) / 4 * 3)
}

/// Whether a database leaves plies of some tables out; then what is added to it should too. A file
/// that cannot be read says nothing.
pub fn is_compact(store: &Store) -> Result<bool, SolveError> {
    let files = store.files()?;
    let mut outcomes = files.iter().filter(|(_, kind, _)| *kind == Kind::Outcomes);
    Ok(outcomes.any(|(table, ..)| store.leaves_plies_out(table).unwrap_or(false)))
}

/// Whether the disk has room for what is not there yet. The directory of the store must exist.
pub fn check_room<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    plies: PlyChoice,
    compact: bool,
) -> Result<(), SolveError> {
    let there: u64 = store.files()?.iter().map(|(.., bytes)| bytes).sum();
    let cost = plan.cost(game, |group, table| {
        plies.stores(game, group, table, compact)
    });
    let needed = cost.bytes * MARGIN;
    let missing = (needed as u64).saturating_sub(there);
    let directory = store.directory();
    let free = fs4::available_space(directory).map_err(|source| SolveError::Disk {
        directory: directory.into(),
        source,
    })?;
    if free < missing {
        return Err(SolveError::Room {
            directory: directory.into(),
            free,
            needed: missing,
        });
    }
    Ok(())
}
