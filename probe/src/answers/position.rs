//! A position: its value, its men, and every turn, best first.

use std::collections::BTreeMap;

use endmill_games::{Game, Outcome, Verdict};
use serde::Serialize;

#[cfg(feature = "schema")]
use super::draw_rank::DrawRankAnswer;
use super::draw_rank::{PerhapsRank, perhaps};
#[cfg(feature = "schema")]
use super::refusal::PerhapsReason;
use super::refusal::Reason;
use super::state::{Head, StateAnswer};
use super::turn::{PathAnswer, PlaceNames, TurnAnswer};
use super::value::{Estimate, ValueAnswer};
use crate::database::Database;
use crate::error::Result;
use crate::moves::RankedTurn;

/// A position with everything known about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PositionAnswer {
    /// The position.
    #[serde(flatten)]
    pub head: Head,
    /// Why the value is not known. Absent if it is known. Turns are listed in either case.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = PerhapsReason))]
    pub unknown: Option<Reason>,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// How good a draw is. Absent unless it is a draw, `null` if its rank is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<DrawRankAnswer>))]
    pub draw_rank: PerhapsRank,
    /// Every legal turn, best first. Absent if the question did not ask for turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// Its state by the rules.
    #[serde(flatten)]
    pub state: StateAnswer,
    /// The estimate of a search, if the value is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

/// A turn with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveAnswer {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Its value for the side that makes it, with the turn counted.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// How good a draw is. Absent unless it is a draw, `null` if its rank is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<DrawRankAnswer>))]
    pub draw_rank: PerhapsRank,
    /// The missing table it leads into; empty if no table has as many pieces. Absent if none is
    /// missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The position after it.
    pub position: String,
    /// Turns that lead to symmetric positions have the same number, from 0 in the order of the
    /// list.
    pub class: usize,
    /// Its places.
    pub path: PathAnswer,
    /// The estimate of a search, if the value is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Its places by the bits of a setup.
    #[serde(skip)]
    pub places: endmill_games::Path,
}

impl PositionAnswer {
    /// Probes a position, and its turns if `turns` is set. A missing table is part of the answer;
    /// anything else that is wrong is an error.
    pub fn ask<G: Game>(
        database: &Database<G>,
        position: &G::Position,
        turns: bool,
    ) -> Result<PositionAnswer> {
        let game = database.game();
        let names = PlaceNames::of(game);
        let moves = match turns {
            true => Some(MoveAnswer::named(
                game,
                &names,
                position,
                &database.moves(position)?,
            )),
            false => None,
        };
        let (verdict, unknown) = match database.probe(position) {
            Ok(verdict) => (Some(verdict), None),
            Err(error) if error.is_missing() => (None, Some(Reason::from(&error))),
            Err(error) => return Err(error),
        };
        let outcome = verdict.map(Verdict::outcome);
        let rank = match outcome {
            Some(Outcome::Draw) => database.draw_rank(position)?,
            _ => None,
        };
        Ok(PositionAnswer {
            head: Head::new(game, position),
            unknown,
            value: verdict.into(),
            draw_rank: perhaps(outcome, rank),
            moves,
            state: StateAnswer::named(game, &names, position),
            estimate: None,
        })
    }
}

impl MoveAnswer {
    /// The turns of a position from [`Database::moves`].
    pub fn all<G: Game>(
        game: &G,
        position: &G::Position,
        moves: &[RankedTurn<G>],
    ) -> Vec<MoveAnswer> {
        MoveAnswer::named(game, &PlaceNames::of(game), position, moves)
    }

    fn named<G: Game>(
        game: &G,
        names: &PlaceNames,
        position: &G::Position,
        moves: &[RankedTurn<G>],
    ) -> Vec<MoveAnswer> {
        let answers = moves
            .iter()
            .zip(classes(game, moves))
            .map(|(ranked, class)| {
                let turn = TurnAnswer::named(game, names, position, &ranked.turn, &ranked.after);
                MoveAnswer {
                    text: turn.text,
                    value: (&ranked.value).into(),
                    draw_rank: perhaps(
                        ranked.value.verdict().map(Verdict::outcome),
                        ranked.draw_rank.clone(),
                    ),
                    missing: ranked.value.missing_table(),
                    position: turn.position,
                    class,
                    path: turn.path,
                    estimate: None,
                    places: turn.places,
                }
            });
        answers.collect()
    }
}

/// The class of each turn: turns to symmetric positions are one class. Finished games without a table
/// have no rank to compare, so such turns are separate classes.
pub(super) fn classes<G: Game>(game: &G, moves: &[RankedTurn<G>]) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let classes = moves
        .iter()
        .map(|ranked| match game.table_of(&ranked.after) {
            Some(table) => {
                let place = (table, game.rank(&ranked.after));
                *known.entry(place).or_insert_with(&mut fresh)
            }
            None => fresh(),
        });
    classes.collect()
}
