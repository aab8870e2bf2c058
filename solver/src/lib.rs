//! Retrograde analysis over any game.
//!
//! A table takes this way: `plan` puts its group in order, `load` reads the tables that the group
//! depends on, `retrograde` solves it, `save` writes the files, and
//! `verify` proves them from the forward rules. `build` does all but the last for a whole plan.

mod build;
mod counts;
mod flags;
mod load;
mod nodes;
mod numbered;
mod plan;
mod retrograde;
mod room;
mod sample;
mod save;
mod shelf;
mod state;
mod verify;

use std::io;

pub use build::{BuildOptions, BuildProgress, build, group_name};
pub use nodes::Nodes;
pub use plan::{Memory, Plan, PlannedGroup, PlyChoice};
pub use retrograde::solve;
pub use room::Room;
pub use sample::Sample;
pub use shelf::Shelf;
use thiserror::Error;
pub use verify::{Mismatch, Proof, Verifier};

/// What can go wrong while solving.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Working memory could not be had.
    #[error("no working memory: {0}")]
    Memory(#[from] io::Error),
    /// A node does not fit the two bytes it has.
    #[error(
        "a position has too many turns or too long a loss outside its table (more than {} plies)",
        state::LONGEST_OUTSIDE_LOSS
    )]
    TooDeep,
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] dbformat::Error),
    /// What was solved does not follow from the rules: an error of this program.
    #[error("the solution is wrong: {0}")]
    Wrong(Mismatch),
    /// The build was asked to stop.
    #[error("stopped; the same command goes on from here")]
    Stopped,
}

/// Is told how far a group has got.
pub trait Progress: Sync {
    /// Propagation has reached a ply.
    fn at_ply(&self, ply: u16);

    /// Propagation of a group that has several parts has reached a layer.
    fn at_layer(&self, _layer: usize, _layers: usize) {}

    /// Whether to give up.
    fn stopped(&self) -> bool {
        false
    }
}

/// For work that nobody watches.
impl Progress for () {
    fn at_ply(&self, _: u16) {}
}
