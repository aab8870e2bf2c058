//! The rulesets with sector files, and the numbers in which they differ.

use endmill_games::morris::{self, Morris};
use endmill_games::{Description, Notation, Rules};

use crate::error::{Error, Result};

/// One of Malom's three games.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// The prefix of the names of its files.
    pub name: &'static str,
    /// The number of bits of the first key of a cell.
    pub first_bits: u32,
    /// The absolute value of a win; that of a loss is its opposite.
    pub win: i32,
    /// The built-in ruleset with these rules.
    like: &'static str,
    /// Whether any rule for a full board is accepted.
    any_full_board: bool,
}

/// The three games.
pub static VARIANTS: [Variant; 3] = [
    Variant {
        name: "std",
        first_bits: 12,
        win: 299,
        like: "nine",
        any_full_board: false,
    },
    Variant {
        name: "lask",
        first_bits: 14,
        win: 1715,
        like: "lasker",
        any_full_board: false,
    },
    Variant {
        name: "mora",
        first_bits: 14,
        win: 704,
        like: "twelve",
        any_full_board: true,
    },
];

impl Variant {
    /// Finds the game of a ruleset by its board and its rules, regardless of its name.
    pub fn of(game: &Morris) -> Result<&'static Variant> {
        let same = |variant: &&Variant| {
            let like = morris::find(variant.like);
            like.is_some_and(|like| {
                game.geometry() == like.geometry()
                    && variant.rules(&game.description()) == variant.rules(&like.description())
            })
        };
        let found = VARIANTS.iter().find(same);
        found.ok_or_else(|| Error::NoVariant {
            ruleset: game.description().id,
            known: VARIANTS
                .iter()
                .map(|variant| format!("{} ({}_…)", variant.like, variant.name))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The rules that must agree with the built-in ruleset.
    fn rules(&self, of: &Description) -> (u32, Vec<(&'static str, String)>) {
        let options = of.options.iter().cloned();
        let options =
            options.filter(|(name, _)| !(self.any_full_board && name.starts_with("full-board")));
        (of.men, options.collect())
    }

    /// The maximum of the first key of a cell; the minimum is one below its opposite.
    pub(crate) fn most_first(&self) -> i32 {
        (1 << (self.first_bits - 1)) - 1
    }

    /// The maximum of the second key; its minimum marks an exception.
    pub(crate) fn most_second(&self) -> i32 {
        (1 << (23 - self.first_bits)) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_are_known_by_their_rules() {
        for (id, name) in [("nine", "std"), ("lasker", "lask"), ("twelve", "mora")] {
            let game = morris::find(id).unwrap();
            assert_eq!(Variant::of(&game).unwrap().name, name);
        }
        for id in ["nine-nofly", "six", "three"] {
            let game = morris::find(id).unwrap();
            let refused = Variant::of(&game).unwrap_err().to_string();
            assert!(
                refused.contains(id) && refused.contains("nine (std_…)"),
                "{refused}"
            );
        }
    }
}
