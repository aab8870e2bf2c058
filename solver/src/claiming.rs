//! Claims on groups: how processes that build one database share the work.

use std::thread;
use std::time::Duration;

use endmill_dbformat::{Claim, ClaimWay, Claims, HeldClaim, Lock, Store};

use crate::plan::PlannedGroup;
use crate::{Progress, SolveError};

/// How long to wait for another process that writes the manifest.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait before looking again for what others have built.
const PAUSE: Duration = Duration::from_millis(250);

/// The claims that a builder makes: in a given way, or in one that works in the directory.
pub(crate) fn claims_of(
    store: &Store,
    way: Option<ClaimWay>,
    progress: &impl Progress,
) -> Result<Claims, SolveError> {
    if let Some(way) = way {
        return Ok(Claims::made_by(store.directory(), way));
    }
    let claims = store.claims()?;
    progress.claims(claims.way());
    Ok(claims)
}

/// Claims a group, unless another process has claimed it or the whole database.
pub(crate) fn claim<T: std::fmt::Display>(
    store: &Store,
    claims: &Claims,
    group: &PlannedGroup<T>,
    holder: &str,
) -> Result<Option<Claim>, SolveError> {
    let Some(claim) = claims.take(&group.tables[0].0.to_string(), holder)? else {
        return Ok(None);
    };
    // Looked up after the claim is made: of two processes that claim at once one finds the other.
    let held = Claims::held_in(store.directory())?;
    let is_free = held.iter().all(|claim| claim.group != Claims::WHOLE);
    Ok(is_free.then_some(claim))
}

/// Waits a moment for another process that has claimed one of these tables, or whatever else is in
/// the way. Returns its claim.
pub(crate) fn wait_for<T: std::fmt::Display>(
    store: &Store,
    tables: impl Iterator<Item = T>,
) -> Result<Option<HeldClaim>, SolveError> {
    let mut held = Claims::held_in(store.directory())?;
    let mut names = tables.map(|table| table.to_string());
    let found = names.find_map(|name| held.iter().position(|claim| claim.group == name));
    thread::sleep(PAUSE);
    // None is left if another process has just finished.
    let in_the_way = found.unwrap_or(0);
    Ok((in_the_way < held.len()).then(|| held.swap_remove(in_the_way)))
}

/// Derives the manifest from the records, as soon as no other process does so.
pub fn seal(store: &Store) -> Result<(), SolveError> {
    let lock = Lock::acquire_within(store.directory(), PATIENCE, || ())?;
    store.seal(&lock)?;
    Ok(())
}
