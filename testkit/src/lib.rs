//! Small databases for the tests of all crates. Only ever a dev-dependency.
//!
//! | a test needs | and uses |
//! |---|---|
//! | a database that the solver built | [`build`], [`Built`] |
//! | values that share no code with the solver | [`SlowSolution`] |
//! | ranks of draws that share no code with it | [`SlowRanks`] |
//! | one table with chosen values, true or forged | [`Sample`] |
//! | the same database opened in several ways | [`all_ways`] |
//! | the promises of a game without notation | [`example`] |
//! | something that this machine lacks | [`skip`] |

mod built;
pub mod example;
mod opened;
mod sample;
mod skip;
mod slow;
mod slow_ranks;

use endmill_games::morris::{Morris, RULESETS};

pub use built::{Built, build, plies};
pub use opened::{MAPPED, all_ways, frugal, table_bytes, table_files};
pub use sample::{Sample, made_up_features, statistics};
pub use skip::skip;
pub use slow::SlowSolution;
pub use slow_ranks::{SlowRank, SlowRanks};

/// A built-in ruleset of morris.
pub fn morris(id: &str) -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == id).unwrap())
}
