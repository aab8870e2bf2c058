//! Seeds of a draughts group, row by row.
//!
//! In a row the pieces of the side to move and the opponent's men stand still, only the opponent's
//! kings differ from column to column. So possible captures, king steps and man steps are computed
//! once for the row, as if there were no opposing kings; a column only adds what its kings prevent
//! or allow.
//!
//! - A capture is mandatory: the node has no inside turns, all its captures are looked up.
//! - Otherwise the steps of kings are counted: these are the inside turns.
//! - The steps of men lead to other slices, of the partner table or, with a crowning, of another
//!   one. All columns of the row are looked up in one slice before the next one.

use endmill_games::bits::Bits;
use endmill_games::draughts::Table;
use endmill_games::draughts::board::{Direction, LAST_ROW, Side, singles};

use super::captures::{Slice, Slices};
use super::group::Scratch;
use super::view::{Men, View};
use crate::{Seed, Solved, TurnScore};

/// A man's step: what is the same in all columns of a row.
struct ManStep<'a, 's> {
    /// Its target, which must have no opposing king.
    to: u32,
    /// The slice that it leads to.
    slice: &'a Slice<'s>,
    /// In that slice, seen by its side to move: the kings of the side that made the step.
    waiting: u32,
}

/// Where opposing pieces can be jumped in each direction, ignoring opposing kings on the landing
/// square. [`Side::jumpers`] split into the part that a row shares and the part of a column.
struct Targets([u32; 4]);

impl Targets {
    #[inline(always)]
    fn new(own: Side, left: u32) -> Targets {
        let mut targets = [0; 4];
        for (target, way) in targets.iter_mut().zip(Direction::ALL) {
            *target = way.step(own.going(way)) & way.reverse().step(left);
        }
        Targets(targets)
    }

    /// Returns the opposing pieces that can be jumped.
    #[inline(always)]
    fn jumped(&self, men: u32, kings: u32) -> u32 {
        let mut jumped = 0;
        for (target, way) in self.0.iter().zip(Direction::ALL) {
            jumped |= target & !way.reverse().step(kings);
        }
        jumped & (men | kings)
    }
}

impl View {
    /// Replaces `seeds` with those of the row with these men and own kings, given by their numbers
    /// among the squares without men.
    #[inline(always)]
    pub(super) fn seed_row<S: Solved<Table>>(
        &self,
        bits: Bits,
        men: Men,
        kings: u32,
        slices: &mut Slices<'_, S>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let own = Side::new(men.own, bits.pdep(kings, men.free()));
        let left = men.free() & !own.kings();
        self.find_captures(bits, own, men.opponent, scratch);

        // The targets of king steps, by direction.
        let mut steps = [0; 4];
        for (to, way) in steps.iter_mut().zip(Direction::ALL) {
            *to = way.step(own.kings()) & left;
        }
        seeds.clear();
        for (&kings, &jumped) in scratch.kings.iter().zip(&scratch.jumped) {
            if jumped != 0 {
                let opponent = Side::new(men.opponent, kings);
                seeds.push(Seed {
                    inside: 0,
                    outside: slices.best_capture(bits, own, opponent),
                });
                continue;
            }
            let inside: u32 = steps.iter().map(|to| (to & !kings).count_ones()).sum();
            seeds.push(Seed {
                inside: inside as u16,
                outside: TurnScore::NONE,
            });
        }

        self.visit_man_scores(
            bits,
            men.opponent,
            own,
            slices,
            scratch,
            #[inline(always)]
            |column, score| {
                let seed = &mut seeds[column as usize];
                seed.outside = seed.outside.max(score);
            },
        );
    }

    /// Visits the columns of a row without a capture, with the score of each step of a man there.
    /// Call [`View::find_captures`] first.
    #[inline(always)]
    pub(super) fn visit_man_scores<S: Solved<Table>>(
        &self,
        bits: Bits,
        opponent: u32,
        own: Side,
        slices: &mut Slices<'_, S>,
        scratch: &Scratch,
        mut visit: impl FnMut(u32, TurnScore),
    ) {
        if own.men() == 0 || scratch.quiet.is_empty() {
            return;
        }
        let turned_left = (!(own.pieces() | opponent)).reverse_bits();
        let turned = self.columns.turned();
        self.visit_man_steps(
            opponent,
            own,
            slices,
            #[inline(always)]
            |step| {
                for &column in &scratch.quiet {
                    if scratch.kings[column as usize] & step.to != 0 {
                        continue;
                    }
                    let kings = bits.pdep(turned[column as usize], turned_left);
                    visit(column, step.slice.score(bits, kings, step.waiting));
                }
            },
        );
    }

    /// Computes the opposing kings of every column of a row, which of the opposing pieces can be
    /// captured there, and the columns without captures.
    #[inline(always)]
    pub(super) fn find_captures(
        &self,
        bits: Bits,
        own: Side,
        opponent: u32,
        scratch: &mut Scratch,
    ) {
        let left = !(own.pieces() | opponent);
        let targets = Targets::new(own, left);
        let sets = self.columns.sets();
        scratch.kings.resize(sets.len(), 0);
        for (kings, &set) in scratch.kings.iter_mut().zip(sets) {
            *kings = bits.pdep(set, left);
        }
        // A separate loop, so that the compiler vectorises it.
        scratch.jumped.resize(sets.len(), 0);
        for (jumped, &kings) in scratch.jumped.iter_mut().zip(&scratch.kings) {
            *jumped = targets.jumped(opponent, kings);
        }
        // Branchless, because it is unpredictable which column has a capture.
        scratch.quiet.resize(sets.len(), 0);
        let mut count = 0;
        for (column, &jumped) in (0..).zip(&scratch.jumped) {
            scratch.quiet[count] = column;
            count += usize::from(jumped == 0);
        }
        scratch.quiet.truncate(count);
    }

    /// Visits the steps of men that no man and no own king blocks.
    #[inline(always)]
    fn visit_man_steps<'s, S: Solved<Table>>(
        &self,
        opponent: u32,
        own: Side,
        slices: &mut Slices<'s, S>,
        mut visit: impl FnMut(ManStep<'_, 's>),
    ) {
        let their_kings = self.table.opponent().kings;
        for way in Direction::FORWARD {
            let empty = !(own.pieces() | opponent);
            for from in singles(own.men() & way.reverse().step(empty)) {
                let to = way.step(from);
                let others = own.men() ^ from;
                let (after, kings) = if to & LAST_ROW != 0 {
                    (others, own.kings() | to)
                } else {
                    (others | to, own.kings())
                };
                let men = Men {
                    own: after,
                    opponent,
                };
                visit(ManStep {
                    to,
                    slice: slices.slice(men.turned(), [their_kings, kings.count_ones()]),
                    waiting: kings.reverse_bits(),
                });
            }
        }
    }
}
