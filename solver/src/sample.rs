//! Which positions of a table are looked at one by one.

/// Which positions of every table are also derived turn by turn: one at random of each of so many
/// equal parts of the table, or all if it has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many.
    pub positions: u64,
    /// Another seed, other positions.
    pub seed: u64,
}

impl Default for Sample {
    fn default() -> Sample {
        Sample {
            positions: 100_000,
            seed: 0,
        }
    }
}

impl Sample {
    /// How many there are in a table of a size.
    pub(crate) fn count(&self, size: u64) -> u64 {
        self.positions.min(size)
    }

    /// The number of the `i`-th.
    pub(crate) fn index(&self, size: u64, i: u64) -> u64 {
        let place = |i: u64| {
            let place = u128::from(i) * u128::from(size) / u128::from(self.count(size));
            place as u64
        };
        let part = place(i)..place(i + 1);
        part.start + mixed(self.seed ^ mixed(i)) % (part.end - part.start)
    }
}

/// A number in which every bit depends on all bits of another (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_one_position_of_every_part() {
        let sample = Sample {
            positions: 7,
            seed: 3,
        };
        let indexes: Vec<u64> = (0..7).map(|i| sample.index(100, i)).collect();
        for (i, &index) in (0..).zip(&indexes) {
            assert!((i * 100 / 7..(i + 1) * 100 / 7).contains(&index));
        }
        let all: Vec<u64> = (0..sample.count(5)).map(|i| sample.index(5, i)).collect();
        assert_eq!(all, [0, 1, 2, 3, 4]);
        let other = Sample { seed: 4, ..sample };
        assert!((0..7).any(|i| other.index(100, i) != indexes[i as usize]));
    }
}
