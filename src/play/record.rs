//! The turns of a game so far.

use endmill_games::{Colour, Game};
use endmill_records::{NotedTurn, Termination};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules; without a winner it is a draw.
    ByRules { winner: Option<Colour> },
    /// Threefold repetition.
    Repetition,
    /// By resignation, on time, or by agreement.
    Terminated(Termination),
}

/// A game: its start, its turns, and its termination if it did not end by a turn.
pub struct Record<'a, G: Game> {
    game: &'a G,
    turns: Vec<G::Turn>,
    /// The start, and the position after each turn.
    positions: Vec<G::Position>,
    termination: Option<Termination>,
}

impl<'a, G: Game> Record<'a, G> {
    /// A game without turns.
    pub fn new(game: &'a G, start: G::Position) -> Record<'a, G> {
        Record {
            game,
            turns: Vec::new(),
            positions: vec![start],
            termination: None,
        }
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.turns.len()]
    }

    /// The side to move.
    pub fn to_move(&self) -> Colour {
        self.game.to_move(self.position())
    }

    /// The positions before the current one.
    pub fn history(&self) -> &[G::Position] {
        &self.positions[..self.turns.len()]
    }

    /// The first position.
    pub fn start(&self) -> &G::Position {
        &self.positions[0]
    }

    /// The turns in notation.
    pub fn turns(&self) -> impl Iterator<Item = String> {
        let turns = self.positions.iter().zip(&self.turns);
        turns.map(|(position, turn)| self.game.format_turn(position, turn))
    }

    /// The turns, for a record.
    pub fn noted(&self) -> impl Iterator<Item = NotedTurn<G::Turn>> {
        self.turns.iter().copied().map(NotedTurn::new)
    }

    /// Whether the game has neither turns nor a termination.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.termination.is_none()
    }

    /// Makes a legal turn in a game in progress.
    pub fn play(&mut self, turn: G::Turn) {
        let after = self.game.play(self.position(), &turn);
        self.turns.push(turn);
        self.positions.push(after);
    }

    /// Ends the game other than by a turn.
    pub fn terminate(&mut self, termination: Termination) {
        self.termination = Some(termination);
    }

    /// The number of turns.
    pub fn turns_made(&self) -> usize {
        self.turns.len()
    }

    /// Takes back the termination, or else all turns since a side of that kind was last to move.
    /// Returns `false` if there is nothing to take back.
    pub fn undo_to(&mut self, kind: impl Fn(Colour) -> bool) -> bool {
        if self.termination.take().is_some() {
            return true;
        }
        let mut before = self.history().iter();
        let Some(left) = before.rposition(|position| kind(self.game.to_move(position))) else {
            return false;
        };
        self.turns.truncate(left);
        self.positions.truncate(left + 1);
        true
    }

    /// The end of the game, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(termination) = self.termination {
            return Some(Ending::Terminated(termination));
        }
        if let Some(endmill_games::Ending { winner, .. }) = self.game.ending(self.position()) {
            return Some(Ending::ByRules { winner });
        }
        let repeated = endmill_games::Ending::by_repetition(self.history(), self.position());
        repeated.map(|_| Ending::Repetition)
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::draughts::Draughts;
    use endmill_games::prelude::*;

    use super::*;

    fn kings(game: &Draughts) -> Record<'_, Draughts> {
        let start = game.parse_position("B:WK32:BK1").expect("a position");
        Record::new(game, start)
    }

    fn play(record: &mut Record<'_, Draughts>, text: &str) {
        let turn = record.game.parse_turn(record.position(), text);
        record.play(turn.expect("a turn"));
    }

    #[test]
    fn a_position_that_occurs_three_times_is_a_draw() {
        let game = Draughts::new();
        let mut record = kings(&game);
        let circle = ["1-6", "32-27", "6-1", "27-32"];
        for turn in circle.into_iter().chain(circle) {
            assert_eq!(record.ending(), None);
            play(&mut record, turn);
        }
        assert_eq!(record.ending(), Some(Ending::Repetition));
        assert!(record.undo_to(|_| true));
        assert_eq!(record.ending(), None);
        play(&mut record, "27-32");
        assert_eq!(record.ending(), Some(Ending::Repetition));
    }

    #[test]
    fn undo_leads_back_to_the_start_and_no_further() {
        let game = Draughts::new();
        let mut record = kings(&game);
        play(&mut record, "1-6");
        let resigned = Termination::Resigned(Colour::White);
        record.terminate(resigned);
        assert_eq!(record.ending(), Some(Ending::Terminated(resigned)));
        let undone = [(); 3].map(|()| record.undo_to(|_| true));
        assert_eq!(undone, [true, true, false]);
        assert!(record.is_empty());
        assert_eq!(record.position(), record.start());
    }

    #[test]
    fn undo_takes_back_the_turns_of_the_other_side_too() {
        let game = Draughts::new();
        let mut record = kings(&game);
        for turn in ["1-6", "32-27", "6-10"] {
            play(&mut record, turn);
        }
        assert!(record.undo_to(|colour| colour == Colour::White));
        assert_eq!(record.turns().collect::<Vec<_>>(), ["1-6"]);
        // The only turn that is left is Black's.
        assert!(!record.undo_to(|colour| colour == Colour::White));
        assert_eq!(record.turns().count(), 1);
    }
}
