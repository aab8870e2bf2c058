//! What the two bytes of a node mean while its group is being solved.
//!
//! ```text
//! 10pp pppp pppp pppp   decided at ply p (odd: win, even: loss)
//! 11pp pppp pppp pppp   will be decided at ply p at the latest: an outside win, or a loss of
//!                       which the longest line is an outside one
//! 0100 0000 0000 0000   cannot lose: an outside turn draws
//! 0100 0000 0000 0001   drawn for good: that, and there are no inside turns
//! 00ll llll llcc cccc   c inside turns not yet known to lose; all outside turns lose, the longest
//!                       at ply 2·l
//! ```
//!
//! One word holds everything about a node, so that an un-move touches one cache line.

use endmill_games::Value;
use endmill_layout::{NodeValue, Seed, TurnScore};
use thiserror::Error;

pub(crate) const DECIDED: u16 = NodeValue::DECIDED;
pub(crate) const PENDING: u16 = 0xc000;
const SAFE: u16 = 0x4000;
pub(crate) const DRAWN: u16 = 0x4001;
const KIND: u16 = 0xc000;
const COUNT_BITS: u32 = 6;
const COUNT: u16 = (1 << COUNT_BITS) - 1;
/// The longest outside loss that fits beside a count.
const LONGEST_OUTSIDE_LOSS: u16 = 2 * 0xff;

/// Why a node does not fit the two bytes that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Misfit {
    /// Too many inside turns.
    #[error("a position has more than {COUNT} moves that change no material")]
    InsideTurns,
    /// Too many plies.
    #[error("a position is decided after more than {} plies", NodeValue::PLIES)]
    Plies,
    /// Too many plies beside a count of inside turns.
    #[error(
        "in a position every move that changes material loses, but takes more than \
         {LONGEST_OUTSIDE_LOSS} plies"
    )]
    OutsideLoss,
}

/// The state of a node before anything is propagated. A node without inside turns is final from the
/// start.
pub(crate) fn seeded(seed: Seed) -> Result<u16, Misfit> {
    // Most nodes have inside turns only.
    if seed.outside == TurnScore::NONE && (1..=COUNT).contains(&seed.inside) {
        return Ok(seed.inside);
    }
    let longest = seed.outside.value().and_then(Value::plies);
    if longest.is_some_and(|plies| plies > NodeValue::PLIES) {
        return Err(Misfit::Plies);
    }
    let state = match (seed.outside.value(), seed.inside) {
        (None, 0) => DECIDED,
        (Some(Value::Draw), 0) => DRAWN,
        (Some(Value::Win(plies) | Value::Loss(plies)), 0) => DECIDED | plies,
        (None, count) => count,
        (Some(Value::Win(plies)), _) => PENDING | plies,
        (Some(Value::Draw), _) => SAFE,
        (Some(Value::Loss(plies)), count) => {
            if plies > LONGEST_OUTSIDE_LOSS {
                return Err(Misfit::OutsideLoss);
            }
            (plies / 2) << COUNT_BITS | count
        }
    };
    match seed.inside <= COUNT {
        true => Ok(state),
        false => Err(Misfit::InsideTurns),
    }
}

/// The ply at which a pending or decided node is decided.
pub(crate) fn ply(state: u16) -> Option<u16> {
    (state & DECIDED != 0).then_some(state & NodeValue::PLIES)
}

/// The latest ply at which outside turns may decide a node.
pub(crate) fn latest(state: u16) -> u16 {
    match state & KIND {
        0 => outside_loss(state),
        SAFE => 0, // DRAWN too
        _ => state & NodeValue::PLIES,
    }
}

/// The longest outside loss of a counting node.
pub(crate) fn outside_loss(state: u16) -> u16 {
    (state >> COUNT_BITS) * 2
}

/// Whether nothing can change a node any more.
pub(crate) fn is_final(state: u16) -> bool {
    state & KIND == DECIDED || state == DRAWN
}

/// Whether the node still counts its turns.
pub(crate) fn is_counting(state: u16) -> bool {
    state & KIND == 0
}

/// Turns not yet known to lose.
pub(crate) fn count(state: u16) -> u16 {
    state & COUNT
}

/// The state of a counting node whose last turn turned out to lose at `ply`.
pub(crate) fn lost(state: u16, ply: u16) -> u16 {
    let outside = outside_loss(state);
    if outside > ply {
        PENDING | outside
    } else {
        DECIDED | ply
    }
}
