//! Pictures of positions, drawn like a printed board: for sharing.

mod png;
mod svg;

pub use self::png::png;
pub use self::svg::svg;

/// The smallest picture, in pixels.
pub const SMALLEST: u32 = 64;
/// The largest one.
pub const LARGEST: u32 = 1200;
