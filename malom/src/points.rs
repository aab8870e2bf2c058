//! Malom's numbering of the points, and the symmetries of the board in it.

use endmill_games::morris::Morris;
use endmill_games::morris::board::Board;
use endmill_games::morris::symmetry::PointMap;

/// The points in the order of their bits: ring by ring, each starting in the middle of a side.
const ORDER: [&str; 24] = [
    "a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1", "b4", "b6", "d6", "f6", "f4", "f2", "d2", "b2",
    "c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3",
];

/// The set of all points.
const ALL: u32 = (1 << 24) - 1;

/// A board of 24 points in Malom's numbering.
pub(crate) struct Points {
    /// From malom's numbers to ours.
    ours: PointMap,
    /// The symmetries, in malom's numbers.
    symmetries: Vec<PointMap>,
}

impl Points {
    /// The game must be one of malom's.
    pub(crate) fn new(game: &Morris) -> Points {
        let board = game.board();
        let ours = ORDER.map(|name| our_point(board, name));
        let mut theirs = [0; 24];
        for (point, &our) in ours.iter().enumerate() {
            theirs[usize::from(our)] = point as u8;
        }
        let symmetries = board.symmetries().iter().map(|symmetry| {
            let image = |our: u8| theirs[usize::from(symmetry.images()[usize::from(our)])];
            PointMap::new(&ours.map(image))
        });
        Points {
            symmetries: symmetries.collect(),
            ours: PointMap::new(&ours),
        }
    }

    /// A set in our numbers.
    #[inline]
    pub(crate) fn ours(&self, set: u32) -> u32 {
        self.ours.apply(set)
    }

    /// The symmetries, in malom's numbers.
    pub(crate) fn symmetries(&self) -> &[PointMap] {
        &self.symmetries
    }

    /// Whether a set is the least of its orbit.
    pub(crate) fn is_least(&self, set: u32) -> bool {
        self.symmetries
            .iter()
            .all(|symmetry| symmetry.apply(set) >= set)
    }

    /// The points outside a set.
    #[inline]
    pub(crate) fn without(set: u32) -> u32 {
        ALL & !set
    }
}

fn our_point(board: &Board, name: &str) -> u8 {
    let mut points = 0..board.points() as u8;
    let found = points.find(|&point| board.name(point) == name);
    found.expect("a board of malom's has all its points")
}

#[cfg(test)]
mod tests {
    use super::*;
    use endmill_games::morris;

    #[test]
    fn points_follow_the_rings_and_symmetries_keep_the_rings() {
        let game = morris::nine();
        let points = Points::new(&game);
        assert_eq!(points.symmetries().len(), 16);
        let named = |bit: u32| {
            let our = points.ours(1 << bit).trailing_zeros();
            game.board().name(our as u8)
        };
        assert_eq!(
            (named(0), named(7), named(23)),
            ("a4".into(), "a1".into(), "c3".into())
        );
        // The middle ring is fixed; the other two may be swapped.
        for symmetry in points.symmetries() {
            assert_eq!(symmetry.apply(0xff00), 0xff00);
            assert!([0xff, 0xff_0000].contains(&symmetry.apply(0xff)));
        }
    }
}
