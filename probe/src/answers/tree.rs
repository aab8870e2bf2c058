//! The turns of a position and the replies to them, symmetric ones once.

use std::collections::BTreeMap;

use endmill_games::Game;
use serde::Serialize;

use super::position::classes;
use super::state::Head;
use super::value::ValueAnswer;
use crate::database::Database;
use crate::error::Result;

/// A position with its turns, the replies to them, and so on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeAnswer {
    /// Which position.
    #[serde(flatten)]
    pub head: Head,
    /// What it is worth for the side to move.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// Its turns, best first.
    pub moves: Vec<Branch>,
}

/// A turn, for all that lead to positions symmetric to where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// As the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// How many turns it stands for, itself included.
    pub alike: usize,
    /// What it is worth for the side that makes it, the turn counted.
    #[serde(flatten)]
    pub value: ValueAnswer,
    /// Only written if the table it leads into is missing: its name, empty if no table has as many
    /// pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The position after it.
    pub position: String,
    /// The turns from there, if the tree goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Branch>,
}

impl TreeAnswer {
    /// Asks for a tree of the given depth in turns. It grows fast: two are a screen.
    pub fn ask<G: Game>(
        database: &Database<G>,
        position: &G::Position,
        depth: u8,
    ) -> Result<TreeAnswer> {
        Ok(TreeAnswer {
            value: database.probe(position)?.into(),
            head: Head::new(database.game(), position),
            moves: branches(database, position, depth)?,
        })
    }
}

/// The turns of a position, best first; of those that lead to symmetric positions the first.
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
        // Taken out by the first of the class.
        let Some(alike) = alike.remove(class) else {
            continue;
        };
        shown.push(Branch {
            text: game.format_turn(position, &ranked.turn),
            alike,
            value: (&ranked.value).into(),
            missing: ranked.value.missing_table(),
            position: game.format_position(&ranked.after),
            replies: branches(database, &ranked.after, depth - 1)?,
        });
    }
    Ok(shown)
}
