//! The weights of a model: learning them, using them, writing them down.

use std::fmt::Debug;
use std::marker::PhantomData;

use endmill_games::bits::prefetch;
use endmill_games::{Feature, VIEWS};

use super::Malformed;
use super::coder::{Decoder, Encoder, ONE};
use super::squash::squash;

/// Bytes of a line of the caches.
const LINE: usize = 64;

/// Bits of a weight being learnt below those that are kept.
const FINER: u32 = 16;

/// The weights of all decisions that a value may take, a byte each, side by side in one number: a
/// value picks some rows, and a few operations per row add them up for all its decisions. A weight is
/// kept [`BIAS`] too high, so that none is negative and no sum runs over into the next. The smaller
/// the rows, the more of them stay in the near caches.
pub(super) trait Row: Copy + Default + Eq + Debug {
    /// How many decisions.
    const DECISIONS: usize;

    /// Sums of rows, 16 bits for each decision.
    type Sums: Copy + Default;

    /// With another weight.
    fn with(self, decision: usize, weight: i8) -> Self;

    /// One of the weights.
    fn weight(self, decision: usize) -> i8;

    /// With the weights of the row added.
    fn add_to(self, sums: Self::Sums) -> Self::Sums;

    /// One of the sums of as many rows as `rows` says.
    fn sum(sums: Self::Sums, decision: usize, rows: usize) -> i16;
}

const BIAS: i16 = 128;

macro_rules! row {
    ($number:ty, $sums:ty) => {
        impl Row for $number {
            const DECISIONS: usize = size_of::<$number>();

            /// Of the decisions with an even number, and of those with an odd one.
            type Sums = [$sums; 2];

            fn with(self, decision: usize, weight: i8) -> $number {
                let others = self & !(0xff << (8 * decision));
                others | ((i16::from(weight) + BIAS) as $number) << (8 * decision)
            }

            fn weight(self, decision: usize) -> i8 {
                ((self >> (8 * decision) & 0xff) as i16 - BIAS) as i8
            }

            #[inline(always)]
            fn add_to(self, [even, odd]: [$sums; 2]) -> [$sums; 2] {
                const EVEN: $sums = <$sums>::MAX / 0xffff * 0xff;
                let all = <$sums>::from(self);
                [even + (all & EVEN), odd + (all >> 8 & EVEN)]
            }

            #[inline(always)]
            fn sum(sums: [$sums; 2], decision: usize, rows: usize) -> i16 {
                let sums = sums[decision % 2] >> (8 * (decision - decision % 2));
                sums as i16 - BIAS * rows as i16
            }
        }
    };
}

row!(u16, u32);
row!(u64, u64);

/// Where decisions come from and go to.
pub(super) trait Coder {
    /// The log-odds of all decisions of a value.
    type Odds: Copy;

    /// Those of a value that picks these rows.
    fn odds<const N: usize>(&self, rows: &[usize; N]) -> Self::Odds;

    /// Makes a decision and returns it. The encoder and the learner make the wanted one, or the
    /// likelier one if that is `None`; the decoder reads it.
    fn decide<const N: usize>(
        &mut self,
        rows: &[usize; N],
        odds: Self::Odds,
        decision: usize,
        wanted: Option<bool>,
    ) -> bool;

    /// A bit of which nothing is known.
    fn toss(&mut self, wanted: bool) -> bool;
}

/// Sixteenths of a natural logarithm of odds, from −127 to 127.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights<R>(Vec<R>);

impl<R: Row> Weights<R> {
    #[inline(always)]
    fn odds<const N: usize>(&self, rows: &[usize; N]) -> R::Sums {
        let rows = rows.iter().map(|&row| self.0[row]);
        rows.fold(R::Sums::default(), |sums, row| row.add_to(sums))
    }

    /// Asks for rows that will be needed soon, `count` from the `first` on.
    fn prefetch(&self, first: usize, count: usize) {
        let rows = &self.0[first..first + count];
        rows.iter()
            .step_by(LINE / size_of::<R>())
            .for_each(prefetch);
        // They may begin within a line, and end in one more.
        rows.last().into_iter().for_each(prefetch);
    }

    /// Asks for the rows of all that some positions show in their views: those of a number are
    /// `count` in a row, the first of them at the place that `first` gives for the view and the
    /// number. A look-up of a single position finds few of them in the caches, and would wait for
    /// one after the other.
    pub(super) fn prefetch_views(
        &self,
        features: &[Feature],
        count: usize,
        first: impl Fn(usize, usize) -> usize,
    ) {
        let mut seen = [[false; 256]; VIEWS];
        for feature in features {
            for (view, &number) in feature.views.iter().enumerate() {
                let number = usize::from(number);
                if !std::mem::replace(&mut seen[view][number], true) {
                    self.prefetch(first(view, number), count);
                }
            }
        }
    }

    /// Appends the weights as bytes. Most are zero: their place was never seen.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let mut encoder = Encoder::new(bytes);
        let mut odds = Odds::default();
        let mut last = 0;
        let weights = self.0.iter();
        for weight in weights.flat_map(|row| (0..R::DECISIONS).map(|i| row.weight(i))) {
            odds.weight(last, |p, place| {
                let bit = match place {
                    Place::Zero => weight == 0,
                    Place::Negative => weight < 0,
                    Place::Magnitude(bit) => weight.unsigned_abs() >> bit & 1 == 1,
                };
                encoder.encode(bit, p);
                bit
            });
            last = weight;
        }
        encoder.finish();
    }

    /// Reads the given number of rows.
    pub(super) fn read(bytes: &[u8], rows: usize) -> Result<Weights<R>, Malformed> {
        let mut decoder = Decoder::new(bytes);
        let mut odds = Odds::default();
        let mut weights = vec![R::default(); rows];
        let mut last = 0;
        for row in &mut weights {
            for decision in 0..R::DECISIONS {
                let weight = odds.weight(last, |p, _| decoder.decode(p));
                last = weight.ok_or(Malformed)?;
                *row = row.with(decision, last);
            }
        }
        Ok(Weights(weights))
    }
}

/// What a bit of a written weight says.
enum Place {
    Zero,
    Negative,
    Magnitude(u32),
}

/// The chances of the bits of weights, which follow what has been written so far.
struct Odds {
    /// By whether the last weight was zero, positive, negative.
    zero: [u16; 3],
    negative: [u16; 3],
    /// By the higher bits.
    magnitude: [u16; 128],
}

impl Default for Odds {
    fn default() -> Odds {
        const EVEN: u16 = 1 << 15;
        Odds {
            zero: [EVEN; 3],
            negative: [EVEN; 3],
            magnitude: [EVEN; 128],
        }
    }
}

impl Odds {
    /// Codes one weight bit by bit and returns it; `None` if it is not a weight.
    fn weight(&mut self, last: i8, mut code: impl FnMut(u32, Place) -> bool) -> Option<i8> {
        let mut adaptive = |odds: &mut u16, place: Place| {
            let bit = code(u32::from(*odds), place);
            // Stays between 31 and 65505: neither bit ever becomes impossible.
            if bit {
                *odds += (u16::MAX - *odds) >> 5;
            } else {
                *odds -= *odds >> 5;
            }
            bit
        };
        let before = match last {
            0 => 0,
            1.. => 1,
            _ => 2,
        };
        if adaptive(&mut self.zero[before], Place::Zero) {
            return Some(0);
        }
        let negative = adaptive(&mut self.negative[before], Place::Negative);
        let mut magnitude = 1;
        for bit in (0..7).rev() {
            let odds = &mut self.magnitude[magnitude];
            let set = adaptive(odds, Place::Magnitude(bit));
            magnitude = magnitude << 1 | usize::from(set);
        }
        match (magnitude & 127) as i8 {
            0 => None,
            magnitude if negative => Some(-magnitude),
            magnitude => Some(magnitude),
        }
    }
}

/// Weights that are being learnt, by stochastic gradient descent on the length of the code.
#[derive(Debug)]
pub(super) struct Trainer<R> {
    /// [`FINER`] than they will be, row by row.
    weights: Vec<i32>,
    rate: i64,
    row: PhantomData<R>,
}

impl<R: Row> Trainer<R> {
    pub(super) fn new(rows: usize) -> Trainer<R> {
        Trainer {
            weights: vec![0; rows * R::DECISIONS],
            rate: 0,
            row: PhantomData,
        }
    }

    /// How fast to learn from now on: 1024 moves a weight by a whole unit when a decision that
    /// seemed impossible comes out.
    pub(super) fn set_rate(&mut self, rate: u32) {
        self.rate = rate.into();
    }

    /// Adds what another has learnt about rows that this one never saw.
    pub(super) fn add(&mut self, other: &Trainer<R>) {
        for (weight, other) in self.weights.iter_mut().zip(&other.weights) {
            *weight += other;
        }
    }

    /// What has been learnt.
    pub(super) fn weights(&self) -> Weights<R> {
        let rows = self.weights.chunks_exact(R::DECISIONS).map(|weights| {
            let weights = weights.iter().enumerate();
            weights.fold(R::default(), |row, (decision, &weight)| {
                row.with(decision, rounded(weight) as i8)
            })
        });
        Weights(rows.collect())
    }
}

fn rounded(weight: i32) -> i16 {
    ((weight + (1 << (FINER - 1))) >> FINER) as i16
}

impl<R: Row> Coder for Trainer<R> {
    type Odds = ();

    fn odds<const N: usize>(&self, _: &[usize; N]) {}

    #[inline(always)]
    fn decide<const N: usize>(
        &mut self,
        rows: &[usize; N],
        (): (),
        decision: usize,
        wanted: Option<bool>,
    ) -> bool {
        let places = rows.map(|row| row * R::DECISIONS + decision);
        let sum = places.iter().map(|&place| self.weights[place]).sum();
        let p = squash(rounded(sum));
        let Some(bit) = wanted else {
            return 2 * p >= ONE;
        };
        let error = if bit { ONE as i32 } else { 0 } - p as i32;
        let step = ((i64::from(error) * self.rate) >> 10) as i32;
        for place in places {
            let weight = &mut self.weights[place];
            *weight = (*weight + step).clamp(-127 << FINER, 127 << FINER);
        }
        bit
    }

    fn toss(&mut self, wanted: bool) -> bool {
        wanted
    }
}

/// One end of the arithmetic coder.
pub(super) trait Bits {
    /// Writes or reads a bit whose probability of being set is `p`. A writer takes the likelier bit
    /// if none is wanted; a reader ignores `wanted`.
    fn code(&mut self, wanted: Option<bool>, p: u32) -> bool;
}

impl Bits for Encoder<'_> {
    #[inline(always)]
    fn code(&mut self, wanted: Option<bool>, p: u32) -> bool {
        let bit = wanted.unwrap_or(2 * p >= ONE);
        self.encode(bit, p);
        bit
    }
}

impl Bits for Decoder<'_> {
    #[inline(always)]
    fn code(&mut self, _: Option<bool>, p: u32) -> bool {
        self.decode(p)
    }
}

/// Writes or reads decisions with learnt weights.
#[derive(Debug)]
pub(super) struct WithWeights<'a, R, B> {
    pub(super) weights: &'a Weights<R>,
    pub(super) bits: B,
}

impl<R: Row, B: Bits> Coder for WithWeights<'_, R, B> {
    type Odds = R::Sums;

    #[inline(always)]
    fn odds<const N: usize>(&self, rows: &[usize; N]) -> R::Sums {
        self.weights.odds(rows)
    }

    #[inline(always)]
    fn decide<const N: usize>(
        &mut self,
        _: &[usize; N],
        odds: R::Sums,
        decision: usize,
        wanted: Option<bool>,
    ) -> bool {
        self.bits.code(wanted, squash(R::sum(odds, decision, N)))
    }

    fn toss(&mut self, wanted: bool) -> bool {
        self.bits.code(Some(wanted), ONE / 2)
    }
}
