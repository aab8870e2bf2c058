//! The rules: positions, turns, and when the game is over.

use std::fmt::Debug;
use std::hash::Hash;

use crate::colour::Colour;
use crate::description::Description;
use crate::ending::Ending;
use crate::value::Value;

/// The rules of a game with its options fixed.
pub trait Rules: Send + Sync + Sized + 'static {
    /// A legal position with its side to move. A finished game is a legal position.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A whole turn, including removals and multiple jumps.
    type Turn: Copy + Eq + Hash + Debug + Send + Sync;

    /// Describes this ruleset.
    fn description(&self) -> Description;

    /// Returns a text that changes whenever a rule changes: the fingerprint in a file is its hash.
    fn rules_text(&self) -> String;

    /// Returns the rules as a rules file; `None` for games whose rules are not data.
    fn rules_file(&self) -> Option<String> {
        None
    }

    /// Returns the start position.
    fn start(&self) -> Self::Position;

    /// Returns the side to move.
    fn to_move(&self, position: &Self::Position) -> Colour;

    /// Returns the value of a position in which the game is over: [`Value::LOST`], or a draw by
    /// rule. `None` while the side to move can move.
    fn finished(&self, position: &Self::Position) -> Option<Value>;

    /// Returns the winner and why, if the game is over.
    fn ending(&self, position: &Self::Position) -> Option<Ending> {
        let value = self.finished(position)?;
        let decided = value.plies().is_some();
        Some(Ending {
            winner: decided.then(|| self.to_move(position).other()),
            reason: if decided { "no turn" } else { "draw by rule" },
        })
    }

    /// Replaces `turns` with all legal turns in a fixed order; none if the game is over. Different
    /// routes of a capture that end on the same place and take the same men are one turn.
    fn turns(&self, position: &Self::Position, turns: &mut Vec<Self::Turn>);

    /// Returns the position after a legal turn, with the other side to move.
    fn play(&self, position: &Self::Position, turn: &Self::Turn) -> Self::Position;

    /// Returns whether [`perft`](crate::perft()) counts a game that ends early as one or not at
    /// all, following the published counts of the game.
    fn counts_ended_games(&self) -> bool {
        true
    }

    /// Visits the position after each turn; unlike [`turns`](Rules::turns), different routes of one
    /// capture are visited separately. This is what perft counts.
    fn visit_routes(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Position)) {
        let mut turns = Vec::new();
        self.turns(position, &mut turns);
        for turn in &turns {
            visit(self.play(position, turn));
        }
    }

    /// Returns how often [`visit_routes`](Rules::visit_routes) would visit.
    fn count_routes(&self, position: &Self::Position) -> u64 {
        let mut routes = 0;
        self.visit_routes(position, &mut |_| routes += 1);
        routes
    }
}
