//! Counts of 64 positions at a time, with one word for each binary digit, and the views that are
//! made of them.

use std::array;

use super::super::planes::PER_WORD;
use crate::features::VIEWS;

/// 64 counts that saturate at 3.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts2(pub(super) [u64; 2]);

impl Counts2 {
    pub(super) fn constant(count: u32) -> Counts2 {
        let count = count.min(3);
        Counts2([0, 1].map(|bit| if count >> bit & 1 == 1 { u64::MAX } else { 0 }))
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
pub(super) struct Counts6([u64; 6]);

/// Adds three bits: returns the sum and the carry.
#[inline(always)]
fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

impl Counts6 {
    /// The sum of the words of all items. Adds four at a time: only every fourth carry goes through
    /// all digits.
    #[inline(always)]
    pub(super) fn sum<T>(items: &[T], ones: impl Fn(&T) -> u64) -> Counts6 {
        let mut sum = Counts6::default();
        for four in items.chunks(4) {
            let at = |i: usize| four.get(i).map_or(0, &ones);
            let (one, first) = full_add(sum.0[0], at(0), at(1));
            let (one, second) = full_add(one, at(2), at(3));
            let (two, mut carry) = full_add(sum.0[1], first, second);
            sum.0[0] = one;
            sum.0[1] = two;
            for bit in &mut sum.0[2..] {
                (*bit, carry) = (*bit ^ carry, *bit & carry);
            }
        }
        sum
    }

    /// Returns half the counts, saturating at 7.
    pub(super) fn halves(self) -> [u64; 3] {
        let [_, two, four, eight, more, most] = self.0;
        [two, four, eight].map(|bit| bit | more | most)
    }
}

/// Turns eight bits of 64 positions, each in its word, into the bytes of 64 positions: transposes
/// eight by eight bytes, then in each word eight by eight bits, by quarters (Hacker's Delight,
/// 7-3).
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

/// Turns the numbers of 64 positions, view by view, into the views of each.
pub(super) fn interleave(views: [[u64; 8]; VIEWS]) -> [[u8; VIEWS]; PER_WORD] {
    let mut all = [[0; VIEWS]; PER_WORD];
    for (eight, place) in all.chunks_exact_mut(8).zip(0..) {
        let numbers: [[u8; 8]; VIEWS] = array::from_fn(|view| views[view][place].to_le_bytes());
        for (i, position) in eight.iter_mut().enumerate() {
            *position = array::from_fn(|view| numbers[view][i]);
        }
    }
    all
}

/// Returns the words of four counts.
pub(super) fn concat(pairs: [[u64; 2]; 4]) -> [u64; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = pairs;
    [a, b, c, d, e, f, g, h]
}
