//! Codecs 4, 5 and 6: every value is coded with the odds that a model of its table gives it.
//!
//! A value becomes a few yes-or-no decisions ("is it a win?", "more plies than expected?"), and an
//! arithmetic coder (`coder`) spends on each what its probability says: a sure one costs next to
//! nothing. The model sees, of each position, the [`Feature`] that the game gives, and the values of
//! the positions before it in the same *unit*. Its `weights` are learnt from the table itself
//! before it is coded, and are part of the file.
//!
//! How decisions are made likely is the same for `outcomes` and for `plies`: each way to look at
//! the position (a view together with what was seen lately in positions that look the same; the
//! values of the neighbours) picks a weight, and the sum of the weights is the logarithm of the
//! odds. Views need not be independent: the weights are learnt together.
//!
//! Units are decoded on their own, from their first position on; a block is some units behind a
//! directory (`units`) of their lengths. All arithmetic is in integers, learning included: the same
//! table gives the same bytes everywhere.
//!
//! [`Feature`]: endmill_games::Feature

mod coder;
mod outcomes;
mod plies;
mod squash;
mod units;
mod weights;

#[cfg(test)]
mod tests;

pub(super) use outcomes::FILLER;
pub use outcomes::OutcomeModel;
pub use plies::{LearntPlies, PliesModel};
pub use units::{LONG_UNIT, UNIT, Units, all as units, sample};

use super::Malformed;
