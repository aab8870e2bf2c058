//! The list of rulesets, and the one step from an id at run time to monomorphic code.

use crate::draughts::Draughts;
use crate::error::UnknownRuleset;
use crate::game::Game;
use crate::morris::Morris;

/// A piece of work that can be done with any game.
pub trait Visitor {
    /// What the work gives.
    type Output;

    /// Does the work, compiled once for each game.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}

/// A ruleset chosen by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    id: &'static str,
}

/// Every ruleset there is, in the order in which they are listed for people.
pub fn rulesets() -> impl Iterator<Item = Ruleset> {
    let morris = crate::morris::RULESETS.iter().map(|rules| rules.id);
    morris.chain([Draughts::ID]).map(|id| Ruleset { id })
}

impl Ruleset {
    /// Finds a ruleset by its id.
    pub fn find(id: &str) -> Result<Ruleset, UnknownRuleset> {
        let mut all = rulesets();
        all.find(|known| known.id == id).ok_or_else(|| {
            let known: Vec<_> = rulesets().map(|known| known.id).collect();
            UnknownRuleset {
                name: id.to_owned(),
                known: known.join(", "),
            }
        })
    }

    /// The id that commands and files use.
    pub fn id(self) -> &'static str {
        self.id
    }

    /// Sets up the game of this ruleset and hands it to `visitor`.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match crate::morris::RULESETS
            .iter()
            .find(|rules| rules.id == self.id)
        {
            Some(rules) => visitor.visit(Morris::new(rules)),
            None => visitor.visit(Draughts::new()),
        }
    }
}
