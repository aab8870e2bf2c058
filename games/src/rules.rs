//! What can happen on the board: positions, turns, and when the game is over.

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
    /// A whole turn, removals and multiple jumps included.
    type Turn: Copy + Eq + Hash + Debug + Send + Sync;

    /// What this ruleset is.
    fn description(&self) -> Description;

    /// A text that changes whenever a rule changes: what the fingerprint in a file is made from.
    fn rules_text(&self) -> String;

    /// The rules as a rules file; `None` for games whose rules are not data.
    fn rules_file(&self) -> Option<String> {
        None
    }

    /// The position in which a game starts.
    fn start(&self) -> Self::Position;

    /// The side to move.
    fn to_move(&self, position: &Self::Position) -> Colour;

    /// The value of a position in which the game is over: [`Value::LOST`], or a draw where a rule
    /// says so. `None` while the side to move can move.
    fn finished(&self, position: &Self::Position) -> Option<Value>;

    /// Who has won and why, if the game is over.
    fn ending(&self, position: &Self::Position) -> Option<Ending> {
        let value = self.finished(position)?;
        let decided = value.plies().is_some();
        Some(Ending {
            winner: decided.then(|| self.to_move(position).other()),
            reason: if decided { "no turn" } else { "draw by rule" },
        })
    }

    /// Replaces `turns` by all legal turns in a fixed order; none if the game is finished.
    /// Different routes of a capture that end alike and take the same men are one turn.
    fn turns(&self, position: &Self::Position, turns: &mut Vec<Self::Turn>);

    /// The position after a legal turn, the other side to move.
    fn play(&self, position: &Self::Position, turn: &Self::Turn) -> Self::Position;

    /// Whether [`perft`](crate::perft()) counts a game that ends early as one, or not at all: as the
    /// known counts of the game do.
    fn counts_ended_games(&self) -> bool {
        true
    }

    /// Visits the position after each turn; unlike [`turns`](Rules::turns), different routes of
    /// one capture are visited apart. What perft counts.
    fn visit_routes(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Position)) {
        let mut turns = Vec::new();
        self.turns(position, &mut turns);
        for turn in &turns {
            visit(self.play(position, turn));
        }
    }

    /// How often [`visit_routes`](Rules::visit_routes) would visit.
    fn count_routes(&self, position: &Self::Position) -> u64 {
        let mut routes = 0;
        self.visit_routes(position, &mut |_| routes += 1);
        routes
    }
}
