//! The C interface to the probe: `libendmill`, with `include/endmill.h`.
//!
//! The header is generated from this crate and committed; `tests/header.rs` holds it to that.
//! What C programmers must know stands in the comments here, because they become the header's.
//!
//! - `types`: the plain structs and constants; `convert`: what they mean to the probe.
//! - `status`: what a call answers, and the text of an error.
//! - `database`: the handle; behind it is the probe's database of any game.
//! - `pointers`: the checks of pointers; catches panics and turns errors into a status.
//! - `calls`: the functions; there is no state outside the handles.
//! - `egdb`: the same probe with the habits of other drivers, `include/endmill_egdb.h`.

mod calls;
mod convert;
mod database;
mod egdb;
mod pointers;
mod status;
mod types;

pub use calls::*;
pub use database::Database;
pub use egdb::*;
pub use status::{Error, Status};
pub use types::*;
