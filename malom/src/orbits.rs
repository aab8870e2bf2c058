//! The slots of the positions of a sector.
//!
//! Symmetric sets of the mover's men form an orbit. The least of them, as a number of 24 bits,
//! represents it, and orbits are numbered in the order of their representatives. The opposing men, as
//! a set of the points that the representative leaves free, are numbered in ascending order. The slot
//! is orbit · C(24 − W, B) + number.

use endmill_games::bits::Bits;
use endmill_games::combinadics::{binomial, colex_rank, subsets};
use endmill_games::morris::{Morris, Table};

use crate::points::Points;

/// The slots of one sector.
pub(crate) struct SectorSlots {
    points: Points,
    bits: Bits,
    /// The representatives of the orbits of the mover's men, ascending.
    orbits: Vec<u32>,
    /// The sets of opposing men on the free points, ascending.
    columns: Vec<u32>,
}

impl SectorSlots {
    /// The slots of a table.
    pub(crate) fn new(game: &Morris, table: Table) -> SectorSlots {
        let points = Points::new(game);
        let (own, other) = (table.mover().men().into(), table.opponent().men().into());
        let orbits = subsets(24, own)
            .filter(|&set| points.is_least(set))
            .collect();
        SectorSlots {
            bits: game.bits(),
            orbits,
            columns: subsets(24 - own, other).collect(),
            points,
        }
    }

    /// The number of slots.
    pub(crate) fn len(&self) -> u64 {
        (self.orbits.len() * self.columns.len()) as u64
    }

    /// The number of slots per orbit: those of orbit i are i · width … (i + 1) · width.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The number of orbits.
    pub(crate) fn orbits(&self) -> usize {
        self.orbits.len()
    }

    /// The men of both sides in our numbers, for every slot of an orbit.
    pub(crate) fn of_orbit(&self, orbit: usize) -> impl Iterator<Item = [u32; 2]> {
        let own = self.orbits[orbit];
        let free = Points::without(own);
        let ours = self.points.ours(own);
        self.columns.iter().map(move |&column| {
            let other = self.bits.pdep(column, free);
            [ours, self.points.ours(other)]
        })
    }

    /// The columns of an orbit that are symmetric to this one.
    pub(crate) fn symmetric(&self, orbit: usize, column: usize) -> Vec<usize> {
        let own = self.orbits[orbit];
        let free = Points::without(own);
        let other = self.bits.pdep(self.columns[column], free);
        let keep = self.points.symmetries().iter();
        let keep = keep.filter(|symmetry| symmetry.apply(own) == own);
        let columns = keep.map(|symmetry| {
            let image = self.bits.pext(symmetry.apply(other), free);
            colex_rank(image) as usize
        });
        columns.collect()
    }
}

/// The number of slots of the sector of a table, by Burnside's count of the orbits.
pub fn count_slots(game: &Morris, table: Table) -> u64 {
    let (own, other) = (
        u32::from(table.mover().men()),
        u32::from(table.opponent().men()),
    );
    let symmetries = game.board().symmetries();
    let fixed: u64 = symmetries
        .iter()
        .map(|symmetry| fixed_sets(symmetry.images(), own as usize))
        .sum();
    fixed / symmetries.len() as u64 * binomial(24 - own, other)
}

/// The number of sets of this size that a permutation maps onto themselves: unions of its cycles.
fn fixed_sets(images: &[u8], size: usize) -> u64 {
    let mut ways = vec![0; size + 1];
    ways[0] = 1;
    let mut seen = 0_u32;
    for first in 0..images.len() {
        let (mut point, mut length) = (first, 0);
        while seen >> point & 1 == 0 {
            seen |= 1 << point;
            point = usize::from(images[point]);
            length += 1;
        }
        if length > 0 {
            for sum in (length..=size).rev() {
                ways[sum] += ways[sum - length];
            }
        }
    }
    ways[size]
}

#[cfg(test)]
mod tests {
    use super::*;
    use endmill_games::Numbering;
    use endmill_games::morris;

    #[test]
    fn all_sets_come_in_ascending_order() {
        for (points, size) in [(24, 0), (24, 3), (5, 5), (6, 2), (12, 12)] {
            let sets: Vec<u32> = subsets(points, size).collect();
            assert_eq!(sets.len() as u64, binomial(points, size));
            assert!(
                sets.iter()
                    .enumerate()
                    .all(|(i, &set)| colex_rank(set) == i as u64)
            );
        }
    }

    /// The orbits of small sets under the 16 symmetries, counted by hand: one for no man; a corner or
    /// a middle, each on the outer pair of rings or on the middle ring.
    #[test]
    fn slots_are_as_many_as_counted() {
        let game = morris::nine();
        for (name, orbits) in [("0+9v0+9", 1), ("1+8v1+8", 4), ("3v3", 158)] {
            let table = game.parse_table(name).unwrap();
            let slots = SectorSlots::new(&game, table);
            assert_eq!(slots.orbits(), orbits, "{name}");
            assert_eq!(slots.len(), count_slots(&game, table));
            assert_eq!(slots.of_orbit(0).count(), slots.width());
        }
    }

    /// An independent program counted 27,860,688,626 slots: 84 GB.
    #[test]
    fn std_has_the_published_number_of_slots() {
        let game = morris::nine();
        let slots = game.tables(None).into_iter();
        let slots: u64 = slots.map(|table| count_slots(&game, table)).sum();
        assert_eq!(slots, 27_860_688_626);
    }

    #[test]
    fn symmetric_columns_are_symmetric_positions() {
        let game = morris::nine();
        let table = game.parse_table("3v3").unwrap();
        let slots = SectorSlots::new(&game, table);
        let mut several = 0;
        for orbit in 0..slots.orbits() {
            let positions: Vec<[u32; 2]> = slots.of_orbit(orbit).collect();
            let rank = |men: [u32; 2]| game.rank(&game.position_unchecked(table, men));
            for column in (0..slots.width()).step_by(37) {
                let symmetric = slots.symmetric(orbit, column);
                assert!(symmetric.contains(&column));
                several += usize::from(symmetric.len() > 1);
                for other in symmetric {
                    assert_eq!(rank(positions[column]), rank(positions[other]));
                }
            }
        }
        assert!(several > 0);
    }
}
