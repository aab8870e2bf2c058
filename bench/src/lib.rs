//! Nothing here: see `benches/`.

#![forbid(unsafe_code)]
