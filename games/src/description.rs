//! A ruleset described as data.

/// Describes a ruleset, for people and for programs that list rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The id that commands take.
    pub id: String,
    /// `morris` or `draughts`: the game that the ruleset is an instance of.
    pub game: &'static str,
    /// One line for people.
    pub title: String,
    /// Places on the board.
    pub points: u32,
    /// Pairs of neighbouring places.
    pub edges: u32,
    /// Symmetries that the numbering merges.
    pub symmetries: u32,
    /// Men of each side at the start.
    pub men: u32,
    /// Numbers that only this game has, by name, such as `lines`.
    pub counts: Vec<(&'static str, u32)>,
    /// The name and value of every rule that distinguishes this ruleset from its relatives.
    pub options: Vec<(&'static str, String)>,
    /// The rules in words, a paragraph each.
    pub words: Vec<String>,
}

impl Description {
    /// Returns how another ruleset differs from this one, such as `flying: no instead of yes`;
    /// nothing if only their names differ.
    pub fn differences(&self, other: &Description) -> Vec<String> {
        if self.game != other.game {
            return vec![format!("game: {} instead of {}", other.game, self.game)];
        }
        let facts = |of: &Description| {
            let board = [("points", of.points), ("edges", of.edges)];
            let counts = [&board, &of.counts[..], &[("men", of.men)]].concat();
            let counts = counts
                .iter()
                .map(|&(name, count)| (name, count.to_string()));
            counts.chain(of.options.clone()).collect::<Vec<_>>()
        };
        let pairs = facts(self).into_iter().zip(facts(other));
        pairs
            .filter(|(own, theirs)| own != theirs)
            .map(|((name, own), (_, theirs))| format!("{name}: {theirs} instead of {own}"))
            .collect()
    }

    /// Returns a number that only this game has; `None` if it has no such number.
    pub fn count(&self, name: &str) -> Option<u32> {
        let found = self.counts.iter().find(|(known, _)| *known == name);
        found.map(|&(_, count)| count)
    }

    /// Returns the value of an option; `None` if the rules have no such option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }
}
