//! The tables that are resident, as a schedule sees them.

use crate::SolveError;
use crate::budget::Budget;
use crate::held::Form;

/// When a table is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NextUse {
    /// It must stay.
    Now,
    /// By the group of this number.
    Group(usize),
    /// By none.
    Never,
}

/// Tables in memory: solved ones, or, to forecast a build, only their sizes.
pub trait Residency<T: Copy + Ord> {
    /// The tables that are resident.
    fn tables(&self) -> Vec<T>;

    /// The bytes of memory that the resident ones of some tables take.
    fn bytes_of(&self, tables: &[T]) -> u64;

    /// The bytes of memory that all tables take.
    fn bytes(&self) -> u64;

    /// Returns true if a table is resident in a form or a greater one.
    fn has(&self, table: T, form: Form) -> bool;

    /// Returns true if a table is in a packed scratch file in a form or a greater one.
    fn is_spilled(&self, table: T, form: Form) -> bool;

    /// Brings a table back that [is spilled](Residency::is_spilled). Returns true if it is resident
    /// now.
    fn restore(&mut self, table: T, form: Form, budget: &Budget) -> Result<bool, SolveError>;

    /// Packs a table into a smaller form, if it is resident in a greater one. Plies that do not fit a
    /// byte are not packed into bytes.
    fn reduce(&mut self, table: T, form: Form, budget: &Budget) -> Result<(), SolveError>;

    /// Forgets every table that does not satisfy a condition.
    fn keep(&mut self, wanted: impl Fn(T) -> bool);

    /// Takes a table out of memory, to a packed scratch file if it is needed again and there is room
    /// for one.
    fn evict(&mut self, table: T, is_needed: bool, budget: &Budget);

    /// Moves tables to mapped scratch files, except for those that take little of the budget: memory
    /// is about to be short.
    fn leave_memory(&mut self, budget: &Budget) -> Result<(), SolveError>;

    /// Evicts tables until no more than the given bytes are left: those that are needed last go first.
    fn shrink(&mut self, bytes: u64, budget: &Budget, next_use: impl Fn(T) -> NextUse) {
        let tables = self.tables().into_iter();
        let tables = tables.map(|table| (next_use(table), table));
        let mut tables: Vec<(NextUse, T)> =
            tables.filter(|(next, _)| *next != NextUse::Now).collect();
        tables.sort();
        let mut left = self.bytes();
        while left > bytes
            && let Some((next, table)) = tables.pop()
        {
            left -= self.bytes_of(&[table]);
            self.evict(table, next != NextUse::Never, budget);
        }
    }
}
