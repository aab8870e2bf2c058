//! What there is to see in a position, for the codec.

use std::ops::Range;

use super::Draughts;
use super::moves::jumpers;
use super::table::Table;
use crate::clue::Clue;

impl Draughts {
    /// Appends the clues of a range of positions.
    pub(super) fn clues_of(&self, table: Table, range: Range<u64>, clues: &mut Vec<Clue>) {
        clues.extend(range.map(|index| Clue {
            resolved: jumpers(&self.unrank_position(table, index)) != 0,
            ..Clue::default()
        }));
    }
}
