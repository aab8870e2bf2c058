//! Bits of 64 positions at a time: columns as words, and counts across words.

use std::array;

use super::super::board::MAX_POINTS;
use super::super::columns::Columns;
use super::TOGETHER;

/// The words of 64 columns. A power of two, so that a point needs no bounds check.
pub(super) type Words = [u64; MAX_POINTS.next_power_of_two()];

#[inline(always)]
pub(super) fn word(words: &Words, point: u8) -> u64 {
    words[usize::from(point) % words.len()]
}

/// All columns, 64 by 64: for each free point, which of them have a man there.
#[derive(Debug)]
pub(in crate::morris) struct Planes(Vec<Words>);

impl Planes {
    pub(in crate::morris) fn new(columns: &Columns) -> Planes {
        let chunks = columns.sets().chunks(TOGETHER);
        let words = chunks.map(|sets| {
            array::from_fn(|point| {
                let bits = sets.iter().enumerate();
                bits.fold(0, |word, (i, set)| word | u64::from(set >> point & 1) << i)
            })
        });
        Planes(words.collect())
    }

    /// The columns 64 · `chunk` …
    pub(super) fn chunk(&self, chunk: usize) -> &Words {
        &self.0[chunk]
    }
}

/// 64 counts that stop at 3.
#[derive(Clone, Copy, Default)]
pub(super) struct Few(pub(super) [u64; 2]);

impl Few {
    pub(super) fn constant(count: u32) -> Few {
        let count = count.min(3);
        Few([0, 1].map(|bit| if count >> bit & 1 == 1 { u64::MAX } else { 0 }))
    }

    #[inline(always)]
    pub(super) fn add(&mut self, ones: u64) {
        let [low, high] = self.0;
        let carry = low & ones;
        let full = high & carry;
        self.0 = [low ^ ones | full, high ^ carry | full];
    }

    pub(super) fn any(self) -> u64 {
        self.0[0] | self.0[1]
    }
}

/// 64 counts below 64.
#[derive(Clone, Copy, Default)]
pub(super) struct Many([u64; 6]);

/// Adds three bits: the sum and the carry.
#[inline(always)]
fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

impl Many {
    /// Adds four at a time: only every fourth carry goes through all bits.
    #[inline(always)]
    pub(super) fn add_all<T>(&mut self, items: &[T], ones: impl Fn(&T) -> u64) {
        for four in items.chunks(4) {
            let at = |i: usize| four.get(i).map_or(0, &ones);
            let (one, first) = full_add(self.0[0], at(0), at(1));
            let (one, second) = full_add(one, at(2), at(3));
            let (two, mut carry) = full_add(self.0[1], first, second);
            self.0[0] = one;
            self.0[1] = two;
            for bit in &mut self.0[2..] {
                (*bit, carry) = (*bit ^ carry, *bit & carry);
            }
        }
    }

    /// Half the counts, which stop at 7.
    pub(super) fn halves(self) -> [u64; 3] {
        let [_, two, four, eight, more, most] = self.0;
        [two, four, eight].map(|bit| bit | more | most)
    }
}

/// From eight bits of 64 positions, each in its word, to the bytes of 64 positions: swaps rows and
/// columns of eight by eight bytes, then in each word of eight by eight bits, by quarters (Hacker's
/// Delight, 7-3).
pub(super) fn transpose(mut words: [u64; 8]) -> [u64; 8] {
    for (apart, mask) in [
        (4, 0x0000_0000_ffff_ffff),
        (2, 0x0000_ffff_0000_ffff),
        (1, 0x00ff_00ff_00ff_00ff),
    ] {
        for low in (0..8).filter(|i| i & apart == 0) {
            let swapped = (words[low] >> (8 * apart) ^ words[low + apart]) & mask;
            words[low] ^= swapped << (8 * apart);
            words[low + apart] ^= swapped;
        }
    }
    for (shift, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        for word in &mut words {
            let swapped = (*word ^ *word >> shift) & mask;
            *word ^= swapped ^ swapped << shift;
        }
    }
    words
}
