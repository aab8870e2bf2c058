//! A position: what it is worth, what stands where, and every turn, best first.

use std::collections::BTreeMap;

use endmill_games::Game;
use serde::Serialize;

#[cfg(feature = "schema")]
use super::refusal::PerhapsReason;
use super::refusal::Reason;
use super::state::{Head, StateAnswer};
use super::turn::{PathAnswer, PlaceNames, TurnAnswer};
use super::value::{Estimate, ValueAnswer};
use crate::database::Database;
use crate::error::Result;
use crate::moves::RankedTurn;

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PositionAnswer {
    /// Which position.
    #[serde(flatten)]
    pub head: Head,
    /// Only where the value is not known: why. The turns that are known are listed all the same.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = PerhapsReason))]
    pub unknown: Option<Reason>,
    /// What it is worth for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// Every legal turn, best first; not written if turns were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// What the rules say of it.
    #[serde(flatten)]
    pub state: StateAnswer,
    /// Where the value is not known, and a search was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

/// A turn with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveAnswer {
    /// As the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// What it is worth for the side that makes it, the turn counted.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// Only written if the table it leads into is missing: its name, empty if no table has as many
    /// pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The position after it.
    pub position: String,
    /// Turns that lead to symmetric positions have the same number, from 0 in the order of the
    /// list.
    pub class: usize,
    /// By places.
    pub path: PathAnswer,
    /// Where the value is not known, and a search was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// By the bits of a setup.
    #[serde(skip)]
    pub places: endmill_games::Path,
}

impl PositionAnswer {
    /// Asks about a position, and about its turns if they are wanted. A missing table is an
    /// answer, everything else that is wrong is an error.
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
        Ok(PositionAnswer {
            head: Head::new(game, position),
            unknown,
            value: verdict.into(),
            moves,
            state: StateAnswer::named(game, &names, position),
            estimate: None,
        })
    }
}

impl MoveAnswer {
    /// The turns of a position as [`Database::moves`] gives them.
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

/// For each turn the number of its class: turns to symmetric positions are one class. A finished
/// game without a table has no number to compare: there each turn is a class of its own.
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
