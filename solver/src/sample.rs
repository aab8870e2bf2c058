//! The positions of a table that are checked one by one.

use std::collections::BTreeSet;

use endmill_games::Value;

/// The positions of every table that are also derived by turns: a random one of each of `positions` equal
/// parts of the table, or all if it has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of positions per table.
    pub positions: u64,
    /// Selects the random positions.
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

/// A value as the verification has it in memory, to be compared with the probe's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<T> {
    /// Its table.
    pub table: T,
    /// Its number there.
    pub index: u64,
    /// Its value.
    pub value: Value,
    /// Whether the plies of the value are known; without them only the outcome counts.
    pub exact: bool,
}

impl Sample {
    /// The number of [`Known`] positions per table; all, if it has no more.
    pub const KNOWN_PER_TABLE: usize = 2_000;

    /// The numbers of the [`Known`] positions. Tables of about the same size share them, to expose a
    /// reader that takes one table for another.
    pub(crate) fn shared(&self, size: u64) -> BTreeSet<u64> {
        if size <= Sample::KNOWN_PER_TABLE as u64 {
            return (0..size).collect();
        }
        let below = size.next_power_of_two();
        let numbers = (0..).map(|i| mixed(self.seed ^ mixed(i)) % below);
        let mut shared = BTreeSet::new();
        for number in numbers.filter(|&number| number < size) {
            shared.insert(number);
            if shared.len() == Sample::KNOWN_PER_TABLE {
                break;
            }
        }
        shared
    }

    /// The number of positions in a table of a size.
    pub(crate) fn count(&self, size: u64) -> u64 {
        self.positions.min(size)
    }

    /// The number of the `i`-th position.
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

    #[test]
    fn tables_of_about_the_same_size_share_numbers() {
        let sample = Sample::default();
        let [one, other] = [100_000, 99_000].map(|size| sample.shared(size));
        assert_eq!(one.len(), Sample::KNOWN_PER_TABLE);
        assert_eq!(other.len(), Sample::KNOWN_PER_TABLE);
        assert!(one.intersection(&other).count() > Sample::KNOWN_PER_TABLE * 9 / 10);
        assert!(other.iter().all(|&number| number < 99_000));
        assert!(sample.shared(7).into_iter().eq(0..7));
    }
}
