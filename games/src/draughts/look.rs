//! How a position looks: the views of its clue, from sets of squares alone.
//!
//! Everything is a handful of steps of whole sets; nothing is looked up, and the few branches are
//! the same for all positions of a table.

use super::board::{Direction, Side};
use crate::clue::VIEWS;

/// Pieces seen by the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) own: Side,
    pub(super) opponent: Side,
}

const EVEN_ROWS: u32 = 0x0f0f_0f0f;
/// The two double corners with the squares before them, and the squares on the edge.
const CORNERS: [u32; 2] = [0x0000_0133, 0xcc80_0000];
const EDGE: u32 = 0xf181_818f;
const BACK: u32 = 0x0000_000f;

/// The pieces of the opponent that may go this way.
#[inline(always)]
fn coming(side: Side, way: Direction) -> u32 {
    match way {
        Direction::ForwardLeft | Direction::ForwardRight => side.kings,
        Direction::BackLeft | Direction::BackRight => side.pieces(),
    }
}

/// What one side could do if it were to move.
struct Chances {
    /// Its steps.
    steps: u32,
    /// Its steps to squares where the other side cannot take it at once.
    safe: u32,
    /// Those of the safe steps from which it would threaten to take.
    attacks: u32,
    /// The pieces it could take.
    targets: u32,
}

impl Chances {
    #[inline(always)]
    fn new(
        going: [u32; 4],
        coming: [u32; 4],
        kings: u32,
        forward: [usize; 2],
        victims: u32,
        empty: u32,
    ) -> Chances {
        let ways = Direction::ALL;
        let (mut attacked, mut targets) = (0, 0);
        let mut strikes = [0; 4];
        for i in 0..4 {
            let (way, back) = (ways[i], ways[i].reverse());
            let beside = back.step(empty);
            attacked |= way.step(coming[i]) & beside;
            let open = victims & beside;
            strikes[i] = back.step(open);
            targets |= open & way.step(going[i]);
        }
        let strike_man = strikes[forward[0]] | strikes[forward[1]];
        let strike_king = strikes[0] | strikes[1] | strikes[2] | strikes[3];
        let (mut steps, mut safe, mut attacks) = (0, 0, 0);
        for i in 0..4 {
            let (way, back) = (ways[i], ways[i].reverse());
            let to = way.step(going[i]) & empty;
            steps += to.count_ones();
            // Who steps up to a piece leaves the square behind it empty.
            let calm = to & !attacked & !back.step(coming[3 - i]);
            safe += calm.count_ones();
            let strike = strike_man | (strike_king & way.step(kings));
            attacks += (calm & strike).count_ones();
        }
        Chances {
            steps,
            safe,
            attacks,
            targets: targets.count_ones(),
        }
    }
}

/// A count up to a limit, fine at first and then coarser: 0 to 7.
#[inline(always)]
fn few(count: u32) -> u32 {
    [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7][count.min(15) as usize]
}

impl Look {
    #[inline(always)]
    pub(super) fn views(&self) -> [u8; VIEWS] {
        let Look { own, opponent } = *self;
        let all = own.pieces() | opponent.pieces();
        let empty = !all;
        let going = Direction::ALL.map(|way| own.going(way));
        let coming = Direction::ALL.map(|way| coming(opponent, way));
        let mine = Chances::new(going, coming, own.kings, [0, 1], opponent.pieces(), empty);
        let theirs = Chances::new(coming, going, opponent.kings, [2, 3], own.pieces(), empty);

        let parity = (all & EVEN_ROWS).count_ones() & 1;
        let tactics = few(mine.safe) | few(theirs.steps) << 3 | theirs.targets.min(3) << 6;
        let squeeze =
            few(theirs.safe) | mine.attacks.min(3) << 3 | theirs.attacks.min(3) << 5 | parity << 7;

        let lead = if opponent.kings != 0 {
            opponent.kings
        } else {
            opponent.men
        };
        let follow = lead & (lead - 1);
        let second = if follow != 0 {
            follow.trailing_zeros() >> 2
        } else {
            0
        };
        let place = lead.trailing_zeros() | second << 5;

        let held = |side: Side, corner: usize| u32::from(side.pieces() & CORNERS[corner] != 0);
        let rest = few(mine.steps) >> 1;
        let corners = held(own, 0)
            | held(own, 1) << 1
            | held(opponent, 0) << 2
            | held(opponent, 1) << 3
            | rest << 4
            | ((opponent.kings & EDGE).count_ones().min(1)) << 6
            | u32::from(own.men & BACK != 0) << 7;
        [tactics as u8, squeeze as u8, place as u8, corners as u8]
    }
}
