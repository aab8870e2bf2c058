//! Retrograde analysis over any game.
//!
//! How a table flows through the code: `plan` orders the groups; `schedule` keeps the tables that a
//! group leads to resident (`load` reads them, `derive` computes plies that are left out);
//! `retrograde` solves the group, `codecs` chooses how its tables are coded, and `save` writes the
//! files, while the next group is solved if memory allows.
//!
//! Afterwards `verify` compares every value with its successors, by `rows` or, in `proof`, by the
//! plain rules alone; `repair` finds what must be built again; `convert` turns a full database into a
//! compact one and back.

mod budget;
mod build;
mod chunks;
mod claiming;
mod codecs;
mod convert;
mod counts;
mod derive;
mod draws;
mod expand;
mod forecast;
mod free_memory;
mod held;
mod inventory;
mod load;
mod memory;
mod mismatch;
mod needs;
mod nodes;
mod numbered;
mod order;
mod places;
mod plan;
mod proof;
mod prover;
mod reader;
mod repair;
mod resident;
mod retrograde;
mod rows;
mod sample;
mod save;
mod schedule;
mod scope;
mod solved_group;
mod solving;
mod spill;
mod storing;
mod verify;
mod verify_state;

use std::io;
use std::path::PathBuf;

pub use budget::Budget;
pub use build::{BuildOptions, build};
pub use claiming::seal;
pub use codecs::learning_seconds;
pub use convert::{Converted, DatabaseForm, convert};
pub use draws::{
    ChosenScores, ScoreError, VerifiedDraws, build_draws, draw_cost, ranks_of, verify_draws,
};
use endmill_dbformat::{ClaimWay, Statistics};
pub use endmill_games::value::Misfit;
pub use forecast::{Forecast, Means};
pub use held::Form;
pub use mismatch::Mismatch;
pub use needs::{check_room, enough_memory, is_compact, wanted_memory};
pub use nodes::Nodes;
pub use plan::{Memory, Plan, PlannedGroup, PlyChoice};
pub use proof::time_by_turns;
pub use repair::repair;
pub use resident::Resident;
pub use retrograde::solve;
pub use sample::{Known, Sample};
pub use schedule::{Decision, NextUse, PendingSave, Residency, Schedule, Source, Visitor, Way};
pub use scope::{Scope, ScopeError};
pub use solving::solve_plan;
pub use storing::copy_table;
use thiserror::Error;
pub use verify::{Verified, VerifyLevel, prove, verify};

/// What can go wrong while solving.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The system refused working memory.
    #[error("no working memory: {0}")]
    Memory(#[from] io::Error),
    /// Memory was short, and the disk has no room for a scratch file.
    #[error("{}: no scratch file of {bytes} bytes: {source}", .directory.display())]
    Scratch {
        /// The directory for the file.
        directory: PathBuf,
        /// The length of the file.
        bytes: u64,
        /// The error of the system.
        source: io::Error,
    },
    /// The directory of the database cannot be created, or the free space of its disk is unknown.
    #[error("{}: {source}", .directory.display())]
    Disk {
        /// The directory of the database.
        directory: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The disk has too little room for the tables.
    #[error(
        "{} has {} MiB free, but {} may be needed",
        .directory.display(), .free >> 20, .needed >> 20
    )]
    Room {
        /// The directory of the database.
        directory: PathBuf,
        /// Bytes that are free.
        free: u64,
        /// Bytes that may be needed.
        needed: u64,
    },
    /// The database was removed, moved or unmounted during the build.
    #[error(
        "{} disappeared during the build; restore it and rerun the command to resume",
        .directory.display()
    )]
    Vanished {
        /// The directory of the database.
        directory: PathBuf,
    },
    /// A position of a group does not fit its two bytes while the group is solved.
    #[error("{group} cannot be solved: {misfit}")]
    Misfit {
        /// The names of its tables.
        group: String,
        /// Which limit it exceeds.
        misfit: Misfit,
    },
    /// A position whose plies are derived has more than fit.
    #[error("{}", Misfit::Plies)]
    TooDeep,
    /// A table has too many positions for any machine.
    #[error("{table} is too large to be solved")]
    TooLarge {
        /// The first such table of the plan.
        table: String,
    },
    /// Tables that a group leads to must be built first.
    #[error("{}: {group} needs tables that are missing: {}", .directory.display(), .missing.join(", "))]
    Dependencies {
        /// The names of its tables.
        group: String,
        /// The directory of the ruleset's tables.
        directory: PathBuf,
        /// The names of the missing tables.
        missing: Vec<String>,
    },
    /// Plies would be computed from a table whose plies are unknown: a bug.
    #[error("{table} needs the plies of {without}, which are unknown: this is a bug")]
    WithoutPlies {
        /// The table that was to be solved, read or derived.
        table: String,
        /// The table whose plies are unknown.
        without: String,
    },
    /// Draws cannot be ranked.
    #[error(transparent)]
    Scores(#[from] ScoreError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] endmill_dbformat::Error),
    /// What was solved does not follow from the rules: a bug.
    #[error("the solution is wrong: {0}")]
    Wrong(Mismatch),
    /// A stored table contradicts the turns of its positions.
    #[error("{0}")]
    Differs(Mismatch),
    /// The work was stopped on request.
    #[error("stopped")]
    Stopped,
}

impl SolveError {
    /// Plies of `table` would be computed from those of `without`, which are unknown.
    fn without_plies<T: std::fmt::Display>(table: T, without: T) -> SolveError {
        SolveError::WithoutPlies {
            table: table.to_string(),
            without: without.to_string(),
        }
    }
}

/// Receives the progress of the work. Use `()` to ignore it.
pub trait Progress: Sync {
    /// The work on a group begins.
    fn group(&self, _name: &str, _positions: u64) {}

    /// The work on the group has reached a phase.
    fn phase(&self, _phase: &str) {}

    /// Propagation has reached a ply.
    fn at_ply(&self, _ply: u16) {}

    /// Propagation of a group that has several parts has reached a layer.
    fn at_layer(&self, _layer: usize, _layers: usize) {}

    /// A group was found finished.
    fn skipped(&self, _name: &str, _positions: u64) {}

    /// A table was stored.
    fn stored(&self, _table: &str, _statistics: &Statistics) {}

    /// More positions were derived by turns.
    fn derived(&self, _positions: u64) {}

    /// A group was verified, with the positions that have not been reported as derived.
    fn verified(&self, _name: &str, _positions: u64, _level: VerifyLevel) {}

    /// A solved group is being stored while the next one is solved; the phases are those of the next.
    fn storing_beside(&self, _group: &str) {}

    /// All tables of a group are stored.
    fn finished(&self, _name: &str) {}

    /// How builders coordinate in this directory; found out by trying.
    fn claims(&self, _way: ClaimWay) {}

    /// All remaining groups wait for a table that another process builds.
    fn waiting(&self, _table: &str, _holder: &str) {}

    /// Returns true if the work should stop.
    fn stopped(&self) -> bool {
        false
    }
}

impl Progress for () {}
