//! The views of a draughts position, computed from sets of squares.
//!
//! Everything is steps of whole sets, without branches or tables, so that the compiler can
//! vectorise over positions.
//!
//! | view | bits |
//! |---|---|
//! | 0 | 0–2 the mover's safe steps, 3–5 the opponent's steps, 6–7 what the opponent could capture |
//! | 1 | 0–2 the opponent's safe steps, 3–4 and 5–6 the mover's and the opponent's safe steps that attack, 7 the opposition |
//! | 2 | 0–4 the square of the opponent's lowest king, or man if it has no king, 5–7 the row of its second |
//! | 3 | 0–1 and 2–3 occupancy of the double corners, 4–5 the mover's steps, 6 the opponent has a king on the edge, 7 the mover has a man on its first row |

use super::board::{Direction, EVEN_ROWS, LAST_ROW, LEFT_EDGE, RIGHT_EDGE, Side};

/// The pieces, seen by the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureScan {
    pub(super) own: Side,
    pub(super) opponent: Side,
}

/// Views 0, 1 and 3 in the low bytes, and in the highest whether the mover can capture. One word,
/// so that a loop over positions handles only words.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedFeatures(pub(super) u32);

impl PackedFeatures {
    pub(super) fn views(self) -> [u8; 3] {
        let [tactics, squeeze, corners, _] = self.0.to_le_bytes();
        [tactics, squeeze, corners]
    }

    pub(super) fn captures(self) -> bool {
        self.0 >> 24 != 0
    }
}

/// The two double corners with the squares before them.
const CORNERS: [u32; 2] = [0x0000_0133, 0xcc80_0000];
const FIRST_ROW: u32 = 0x0000_000f;
const EDGE: u32 = LEFT_EDGE | RIGHT_EDGE | FIRST_ROW | LAST_ROW;

/// The possibilities of one side if it were to move.
struct Chances {
    /// Its steps.
    steps: u32,
    /// Its steps to squares where the other side cannot capture it at once.
    safe: u32,
    /// The safe steps after which it threatens to capture.
    attacks: u32,
    /// The pieces that it can capture.
    targets: u32,
}

impl Chances {
    /// `going` are its pieces by direction, `coming` those of the other side; `man_ways` are the
    /// directions of its men.
    #[inline(always)]
    fn new(
        going: [u32; 4],
        coming: [u32; 4],
        kings: u32,
        man_ways: [usize; 2],
        victims: u32,
        empty: u32,
    ) -> Chances {
        // Unrolled by hand: a loop over positions is vectorised only without an inner loop.
        let reach = |i: usize, way: Direction| {
            let beside = way.reverse().step(empty);
            let open = victims & beside;
            let attacked = way.step(coming[i]) & beside;
            let strikes = way.reverse().step(open);
            (attacked, strikes, open & way.step(going[i]))
        };
        let [a, b, c, d] = Direction::ALL;
        let reach = [reach(0, a), reach(1, b), reach(2, c), reach(3, d)];
        let attacked = reach[0].0 | reach[1].0 | reach[2].0 | reach[3].0;
        let man_strikes = reach[man_ways[0]].1 | reach[man_ways[1]].1;
        let king_strikes = reach[0].1 | reach[1].1 | reach[2].1 | reach[3].1;
        let steps = |i: usize, way: Direction| {
            let to = way.step(going[i]) & empty;
            // A step up to a piece leaves the square behind the moved one empty. The opposite of
            // direction i is 3 - i.
            let calm = to & !attacked & !way.reverse().step(coming[3 - i]);
            let strikes = man_strikes | (king_strikes & way.step(kings));
            [to, calm, calm & strikes].map(u32::count_ones)
        };
        let steps = [steps(0, a), steps(1, b), steps(2, c), steps(3, d)];
        let sum = |what: usize| steps[0][what] + steps[1][what] + steps[2][what] + steps[3][what];
        Chances {
            steps: sum(0),
            safe: sum(1),
            attacks: sum(2),
            targets: reach[0].2 | reach[1].2 | reach[2].2 | reach[3].2,
        }
    }
}

/// Returns a count in three bits: exact up to 5, then coarser.
#[inline(always)]
fn three_bits(count: u32) -> u32 {
    count.min(5) + u32::from(count > 6) + u32::from(count > 9)
}

impl FeatureScan {
    /// Returns the word of [`PackedFeatures`].
    #[inline(always)]
    pub(super) fn see(&self) -> u32 {
        let FeatureScan { own, opponent } = *self;
        let all = own.pieces() | opponent.pieces();
        let empty = !all;
        let [own_forth, own_back] = [own.pieces(), own.kings];
        let [their_forth, their_back] = [opponent.pieces(), opponent.kings];
        let going = [own_forth, own_forth, own_back, own_back];
        let coming = [their_back, their_back, their_forth, their_forth];
        let mine = Chances::new(going, coming, own.kings, [0, 1], opponent.pieces(), empty);
        let theirs = Chances::new(coming, going, opponent.kings, [2, 3], own.pieces(), empty);

        let tactics = three_bits(mine.safe)
            | three_bits(theirs.steps) << 3
            | theirs.targets.count_ones().min(3) << 6;
        let squeeze = three_bits(theirs.safe)
            | mine.attacks.min(3) << 3
            | theirs.attacks.min(3) << 5
            | ((all & EVEN_ROWS).count_ones() & 1) << 7;
        let some = |set: u32| u32::from(set != 0);
        let corners = some(own.pieces() & CORNERS[0])
            | some(own.pieces() & CORNERS[1]) << 1
            | some(opponent.pieces() & CORNERS[0]) << 2
            | some(opponent.pieces() & CORNERS[1]) << 3
            | (three_bits(mine.steps) >> 1) << 4
            | some(opponent.kings & EDGE) << 6
            | some(own.men & FIRST_ROW) << 7;
        let captures = some(mine.targets);
        tactics | squeeze << 8 | corners << 16 | captures << 24
    }

    /// Returns view 2.
    #[inline(always)]
    pub(super) fn place(&self) -> u8 {
        let Side { men, kings } = self.opponent;
        let pieces = if kings != 0 { kings } else { men };
        let rest = pieces & (pieces - 1);
        let second = if rest != 0 {
            rest.trailing_zeros() / 4
        } else {
            0
        };
        (pieces.trailing_zeros() | second << 5) as u8
    }
}
