//! The handle that C programs hold.

use endmill_probe::AnyDatabase;

/// A database that is open. One handle may be used by any number of threads at once; only closing
/// it needs that nobody else uses it any more.
pub struct Database(pub(crate) Box<dyn AnyDatabase>);
