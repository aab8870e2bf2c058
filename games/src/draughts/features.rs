//! The features of draughts positions: [views](super::scan), and neighbours.
//!
//! Consecutive ranks go through the sets of one kind of pieces while all others stand still: the
//! opponent's kings; without any, the own kings; without any, the opponent's men. Such a *run* is
//! set up once; its positions follow each other by the next set of the same size.
//!
//! The neighbours of a position are those of its run in which the lowest, or the second lowest, of
//! the moving pieces stands one step away on a lower square. In short runs, the third neighbour has
//! a king of the other side one step away.

use std::ops::Range;

use super::Draughts;
use super::board::{Direction, Position};
use super::moves;
use super::scan::{FeatureScan, PackedFeatures};
use super::table::Table;
use crate::combinadics::{binomial, colex_rank, following};
use crate::features::{Cost, Feature, Features, NEAR};
use crate::numbering::Numbering;

/// Positions per batch.
const TOGETHER: usize = 64;
/// Positions per vectorised step: batches are padded to a multiple.
const LANES: usize = 8;

/// Which pieces move in a run.
#[derive(Clone, Copy)]
struct Moving {
    /// All ones for the kind that moves: opponent's kings, own kings, opponent's men.
    masks: [u32; 3],
    still: FeatureScan,
}

/// Positions that differ only in the moving pieces.
struct Run {
    moving: Moving,
    /// The squares where the moving pieces can stand.
    base: u32,
    /// For each place of the base, the lower places one step away, the higher first; `NONE` for
    /// none.
    below: [[u8; 2]; 32],
    /// The effect of a step down of an own king, in runs of one opposing king.
    behind: Option<Behind>,
}

const NONE: u8 = u8::MAX;

/// A step down of an own king, for runs of one opposing king.
struct Behind {
    /// The decrease of the rank.
    distance: u16,
    /// The places of the base that the king passes: an opposing king there moves to the next lower
    /// place.
    passed: u32,
    /// Its new place.
    to: u32,
}

impl Features for Draughts {
    /// Captures are mandatory, so a position with a capture has no other turns.
    #[inline]
    fn is_resolved(&self, position: &Position) -> bool {
        moves::jumpers(position) != 0
    }

    /// Men only advance, so both sides need a king.
    fn can_stay(&self, table: Table) -> bool {
        table.own().kings > 0 && table.opponent().kings > 0
    }

    fn resolved_from(&self, table: Table) -> Vec<Table> {
        table.after_captures()
    }

    fn cost(&self, _: Table, plies: bool) -> Cost {
        // All tables with up to seven pieces; with six they took 140 ns and 0.17 bytes.
        Cost {
            nanoseconds: 160.0,
            bytes: if plies { 0.21 } else { 0.012 },
        }
    }

    fn features(&self, table: Table, range: Range<u64>, features: &mut Vec<Feature>) {
        assert!(range.end <= self.size(table), "{table} has fewer positions");
        features.clear();
        let mut index = range.start;
        while index < range.end {
            index = self.features_of_run(table, index..range.end, features);
        }
    }
}

impl Draughts {
    /// Appends the features of the positions in the run of the first one; returns the rank after
    /// the last.
    fn features_of_run(&self, table: Table, range: Range<u64>, features: &mut Vec<Feature>) -> u64 {
        let first = self.unrank(table, range.start);
        let look = FeatureScan {
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
            features.extend(
                positions.map(|((&set, &squares), &seen)| {
                    run.feature(set, squares, PackedFeatures(seen))
                }),
            );
            left -= count;
        }
        end
    }

    /// Returns the run of a position, and the squares of its moving pieces.
    fn run(&self, table: Table, look: FeatureScan) -> (Run, u32) {
        let FeatureScan { own, opponent } = look;
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

    /// Returns the step down of the lowest own king, for runs of one moving king.
    fn behind(&self, table: Table, own: u32, free: u32, base: u32) -> Option<Behind> {
        let king = own & own.wrapping_neg();
        if king == 0 {
            return None;
        }
        let width = 32 - table.men() - table.own().kings;
        let steps = [Direction::BackRight, Direction::BackLeft].map(|way| way.step(king) & base);
        let to = steps[0].max(steps[1]);
        if to == 0 {
            return None;
        }
        let between = (king - 1) & !(to | (to - 1));
        let rows = (free & (king - 1) & !(to - 1)).count_ones();
        Some(Behind {
            distance: (rows * width) as u16,
            passed: self.bits.pext(between & base, base),
            to: self.bits.pext(to, base),
        })
    }
}

impl Moving {
    #[inline(always)]
    fn look(self, squares: u32) -> FeatureScan {
        let [opponent_kings, own_kings, opponent_men] = self.masks;
        let mut look = self.still;
        look.opponent.kings |= squares & opponent_kings;
        look.own.kings |= squares & own_kings;
        look.opponent.men |= squares & opponent_men;
        look
    }

    /// Scans positions in a loop that the compiler can vectorise.
    #[inline(always)]
    fn see(self, squares: &[u32], seen: &mut [u32]) {
        for (seen, &squares) in seen.iter_mut().zip(squares) {
            *seen = self.look(squares).see();
        }
    }
}

impl Run {
    #[inline(always)]
    fn feature(&self, set: u32, squares: u32, seen: PackedFeatures) -> Feature {
        if seen.captures() {
            return Feature {
                resolved: true,
                ..Feature::default()
            };
        }
        let [tactics, squeeze, corners] = seen.views();
        Feature {
            views: [tactics, squeeze, self.moving.look(squares).place(), corners],
            near: self.near(set),
            resolved: false,
        }
    }

    /// Returns the distances in rank to a position's neighbours.
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
        } else if let Some(behind) = self.behind.as_ref().filter(|behind| set != behind.to) {
            near[2] = behind.distance + u16::from(set & behind.passed != 0);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::singles;
    use super::*;
    use crate::prelude::*;

    /// Runs of every kind: of opposing kings, one and several, of own kings, of men.
    const TABLES: [&str; 8] = [
        "01v01", "02v02", "12v12", "12v03", "21v11", "22v20", "02v20", "30v20",
    ];

    fn features(game: &Draughts, name: &str, from: u64, count: u64) -> (Table, Vec<Feature>) {
        let table = game.parse_table(name).unwrap();
        let mut features = Vec::new();
        let end = game.size(table).min(from + count);
        game.features(table, from..end, &mut features);
        (table, features)
    }

    /// The steps of the mover, those after which the piece cannot be taken at once, and those of
    /// the latter that threaten to take.
    fn steps(position: &Position) -> [usize; 3] {
        let mut counts = [0; 3];
        moves::visit_steps(position, |turn| {
            counts[0] += 1;
            // Only the piece itself: uncovering others and crowning are ignored.
            let taken = Direction::ALL.into_iter().any(|from| {
                let attackers = match from {
                    Direction::ForwardLeft | Direction::ForwardRight => position.opponent.kings,
                    _ => position.opponent.pieces(),
                };
                let behind = from.step(turn.to());
                let empty = position.empty() & behind != 0 || (behind == turn.from());
                from.reverse().step(turn.to()) & attackers != 0 && empty
            });
            if taken {
                return;
            }
            counts[1] += 1;
            let king = position.own.kings & turn.from() != 0;
            let ways = if king {
                &Direction::ALL[..]
            } else {
                &Direction::FORWARD
            };
            let strikes = ways.iter().any(|way| {
                let over = way.step(turn.to()) & position.opponent.pieces();
                way.step(over) & position.empty() != 0
            });
            counts[2] += usize::from(strikes);
        });
        counts
    }

    #[test]
    fn many_at_once_see_what_one_by_one_sees() {
        let game = Draughts::new();
        for name in TABLES {
            let (table, features) = features(&game, name, 0, 60_000);
            for (index, feature) in (0..).zip(&features).step_by(7) {
                let position = game.unrank(table, index);
                assert_eq!(feature.resolved, game.is_resolved(&position));
                if feature.resolved {
                    assert_eq!(feature.views, [0; 4]);
                    continue;
                }
                let bits = |view: usize, from: u32, count: u32| {
                    u32::from(feature.views[view]) >> from & ((1 << count) - 1)
                };
                let text = game.format_position(&position);
                let [all, safe, attacks] = steps(&position).map(|count| count as u32);
                assert_eq!(bits(0, 0, 3), three(safe), "{text}");
                assert_eq!(bits(3, 4, 2), three(all) / 2, "{text}");
                assert_eq!(bits(1, 3, 2), attacks.min(3), "{text}");
                let other = position.turned();
                let [all, safe, attacks] = steps(&other).map(|count| count as u32);
                assert_eq!(bits(0, 3, 3), three(all), "{text}");
                assert_eq!(bits(1, 0, 3), three(safe), "{text}");
                assert_eq!(bits(1, 5, 2), attacks.min(3), "{text}");
                // 4 squares at either end, 3 more on either side.
                let edge = [1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32];
                let king_on = |square: &u32| position.opponent.kings >> (square - 1) & 1 == 1;
                assert_eq!(bits(3, 6, 1) == 1, edge.iter().any(king_on), "{text}");
            }
        }
    }

    fn three(count: u32) -> u32 {
        [0, 1, 2, 3, 4, 5, 5, 6, 6, 6]
            .get(count as usize)
            .copied()
            .unwrap_or(7)
    }

    #[test]
    fn features_do_not_depend_on_the_range_asked_for() {
        let game = Draughts::new();
        for name in TABLES {
            let size = game.size(game.parse_table(name).unwrap());
            let start = size / 3;
            let (_, all) = features(&game, name, start, 5000);
            let end = start + all.len() as u64;
            for from in (start..end).step_by(61) {
                let (_, some) = features(&game, name, from, (from % 100).min(end - from));
                let expected = &all[(from - start) as usize..][..some.len()];
                assert_eq!(some, expected, "{name} {from}");
            }
        }
    }

    #[test]
    fn neighbours_are_one_step_of_one_piece_away() {
        let game = Draughts::new();
        let mut seen = 0;
        for name in TABLES {
            let (table, features) = features(&game, name, 0, 20_000);
            for (index, feature) in (0..).zip(&features) {
                let here = game.unrank(table, index);
                for distance in feature.near.into_iter().filter(|&distance| distance > 0) {
                    let there = game.unrank(table, index - u64::from(distance));
                    let moved = [
                        here.own.men ^ there.own.men,
                        here.own.kings ^ there.own.kings,
                        here.opponent.men ^ there.opponent.men,
                        here.opponent.kings ^ there.opponent.kings,
                    ];
                    let moved: Vec<u32> = moved.into_iter().filter(|&set| set != 0).collect();
                    let [one] = moved[..] else {
                        panic!("{name} {index}: {distance} before, pieces of two kinds moved");
                    };
                    let [from, to] = singles(one).collect::<Vec<_>>()[..] else {
                        panic!("{name} {index}: {distance} before, several pieces moved");
                    };
                    assert!(Direction::ALL.iter().any(|way| way.step(from) == to));
                    seen += 1;
                }
            }
        }
        assert!(seen > 100_000, "{seen}");
    }
}
