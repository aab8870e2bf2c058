//! The turns of a position and the replies to them, up to symmetry.

use std::collections::BTreeMap;

use endmill_games::{Game, Outcome, Verdict};
use serde::Serialize;

use super::draw_rank::{PerhapsRank, perhaps};
use super::position::classes;
use super::state::Head;
use super::value::ValueAnswer;
use crate::database::Database;
use crate::error::Result;

/// A position with its turns, the replies to them, and so on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeAnswer {
    /// The position.
    #[serde(flatten)]
    pub head: Head,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// How good a draw is. Absent unless it is a draw, `null` if its rank is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_rank: PerhapsRank,
    /// Its turns, best first.
    pub moves: Vec<Branch>,
}

/// A turn that represents all turns to symmetric positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branch {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The number of turns it represents, including itself.
    pub alike: usize,
    /// Its value for the side that makes it, with the turn counted.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// How good a draw is. Absent unless it is a draw, `null` if its rank is not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_rank: PerhapsRank,
    /// The missing table it leads into; empty if no table has as many pieces. Absent if none is
    /// missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The position after it.
    pub position: String,
    /// The replies, up to the depth of the tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Branch>,
}

impl TreeAnswer {
    /// The tree of this depth in turns. It grows fast: a depth of two fills a screen.
    pub fn ask<G: Game>(
        database: &Database<G>,
        position: &G::Position,
        depth: u8,
    ) -> Result<TreeAnswer> {
        let verdict = database.probe(position)?;
        let rank = match verdict.outcome() {
            Outcome::Draw => database.draw_rank(position)?,
            _ => None,
        };
        Ok(TreeAnswer {
            value: verdict.into(),
            draw_rank: perhaps(Some(verdict.outcome()), rank),
            head: Head::new(database.game(), position),
            moves: branches(database, position, depth)?,
        })
    }
}

/// The turns of a position, best first; only the first turn of each class.
fn branches<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    depth: u8,
) -> Result<Vec<Branch>> {
    let game = database.game();
    if depth == 0 {
        return Ok(Vec::new());
    }
    let moves = database.moves(position)?;
    let classes = classes(game, &moves);
    let mut alike: BTreeMap<usize, usize> = BTreeMap::new();
    for &class in &classes {
        *alike.entry(class).or_default() += 1;
    }
    let mut shown = Vec::new();
    for (ranked, class) in moves.iter().zip(&classes) {
        // The first turn of the class has removed it.
        let Some(alike) = alike.remove(class) else {
            continue;
        };
        shown.push(Branch {
            text: game.format_turn(position, &ranked.turn),
            alike,
            value: (&ranked.value).into(),
            draw_rank: perhaps(
                ranked.value.verdict().map(Verdict::outcome),
                ranked.draw_rank.clone(),
            ),
            missing: ranked.value.missing_table(),
            position: game.format_position(&ranked.after),
            replies: branches(database, &ranked.after, depth - 1)?,
        });
    }
    Ok(shown)
}
