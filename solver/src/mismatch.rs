//! What is wrong with a table.

use std::fmt::{self, Display};

use endmill_games::{Notation, Numbering, Outcome, Value};

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The stored value of a position contradicts its turns.
    Value {
        /// The table.
        table: String,
        /// The number of the position.
        index: u64,
        /// As stored.
        stored: Value,
        /// As its turns say.
        derived: Value,
    },
    /// The stored outcome of a position whose plies are left out contradicts its turns.
    Outcome {
        /// The table.
        table: String,
        /// The number of the position.
        index: u64,
        /// As stored.
        stored: Outcome,
        /// As its turns say.
        derived: Value,
    },
    /// A position has another number than the one it was made from.
    Number {
        /// The table.
        table: String,
        /// The number it was made from.
        index: u64,
    },
    /// A position was resolved by its turns when its table was read, and should be stored, or the
    /// other way round.
    Resolved {
        /// The table.
        table: String,
        /// The number of the position.
        index: u64,
        /// Whether it was resolved.
        resolved: bool,
    },
    /// The stored rank of a draw, or the plies until it converts, contradict its turns.
    Rank {
        /// The table.
        table: String,
        /// The number of the position.
        index: u64,
        /// As stored.
        stored: String,
        /// As its turns say.
        derived: String,
    },
    /// A header's counts are not those of its positions.
    Counts {
        /// The table.
        table: String,
    },
}

impl Mismatch {
    /// Describes the mismatch, with the position in the game's notation.
    pub fn describe<G: Numbering + Notation>(&self, game: &G) -> String {
        let Some((table, index)) = self.place() else {
            return self.to_string();
        };
        match game.parse_table(table) {
            Ok(own) if index < game.size(own) => {
                self.with_position(game.format_position(&game.unrank(own, index)))
            }
            _ => self.to_string(),
        }
    }

    /// The table and the number of a position whose value is wrong or taken from the wrong place.
    fn place(&self) -> Option<(&str, u64)> {
        match self {
            Mismatch::Value { table, index, .. }
            | Mismatch::Outcome { table, index, .. }
            | Mismatch::Rank { table, index, .. }
            | Mismatch::Resolved { table, index, .. } => Some((table, *index)),
            Mismatch::Number { .. } | Mismatch::Counts { .. } => None,
        }
    }

    /// Describes the mismatch, with the given text for the position.
    fn with_position(&self, position: impl Display) -> String {
        let line = |table: &str, stored: &dyn Display, derived: &dyn Display| {
            format!("{table}: {position} is stored as {stored}, its turns make it {derived}")
        };
        match self {
            Mismatch::Value {
                table,
                stored,
                derived,
                ..
            } => line(table, stored, derived),
            Mismatch::Outcome {
                table,
                stored,
                derived,
                ..
            } => line(table, stored, derived),
            Mismatch::Rank {
                table,
                stored,
                derived,
                ..
            } => line(table, stored, derived),
            Mismatch::Number { table, .. } => {
                format!("{table}: {position} does not have that number")
            }
            Mismatch::Resolved {
                table,
                resolved: true,
                ..
            } => format!(
                "{table}: {position} is resolved by its turns when it is read, it is one to be stored"
            ),
            Mismatch::Resolved { table, .. } => {
                format!(
                    "{table}: {position} is read as stored, it is one to be resolved by its turns"
                )
            }
            Mismatch::Counts { table } => {
                format!("{table}: the counts in the header are not those of its positions")
            }
        }
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Value { index, .. }
            | Mismatch::Outcome { index, .. }
            | Mismatch::Rank { index, .. }
            | Mismatch::Resolved { index, .. }
            | Mismatch::Number { index, .. } => {
                f.write_str(&self.with_position(format_args!("position {index}")))
            }
            Mismatch::Counts { .. } => f.write_str(&self.with_position("")),
        }
    }
}
