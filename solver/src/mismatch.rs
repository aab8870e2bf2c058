//! What is wrong with a table.

use std::fmt::{self, Display};

use endmill_games::{Notation, Numbering, Value};

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
        if let Mismatch::Value {
            table,
            index,
            stored,
            derived,
        } = self
            && let Ok(own) = game.parse_table(table)
            && *index < game.size(own)
        {
            let position = game.format_position(&game.unrank(own, *index));
            return format!(
                "{table}: {position} is stored as {stored}, its turns make it {derived}"
            );
        }
        self.to_string()
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Value {
                table,
                index,
                stored,
                derived,
            } => {
                write!(
                    f,
                    "{table}: position {index} is stored as {stored}, its turns make it {derived}"
                )
            }
            Mismatch::Number { table, index } => {
                write!(f, "{table}: position {index} does not have that number")
            }
            Mismatch::Counts { table } => {
                write!(
                    f,
                    "{table}: the counts in the header are not those of its positions"
                )
            }
        }
    }
}
