//! The model of outcomes.
//!
//! An outcome is two decisions at most: is it the table's most common outcome, and if not, the
//! second? What counts:
//! - the outcomes of the three neighbours and of the two positions before;
//! - for each view, the number there and the last three outcomes that came with this number in
//!   the unit: where one side stands badly in a row, it does so in many positions that look alike.

use std::ops::Range;

use endmill_games::{Feature, NEAR, Outcome, VIEWS};

use super::coder::{Decoder, Encoder};
use super::units::{LONG_UNIT, UNIT, Units};
use super::weights::{Coder, Trainer, Weights, WithWeights};
use super::{Malformed, units};
use crate::lazy_features::UnitFeatures;

/// Bits of an outcome, or of none.
const BITS: usize = 2;
/// The last three outcomes.
const HISTORIES: usize = 1 << (3 * BITS);
const SURROUNDINGS: usize = 1 << (BITS * (NEAR + 2));
const VIEW: usize = 256 * HISTORIES;
const ROWS: usize = SURROUNDINGS + VIEWS * VIEW;

/// How fast to learn at first and at last, and how often to go through the sample.
const RATES: [u32; 2] = [700, 4];
const ROUNDS: u32 = 2;

/// The outcome of a position that is not stored. It leaves no mark for later positions.
pub(in crate::codec) const FILLER: Outcome = Outcome::Draw;

const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

/// Codes the outcomes of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeModel {
    /// Positions of a unit.
    unit: usize,
    /// The outcomes, the most common first.
    order: [Outcome; 3],
    weights: Weights<u16>,
}

impl OutcomeModel {
    /// Learns from whole units of the table, one after the other. `None` is *don't care*.
    ///
    /// # Panics
    /// Panics if units are neither of [`UNIT`] positions nor of [`LONG_UNIT`].
    pub fn train(unit: usize, features: &[Feature], entries: &[Option<Outcome>]) -> OutcomeModel {
        assert!([UNIT, LONG_UNIT].contains(&unit), "units of {unit}");
        assert_eq!(features.len(), entries.len());
        let count = |outcome| {
            entries
                .iter()
                .filter(|&&entry| entry == Some(outcome))
                .count()
        };
        let mut order = OUTCOMES;
        order.sort_by_key(|&outcome| std::cmp::Reverse(count(outcome)));
        let mut trainer = Trainer::new(ROWS);
        let mut outcomes = Vec::with_capacity(unit);
        units::learn(features.len(), unit, ROUNDS, RATES, |unit, rate| {
            trainer.set_rate(rate);
            let entries = &entries[unit.clone()];
            outcomes.clear();
            walk(
                &order,
                &features[unit],
                |i| entries[i],
                &mut outcomes,
                &mut trainer,
            );
        });
        OutcomeModel {
            unit,
            order,
            weights: trainer.weights(),
        }
    }

    /// The table's most common outcome: a unit in which it is the only one takes no byte.
    pub fn most_common(&self) -> Outcome {
        self.order[0]
    }

    /// Positions of every unit but the last of a block.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// The model as the parameters of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.order.map(|outcome| outcome as u8).to_vec();
        self.weights.write(&mut bytes);
        bytes
    }

    /// The inverse of [`to_bytes`](OutcomeModel::to_bytes), given the length of a unit.
    ///
    /// # Panics
    /// Panics if units are neither of [`UNIT`] positions nor of [`LONG_UNIT`].
    pub fn from_bytes(unit: usize, bytes: &[u8]) -> Result<OutcomeModel, Malformed> {
        assert!([UNIT, LONG_UNIT].contains(&unit), "units of {unit}");
        let (order, bytes) = bytes.split_first_chunk::<3>().ok_or(Malformed)?;
        let mut sorted = *order;
        sorted.sort_unstable();
        if sorted != [0, 1, 2] {
            return Err(Malformed);
        }
        Ok(OutcomeModel {
            unit,
            order: order.map(|outcome| OUTCOMES[usize::from(outcome)]),
            weights: Weights::read(bytes, ROWS)?,
        })
    }

    /// Codes a block. A *don't care* entry gets the cheapest outcome. A unit whose positions all have
    /// the table's most common outcome takes no byte and needs no features: a byte of zeros means
    /// the first of the two choices in every decision.
    pub fn encode(&self, mut features: impl UnitFeatures, entries: &[Option<Outcome>]) -> Vec<u8> {
        assert_eq!(features.count(), entries.len());
        let entries_of = |unit: Range<usize>| &entries[unit.start..entries.len().min(unit.end)];
        let is_plain = |unit: Range<usize>| {
            let mut entries = entries_of(unit).iter();
            entries.all(|&entry| entry == Some(self.order[0]))
        };
        let features = features.of_units(|place| {
            let start = place - place % self.unit;
            !is_plain(start..start + self.unit)
        });
        let mut outcomes = Vec::with_capacity(self.unit);
        units::encode(entries.len(), self.unit, |unit, bytes| {
            if is_plain(unit.clone()) {
                return;
            }
            let entries = entries_of(unit.clone());
            let mut writer = WithWeights {
                weights: &self.weights,
                bits: Encoder::new(bytes),
            };
            outcomes.clear();
            walk(
                &self.order,
                &features[unit],
                |i| entries[i],
                &mut outcomes,
                &mut writer,
            );
            writer.bits.finish();
        })
    }

    /// Replaces `outcomes` by those of a whole block, one for each feature.
    pub fn decode(
        &self,
        coded: &[u8],
        mut features: impl UnitFeatures,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Malformed> {
        let units = Units::new(coded, features.count(), self.unit)?;
        let features = features.of_units(|place| units.length(place / self.unit) > 0);
        outcomes.clear();
        for (features, unit) in features.chunks(self.unit).zip(units.all()) {
            self.decode_unit(unit, features, outcomes);
        }
        Ok(())
    }

    /// Replaces `outcomes` by those of the first positions of a unit, one for each feature, where
    /// nothing else of the table has been decoded lately.
    pub fn decode_alone(
        &self,
        unit: &[u8],
        mut features: impl UnitFeatures,
        outcomes: &mut Vec<Outcome>,
    ) {
        let features = features.of_units(|_| !unit.is_empty());
        if !unit.is_empty() {
            self.weights.prefetch_views(features, HISTORIES, of_view);
        }
        outcomes.clear();
        self.decode_unit(unit, features, outcomes);
    }

    /// Appends the outcomes of the first positions of a unit, one for each feature. Any bytes decode
    /// to something: only a checksum shows whether they are right.
    pub fn decode_unit(&self, unit: &[u8], features: &[Feature], outcomes: &mut Vec<Outcome>) {
        if unit.is_empty() {
            let most_common = |feature: &Feature| match feature.resolved {
                true => FILLER,
                false => self.order[0],
            };
            outcomes.extend(features.iter().map(most_common));
            return;
        }
        let mut reader = WithWeights {
            weights: &self.weights,
            bits: Decoder::new(unit),
        };
        walk(&self.order, features, |_| None, outcomes, &mut reader);
    }
}

/// The first row of a number in a view.
#[inline(always)]
fn of_view(view: usize, number: usize) -> usize {
    SURROUNDINGS + view * VIEW + number * HISTORIES
}

/// Goes through the positions of a unit and appends their outcomes.
#[inline(always)]
fn walk(
    order: &[Outcome; 3],
    features: &[Feature],
    entry: impl Fn(usize) -> Option<Outcome>,
    outcomes: &mut Vec<Outcome>,
    coder: &mut impl Coder,
) {
    assert!(features.len() <= LONG_UNIT, "more than a unit");
    // Outcomes are marked from 1 on; 0 is none. The position i has its mark at i + 1, so that a
    // neighbour before the unit is found at 0, and a neighbour at no distance where the position
    // itself has no mark yet.
    let mut marks = [0u8; LONG_UNIT + 1];
    let mut histories = [[0u8; 256]; VIEWS];
    let mut before = 0;
    for (i, feature) in features.iter().enumerate() {
        if feature.resolved {
            outcomes.push(FILLER);
            continue;
        }
        let mut around = before;
        for distance in feature.near {
            let there = (i + 1).saturating_sub(usize::from(distance));
            around = around << BITS | usize::from(marks[there]);
        }
        let mut rows = [around; 1 + VIEWS];
        for (view, &number) in feature.views.iter().enumerate() {
            let history = usize::from(histories[view][usize::from(number)]);
            rows[1 + view] = of_view(view, usize::from(number)) + history;
        }
        let odds = coder.odds(&rows);
        let wanted = entry(i);
        let is = |outcome| wanted.map(|wanted| wanted == outcome);
        let outcome = if coder.decide(&rows, odds, 0, is(order[0])) {
            order[0]
        } else if coder.decide(&rows, odds, 1, is(order[1])) {
            order[1]
        } else {
            order[2]
        };
        let mark = outcome as u8 + 1;
        for (view, &number) in feature.views.iter().enumerate() {
            let history = &mut histories[view][usize::from(number)];
            *history = (*history << BITS | mark) & (HISTORIES - 1) as u8;
        }
        before = (before << BITS | usize::from(mark)) & ((1 << (2 * BITS)) - 1);
        marks[i + 1] = mark;
        outcomes.push(outcome);
    }
}
