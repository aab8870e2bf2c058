//! Which rules a file was made for.

use std::fmt;

/// A ruleset's id with a fingerprint of its rules: a file answers only for rules it was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The ruleset's id.
    pub id: String,
    /// BLAKE3 of [`rules_text`](endmill_games::Rules::rules_text).
    pub fingerprint: [u8; 32],
}

impl Rules {
    /// The rules of a game in this version of the program.
    pub fn of(game: &impl endmill_games::Rules) -> Rules {
        Rules {
            id: game.description().id,
            fingerprint: *blake3::hash(game.rules_text().as_bytes()).as_bytes(),
        }
    }
}

impl fmt::Display for Rules {
    /// Id and enough of the fingerprint to distinguish versions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.fingerprint;
        write!(f, "{} (rules {a:02x}{b:02x}{c:02x}{d:02x})", self.id)
    }
}
