//! The server of Endmill: probes, reviews, puzzles and pictures over HTTP, games by link, and the
//! page that shows them.
//!
//! A request comes in through [`serving`](Server), passes the `gate` (limits, headers, metrics)
//! and reaches a handler in `routes`. That reads it (`extract`), hands the work to the threads of
//! `answering`, where equal questions are worked on once, and sends what comes back (`respond`).
//! What is answered are the types of `probe`; `rulesets` holds the databases, with the engine for
//! positions that no table knows. Games by link are refereed in [`referee`], which touches nothing
//! outside itself, and kept in `club`, where every event is on the disk before anybody hears of it.
//!
//! Nothing here builds tables: the program hands [`Server::run`] a closure that does, and that
//! tells of its progress through [`Builds`].

#![forbid(unsafe_code)]

mod answering;
mod app;
mod club;
mod config;
mod error;
mod extract;
mod gate;
mod image;
mod limits;
mod metrics;
mod page;
mod puzzle;
pub mod referee;
mod respond;
mod routes;
mod rulesets;
mod serving;

pub use club::JournalError;
pub use config::{Config, Limits};
pub use error::{ApiError, ServeError};
pub use rulesets::{BuildingAnswer, Builds};
pub use serving::{Builder, Server};
