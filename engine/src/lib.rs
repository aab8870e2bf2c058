//! A small search engine for every game of [`endmill_games`], which plays by a database where there is one.
//!
//! [`Engine::choose`] asks the database first (`knowledge`): where it knows the value of a position,
//! the turn comes from there, or the choice is narrowed to the turns that keep the outcome. What is
//! left is for the search: alpha-beta (`search`), deeper and deeper until the `budget` is spent, with
//! a `memory` of positions and an `ordering` of turns learnt on the way. `points` is the scale on
//! which positions are compared, [`Score`] what is told of it. The game itself says how good a
//! position looks: see [`endmill_games::Evaluate::evaluate`]. [`play`] lets two engines play a game.
//!
//! Everything is deterministic, unless time is limited. `docs/engine.md` has the levels, what they
//! were measured to be worth, and the line protocol of `endmill engine`.

#![forbid(unsafe_code)]

mod budget;
mod engine;
mod estimates;
mod knowledge;
mod level;
mod memory;
mod ordering;
mod points;
mod referee;
mod score;
mod search;

pub use engine::{Choice, Engine, Report};
pub use estimates::{ESTIMATE_NODES, add_estimates, estimate, opinion};
pub use level::{Level, Limits, UnknownLevel};
pub use referee::{Played, Player, play};
pub use score::Score;
