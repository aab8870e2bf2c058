//! The columns of a row as bit planes: for each free point a word that has a bit for each of 64
//! columns, set where a column man stands. A pattern of men is then a few ANDs for 64 columns.

use std::array;

use super::board::MAX_POINTS;
use super::columns::Columns;

/// Columns per word.
pub const PER_WORD: usize = 64;

/// The words of 64 columns. A power of two, so that a point needs no bounds check.
pub type Words = [u64; MAX_POINTS.next_power_of_two()];

/// The word of a point.
#[inline(always)]
pub fn word(words: &Words, point: u8) -> u64 {
    words[usize::from(point) % words.len()]
}

/// All columns, 64 by 64: for each free point, which of them have a man there.
#[derive(Debug)]
pub struct Planes(Vec<Words>);

impl Planes {
    pub(super) fn new(columns: &Columns) -> Planes {
        let chunks = columns.sets().chunks(PER_WORD);
        let words = chunks.map(|sets| {
            array::from_fn(|point| {
                let bits = sets.iter().enumerate();
                bits.fold(0, |word, (i, set)| word | u64::from(set >> point & 1) << i)
            })
        });
        Planes(words.collect())
    }

    /// The words of the columns from 64 · `chunk` on.
    #[inline]
    pub fn chunk(&self, chunk: usize) -> &Words {
        &self.0[chunk]
    }

    /// Visits every one of the first `columns` columns that `chosen` picks from the words of its
    /// chunk.
    #[inline(always)]
    pub fn visit(
        &self,
        columns: usize,
        chosen: impl Fn(&Words) -> u64,
        mut each: impl FnMut(usize),
    ) {
        for (chunk, words) in self.0.iter().enumerate() {
            let first = PER_WORD * chunk;
            let beyond = PER_WORD - (columns - first).min(PER_WORD);
            let mut bits = chosen(words) & u64::MAX >> beyond;
            while bits != 0 {
                each(first + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}
