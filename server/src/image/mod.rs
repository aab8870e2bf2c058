//! Pictures of positions, drawn like a printed board: for sharing.

mod png;
mod svg;

use std::ops::RangeInclusive;

pub use self::png::png;
pub use self::svg::svg;

/// The sizes of a picture, in pixels.
pub const SIZES: RangeInclusive<u32> = 64..=1200;
