//! What is wrong with a table.

use std::fmt::{self, Display};

use endmill_games::{Notation, Numbering, Outcome, Value};

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// A position is stored with another value than its turns give it.
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
    /// A position, whose plies are left out, is stored with another outcome than its turns give it.
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
    /// A header's counts are not those of its positions.
    Counts {
        /// The table.
        table: String,
    },
}

impl Mismatch {
    /// In words, with the position as the game writes it.
    pub fn describe<G: Numbering + Notation>(&self, game: &G) -> String {
        let Some((table, index)) = self.place() else {
            return self.to_string();
        };
        match game.parse_table(table) {
            Ok(own) if index < game.size(own) => {
                self.tell(game.format_position(&game.unrank(own, index)))
            }
            _ => self.to_string(),
        }
    }

    /// The table and the number of a position whose value is wrong.
    fn place(&self) -> Option<(&str, u64)> {
        match self {
            Mismatch::Value { table, index, .. } | Mismatch::Outcome { table, index, .. } => {
                Some((table, *index))
            }
            Mismatch::Number { .. } | Mismatch::Counts { .. } => None,
        }
    }

    /// In words, with the position as it is called here.
    fn tell(&self, position: impl Display) -> String {
        let line = |table: &str, stored: &dyn Display, derived: &Value| {
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
            Mismatch::Number { table, .. } => {
                format!("{table}: {position} does not have that number")
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
            | Mismatch::Number { index, .. } => {
                f.write_str(&self.tell(format_args!("position {index}")))
            }
            Mismatch::Counts { .. } => f.write_str(&self.tell("")),
        }
    }
}
