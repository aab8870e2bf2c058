//! From log-odds to probability: 1 / (1 + e⁻ˣ), in integers.

use super::coder::ONE;

/// Log-odds are sums of weights in this many parts of a unit of the natural logarithm.
const PARTS: usize = 16;
/// Beyond ±12 everything is as good as certain.
const REACH: usize = 12 * PARTS;
/// No decision is more certain than this.
const LEAST: u64 = 12;

/// The probability, of [`ONE`], for log-odds in sixteenths.
#[inline(always)]
pub(super) fn squash(sum: i16) -> u32 {
    let place = sum.clamp(-(REACH as i16), REACH as i16) + REACH as i16;
    u32::from(TABLE[place as usize & 511])
}

static TABLE: [u16; 512] = table();

const fn table() -> [u16; 512] {
    /// e^(−1/16) · 2³².
    const STEP: u64 = 4_034_748_382;
    let mut table = [0; 512];
    let mut power: u64 = 1 << 32;
    let mut x = 0;
    while x <= REACH {
        let p = ((ONE as u64) << 32) / ((1 << 32) + power);
        let p = if p > ONE as u64 - LEAST {
            ONE as u64 - LEAST
        } else {
            p
        };
        table[REACH + x] = p as u16;
        table[REACH - x] = (ONE as u64 - p) as u16;
        power = (power * STEP) >> 32;
        x += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_logistic_function() {
        for sum in -300..300 {
            let x = f64::from(sum.clamp(-192, 192)) / 16.0;
            let exact = 65536.0 / (1.0 + (-x).exp());
            let exact = exact.clamp(LEAST as f64, 65536.0 - LEAST as f64);
            assert!((f64::from(squash(sum)) - exact).abs() < 1.5, "{sum}");
        }
    }
}
