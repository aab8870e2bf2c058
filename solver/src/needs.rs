//! What a build needs of the machine: its default memory, and room on the disk.

use std::collections::BTreeSet;

use endmill_dbformat::{Kind, Store};
use endmill_games::Features;

use crate::SolveError;
use crate::build::BuildOptions;
use crate::free_memory::free_memory;
use crate::plan::{Plan, PlannedGroup, PlyChoice};

/// Working memory that is enough for any build, unless a single group needs more: beyond it, memory
/// would only save reading some tables again.
const ENOUGH_MEMORY: u64 = 5 << 30;

/// By how much tables on disk may exceed the average.
const MARGIN: f64 = 1.3;

/// Returns the memory that suits a plan, as far as it is free.
pub fn enough_memory<T>(plan: &Plan<T>, plies: PlyChoice) -> u64 {
    usable_memory().min(wanted_memory(plan, plies))
}

/// Returns the memory that suits a plan, however much is free.
pub fn wanted_memory<T>(plan: &Plan<T>, plies: PlyChoice) -> u64 {
    let groups = plan.groups.iter().map(|group| plies.memory(group).all);
    let largest = groups.max().unwrap_or(0);
    largest.max(ENOUGH_MEMORY)
}

/// Three quarters of the memory that is free for this process now; 4 GiB if the system does not report
/// it.
fn usable_memory() -> u64 {
    free_memory().map_or(4 << 30, |free| free / 4 * 3)
}

/// Returns true if a database leaves the plies of some tables out; then tables that are added to it
/// should, too. Files that cannot be read do not count.
pub fn is_compact(store: &Store) -> Result<bool, SolveError> {
    let files = store.files()?;
    let mut outcomes = files.iter().filter(|(_, kind, _)| *kind == Kind::Outcomes);
    Ok(outcomes.any(|(table, ..)| store.leaves_plies_out(table).unwrap_or(false)))
}

/// Checks that the disk has room for the missing tables of a plan. The directory of the store must
/// exist.
pub fn check_room<G: Features>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    plies: PlyChoice,
    compact: bool,
) -> Result<(), SolveError> {
    let own = plan.groups.iter().flat_map(|group| &group.tables);
    let own: BTreeSet<String> = own.map(|(table, _)| table.to_string()).collect();
    let files = store.files()?;
    let there = files.iter().filter(|(table, ..)| own.contains(table));
    let there: u64 = there.map(|(.., bytes)| bytes).sum();
    let cost = plan.cost(game, |group, table| {
        plies.stores(game, group, table, compact)
    });
    let needed = cost.bytes * MARGIN;
    has_room(store, (needed as u64).saturating_sub(there))
}

/// Checks that the disk has room for a group now: others may have written since the build began.
pub(crate) fn check_room_for<G: Features>(
    game: &G,
    store: &Store,
    group: &PlannedGroup<G::Table>,
    options: &BuildOptions,
) -> Result<(), SolveError> {
    let BuildOptions { plies, compact, .. } = options;
    let cost = group.cost(game, |table| plies.stores(game, group, table, *compact));
    has_room(store, (cost.bytes * MARGIN) as u64)
}

fn has_room(store: &Store, missing: u64) -> Result<(), SolveError> {
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
