//! A turn as places, for programs that draw it or use bitboards.

use crate::setup::Setup;

/// Where a turn goes and what it captures. Places are numbered like the bits of a [`Setup`].
///
/// `from`, `to` and `taken` identify a turn among the turns of its position; `via` is one of
/// possibly several routes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The place that the man leaves; `None` if it comes from the hand.
    pub from: Option<u8>,
    /// The place where it ends.
    pub to: u8,
    /// The places that it visits in between, in order, in a capture of several jumps.
    pub via: Vec<u8>,
    /// The places of the men that it captures, as a set.
    pub taken: u64,
}

impl Path {
    /// Returns the path of a turn that moves or places one man, from the setups before and after
    /// it. Not for turns that end where they begin.
    pub(crate) fn between(before: &Setup, after: &Setup) -> Path {
        let mover = before.to_move;
        let gone = |side| before.occupied(side) & !after.occupied(side);
        let come = after.occupied(mover) & !before.occupied(mover);
        let first = |set: u64| (set != 0).then(|| set.trailing_zeros() as u8);
        Path {
            from: first(gone(mover)),
            to: first(come).unwrap_or_default(),
            via: Vec::new(),
            taken: gone(mover.other()),
        }
    }

    /// Returns whether both are the same turn, by whatever route.
    pub fn same_turn(&self, other: &Path) -> bool {
        (self.from, self.to, self.taken) == (other.from, other.to, other.taken)
    }

    /// Returns the places of the captured men, lowest first.
    pub fn taken_places(&self) -> impl Iterator<Item = u8> {
        let taken = self.taken;
        (0..64).filter(move |place| taken >> place & 1 == 1)
    }
}
