//! What there is to see in a position, for the codec: [looks](super::look), and neighbours.
//!
//! The numbering goes through the sets of one kind of pieces while all others stand still: the
//! opponent's kings, or without any the own kings, or without any the opponent's men. Such a *run*
//! is set up once; its positions follow each other by the next set of as many squares.
//!
//! The neighbours of a position are those of its run in which the lowest, or the second lowest, of
//! the moving pieces stands one step away on a lower square. Where few positions make a run, the
//! third neighbour has a king of the other side one step away.

use std::ops::Range;

use super::Draughts;
use super::board::Direction;
use super::look::{Look, Seen};
use super::table::Table;
use crate::clue::{Clue, NEAR};
use crate::combinadics::{binomial, colex_rank};

/// Positions looked at together.
const TOGETHER: usize = 64;
/// Positions that a loop may do at a time: it does not pay to do fewer.
const LANES: usize = 8;

/// Which pieces move while the others stand still.
#[derive(Clone, Copy)]
struct Moving {
    /// All ones for the kind that moves, of: opponent's kings, own kings, opponent's men.
    masks: [u32; 3],
    still: Look,
}

/// Positions that differ in the moving pieces only.
struct Run {
    moving: Moving,
    /// Where the moving pieces can stand.
    base: u32,
    /// For each place of the base the places below it that are one step away, the higher first;
    /// `NONE` for none.
    below: [[u8; 2]; 32],
    /// By how much the number falls if an own king steps down, and the places of the base that the
    /// king passes: one fewer for a piece that stands there.
    behind: Option<(u64, u32)>,
}

const NONE: u8 = u8::MAX;

impl Draughts {
    /// Appends the clues of a range of positions.
    pub(super) fn clues_of(&self, table: Table, range: Range<u64>, clues: &mut Vec<Clue>) {
        let mut index = range.start;
        while index < range.end {
            index = self.clues_of_run(table, index..range.end, clues);
        }
    }

    /// Appends the clues of positions as far as they are in the run of the first one; gives the
    /// number after the last.
    fn clues_of_run(&self, table: Table, range: Range<u64>, clues: &mut Vec<Clue>) -> u64 {
        let first = self.unrank_position(table, range.start);
        let look = Look {
            own: first.own,
            opponent: first.opponent,
        };
        let (run, set) = self.run(table, look);
        let mut set = self.bits.pext(set, run.base);
        let width = binomial(run.base.count_ones(), set.count_ones());
        let end = range.end.min(range.start + width - colex_rank(set));
        let mut left = (end - range.start) as usize;
        let (mut sets, mut squares) = ([0; TOGETHER], [0; TOGETHER]);
        let mut seen = [0; TOGETHER];
        while left > 0 {
            let count = left.min(TOGETHER);
            for (set_here, squares) in sets.iter_mut().zip(&mut squares).take(count) {
                *set_here = set;
                *squares = self.bits.pdep(set, run.base);
                set = following(set);
            }
            let padded = count.next_multiple_of(LANES).min(TOGETHER);
            let (squares_here, seen_here) = (&squares[..padded], &mut seen[..padded]);
            let moving = run.moving;
            self.bits.widely(
                #[inline(always)]
                move || moving.see(squares_here, seen_here),
            );
            let positions = sets.iter().zip(&squares).zip(&seen).take(count);
            clues.extend(
                positions.map(|((&set, &squares), &seen)| run.clue(set, squares, Seen(seen))),
            );
            left -= count;
        }
        end
    }

    /// The run of a position, and where its moving pieces stand.
    fn run(&self, table: Table, look: Look) -> (Run, u32) {
        let Look { own, opponent } = look;
        let men = own.men | opponent.men;
        let mut still = look;
        let (masks, base, set) = if opponent.kings != 0 {
            still.opponent.kings = 0;
            ([u32::MAX, 0, 0], !(men | own.kings), opponent.kings)
        } else if own.kings != 0 {
            still.own.kings = 0;
            ([0, u32::MAX, 0], !men, own.kings)
        } else {
            still.opponent.men = 0;
            ([0, 0, u32::MAX], !own.men & !0xf, opponent.men)
        };
        let mut below = [[NONE; 2]; 32];
        let mut rest = base;
        for places in below.iter_mut().take(base.count_ones() as usize) {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            let steps = [Direction::BackRight, Direction::BackLeft].map(|way| {
                let to = way.step(square) & base;
                match to {
                    0 => NONE,
                    to => (base & (to - 1)).count_ones() as u8,
                }
            });
            let [a, b] = steps;
            *places = if b != NONE && (a == NONE || b > a) {
                [b, a]
            } else {
                [a, b]
            };
        }
        let one_king = opponent.kings.count_ones() == 1;
        let behind = one_king.then(|| self.behind(table, own.kings, !men, base));
        let behind = behind.flatten();
        let run = Run {
            moving: Moving { masks, still },
            base,
            below,
            behind,
        };
        (run, set)
    }

    /// For runs of one moving king: the lowest own king one step down.
    fn behind(&self, table: Table, own: u32, free: u32, base: u32) -> Option<(u64, u32)> {
        let king = own & own.wrapping_neg();
        if king == 0 {
            return None;
        }
        let width = u64::from(32 - table.men() - table.own().kings);
        let steps = [Direction::BackRight, Direction::BackLeft].map(|way| way.step(king) & base);
        let to = steps[0].max(steps[1]);
        if to == 0 {
            return None;
        }
        let between = (king - 1) & !(to | (to - 1));
        let rows = u64::from((free & (king - 1) & !(to - 1)).count_ones());
        Some((rows * width, self.bits.pext(between & base, base)))
    }
}

impl Moving {
    #[inline(always)]
    fn look(self, squares: u32) -> Look {
        let [opponent_kings, own_kings, opponent_men] = self.masks;
        let mut look = self.still;
        look.opponent.kings |= squares & opponent_kings;
        look.own.kings |= squares & own_kings;
        look.opponent.men |= squares & opponent_men;
        look
    }

    /// Looks at positions one after the other, in a loop that the compiler can do several of at a
    /// time.
    #[inline(always)]
    fn see(self, squares: &[u32], seen: &mut [u32]) {
        for (seen, &squares) in seen.iter_mut().zip(squares) {
            *seen = self.look(squares).see();
        }
    }
}

impl Run {
    #[inline(always)]
    fn clue(&self, set: u32, squares: u32, seen: Seen) -> Clue {
        if seen.captures() {
            return Clue {
                resolved: true,
                ..Clue::default()
            };
        }
        let [tactics, squeeze, corners] = seen.views();
        Clue {
            views: [tactics, squeeze, self.moving.look(squares).place(), corners],
            near: self.near(set),
            resolved: false,
        }
    }

    /// How far before a position its neighbours are numbered.
    #[inline(always)]
    fn near(&self, set: u32) -> [u16; NEAR] {
        let mut near = [0; NEAR];
        let lowest = set.trailing_zeros();
        let [a, b] = self.below[lowest as usize];
        if a != NONE {
            near[0] = lowest as u16 - u16::from(a);
        }
        if b != NONE {
            near[1] = lowest as u16 - u16::from(b);
        }
        let rest = set & (set - 1);
        if rest != 0 {
            let second = rest.trailing_zeros();
            let [a, _] = self.below[second as usize];
            if a != NONE && u32::from(a) > lowest {
                let below = |place: u32| place * place.saturating_sub(1) / 2;
                near[2] = (below(second) - below(u32::from(a))) as u16;
            }
        } else if let Some((rows, passed)) = self.behind {
            near[2] = rows as u16 + u16::from(set & passed != 0);
        }
        near
    }
}

/// The next greater number with as many bits.
#[inline(always)]
fn following(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let ripple = u64::from(set) + u64::from(lowest);
    let ones = (u64::from(set) ^ ripple) >> 2;
    (ripple | (ones >> lowest.trailing_zeros())) as u32
}
