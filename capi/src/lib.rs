//! The C interface to the probe: `libendmill`, with `include/endmill.h`.
//!
//! The header is generated from this crate and committed; `tests/header.rs` holds it to that.
//! What C programmers must know stands in the comments here, because they become the header's.
//!
//! - `types`: the plain structs and constants.
//! - `status`: what a call answers, and the text of an error.
//! - `database`: a database of any game behind one object-safe trait.
//! - `calls`: the functions. Each checks its pointers, catches panics and turns errors into a
//!   status; there is no state outside the handles.

mod calls;
mod database;
mod status;
mod types;

pub use calls::*;
pub use database::Database;
pub use status::{Error, Status};
pub use types::*;
