//! The C interface to the probe: `libendmill`, with `include/endmill.h`.
//!
//! The header is generated from this crate and committed; `tests/header.rs` checks that it is up to
//! date. The comments here become the comments of the header, so they address C programmers.
//!
//! - `types`: the plain structs and constants; `convert`: their conversions.
//! - `status`: the status of a call, and the text of an error.
//! - `database`: the handle, a database of any game.
//! - `pointers`: the checks of pointers; catches panics and turns errors into a status.
//! - `calls`: the functions; there is no state outside the handles.
//! - `egdb`: the same probe in the style of other drivers, `include/endmill_egdb.h`.

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
