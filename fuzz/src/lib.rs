//! Every reader of untrusted input as a function of bytes. None may panic, hang or use unbounded
//! memory, whatever the bytes are.
//!
//! With `cargo fuzz run texts --features libfuzzer` (or `files`, `blocks`, `records`) libFuzzer chooses
//! the bytes; `cargo test -p endmill-fuzz` mutates valid examples many thousand times.

#![forbid(unsafe_code)]

mod blocks;
mod files;
mod records;
mod texts;

pub use blocks::block;
pub use files::{file, manifest};
pub use records::record;
pub use texts::text;
