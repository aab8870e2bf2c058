//! A turn by places, for programs that show it or have bitboards of their own.

use crate::setup::Setup;

/// Where a turn goes and what it takes. Places are numbered as the bits of a [`Setup`].
///
/// `from`, `to` and `taken` tell a turn apart from every other turn of its position; `via` is one
/// way to go, where there are several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Where the man comes from; `None` if it is placed from the hand.
    pub from: Option<u8>,
    /// Where it ends.
    pub to: u8,
    /// The places that it visits between the two, in order: those of a capture of several jumps.
    pub via: Vec<u8>,
    /// The places of the men that it takes, as a set.
    pub taken: u64,
}

impl Path {
    /// The path of a turn that moves or places one man, by what stands before it and after it. Not
    /// for turns that end where they begin.
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

    /// Whether both are the same turn, whichever way they go.
    pub fn same_turn(&self, other: &Path) -> bool {
        (self.from, self.to, self.taken) == (other.from, other.to, other.taken)
    }

    /// The places of the men that are taken, lowest first.
    pub fn taken_places(&self) -> impl Iterator<Item = u8> {
        let taken = self.taken;
        (0..64).filter(move |place| taken >> place & 1 == 1)
    }
}
