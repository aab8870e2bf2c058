//! Features that are worked out only for the units that need them.
//!
//! A unit without bytes is decoded without looking at its positions, and working out features
//! takes longer than decoding. So a codec says which units it looks at, and only then are their
//! features worked out: once for both files of a table, and in one go for units that follow each
//! other, which is faster.

use std::ops::Range;

use endmill_games::Feature;

use crate::codec::model::UNIT;

/// The features of some positions in a row, as far as a codec needs them. Slices and vectors of
/// features have all of them.
pub trait UnitFeatures {
    /// Returns the number of positions.
    fn count(&self) -> usize;

    /// Returns a feature for each position. It is right in those [`UNIT`]s of positions for which
    /// `needed` is true, given the place of the first; others may have the default feature.
    fn of_units(&mut self, needed: impl Fn(usize) -> bool) -> &[Feature];
}

impl<T: AsRef<[Feature]> + ?Sized> UnitFeatures for &T {
    fn count(&self) -> usize {
        self.as_ref().len()
    }

    fn of_units(&mut self, _: impl Fn(usize) -> bool) -> &[Feature] {
        (*self).as_ref()
    }
}

/// Memory for [`LazyFeatures`].
#[derive(Default)]
pub struct FeatureBuffer {
    features: Vec<Feature>,
    /// For each [`UNIT`] of positions, true if their features are worked out.
    known: Vec<bool>,
    run: Vec<Feature>,
}

impl FeatureBuffer {
    /// Returns the features of a range of positions, which `give` works out when they are needed.
    pub fn lazy<F>(&mut self, range: &Range<u64>, give: F) -> LazyFeatures<'_, F>
    where
        F: FnMut(Range<u64>, &mut Vec<Feature>),
    {
        let count = (range.end - range.start) as usize;
        self.features.clear();
        self.features.resize(count, Feature::default());
        self.known.clear();
        self.known.resize(count.div_ceil(UNIT), false);
        LazyFeatures {
            buffer: self,
            start: range.start,
            skipped: 0,
            give,
        }
    }
}

/// The features of a range of positions, each worked out when a codec first needs its unit.
pub struct LazyFeatures<'b, F> {
    buffer: &'b mut FeatureBuffer,
    /// The first position of the buffer.
    start: u64,
    /// Positions of the buffer before the first of these: whole units.
    skipped: usize,
    give: F,
}

impl<F: FnMut(Range<u64>, &mut Vec<Feature>)> LazyFeatures<'_, F> {
    /// Returns the features of all positions.
    pub fn all(&mut self) -> &[Feature] {
        self.work_out(|_| true)
    }

    fn work_out(&mut self, needed: impl Fn(usize) -> bool) -> &[Feature] {
        let FeatureBuffer {
            features,
            known,
            run,
        } = &mut *self.buffer;
        let missing = |known: &[bool], unit: usize| {
            unit < known.len() && !known[unit] && needed(unit * UNIT - self.skipped)
        };
        let mut unit = self.skipped / UNIT;
        while unit < known.len() {
            let first = unit;
            while missing(known, unit) {
                known[unit] = true;
                unit += 1;
            }
            if unit > first {
                let places = first * UNIT..features.len().min(unit * UNIT);
                let [start, end] =
                    [places.start, places.end].map(|place| self.start + place as u64);
                (self.give)(start..end, run);
                features[places].copy_from_slice(run);
            }
            unit += 1;
        }
        &features[self.skipped..]
    }

    /// Returns the same without the first positions, which are whole units.
    pub(crate) fn skip(
        &mut self,
        positions: usize,
    ) -> LazyFeatures<'_, impl FnMut(Range<u64>, &mut Vec<Feature>)> {
        LazyFeatures {
            buffer: self.buffer,
            start: self.start,
            skipped: self.skipped + positions,
            give: &mut self.give,
        }
    }
}

impl<F: FnMut(Range<u64>, &mut Vec<Feature>)> UnitFeatures for &mut LazyFeatures<'_, F> {
    fn count(&self) -> usize {
        self.buffer.features.len() - self.skipped
    }

    fn of_units(&mut self, needed: impl Fn(usize) -> bool) -> &[Feature] {
        self.work_out(needed)
    }
}
