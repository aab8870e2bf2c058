//! Everything that reads what others wrote, as functions of some bytes: none may panic, hang or
//! take memory without bound, whatever the bytes are.
//!
//! `cargo fuzz run texts --features libfuzzer` (or `files`, `blocks`, `records`) lets libFuzzer choose the
//! bytes; `cargo test -p endmill-fuzz` changes good examples a little, many thousand times.

#![forbid(unsafe_code)]

mod blocks;
mod files;
mod records;
mod texts;

pub use blocks::block;
pub use files::{file, manifest};
pub use records::record;
pub use texts::text;
