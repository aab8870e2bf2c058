//! Ranking the subsets of one size: binomials and the combinatorial number system.
//!
//! The k-subsets of {0, …, n-1}, seen as binary numbers and put in increasing order, have the ranks
//! 0, 1, …, C(n, k)-1. The rank of {p₁ < p₂ < … < pₖ} is C(p₁, 1) + C(p₂, 2) + … + C(pₖ, k):
//! pₖ alone accounts for all subsets whose largest member is smaller. This *colex* order does not
//! depend on n.

/// Sets are 32 bits wide.
const WIDTH: usize = 32;

/// `BINOMIALS[k][n]` = C(n, k). All of them fit 32 bits, and one row holds everything that
/// [`colex_unrank`] compares for one member.
static BINOMIALS: [[u32; WIDTH + 1]; WIDTH + 1] = pascal();

const fn pascal() -> [[u32; WIDTH + 1]; WIDTH + 1] {
    let mut rows = [[0; WIDTH + 1]; WIDTH + 1];
    let mut n = 0;
    while n <= WIDTH {
        rows[0][n] = 1;
        let mut k = 1;
        while k <= n {
            rows[k][n] = rows[k - 1][n - 1] + rows[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    rows
}

/// Returns C(n, k) for n and k up to 32; 0 if k > n.
#[inline(always)]
pub fn binomial(n: u32, k: u32) -> u64 {
    u64::from(BINOMIALS[k as usize][n as usize])
}

/// Returns the rank of `set` among the sets of its size.
#[inline(always)]
pub fn colex_rank(set: u32) -> u64 {
    let mut rest = set;
    let mut rank = 0;
    let mut k = 0;
    while rest != 0 {
        k += 1;
        rank += binomial(rest.trailing_zeros(), k);
        rest &= rest - 1;
    }
    rank
}

/// Returns the set of `size` members with this rank, which must be below C(32, `size`).
#[inline]
pub fn colex_unrank(rank: u64, size: u32) -> u32 {
    let mut rest = rank as u32;
    let mut set = 0;
    for k in (2..=size as usize).rev() {
        // The row ascends. Counting needs no branch, takes several entries per instruction, and is
        // faster than a binary search.
        let row = &BINOMIALS[k][..WIDTH];
        let member = row
            .iter()
            .map(|&below| u32::from(below <= rest))
            .sum::<u32>()
            - 1;
        rest -= row[member as usize];
        set |= 1 << member;
    }
    // C(n, 1) = n: the last member is what remains.
    if size > 0 { set | (1 << rest) } else { 0 }
}

/// Returns the set of the same size with the next rank, by Gosper's trick: the next greater number
/// with as many bits. The result is meaningless after the last set of 32 bits and after the empty set.
#[inline(always)]
pub fn following(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let ripple = u64::from(set) + u64::from(lowest);
    let ones = (u64::from(set) ^ ripple) >> 2;
    (ripple | (ones >> lowest.trailing_zeros())) as u32
}

/// Returns all sets of `size` members of {0, …, n-1} in the order of their ranks.
#[inline]
pub fn subsets(n: u32, size: u32) -> impl Iterator<Item = u32> {
    let mut next = (1_u32 << size) - 1;
    (0..binomial(n, size)).map(move |_| {
        let set = next;
        next = following(set);
        set
    })
}

/// The ranks of all sets of one size among at most 24 members, as the sum of two look-ups.
///
/// The members below [`split`](SubsetRank::split) contribute the same in any set. The contribution
/// of the others depends on how many members are below, which follows from the size of the set.
#[derive(Debug)]
pub struct SubsetRank<T> {
    split: u32,
    low: Box<[T; 4096]>,
    high: Box<[T; 4096]>,
}

impl<T: Copy + Default + Into<u32> + TryFrom<u64>> SubsetRank<T> {
    /// Makes the tables for the sets of `size` members of {0, …, n-1}, split at `split`.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 12 members below or above the split, or if the ranks do not
    /// fit `T`.
    pub fn new(n: u32, size: u32, split: u32) -> SubsetRank<T> {
        let entry = |rank| T::try_from(rank).ok().expect("ranks fit the entries");
        let mut low = Box::new([T::default(); 4096]);
        let mut high = Box::new([T::default(); 4096]);
        for set in (0..1_u32 << split).filter(|set| set.count_ones() <= size) {
            low[set as usize] = entry(colex_rank(set));
        }
        for set in 0..1_u32 << (n - split) {
            if let Some(below) = size.checked_sub(set.count_ones())
                && below <= split
            {
                let filler = (1 << below) - 1;
                high[set as usize] = entry(colex_rank(set << split | filler) - colex_rank(filler));
            }
        }
        SubsetRank { split, low, high }
    }

    /// The first member that belongs to the upper half.
    #[inline]
    pub fn split(&self) -> u32 {
        self.split
    }

    /// Returns what a set of the lower half contributes.
    #[inline]
    pub fn low(&self, set: u32) -> u32 {
        self.low[set as usize].into()
    }

    /// Returns what a set of the upper half contributes, given shifted down by the split.
    #[inline]
    pub fn high(&self, set: u32) -> u32 {
        self.high[set as usize].into()
    }

    /// Returns the rank of a set among those of its size.
    #[inline(always)]
    pub fn rank(&self, set: u32) -> u32 {
        let low = set & ((1 << self.split) - 1);
        let high = set >> self.split;
        // The masks change nothing; they spare the bounds checks.
        self.low[low as usize & 4095].into() + self.high[high as usize & 4095].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_pascals() {
        assert_eq!(binomial(32, 16), 601_080_390); // OEIS A000984
        assert_eq!(binomial(24, 9), 1_307_504); // OEIS A010961
        assert_eq!(binomial(0, 0), 1);
        assert_eq!(binomial(3, 4), 0);
    }

    #[test]
    fn sets_of_one_size_are_ranked_in_increasing_order() {
        for size in 0..=12 {
            let sets = (0_u32..1 << 12).filter(|set| set.count_ones() == size);
            assert!(sets.clone().eq(subsets(12, size)));
            for (rank, set) in (0..).zip(sets) {
                assert_eq!(colex_rank(set), rank);
                assert_eq!(colex_unrank(rank, size), set);
            }
        }
    }

    #[test]
    fn two_look_ups_give_the_rank() {
        for (n, split) in [(24, 12), (17, 8), (6, 3)] {
            for size in 0..=n.min(12) {
                let ranks = SubsetRank::<u32>::new(n, size, split);
                for (rank, set) in (0..100_000).zip(subsets(n, size)) {
                    assert_eq!(ranks.rank(set), rank);
                }
                let last = binomial(n, size) - 1;
                assert_eq!(u64::from(ranks.rank(colex_unrank(last, size))), last);
            }
        }
    }

    #[test]
    fn the_last_set_of_each_size_is_at_the_top() {
        for size in 1..=32 {
            let top = u32::MAX << (32 - size);
            assert_eq!(colex_rank(top), binomial(32, size) - 1);
            assert_eq!(colex_unrank(binomial(32, size) - 1, size), top);
        }
    }
}
