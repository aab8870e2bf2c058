//! The plan of a build: the tables, their order, and the cost. Programs with a solver fill it in.

use serde::Serialize;

/// The tables of a build, in the order in which they are solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanAnswer {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The tables.
    pub tables: Vec<PlannedTable>,
    /// The totals.
    pub total: PlanTotal,
}

/// A table that would be built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedTable {
    /// Its name.
    pub table: String,
    /// Its number of positions; symmetric positions count once.
    pub positions: u64,
    /// The number of its group. The tables of a group are solved together.
    pub group: usize,
    /// The tables that must be built first.
    pub depends_on: Vec<String>,
    /// The peak memory of a build of its group alone.
    pub memory_bytes: u64,
    /// The estimated size of its files.
    pub disk_bytes: u64,
    /// The estimated time on one processor.
    pub cpu_seconds: f64,
}

/// The cost of a build.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlanTotal {
    /// The number of tables.
    pub tables: usize,
    /// The number of groups.
    pub groups: usize,
    /// The number of positions.
    pub positions: u128,
    /// The peak memory of the build.
    pub peak_memory_bytes: u64,
    /// The estimated size of the files.
    pub disk_bytes: u64,
    /// The estimated time on one processor.
    pub cpu_seconds: f64,
    /// The number of threads, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The estimated wall-clock time with these threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
}
