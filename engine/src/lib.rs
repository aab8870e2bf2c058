//! A small search engine for every game of [`endmill_games`], which plays by a database where one
//! covers the position.
//!
//! [`Engine::choose`] asks the database first (`knowledge`): if it knows the value of a position, the
//! turn comes from there, or only turns that keep the outcome are considered. The rest is alpha-beta
//! (`search`), deeper and deeper until the `budget` is spent, with a transposition table (`memory`)
//! and an `ordering` of turns learnt on the way. `points` is the internal scale, [`Score`] the public
//! one. Each game evaluates its positions: see [`endmill_games::Evaluate::evaluate`]. [`play`] lets
//! two engines play a game; [`protocol`] serves clients that speak UCI or Hub.
//!
//! Everything is deterministic unless time is limited. `docs/engine.md` describes the levels, their
//! measured strength, and the protocols.

#![forbid(unsafe_code)]

mod budget;
mod clock;
mod engine;
mod estimates;
mod knowledge;
mod level;
mod memory;
mod ordering;
mod points;
pub mod protocol;
mod referee;
mod score;
mod search;

pub use clock::{GameClock, TimeControl};
pub use engine::{Choice, Engine, Report};
pub use estimates::{ESTIMATE_NODES, add_estimates, estimate, opinion};
pub use knowledge::missing_tables;
pub use level::{Level, Limits, UnknownLevel};
pub use referee::{Played, Player, play};
pub use score::Score;
