//! Numbering the subsets of one size: binomials and the combinatorial number system.
//!
//! The k-subsets of {0, …, n-1}, seen as binary numbers and put in increasing order, are numbered
//! 0, 1, …, C(n, k)-1. The number of {p₁ < p₂ < … < pₖ} is C(p₁, 1) + C(p₂, 2) + … + C(pₖ, k):
//! pₖ alone accounts for all subsets whose largest member is smaller. This *colex* order does not
//! depend on n, and Gosper's trick steps through it.

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

/// C(n, k) for n and k up to 32; 0 where k > n.
#[inline(always)]
pub fn binomial(n: u32, k: u32) -> u64 {
    u64::from(BINOMIALS[k as usize][n as usize])
}

/// The number of `set` among the sets of its size.
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

/// The set of `size` members with this number, which must be below C(32, `size`).
#[inline]
pub fn colex_unrank(rank: u64, size: u32) -> u32 {
    let mut rest = rank as u32;
    let mut set = 0;
    for k in (2..=size as usize).rev() {
        // The row ascends: counting finds the place without a branch, several members of the row
        // to an instruction, and beats a binary search.
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

/// The set of the same size with the next number: the next greater number with as many bits. After
/// the last one of 32 bits, and after the empty set, there is none, and what is given means nothing.
#[inline(always)]
pub fn following(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let ripple = u64::from(set) + u64::from(lowest);
    let ones = (u64::from(set) ^ ripple) >> 2;
    (ripple | (ones >> lowest.trailing_zeros())) as u32
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
    fn sets_of_one_size_are_numbered_in_increasing_order() {
        for size in 0..=12 {
            let sets = (0_u32..1 << 12).filter(|set| set.count_ones() == size);
            let mut count = 0;
            for set in sets {
                assert_eq!(colex_rank(set), count);
                assert_eq!(colex_unrank(count, size), set);
                if size > 0 && count + 1 < binomial(12, size) {
                    assert_eq!(following(set), colex_unrank(count + 1, size));
                }
                count += 1;
            }
            assert_eq!(count, binomial(12, size));
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
