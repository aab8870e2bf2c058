//! The server of Endmill: probes, reviews, puzzles and pictures over HTTP, games by link, and the
//! page that shows them.
//!
//! A request comes in through [`Server`], passes `connection` (rate limit, headers, metrics) and
//! reaches a handler in `routes`. The handler reads it (`extract`), submits the work to the threads
//! of `jobs`, where identical concurrent questions are computed once, and sends the answer
//! (`respond`). The answers are the types of `probe`; `rulesets` holds the databases, with the engine
//! for positions that no table knows. Games by link are decided by [`referee`], which does no I/O,
//! and stored by `games`, which broadcasts an event only after it is on disk.
//!
//! The server builds no tables: the program passes [`Server::run`] a closure that does, and that
//! reports its progress through [`Builds`].

#![forbid(unsafe_code)]

mod app;
mod config;
mod connection;
mod error;
mod extract;
mod games;
mod image;
mod jobs;
mod limits;
mod metrics;
mod page;
mod puzzle;
pub mod referee;
mod respond;
mod routes;
mod rulesets;
mod serving;
mod sync;

pub use config::{Config, Limits};
pub use error::{ApiError, ServeError};
pub use games::JournalError;
pub use rulesets::{BuildingAnswer, Builds};
pub use serving::{Builder, Server};
