//! The numbering of a table: row by row, and by columns within a row.
//!
//! The men of one side (the *row side*: the one with more men) determine the [row](super::rows);
//! the men of the other side, as a set of the points that the row leaves free, determine the
//! column, in colex order of that set. A symmetry that fixes the row's set permutes the columns of
//! the row; such rows keep only the columns that are least under their stabiliser, numbered without
//! gaps by `CanonicalColumns`. About 2 % of the rows of large tables are of this kind.

use std::sync::OnceLock;

use super::board::Board;
use super::columns::Columns;
use super::planes::Planes;
use super::rows::Rows;
use crate::bits::Bits;

/// The columns that represent their orbit under the row's stabiliser, as bits by colex rank, with
/// the count of those before each word.
#[derive(Debug)]
pub(super) struct CanonicalColumns {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl CanonicalColumns {
    fn new(keep: impl Iterator<Item = bool>) -> CanonicalColumns {
        let mut words = Vec::new();
        let mut before = Vec::new();
        let mut count = 0;
        for (i, kept) in keep.enumerate() {
            if i % 64 == 0 {
                words.push(0);
                before.push(count);
            }
            *words.last_mut().expect("pushed above") |= u64::from(kept) << (i % 64);
            count += u32::from(kept);
        }
        CanonicalColumns { words, before }
    }

    /// Returns the rank of a canonical column among the canonical ones.
    pub(super) fn rank(&self, column: u32) -> u32 {
        let (word, bit) = (column as usize / 64, column % 64);
        debug_assert!(self.words[word] >> bit & 1 == 1, "not the least column");
        let below = self.words[word] & ((1 << bit) - 1);
        self.before[word] + below.count_ones()
    }

    /// Returns which of the columns from 64 · `word` on are canonical, as bits.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    /// Returns all canonical columns, in order.
    pub(super) fn columns(&self) -> impl Iterator<Item = u32> {
        let words = (0..).step_by(64).zip(&self.words);
        words.flat_map(|(first, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let column = (rest != 0).then(|| first + rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
                column
            })
        })
    }

    /// Returns the canonical column of a rank.
    pub(super) fn select(&self, number: u32) -> u32 {
        let word = self.before.partition_point(|&before| before <= number) - 1;
        let mut rest = self.words[word];
        for _ in self.before[word]..number {
            rest &= rest - 1;
        }
        word as u32 * 64 + rest.trailing_zeros()
    }
}

/// The numbering of all tables with the same numbers of men on the two sides.
#[derive(Debug)]
pub struct TableNumbering {
    /// The first position of each row, and finally the number of positions.
    starts: Vec<u64>,
    columns: Columns,
    /// The columns as bit planes, made on first use.
    planes: OnceLock<Planes>,
    /// The row of position `i * columns.len()`: no row is wider, so a search starts there.
    hints: Vec<u32>,
    /// The canonical columns of the rows in `with_stabiliser`, made on first use.
    canonical: Vec<OnceLock<CanonicalColumns>>,
    /// The rows with a nontrivial stabiliser.
    with_stabiliser: Vec<u32>,
}

impl TableNumbering {
    pub(super) fn new(board: &Board, rows: &Rows, row_men: u32, column_men: u32) -> TableNumbering {
        let columns = Columns::new(board.points() as u32 - row_men, column_men);
        let width = columns.len() as u64;
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut with_stabiliser = Vec::new();
        let mut start = 0;
        for row in 0..rows.len() {
            starts.push(start);
            start += if rows.is_rigid(row) {
                width
            } else {
                with_stabiliser.push(row as u32);
                orbits_of_columns(board, rows.set(row), rows.stabiliser(row), column_men)
            };
        }
        starts.push(start);
        let mut row = 0;
        let hints = (0..start.div_ceil(width)).map(|i| {
            while starts[row + 1] <= i * width {
                row += 1;
            }
            row as u32
        });
        TableNumbering {
            hints: hints.collect(),
            starts,
            columns,
            planes: OnceLock::new(),
            canonical: with_stabiliser.iter().map(|_| OnceLock::new()).collect(),
            with_stabiliser,
        }
    }

    /// Returns the canonical columns of a row with a nontrivial stabiliser.
    pub(super) fn canonical(
        &self,
        board: &Board,
        bits: Bits,
        rows: &Rows,
        row: usize,
    ) -> &CanonicalColumns {
        let which = self.with_stabiliser.binary_search(&(row as u32));
        let which = which.expect("a row with a stabiliser");
        self.canonical[which].get_or_init(|| {
            let free = board.all() & !rows.set(row);
            let stabiliser = rows.stabiliser(row);
            CanonicalColumns::new(self.columns.sets().iter().map(|&squeezed| {
                let set = bits.pdep(squeezed, free);
                least_image(board, stabiliser, set) == set
            }))
        })
    }

    /// Returns the row of a position.
    pub(super) fn row_of(&self, index: u64) -> usize {
        let mut row = self.hints[(index / self.columns.len() as u64) as usize] as usize;
        while self.starts[row + 1] <= index {
            row += 1;
        }
        row
    }

    /// Returns the rank of a row's first position.
    #[inline]
    pub fn start(&self, row: usize) -> u64 {
        self.starts[row]
    }

    /// Returns the columns of every row as bit planes.
    pub fn planes(&self) -> &Planes {
        self.planes.get_or_init(|| Planes::new(&self.columns))
    }

    /// Returns the columns of every row.
    #[inline]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// Returns the least image of a set under some symmetries, of which the first is the identity.
pub(super) fn least_image(board: &Board, symmetries: &[u16], set: u32) -> u32 {
    let others = symmetries.iter().skip(1);
    let images = others.map(|&symmetry| board.symmetries()[usize::from(symmetry)].apply(set));
    images.fold(set, u32::min)
}

/// Returns the number of canonical columns of a row: Burnside's count over its stabiliser.
fn orbits_of_columns(board: &Board, row_set: u32, stabiliser: &[u16], men: u32) -> u64 {
    let free = board.all() & !row_set;
    let fixed: u64 = stabiliser
        .iter()
        .map(|&symmetry| {
            let mut ways = [0u64; 25];
            ways[0] = 1;
            for length in cycles(board.symmetries()[usize::from(symmetry)].images(), free) {
                for sum in (length..=men as usize).rev() {
                    ways[sum] += ways[sum - length];
                }
            }
            ways[men as usize]
        })
        .sum();
    fixed / stabiliser.len() as u64
}

/// Returns the lengths of the cycles of a permutation within a set that it maps onto itself.
fn cycles(images: &[u8], set: u32) -> Vec<usize> {
    let mut rest = set;
    let mut lengths = Vec::new();
    while rest != 0 {
        let mut point = rest.trailing_zeros() as usize;
        let mut length = 0;
        while rest >> point & 1 == 1 {
            rest &= !(1 << point);
            point = usize::from(images[point]);
            length += 1;
        }
        lengths.push(length);
    }
    lengths
}

/// Returns the number of positions of a table: Burnside's count of the pairs of disjoint sets of
/// these sizes. A symmetry fixes a pair if each cycle of its points lies in one of the sets or in
/// neither.
pub(super) fn count_orbits(board: &Board, mover: u8, opponent: u8) -> u64 {
    let (mover, opponent) = (usize::from(mover), usize::from(opponent));
    let mut fixed = 0;
    for symmetry in board.symmetries() {
        let mut ways = vec![vec![0u64; opponent + 1]; mover + 1];
        ways[0][0] = 1;
        for length in cycles(symmetry.images(), board.all()) {
            for a in (0..=mover).rev() {
                for b in (0..=opponent).rev() {
                    let first = if a >= length { ways[a - length][b] } else { 0 };
                    let second = if b >= length { ways[a][b - length] } else { 0 };
                    ways[a][b] += first + second;
                }
            }
        }
        fixed += ways[mover][opponent];
    }
    fixed / board.symmetries().len() as u64
}
