//! The handle that C programs hold.

use endmill_probe::AnyDatabase;

/// An open database. Any number of threads may share a handle, but no other thread may use it while
/// it is closed, or afterwards.
pub struct Database(pub(crate) Box<dyn AnyDatabase>);
