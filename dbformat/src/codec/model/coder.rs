//! A binary arithmetic coder (range coder) with 16-bit probabilities.
//!
//! The encoder narrows an interval: for each bit to the part that the bit's probability gives it.
//! What it writes is the shortest number in the last interval, big-endian, as a fraction; bytes
//! after its end count as zeros, so trailing zeros are not written. The interval is kept in 64
//! bits and refilled by 32 when it has become shorter than that.

/// Probabilities are multiples of one in this.
pub(super) const ONE: u32 = 1 << 16;

/// Writes bits.
#[derive(Debug)]
pub(super) struct Encoder<'a> {
    low: u64,
    range: u64,
    bytes: &'a mut Vec<u8>,
    /// Where this encoder's bytes begin.
    start: usize,
}

impl<'a> Encoder<'a> {
    /// Appends to `bytes`.
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Encoder<'a> {
        Encoder {
            low: 0,
            range: u64::MAX,
            start: bytes.len(),
            bytes,
        }
    }

    /// Codes a bit that is set with probability `p` / [`ONE`], 0 < p < `ONE`.
    #[inline(always)]
    pub(super) fn encode(&mut self, bit: bool, p: u32) {
        let bound = (self.range >> 16) * u64::from(p);
        if bit {
            self.range = bound;
        } else {
            self.advance(bound);
            self.range -= bound;
        }
        if self.range >> 32 == 0 {
            let written = (self.low >> 32) as u32;
            self.bytes.extend(written.to_be_bytes());
            self.low <<= 32;
            self.range <<= 32;
        }
    }

    /// Moves the lower end of the interval up; a carry goes into the bytes already written.
    fn advance(&mut self, distance: u64) {
        let (low, carry) = self.low.overflowing_add(distance);
        self.low = low;
        if carry {
            for byte in self.bytes[self.start..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) {
        for length in 0..=8 {
            let below = u64::MAX.checked_shr(8 * length).unwrap_or(0);
            let distance = self.low.wrapping_neg() & below;
            if distance < self.range {
                self.advance(distance);
                let bytes = self.low.to_be_bytes();
                self.bytes.extend(&bytes[..length as usize]);
                break;
            }
        }
        while self.bytes.len() > self.start && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
    }
}

/// Reads them back. Any bytes decode to something.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    /// What was written, less the lower end of the interval.
    code: u64,
    range: u64,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            code: 0,
            range: u64::MAX,
            rest: bytes,
        };
        decoder.code = u64::from(decoder.next()) << 32;
        decoder.code |= u64::from(decoder.next());
        decoder
    }

    /// The next four bytes.
    fn next(&mut self) -> u32 {
        if let Some((four, rest)) = self.rest.split_first_chunk() {
            self.rest = rest;
            return u32::from_be_bytes(*four);
        }
        let mut four = [0; 4];
        four[..self.rest.len()].copy_from_slice(self.rest);
        self.rest = &[];
        u32::from_be_bytes(four)
    }

    #[inline(always)]
    pub(super) fn decode(&mut self, p: u32) -> bool {
        let bound = (self.range >> 16) * u64::from(p);
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        if self.range >> 32 == 0 {
            self.code = self.code << 32 | u64::from(self.next());
            self.range <<= 32;
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    #[test]
    fn bits_come_back_whatever_their_chances() {
        let mut random = StdRng::seed_from_u64(1);
        for round in 0..500 {
            let count = random.random_range(0..300);
            let chances = [1, 12, ONE / 2, ONE - 12, ONE - 1];
            let bits: Vec<(bool, u32)> = (0..count)
                .map(|_| match round % 3 {
                    0 => (random.random(), chances[random.random_range(0..5)]),
                    1 => (random.random_ratio(1, 50), random.random_range(1..ONE)),
                    _ => (round % 2 == 0, 1),
                })
                .collect();
            let mut bytes = vec![7, 255, 255];
            let mut encoder = Encoder::new(&mut bytes);
            bits.iter().for_each(|&(bit, p)| encoder.encode(bit, p));
            encoder.finish();
            assert_eq!(bytes[..3], [7, 255, 255], "a carry left its unit");
            let mut decoder = Decoder::new(&bytes[3..]);
            for &(bit, p) in &bits {
                assert_eq!(decoder.decode(p), bit);
            }
        }
    }

    #[test]
    fn what_is_sure_costs_nothing() {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes);
        (0..1000).for_each(|_| encoder.encode(true, ONE - 12));
        encoder.finish();
        assert!(bytes.is_empty());
    }
}
