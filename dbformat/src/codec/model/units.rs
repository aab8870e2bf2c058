//! Units: the positions that are decoded together, and their places in a block.
//!
//! A block begins with one byte, the width w of a length in bits; then come the lengths of its
//! units in bytes, w bits each, lowest bit first, filled up to a whole byte; then the units.

use std::ops::Range;

use super::Malformed;

/// Positions of a unit of plies, and of one of outcomes where a game stores every position.
pub const UNIT: usize = 256;
/// Positions of a unit of outcomes where a game may resolve some by their turns. In draughts that is
/// about half, and the rest is cheap to code: the length and the last byte of short units would take
/// a fifth of a file.
pub const LONG_UNIT: usize = 512;
/// Longer than any unit: 2²⁴ − 1 bytes.
const MAX_WIDTH: u8 = 24;

/// The units of a block.
#[derive(Clone, Copy, Debug)]
pub struct Units<'a> {
    width: usize,
    lengths: &'a [u8],
    units: &'a [u8],
}

impl<'a> Units<'a> {
    /// Of a block of `positions` positions, `unit` in each but the last.
    pub fn new(block: &'a [u8], positions: usize, unit: usize) -> Result<Units<'a>, Malformed> {
        let (&width, rest) = block.split_first().ok_or(Malformed)?;
        if width > MAX_WIDTH {
            return Err(Malformed);
        }
        let width = usize::from(width);
        let count = positions.div_ceil(unit);
        let directory = (count * width).div_ceil(8);
        let (lengths, units) = rest.split_at_checked(directory).ok_or(Malformed)?;
        let found = Units {
            width,
            lengths,
            units,
        };
        let total: usize = (0..count).map(|number| found.length(number)).sum();
        if total == units.len() {
            Ok(found)
        } else {
            Err(Malformed)
        }
    }

    /// The bytes that a unit takes.
    pub(crate) fn length(&self, number: usize) -> usize {
        let bit = number * self.width;
        let rest = self.lengths.get(bit / 8..).unwrap_or_default();
        let four = match rest.first_chunk() {
            Some(four) => *four,
            None => {
                let mut four = [0; 4];
                four[..rest.len()].copy_from_slice(rest);
                four
            }
        };
        (u32::from_le_bytes(four) >> (bit % 8)) as usize & ((1 << self.width) - 1)
    }

    /// The bytes of one unit after the other.
    pub(super) fn all(&self) -> impl Iterator<Item = &'a [u8]> {
        let Units { mut units, .. } = *self;
        (0..).map(move |number| {
            let (unit, rest) = units.split_at(self.length(number));
            units = rest;
            unit
        })
    }

    /// The bytes of a unit.
    ///
    /// # Panics
    /// May panic if the block has no unit of this number.
    pub fn unit(&self, number: usize) -> &'a [u8] {
        let start: usize = (0..number).map(|before| self.length(before)).sum();
        &self.units[start..][..self.length(number)]
    }
}

/// A block of the given number of positions, coded unit by unit.
pub(super) fn encode(
    positions: usize,
    unit: usize,
    mut code: impl FnMut(Range<usize>, &mut Vec<u8>),
) -> Vec<u8> {
    let mut units = Vec::with_capacity(positions / 2);
    let mut lengths = Vec::with_capacity(positions.div_ceil(unit));
    for range in all(positions, unit) {
        let start = units.len();
        code(range, &mut units);
        lengths.push(units.len() - start);
    }
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let width = (usize::BITS - longest.leading_zeros()) as usize;
    let mut block = vec![0; 1 + (lengths.len() * width).div_ceil(8)];
    block[0] = width as u8;
    for (number, length) in lengths.iter().enumerate() {
        for bit in (0..width).filter(|bit| length >> bit & 1 == 1) {
            let place = number * width + bit;
            block[1 + place / 8] |= 1 << (place % 8);
        }
    }
    block.append(&mut units);
    block
}

/// The units of the given number of positions.
pub fn all(positions: usize, unit: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..positions).step_by(unit);
    starts.map(move |start| start..positions.min(start + unit))
}

/// Passes over the units of a sample several times, at falling rates.
pub(super) fn learn(
    positions: usize,
    unit: usize,
    rounds: u32,
    [first, last]: [u32; 2],
    mut learn: impl FnMut(Range<usize>, u32),
) {
    let steps = u64::from(rounds) * positions.div_ceil(unit) as u64;
    let mut done = 0;
    for _ in 0..rounds {
        for range in all(positions, unit) {
            let fallen = u64::from(first - last) * done / steps;
            learn(range, first - fallen as u32);
            done += 1;
        }
    }
}

/// Which positions of a table a model should learn from: whole units, evenly spread, about
/// `positions` in all.
pub fn sample(size: u64, positions: u64, unit: usize) -> impl Iterator<Item = Range<u64>> {
    let unit = unit as u64;
    let units = size.div_ceil(unit);
    let wanted = positions.div_ceil(unit).clamp(1, units.max(1)).min(units);
    (0..wanted).map(move |i| {
        let number = (u128::from(i) * u128::from(units) / u128::from(wanted)) as u64;
        number * unit..size.min((number + 1) * unit)
    })
}
