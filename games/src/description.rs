//! What a ruleset is, as data.

/// What a ruleset is, for people and for programs that list rulesets.
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
    /// Lines on which a mill can stand (0 where there are no mills).
    pub lines: u32,
    /// Symmetries by which positions are counted as one.
    pub symmetries: u32,
    /// Men of each side at the start.
    pub men: u32,
    /// After how many quiet plies a game is drawn, if the rules count them.
    pub quiet_limit: Option<u32>,
    /// Whether the rules ban a broken mill from being closed again at once.
    pub bans: bool,
    /// Name and value of every rule that distinguishes this ruleset from its relatives.
    pub options: Vec<(&'static str, String)>,
    /// The rules in words, a paragraph each.
    pub words: Vec<String>,
}

impl Description {
    /// In what another ruleset differs from this one, as `flying: no instead of yes`; nothing if
    /// only their names differ.
    pub fn differences(&self, other: &Description) -> Vec<String> {
        if self.game != other.game {
            return vec![format!("game: {} instead of {}", other.game, self.game)];
        }
        let facts = |of: &Description| {
            let counts = [
                ("points", of.points),
                ("edges", of.edges),
                ("lines", of.lines),
                ("men", of.men),
            ];
            let counts = counts.map(|(name, count)| (name, count.to_string()));
            [&counts[..], &of.options].concat()
        };
        let pairs = facts(self).into_iter().zip(facts(other));
        pairs
            .filter(|(own, theirs)| own != theirs)
            .map(|((name, own), (_, theirs))| format!("{name}: {theirs} instead of {own}"))
            .collect()
    }
}
