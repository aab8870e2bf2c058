//! What a codec may know about a position besides its number.
//!
//! Values of positions that look alike are alike. A game that says how a position looks, and which
//! position numbered shortly before it is nearly the same, lets the files be several times
//! smaller, and those who write the files need not know the game. Features are a pure function of the
//! position: whoever changes what a game says here makes its files unreadable, as a change of the
//! numbering would.

use std::ops::Range;

use crate::numbering::Numbering;

/// Ways in which a position is looked at.
pub const VIEWS: usize = 4;
/// Neighbours that a position has at most.
pub const NEAR: usize = 3;

/// What a position takes, for estimates before building.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Of one processor, solving and storing.
    pub nanoseconds: f64,
    /// On disk.
    pub bytes: f64,
}

/// How a position looks, and where to find positions that differ little from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feature {
    /// For each view a number that positions share which look alike in it. The more a view says
    /// about the value, the better; what it means nobody asks.
    pub views: [u8; VIEWS],
    /// How far before this position similar ones are numbered, the nearest first; 0 = none.
    pub near: [u16; NEAR],
    /// Whether the value is not stored, because it is read from where the turns lead: what
    /// [`Features::is_resolved`] says, for many positions at once.
    pub resolved: bool,
}

/// What is seen in positions, and which of them need not be stored. A game that has nothing to
/// say and stores every position leaves everything as it is.
pub trait Features: Numbering {
    /// Whether the value of a position is not stored: it has turns, all of them lead outside, and
    /// readers take the value from there ([`by_turns`](crate::by_turns)). So is a
    /// position that goes on and has [no number](Numbering::table_of) for what it remembers. A
    /// predicate on the position alone; [`Feature::resolved`] says the same of many positions.
    fn is_resolved(&self, _: &Self::Position) -> bool {
        false
    }

    /// Whether no position of a table is [resolved](Features::is_resolved): then nobody need ask for
    /// features to know what is stored. To say no is always right.
    fn stores_every_one(&self, _: Self::Table) -> bool {
        false
    }

    /// The tables that turns from [resolved](Features::is_resolved) positions of a table may lead
    /// to: without them it cannot be read as a whole. None if every position is stored.
    fn resolved_from(&self, _: Self::Table) -> Vec<Self::Table> {
        Vec::new()
    }

    /// Whether a compact database leaves the plies of a table out, because whoever asks for them
    /// derives them from where the turns lead. One turn must be enough: of no table that a turn
    /// [inside](Numbering::partner) or [outside](Numbering::outside) leads to may they be left out
    /// too, nor of one that positions there are [resolved from](Features::resolved_from). A rule of
    /// the game that looks at nothing but the table, so that every build leaves out the same.
    fn leaves_plies_out(&self, _: Self::Table) -> bool {
        false
    }

    /// What a position of a table takes on average, with plies or outcomes only. The default is
    /// a cautious guess for the plain layout and no features.
    fn cost(&self, _table: Self::Table, plies: bool) -> Cost {
        Cost {
            nanoseconds: 3000.0,
            bytes: if plies { 1.0 } else { 0.2 },
        }
    }

    /// Replaces `features` by what there is to see in the positions of a range: see [`Feature`].
    ///
    /// # Panics
    /// If the range ends after `size(table)`.
    fn features(&self, table: Self::Table, range: Range<u64>, features: &mut Vec<Feature>) {
        assert!(range.end <= self.size(table), "{table} has fewer positions");
        features.clear();
        features.extend(range.map(|index| Feature {
            resolved: self.is_resolved(&self.unrank(table, index)),
            ..Feature::default()
        }));
    }
}
