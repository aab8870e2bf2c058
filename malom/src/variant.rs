//! Which rulesets have sector files, and the numbers that differ between them.

use endmill_games::morris::{self, Morris};
use endmill_games::{Description, Notation, Rules};

use crate::error::{Error, Result};

/// One of malom's three games.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// How the names of its files begin.
    pub name: &'static str,
    /// Bits of the first key of a cell.
    pub first_bits: u32,
    /// The absolute value that stands for a win; its opposite stands for a loss.
    pub win: i32,
    /// The built-in ruleset whose rules these are.
    like: &'static str,
    /// Whether it does not matter how a full board ends.
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
    /// The game of a ruleset, by its board and its rules, whatever it is called.
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

    /// What must be the same as in the built-in ruleset.
    fn rules(&self, of: &Description) -> (u32, Vec<(&'static str, String)>) {
        let options = of.options.iter().cloned();
        let options =
            options.filter(|(name, _)| !(self.any_full_board && name.starts_with("full-board")));
        (of.men, options.collect())
    }

    /// The greatest number that the first key of a cell holds; the least is one below its opposite.
    pub(crate) fn most_first(&self) -> i32 {
        (1 << (self.first_bits - 1)) - 1
    }

    /// The greatest number that the second key holds; the least stands for an exception.
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
