//! A small search engine for every game of [`games`], which plays by a database where there is one.

mod engine;
mod level;
mod score;

pub use engine::{Choice, Engine, Report};
pub use level::{Level, Limits, UnknownLevel};
pub use score::Score;
