//! Every turn and its value.

use std::cmp::Ordering;

use endmill_games::by_turns::ByTurns;
use endmill_games::{Features, Outcome, Verdict};

use crate::database::{Database, Missing};
use crate::draw_rank::DrawRank;
use crate::error::{ProbeError, Result};
use crate::prober::Prober;

/// The value of a turn, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnValue {
    /// The value for the side that makes the turn, which counts one ply.
    Known(Verdict),
    /// The turn leads into a missing table: its name, or `None` if the position has more pieces
    /// than any table.
    Missing(Option<String>),
}

impl TurnValue {
    /// The value, if it is known.
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

    /// The order of turns. Every list of turns has the greatest first.
    pub fn order(&self) -> TurnOrder {
        match self.verdict() {
            None => TurnOrder::Unknown,
            Some(verdict) if verdict.outcome() == Outcome::Loss => TurnOrder::Loses(verdict),
            Some(verdict) => TurnOrder::Holds(verdict),
        }
    }
}

/// How good a turn is, by what is proved of it. A turn of unknown value is preferred to a known loss,
/// but not to a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TurnOrder {
    /// A loss: the longer the better.
    Loses(Verdict),
    /// The value is unknown.
    Unknown,
    /// A win, the sooner the better, or a draw.
    Holds(Verdict),
}

/// A legal turn with its value.
#[derive(Clone, Debug)]
pub struct RankedTurn<G: Features> {
    /// The turn.
    pub turn: G::Turn,
    /// The position after it, with the other side to move.
    pub after: G::Position,
    /// The value for the side that makes it.
    pub value: TurnValue,
    /// How good the draw is, if it is one and its rank is stored.
    pub draw_rank: Option<DrawRank>,
}

impl<G: Features> RankedTurn<G> {
    /// Orders turns of one position; the better is greater. Draws without a rank come last of all draws.
    fn compare(&self, other: &RankedTurn<G>) -> Ordering {
        let by_value = self.value.order().cmp(&other.value.order());
        by_value.then_with(|| match (&self.draw_rank, &other.draw_rank) {
            (Some(own), Some(other)) => own.compare(other),
            (own, other) => own.is_some().cmp(&other.is_some()),
        })
    }
}

impl<G: Features> Database<G> {
    /// Every legal turn, best first by [`TurnValue::order`]: wins, the shortest first; draws, by their
    /// ranks where these are stored; turns
    /// into missing tables, whose values are unknown; losses, the longest first; within wins and
    /// losses those of unknown distance last. Equally good turns keep the order of
    /// [`Rules::turns`](endmill_games::Rules::turns). A finished game has no turns.
    ///
    /// A missing table is part of the answer; a damaged file is an error.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<RankedTurn<G>>> {
        self.ask(|prober| prober.moves(position))
    }

    /// A best turn: the first of [`moves`](Database::moves) whose value is known. `None` if the
    /// game is finished.
    ///
    /// Fails if it cannot prove that no other turn is better, or shorter, or in a lost position
    /// longer: without distances, a winner could go round in circles.
    pub fn best(&self, position: &G::Position) -> Result<Option<RankedTurn<G>>> {
        self.ask(|prober| prober.best(position))
    }

    fn table_name(&self, position: &G::Position) -> String {
        let table = self.game.table_of(position);
        table.map(|table| table.to_string()).unwrap_or_default()
    }
}

impl<G: Features> Prober<'_, G> {
    /// See [`Database::moves`].
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
            let draws = value
                .verdict()
                .is_some_and(|own| own.outcome() == Outcome::Draw);
            let draw_rank = match draws {
                true => self.draw_rank_of_turn(position, &after)?,
                false => None,
            };
            Ok(RankedTurn {
                turn,
                after,
                value,
                draw_rank,
            })
        });
        let mut ranked: Vec<RankedTurn<G>> = ranked.collect::<Result<_>>()?;
        // The sort is stable: equal turns keep their order.
        ranked.sort_by(|one, other| other.compare(one));
        Ok(ranked)
    }

    /// See [`Database::best`].
    pub fn best(&mut self, position: &G::Position) -> Result<Option<RankedTurn<G>>> {
        let moves = self.moves(position)?;
        let verdict = match self.known(position)? {
            Ok(verdict) => verdict,
            Err(missing) => settle(&moves).ok_or(missing)?,
        };
        let complete = moves.iter().all(|ranked| is_exact(&ranked.value));
        // In a lost position, turns of unknown value come before the best known one.
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
            // The position's table has no plies, but those of the turns do.
            None if complete && known.map(Verdict::outcome) == Some(verdict.outcome()) => {
                Ok(Some(first))
            }
            None if complete => Err(ProbeError::Contradiction { table: own_name() }),
            None => Err(ProbeError::PliesMissing { table: own_name() }),
        }
    }

    /// The error if the distance of a turn to this position is needed but unknown.
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

/// The value of a position that its turns prove together. `None` if they prove nothing, or if there
/// are no turns: then the game is finished and its value follows from the rules.
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
