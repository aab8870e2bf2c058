//! What a build would do: the tables, their order, and what that takes. Filled in by whoever has a
//! solver.

use serde::Serialize;

/// The tables of a build, in the order in which they are solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanAnswer {
    /// The id.
    pub ruleset: String,
    /// The tables.
    pub tables: Vec<PlannedTable>,
    /// All together.
    pub total: PlanTotal,
}

/// A table that would be built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedTable {
    /// Its name.
    pub table: String,
    /// Its size, symmetric positions counted once.
    pub positions: u64,
    /// The number of its group: what is solved together has the same.
    pub group: usize,
    /// The tables that must be there before.
    pub depends_on: Vec<String>,
    /// The most memory that a build of its group alone takes at once.
    pub memory_bytes: u64,
    /// About what its files will take.
    pub disk_bytes: u64,
    /// About how long one processor will take for it.
    pub cpu_seconds: f64,
}

/// What a build takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlanTotal {
    /// Tables.
    pub tables: usize,
    /// Groups.
    pub groups: usize,
    /// Positions of all tables.
    pub positions: u128,
    /// The most memory that the build takes at once.
    pub peak_memory_bytes: u64,
    /// About what the files will take.
    pub disk_bytes: u64,
    /// About how long one processor will take.
    pub cpu_seconds: f64,
    /// The threads that were asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// About how long they will take by the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
}
