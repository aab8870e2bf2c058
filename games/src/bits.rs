//! What processors do faster than a loop: `pext` and `pdep`, and loops over many words.
//!
//! Numberings place one kind of men on the places that the others leave free. `pext` renumbers
//! those free places 0, 1, 2 … and `pdep` is the inverse. Processors with BMI2 do either in one
//! instruction; the others use a loop. The choice is made once, at run time, so that one program
//! serves all machines.

#![allow(
    unsafe_code,
    reason = "calls instructions that not every processor has"
)]

/// The instructions that this processor has. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    bmi2: bool,
    avx2: bool,
    /// Both of these, and the counting instructions that come with them.
    all: bool,
}

impl Bits {
    /// Detects the instructions; `ENDMILL_PORTABLE=1` in the environment forces the loops.
    pub fn detect() -> Bits {
        let portable = std::env::var_os("ENDMILL_PORTABLE").is_some_and(|value| value == "1");
        Bits {
            bmi2: !portable && has_bmi2(),
            avx2: !portable && has_avx2(),
            all: !portable && has_all(),
        }
    }

    /// Runs `work` compiled for AVX2 if the processor has it: `work` is compiled twice.
    #[inline(always)]
    pub fn widely(self, work: impl FnOnce()) {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `detect` set the flag only after the processor said that it has AVX2.
            return unsafe { avx2::widely(work) };
        }
        work();
    }

    /// Runs `work` compiled for all these instructions if the processor has them: `work` is
    /// compiled twice, and code inlined there uses single instructions without a call.
    #[inline(always)]
    pub fn in_place<T>(self, work: impl FnOnce(Bits) -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        if self.all {
            // SAFETY: `detect` set the flag only after the processor said that it has them all.
            return unsafe { all::in_place(work) };
        }
        work(self)
    }

    /// Returns the members of `set` that are in `mask`, renumbered by their order in `mask`.
    #[inline]
    pub fn pext(self, set: u32, mask: u32) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.bmi2 {
            // SAFETY: `detect` set the flag only after the processor said that it has BMI2.
            return unsafe { bmi2::pext(set, mask) };
        }
        portable::pext(set, mask)
    }

    /// The inverse: member i of `set` becomes the i-th member of `mask`.
    #[inline]
    pub fn pdep(self, set: u32, mask: u32) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.bmi2 {
            // SAFETY: as in `pext`.
            return unsafe { bmi2::pdep(set, mask) };
        }
        portable::pdep(set, mask)
    }
}

/// Prefetches a cache line that will be needed soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing; every x86-64 processor has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(target_arch = "x86_64")]
fn has_bmi2() -> bool {
    is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_bmi2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
fn has_all() -> bool {
    has_bmi2()
        && has_avx2()
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_all() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
mod all {
    use super::Bits;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn in_place<T>(work: impl FnOnce(Bits) -> T) -> T {
        // Constants, so that the compiler removes the run-time checks.
        work(Bits {
            bmi2: true,
            avx2: true,
            all: true,
        })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    #[target_feature(enable = "avx2")]
    pub(super) fn widely(work: impl FnOnce()) {
        work();
    }
}

#[cfg(target_arch = "x86_64")]
mod bmi2 {
    use std::arch::x86_64::{_pdep_u32, _pext_u32};

    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn pext(set: u32, mask: u32) -> u32 {
        _pext_u32(set, mask)
    }

    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn pdep(set: u32, mask: u32) -> u32 {
        _pdep_u32(set, mask)
    }
}

mod portable {
    /// One step per member of the set: sets are small, masks are nearly full.
    pub(super) fn pext(set: u32, mask: u32) -> u32 {
        let mut rest = set & mask;
        let mut squeezed = 0;
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            squeezed |= 1 << (mask & (lowest - 1)).count_ones();
            rest ^= lowest;
        }
        squeezed
    }

    pub(super) fn pdep(set: u32, mask: u32) -> u32 {
        let (mut set, mut mask) = (set, mask);
        let mut spread = 0;
        while set != 0 && mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            if set & 1 != 0 {
                spread |= lowest;
            }
            set >>= 1;
            mask ^= lowest;
        }
        spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORTABLE: Bits = Bits {
        bmi2: false,
        avx2: false,
        all: false,
    };

    #[test]
    fn members_are_renumbered_by_their_place_in_the_mask() {
        assert_eq!(PORTABLE.pext(0b1010_0110, 0b1111_0100), 0b10101);
        assert_eq!(PORTABLE.pdep(0b10101, 0b1111_0100), 0b1010_0100);
        assert_eq!(PORTABLE.pext(u32::MAX, u32::MAX), u32::MAX);
        assert_eq!(PORTABLE.pdep(u32::MAX, 1 << 31), 1 << 31);
        assert_eq!(PORTABLE.pext(u32::MAX, 0), 0);
    }

    #[test]
    fn the_processor_and_the_loops_agree() {
        let here = Bits {
            bmi2: has_bmi2(),
            ..PORTABLE
        };
        let mut state = 1_u64;
        let mut random = || {
            // Knuth's MMIX generator; its high bits are good enough for masks.
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 32) as u32
        };
        for _ in 0..10_000 {
            let (set, mask) = (random(), random());
            assert_eq!(here.pext(set, mask), PORTABLE.pext(set, mask));
            assert_eq!(here.pdep(set, mask), PORTABLE.pdep(set, mask));
            let both = Bits::detect().in_place(|bits| [bits.pext(set, mask), bits.pdep(set, mask)]);
            assert_eq!(both, [PORTABLE.pext(set, mask), PORTABLE.pdep(set, mask)]);
            assert_eq!(PORTABLE.pdep(PORTABLE.pext(set, mask), mask), set & mask);
        }
    }
}
