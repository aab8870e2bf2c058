//! Every turn with what it is worth.

use std::cmp::Reverse;

use endmill_games::by_turns::ByTurns;
use endmill_games::{Features, Outcome, Verdict};

use crate::database::{Database, Missing};
use crate::error::{ProbeError, Result};
use crate::prober::Prober;

/// What is known of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnValue {
    /// It is worth this for the side that makes it; the turn itself counts one ply.
    Known(Verdict),
    /// It leads into a table that is not there: its name, or `None` if the position has more
    /// pieces than any table.
    Missing(Option<String>),
}

impl TurnValue {
    /// What the turn is worth, if that is known.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            TurnValue::Known(verdict) => Some(*verdict),
            TurnValue::Missing(_) => None,
        }
    }

    /// The name of the missing table, empty if no table has that many pieces. `None` if the value
    /// is known.
    pub(crate) fn missing_table(&self) -> Option<String> {
        match self {
            TurnValue::Known(_) => None,
            TurnValue::Missing(table) => Some(table.clone().unwrap_or_default()),
        }
    }

    /// Where the turn stands among others. Every list of turns is in this order, the greatest
    /// first.
    pub fn order(&self) -> TurnOrder {
        match self.verdict() {
            None => TurnOrder::Unknown,
            Some(verdict) if verdict.outcome() == Outcome::Loss => TurnOrder::Loses(verdict),
            Some(verdict) => TurnOrder::Holds(verdict),
        }
    }
}

/// How good a turn is, by what is proved of it: a turn of unknown value may be anything, so it is
/// better than one that is known to lose, and no reason to give up a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TurnOrder {
    /// It is known to lose: the longer the better.
    Loses(Verdict),
    /// Nothing is known of it.
    Unknown,
    /// It is known to win, the sooner the better, or to draw.
    Holds(Verdict),
}

/// A legal turn with what is known of it.
#[derive(Clone, Debug)]
pub struct RankedTurn<G: Features> {
    /// The turn.
    pub turn: G::Turn,
    /// The position after it, the other side to move.
    pub after: G::Position,
    /// What it is worth for the side that makes it.
    pub value: TurnValue,
}

impl<G: Features> Database<G> {
    /// Every legal turn, best first by [`Answer::order`]: wins, the shortest first; draws; turns
    /// into missing tables, which may be anything; losses, the longest first; within wins and
    /// losses those of unknown distance last. Turns that are equally good stay in the order of
    /// [`Rules::turns`](endmill_games::Rules::turns). A finished game has no turns.
    ///
    /// Only a missing table is reported turn by turn; a damaged file is an error.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<RankedTurn<G>>> {
        self.ask(|prober| prober.moves(position))
    }

    /// A best turn: the first of [`moves`](Database::moves) whose value is known. `None` if the
    /// game is finished.
    ///
    /// Refuses where it cannot prove that no other turn is better, or shorter, or in a lost
    /// position longer: a winner who does not know distances could go round in circles.
    pub fn best(&self, position: &G::Position) -> Result<Option<RankedTurn<G>>> {
        self.ask(|prober| prober.best(position))
    }

    fn table_name(&self, position: &G::Position) -> String {
        let table = self.game.table_of(position);
        table.map(|table| table.to_string()).unwrap_or_default()
    }
}

impl<G: Features> Prober<'_, G> {
    /// As [`Database::moves`].
    pub fn moves(&mut self, position: &G::Position) -> Result<Vec<RankedTurn<G>>> {
        let game = &self.database.game;
        let mut turns = Vec::new();
        game.turns(position, &mut turns);
        let ranked = turns.into_iter().map(|turn| {
            let after = game.play(position, &turn);
            let value = match self.known(&after)? {
                Ok(verdict) => TurnValue::Known(verdict.one_turn_earlier()),
                Err(Missing(table)) => TurnValue::Missing(table.map(|table| table.to_string())),
            };
            Ok(RankedTurn { turn, after, value })
        });
        let mut ranked: Vec<RankedTurn<G>> = ranked.collect::<Result<_>>()?;
        // Stable: equal turns keep their order.
        ranked.sort_by_key(|ranked| Reverse(ranked.value.order()));
        Ok(ranked)
    }

    /// As [`Database::best`].
    pub fn best(&mut self, position: &G::Position) -> Result<Option<RankedTurn<G>>> {
        let moves = self.moves(position)?;
        let verdict = match self.known(position)? {
            Ok(verdict) => verdict,
            Err(missing) => settle(&moves).ok_or(missing)?,
        };
        let complete = moves.iter().all(|ranked| is_exact(&ranked.value));
        // In a lost position turns of unknown value stand before the best that is known.
        let known = moves
            .iter()
            .position(|ranked| ranked.value.verdict().is_some());
        let Some(first) = moves.into_iter().nth(known.unwrap_or(0)) else {
            return Ok(None);
        };
        let own_name = || self.database.table_name(position);
        let known = first.value.verdict();
        match verdict.value() {
            Some(_) if known == Some(verdict) => Ok(Some(first)),
            Some(_) if complete => Err(ProbeError::Contradiction { table: own_name() }),
            Some(_) => Err(self.unknown_plies(&first.after)),
            // The own table has no plies, but all turns do: as good.
            None if complete && known.map(Verdict::outcome) == Some(verdict.outcome()) => {
                Ok(Some(first))
            }
            None if complete => Err(ProbeError::Contradiction { table: own_name() }),
            None => Err(ProbeError::PliesMissing { table: own_name() }),
        }
    }

    /// The error for a turn to this position whose distance is needed.
    fn unknown_plies(&mut self, after: &G::Position) -> ProbeError {
        match self.known(after) {
            Err(error) => error,
            Ok(Err(missing)) => missing.into(),
            Ok(Ok(_)) => ProbeError::PliesMissing {
                table: self.database.table_name(after),
            },
        }
    }
}

fn is_exact(value: &TurnValue) -> bool {
    value
        .verdict()
        .is_some_and(|verdict| verdict.value().is_some())
}

/// What all turns prove together of the position they are made in. `None` if they prove nothing;
/// so do no turns, for then the game is finished and has a value of its own.
pub(crate) fn settle<G: Features>(moves: &[RankedTurn<G>]) -> Option<Verdict> {
    let mut by_turns = ByTurns::default();
    for ranked in moves {
        by_turns.add(ranked.value.verdict());
    }
    by_turns.verdict()
}

#[cfg(test)]
mod tests {
    use endmill_games::Value;

    use super::*;

    #[test]
    fn a_turn_of_unknown_value_stands_between_draws_and_losses() {
        let known = |verdict: Verdict| TurnValue::Known(verdict);
        let best_first = [
            known(Value::Win(1).into()),
            known(Value::Win(9).into()),
            known(Outcome::Win.into()),
            known(Value::Draw.into()),
            TurnValue::Missing(Some("3v3".to_owned())),
            known(Value::Loss(8).into()),
            known(Value::Loss(2).into()),
            known(Outcome::Loss.into()),
        ];
        assert!(best_first.is_sorted_by(|a, b| a.order() > b.order()));
    }
}
