//! The points that a row leaves free, renumbered 0, 1, 2 …, and sets of them.

use endmill_games::morris::Morris;
use endmill_games::morris::moves::points;

/// The free points of a row, renumbered, with the neighbours and lines among them.
#[derive(Debug)]
pub(super) struct FreePoints {
    /// The points by their new numbers.
    pub(super) points: Vec<u8>,
    /// By new numbers.
    pub(super) neighbours: Vec<u32>,
    /// The wholly free lines.
    pub(super) lines: Vec<u32>,
}

impl FreePoints {
    pub(super) fn of_row(game: &Morris, row_set: u32) -> FreePoints {
        let free = game.board().all() & !row_set;
        let squeeze = |set: u32| game.bits().pext(set, free);
        let lines = game.board().lines().iter();
        let points: Vec<u8> = points(free).collect();
        FreePoints {
            neighbours: points
                .iter()
                .map(|&point| squeeze(game.board().neighbours(point)))
                .collect(),
            points,
            lines: lines
                .filter(|&line| line & !free == 0)
                .map(|&line| squeeze(line))
                .collect(),
        }
    }

    /// Returns the set of all of them.
    pub(super) fn all(&self) -> u32 {
        (1 << self.points.len()) - 1
    }

    /// Returns the men of a squeezed set that stand in mills.
    #[inline(always)]
    pub(super) fn in_mills(&self, men: u32) -> u32 {
        let mut mills = 0;
        for &line in &self.lines {
            mills |= if men & line == line { line } else { 0 };
        }
        mills
    }
}

/// A sum over the members of a squeezed set, by three look-ups. If each member has a bit, the sum
/// is the image of the set; if each has a count, it is a count.
pub(super) struct Remap([[u32; 256]; 3]);

impl Remap {
    pub(super) fn new(images: &[u32]) -> Remap {
        let mut sums = [[0; 256]; 3];
        for (table, images) in sums.iter_mut().zip(images.chunks(8)) {
            for (member, &image) in images.iter().enumerate() {
                let (known, next) = table.split_at_mut(1 << member);
                for (sum, &without) in next.iter_mut().zip(known.iter()) {
                    *sum = without + image;
                }
            }
        }
        Remap(sums)
    }

    #[inline(always)]
    pub(super) fn apply(&self, set: u32) -> u32 {
        let [low, middle, high] = &self.0;
        low[(set & 255) as usize]
            + middle[(set >> 8 & 255) as usize]
            + high[(set >> 16 & 255) as usize]
    }
}
