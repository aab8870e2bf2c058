//! The model of plies, given the outcomes.
//!
//! A win is odd and a loss even: what is coded is half of the plies, as the difference from what
//! is expected: a weighted mean of what neighbours, the positions before, and the last positions
//! that looked the same in each view have, as far as their outcome is the same. A difference is
//! "none?", "more?", and then its size, counted up decision by decision. What counts for each
//! decision: the expected number; how the neighbours differ from it; how the positions before do;
//! and, for each view, the number there and how the last position with this number differs.

use endmill_games::{Feature, NEAR, Outcome, VIEWS, Value};

use super::coder::{Decoder, Encoder};
use super::units::{UNIT, Units};
use super::weights::{Coder, Trainer, Weights, WithWeights};
use super::{Malformed, units};
use crate::lazy_features::UnitFeatures;

/// Decisions are numbered: no difference, more, then by size upwards and by size downwards.
const UP: usize = 2;
const DOWN: usize = 5;
/// Sizes with a separate decision in either direction; larger ones share the last.
const SIZES: usize = DOWN - UP;
/// Sizes from here on are written in full.
const LONG: u16 = 24;

/// Expected numbers that are distinguished.
const EXPECTED: usize = 32;
/// Differences from the expected number, including none, that are distinguished.
const FAR: i32 = 4;
const APART: usize = 2 * FAR as usize + 2;
/// The same, for the views.
const VIEW_FAR: i32 = 3;
const VIEW_APART: usize = 2 * VIEW_FAR as usize + 2;

const NEIGHBOURS: usize = 2 * EXPECTED;
const BEFORE: usize = NEIGHBOURS + 2 * APART * APART;
const FIRST_VIEW: usize = BEFORE + 2 * APART * APART;
const NUMBER: usize = 2 * VIEW_APART;
const VIEW: usize = 256 * NUMBER;
const ROWS: usize = FIRST_VIEW + VIEWS * VIEW;

/// What neighbours, the two positions before and views count in the mean.
const NEAR_COUNTS: [u32; NEAR] = [3, 2, 2];
const BEFORE_COUNT: u32 = 1;
const VIEW_COUNT: u32 = 2;

/// How fast to learn at first and at last, and how often to go through the sample.
const RATES: [u32; 2] = [300, 4];
const ROUNDS: u32 = 2;

/// Half of the most plies there can be, plus one.
const MOST: u16 = 1 << 15;

/// Codes the plies of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PliesModel {
    /// What is expected, of a loss and of a win, where nothing has been seen yet.
    usual: [u16; 2],
    weights: Weights<u64>,
}

/// What has been learnt of the plies of losses, or of wins. Neither says anything about the other,
/// so that two threads can learn a model.
#[derive(Debug)]
pub struct LearntPlies {
    usual: u16,
    trainer: Trainer<u64>,
}

impl LearntPlies {
    /// Learns from those positions of whole units of the table that have one of the two outcomes.
    /// `None` is a value that is not stored.
    pub fn of(
        outcome: Outcome,
        features: &[Feature],
        outcomes: &[Outcome],
        values: &[Option<Value>],
    ) -> LearntPlies {
        assert_eq!(features.len(), values.len());
        let same = values.iter().flatten();
        let same = same.filter(|value| value.outcome() == outcome);
        let (sum, count) = same.fold((0, 0), |(sum, count), value| {
            (sum + u64::from(number(*value)), count + 1)
        });
        let usual = (sum / u64::max(count, 1)).max(1) as u16;
        let mut trainer = Trainer::new(ROWS);
        let mut numbers = Vec::with_capacity(UNIT);
        let mut only = Vec::with_capacity(UNIT);
        units::learn(features.len(), UNIT, ROUNDS, RATES, |unit, rate| {
            trainer.set_rate(rate);
            only.clear();
            only.extend(
                outcomes[unit.clone()]
                    .iter()
                    .map(|&own| match own == outcome {
                        true => own,
                        false => Outcome::Draw,
                    }),
            );
            let wanted = &values[unit.clone()];
            let wanted = |i: usize| wanted[i].map(number);
            numbers.clear();
            let walked = walk(
                [usual; 2],
                &features[unit],
                &only,
                wanted,
                &mut numbers,
                &mut trainer,
            );
            walked.expect("plies that exist");
        });
        LearntPlies { usual, trainer }
    }
}

impl PliesModel {
    /// Learns from whole units of the table. `None` is a value that is not stored.
    pub fn train(
        features: &[Feature],
        outcomes: &[Outcome],
        values: &[Option<Value>],
    ) -> PliesModel {
        let sides = [Outcome::Loss, Outcome::Win];
        PliesModel::new(sides.map(|side| LearntPlies::of(side, features, outcomes, values)))
    }

    /// From what has been learnt of losses and of wins.
    pub fn new([mut losses, wins]: [LearntPlies; 2]) -> PliesModel {
        losses.trainer.add(&wins.trainer);
        PliesModel {
            usual: [losses.usual, wins.usual],
            weights: losses.trainer.weights(),
        }
    }

    /// The model as the parameters of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.usual.map(u16::to_le_bytes).concat();
        self.weights.write(&mut bytes);
        bytes
    }

    /// The inverse of [`to_bytes`](PliesModel::to_bytes).
    pub fn from_bytes(bytes: &[u8]) -> Result<PliesModel, Malformed> {
        let (&[a, b, c, d], bytes) = bytes.split_first_chunk().ok_or(Malformed)?;
        let usual = [[a, b], [c, d]].map(u16::from_le_bytes);
        if usual.iter().any(|number| !(1..=MOST).contains(number)) {
            return Err(Malformed);
        }
        Ok(PliesModel {
            usual,
            weights: Weights::read(bytes, ROWS)?,
        })
    }

    /// Codes a block, given the outcomes that decoding yields.
    ///
    /// # Panics
    /// Panics if a value has another outcome than the one it is coded for.
    pub fn encode(
        &self,
        mut features: impl UnitFeatures,
        outcomes: &[Outcome],
        values: &[Option<Value>],
    ) -> Vec<u8> {
        assert_eq!(features.count(), values.len());
        for (value, &outcome) in values.iter().zip(outcomes) {
            let fits = value.is_none_or(|value| value.outcome() == outcome);
            assert!(fits, "coded for another outcome");
        }
        let features = features.of_units(|place| has_plies(&outcomes[place..]));
        let mut numbers = Vec::with_capacity(UNIT);
        units::encode(features.len(), UNIT, |unit, bytes| {
            if !has_plies(&outcomes[unit.clone()]) {
                return;
            }
            let mut writer = WithWeights {
                weights: &self.weights,
                bits: Encoder::new(bytes),
            };
            let wanted = &values[unit.clone()];
            let wanted = |i: usize| wanted[i].map(number);
            numbers.clear();
            let walked = walk(
                self.usual,
                &features[unit.clone()],
                &outcomes[unit],
                wanted,
                &mut numbers,
                &mut writer,
            );
            walked.expect("plies that exist");
            writer.bits.finish();
        })
    }

    /// Replaces `values` by those of a whole block, one for each feature and outcome.
    pub fn decode(
        &self,
        coded: &[u8],
        mut features: impl UnitFeatures,
        outcomes: &[Outcome],
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        let units = Units::new(coded, features.count(), UNIT)?;
        let features = features.of_units(|place| has_plies(&outcomes[place..]));
        values.clear();
        let parts = features.chunks(UNIT).zip(outcomes.chunks(UNIT));
        for ((features, outcomes), unit) in parts.zip(units.all()) {
            if !has_plies(outcomes) {
                values.extend(outcomes.iter().map(|_| Value::Draw));
                continue;
            }
            self.decode_unit(unit, features, outcomes, values)?;
        }
        Ok(())
    }

    /// Replaces `values` by those of the first positions of a unit, one for each feature and outcome,
    /// where nothing else of the table has been decoded lately.
    pub fn decode_alone(
        &self,
        unit: &[u8],
        mut features: impl UnitFeatures,
        outcomes: &[Outcome],
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        let features = features.of_units(|place| has_plies(&outcomes[place..]));
        if !unit.is_empty() {
            self.weights.prefetch_views(features, NUMBER, of_view);
        }
        values.clear();
        self.decode_unit(unit, features, outcomes, values)
    }

    /// Appends the values of the first positions of a unit, one for each feature and outcome.
    pub fn decode_unit(
        &self,
        unit: &[u8],
        features: &[Feature],
        outcomes: &[Outcome],
        values: &mut Vec<Value>,
    ) -> Result<(), Malformed> {
        let mut reader = WithWeights {
            weights: &self.weights,
            bits: Decoder::new(unit),
        };
        let mut numbers = Vec::with_capacity(features.len());
        walk(
            self.usual,
            features,
            outcomes,
            |_| None,
            &mut numbers,
            &mut reader,
        )?;
        let pairs = outcomes.iter().zip(numbers);
        values.extend(pairs.map(|(outcome, number)| match outcome {
            _ if number == 0 => Value::Draw,
            Outcome::Loss => Value::Loss(2 * (number - 1)),
            Outcome::Draw => Value::Draw,
            Outcome::Win => Value::Win(2 * (number - 1) + 1),
        }));
        Ok(())
    }
}

/// Returns true if some position of the unit that these outcomes begin with is won or lost.
fn has_plies(outcomes: &[Outcome]) -> bool {
    let mut unit = outcomes.iter().take(UNIT);
    unit.any(|&outcome| outcome != Outcome::Draw)
}

/// Half of the plies plus one: 0 stands for none.
fn number(value: Value) -> u16 {
    value.plies().unwrap_or(0) / 2 + 1
}

/// A weighted mean of the numbers that are known; 0 is none.
struct Mean {
    sum: u32,
    count: u32,
}

impl Mean {
    #[inline(always)]
    fn add(&mut self, number: u16, count: u32) {
        self.sum += u32::from(number) * count;
        self.count += u32::from(number != 0) * count;
    }

    /// Rounded; `usual` if nothing is known.
    #[inline(always)]
    fn rounded(&self, usual: u16) -> u16 {
        let twice = u64::from(2 * self.sum + self.count);
        let mean = ((twice * HALVED[self.count as usize % HALVED.len()]) >> 32) as u16;
        if self.count == 0 { usual } else { mean }
    }
}

/// 2³² / 2n, rounded up: multiplying is faster than dividing. 22 bits times 2³² / 2n are exact
/// enough to give the same result.
static HALVED: [u64; 32] = {
    let mut halved = [0; 32];
    let mut n = 1;
    while n < halved.len() {
        halved[n] = (1u64 << 32).div_ceil(2 * n as u64);
        n += 1;
    }
    halved
};

/// Which of the differences from the expected number this is, from 1 on; 0 for none.
#[inline(always)]
fn apart(number: u16, expected: u16, far: i32) -> usize {
    let difference = i32::from(number) - i32::from(expected);
    let place = (difference.clamp(-far, far) + far + 1) as usize;
    if number == 0 { 0 } else { place }
}

/// The first row of a number in a view.
#[inline(always)]
fn of_view(view: usize, number: usize) -> usize {
    FIRST_VIEW + view * VIEW + number * NUMBER
}

/// Goes through the positions of a unit and appends half of their plies plus one, 0 for draws.
#[inline(always)]
fn walk(
    usual: [u16; 2],
    features: &[Feature],
    outcomes: &[Outcome],
    wanted: impl Fn(usize) -> Option<u16>,
    numbers: &mut Vec<u16>,
    coder: &mut impl Coder,
) -> Result<(), Malformed> {
    assert!(features.len() <= UNIT, "more than a unit");
    // For losses and for wins. The position i has its number at i + 1, so that a neighbour before
    // the unit is found at 0, and a neighbour at distance 0 finds no number yet.
    let mut known = [[0u16; UNIT + 1]; 2];
    let mut lately = [[[0u16; 256]; VIEWS]; 2];
    let mut before = [[0u16; 2]; 2];
    for (i, (feature, &outcome)) in features.iter().zip(outcomes).enumerate() {
        let side = match outcome {
            // A filler has no plies, whatever its outcome.
            _ if feature.resolved => {
                numbers.push(0);
                continue;
            }
            Outcome::Draw => {
                numbers.push(0);
                continue;
            }
            Outcome::Loss => 0,
            Outcome::Win => 1,
        };
        let known = &mut known[side];
        let lately = &mut lately[side];
        let before = &mut before[side];
        let near = feature
            .near
            .map(|distance| known[(i + 1).saturating_sub(usize::from(distance))]);
        let mut alike = [0; VIEWS];
        for (view, &number) in feature.views.iter().enumerate() {
            alike[view] = lately[view][usize::from(number)];
        }
        let mut mean = Mean { sum: 0, count: 0 };
        (near.iter().zip(NEAR_COUNTS)).for_each(|(&number, count)| mean.add(number, count));
        before
            .iter()
            .for_each(|&number| mean.add(number, BEFORE_COUNT));
        alike
            .iter()
            .for_each(|&number| mean.add(number, VIEW_COUNT));
        let expected = mean.rounded(usual[side]);

        let mut rows = [0; 3 + VIEWS];
        let pair = |a: u16, b: u16| {
            let a = apart(a, expected, FAR);
            (side * APART + a) * APART + apart(b, expected, FAR)
        };
        rows[0] = side * EXPECTED + usize::from(expected).min(EXPECTED - 1);
        rows[1] = NEIGHBOURS + pair(near[0], near[1]);
        rows[2] = BEFORE + pair(before[0], before[1]);
        for (view, &number) in feature.views.iter().enumerate() {
            let apart = apart(alike[view], expected, VIEW_FAR);
            rows[3 + view] = of_view(view, usize::from(number)) + side * VIEW_APART + apart;
        }
        let number = difference(&rows, expected, wanted(i), coder)?;

        for (view, &look) in feature.views.iter().enumerate() {
            lately[view][usize::from(look)] = number;
        }
        *before = [number, before[0]];
        known[i + 1] = number;
        numbers.push(number);
    }
    Ok(())
}

/// Codes one number by its difference from the expected one.
#[inline(always)]
fn difference(
    rows: &[usize; 3 + VIEWS],
    expected: u16,
    wanted: Option<u16>,
    coder: &mut impl Coder,
) -> Result<u16, Malformed> {
    let odds = coder.odds(rows);
    let mut decide = |decision: usize, bit: bool| coder.decide(rows, odds, decision, Some(bit));
    let wanted = wanted.unwrap_or(expected);
    if decide(0, wanted == expected) {
        return Ok(expected);
    }
    let more = decide(1, wanted > expected);
    let first = if more { UP } else { DOWN };
    let size = wanted.abs_diff(expected);
    let mut found = 1;
    while found < LONG {
        let decision = first + usize::from(found - 1).min(SIZES - 1);
        if decide(decision, size == found) {
            break;
        }
        found += 1;
    }
    if found == LONG {
        found = 0;
        for bit in (0..16).rev() {
            found |= u16::from(coder.toss(size >> bit & 1 == 1)) << bit;
        }
    }
    let number = if more {
        expected.checked_add(found)
    } else {
        expected.checked_sub(found)
    };
    let exists = |number: &u16| (1..=MOST).contains(number);
    number.filter(exists).ok_or(Malformed)
}
