//! `endmill tree`: the turns of a position and the replies to them, up to symmetry.

use std::collections::BTreeMap;
use std::io::Write;

use ::probe::{Database, Ranked};
use games::Game;
use serde::Serialize;

use crate::probe::{Ask, Head, Question, Reply, STATUS, Value, heading, worth};

/// More than anybody reads.
const MOST_DEPTH: u8 = 6;

/// Show the turns of a position, the replies to them, and so on, each with what it is worth.
///
/// Turns that lead to symmetric positions are shown once, with the number of those they stand for.
/// Best turns come first.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Turns in a row: 1 = the turns of the position, 2 = the replies too
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_DEPTH)))]
    depth: u8,
}

impl Args {
    /// Answers.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let tree = Tree { depth: self.depth };
        self.question.ask(&tree, out)
    }
}

struct Tree {
    depth: u8,
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    value: Value,
    moves: Vec<Branch>,
}

/// A turn, for all that lead to positions symmetric to where it leads.
#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    turn: String,
    /// How many turns it stands for, itself included.
    alike: usize,
    #[serde(flatten)]
    value: Value,
    #[serde(skip)]
    worth: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replies: Vec<Branch>,
}

impl Ask for Tree {
    fn reply<G: Game>(
        &self,
        database: &Database<G>,
        position: &G::Position,
        json: bool,
    ) -> anyhow::Result<Reply> {
        let game = database.game();
        let verdict = database.probe(position)?;
        let moves = branches(database, position, self.depth)?;
        let text = if json {
            serde_json::to_string(&Report {
                head: Head::new(game, position),
                value: Some(verdict).into(),
                moves,
            })?
        } else {
            let mut text = heading(game, position, Some(verdict)) + "\n";
            write_branches(&moves, 1, &mut text);
            text
        };
        Ok(Reply {
            text,
            refusal: None,
        })
    }
}

/// The turns of a position, best first; of those that lead to symmetric positions the first.
fn branches<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    depth: u8,
) -> anyhow::Result<Vec<Branch>> {
    let game = database.game();
    if depth == 0 {
        return Ok(Vec::new());
    }
    // Finished games without a table have no number: there each turn stands for itself.
    let place = |ranked: &Ranked<G>| {
        let table = game.table_of(&ranked.after)?;
        Some((table, game.rank(&ranked.after)))
    };
    let moves = database.moves(position)?;
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for place in moves.iter().filter_map(place) {
        *counts.entry(place).or_default() += 1;
    }
    let mut shown = Vec::new();
    for ranked in &moves {
        let alike = match place(ranked) {
            None => 1,
            Some(place) => match counts.remove(&place) {
                Some(count) => count,
                None => continue,
            },
        };
        shown.push(Branch {
            turn: game.format_turn(position, &ranked.turn),
            alike,
            value: ranked.answer.verdict().into(),
            worth: worth(&ranked.answer),
            replies: branches(database, &ranked.after, depth - 1)?,
        });
    }
    Ok(shown)
}

fn write_branches(branches: &[Branch], level: usize, text: &mut String) {
    let wide = branches.iter().map(|branch| branch.turn.len()).max();
    let wide = wide.unwrap_or(0);
    for Branch {
        turn,
        alike,
        worth,
        replies,
        ..
    } in branches
    {
        let indent = "  ".repeat(level);
        let times = match alike {
            1 => String::new(),
            count => format!("  ×{count}"),
        };
        *text += &format!("\n{indent}{turn:<wide$}  {worth}{times}");
        write_branches(replies, level + 1, text);
    }
}
