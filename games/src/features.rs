//! What a codec may know about a position besides its rank.
//!
//! Positions that look alike have similar values. A game that describes how a position looks, and
//! which slightly lower rank has a nearly identical position, makes its files several times
//! smaller, and the codecs need not know the game. Features are a pure function of the position:
//! changing them makes existing files unreadable, as changing the numbering would.

use std::ops::Range;

use crate::numbering::Numbering;

/// The number of views of a position.
pub const VIEWS: usize = 4;
/// The largest number of neighbours of a position.
pub const NEAR: usize = 3;

/// The cost of a position, for estimates before building.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// CPU time to solve and store it.
    pub nanoseconds: f64,
    /// Bytes on disk.
    pub bytes: f64,
}

/// How a position looks, and where to find positions that differ little from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feature {
    /// For each view, a number shared by positions that look alike in it. The better a view
    /// predicts the value, the better; the meaning is opaque to codecs.
    pub views: [u8; VIEWS],
    /// The distances in rank to similar earlier positions, the nearest first; 0 = none.
    pub near: [u16; NEAR],
    /// Whether the value is not stored because it follows from the turns: what
    /// [`Features::is_resolved`] says, for many positions at once.
    pub resolved: bool,
}

/// The features of positions, and which positions need not be stored. The defaults are for a game
/// without features that stores every position.
pub trait Features: Numbering {
    /// Whether the value of a position is not stored: it has turns, all of them lead outside, and
    /// readers take the value from there ([`by_turns`](crate::by_turns)). So is a position that is
    /// not finished and has [no rank](Numbering::table_of) because of what it remembers. A
    /// predicate on the position alone; [`Feature::resolved`] says the same of many positions.
    fn is_resolved(&self, _: &Self::Position) -> bool {
        false
    }

    /// Whether no position of a table is [resolved](Features::is_resolved): then no features are
    /// needed to know what is stored. `false` is always correct.
    fn stores_every_one(&self, _: Self::Table) -> bool {
        false
    }

    /// The tables that turns from [resolved](Features::is_resolved) positions of a table may lead
    /// to: decoding the whole table needs them. Empty if every position is stored.
    fn resolved_from(&self, _: Self::Table) -> Vec<Self::Table> {
        Vec::new()
    }

    /// Whether a compact database leaves the plies of a table out, because readers derive them from
    /// where the turns lead. One turn must be enough: of no table that a turn
    /// [inside](Numbering::partner) or [outside](Numbering::outside) leads to may they be left out
    /// too, nor of one that positions there are [resolved from](Features::resolved_from). It
    /// depends on nothing but the table, so that every build leaves out the same.
    fn leaves_plies_out(&self, _: Self::Table) -> bool {
        false
    }

    /// Whether a game can stay in a table and its partner for ever: both sides have moves that can be
    /// taken back. Only such tables have a score by which draws are ranked.
    fn can_stay(&self, table: Self::Table) -> bool {
        self.has_inside_turns(table)
    }

    /// The average cost of a position of a table, with plies or outcomes only. The default is a
    /// cautious guess for the plain layout and no features.
    fn cost(&self, _table: Self::Table, plies: bool) -> Cost {
        Cost {
            nanoseconds: 3000.0,
            bytes: if plies { 1.0 } else { 0.2 },
        }
    }

    /// Replaces `features` with the features of the positions of a range.
    ///
    /// # Panics
    /// Panics if the range ends after `size(table)`.
    fn features(&self, table: Self::Table, range: Range<u64>, features: &mut Vec<Feature>) {
        assert!(range.end <= self.size(table), "{table} has fewer positions");
        features.clear();
        features.extend(range.map(|index| Feature {
            resolved: self.is_resolved(&self.unrank(table, index)),
            ..Feature::default()
        }));
    }
}
