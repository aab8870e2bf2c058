//! `endmill line`: the rest of a game under best play.

use std::io::Write;

use ::probe::{Database, Line, LineEnd};
use games::Game;
use serde::Serialize;

use crate::probe::{Ask, Head, Question, Reply, STATUS, Value, heading};

/// Play a position to its end, both sides at their best.
///
/// The winner hurries, the loser delays. A drawn game is shown until a position comes back. Needs
/// stored distances: who only knows that he wins might shuffle for ever.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
}

impl Args {
    /// Answers.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.question.ask(&BestLine, out)
    }
}

struct BestLine;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    value: Value,
    line: Vec<String>,
    end: &'static str,
}

impl Ask for BestLine {
    fn reply<G: Game>(
        &self,
        database: &Database<G>,
        position: &G::Position,
        json: bool,
    ) -> anyhow::Result<Reply> {
        let game = database.game();
        let line = database.line(position)?;
        let text = if json {
            let steps = line.steps.iter();
            serde_json::to_string(&Report {
                head: Head::new(game, position),
                value: Some(verdict(database, position, &line)?).into(),
                line: steps
                    .map(|step| game.format_turn(&step.position, &step.turn))
                    .collect(),
                end: match line.end {
                    LineEnd::Finished => "finished",
                    LineEnd::Repetition => "repetition",
                    LineEnd::Cut => "cut",
                },
            })?
        } else {
            let verdict = verdict(database, position, &line)?;
            heading(game, position, Some(verdict)) + &in_words(game, &line)
        };
        Ok(Reply {
            text,
            refusal: None,
        })
    }
}

/// The first turn of a best line has the value of the position, and its distance even where the
/// position's own table has none.
fn verdict<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    line: &Line<G>,
) -> anyhow::Result<::probe::Verdict> {
    match line.steps.first() {
        Some(step) => Ok(step.verdict),
        None => Ok(database.probe(position)?),
    }
}

fn in_words<G: Game>(game: &G, line: &Line<G>) -> String {
    let names = line
        .steps
        .iter()
        .map(|step| game.format_turn(&step.position, &step.turn));
    let names: Vec<String> = names.collect();
    let wide = names.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (i, (name, step)) in names.iter().zip(&line.steps).enumerate() {
        let side = game.to_move(&step.position).letter();
        let gap = if i == 0 { "\n" } else { "" };
        text += &format!(
            "{gap}\n{:>5}  {side}  {name:<wide$}  {}",
            i + 1,
            step.verdict
        );
    }
    let end = match line.end {
        LineEnd::Finished => return text,
        LineEnd::Repetition => "and so on: the position has been there before",
        LineEnd::Cut => "and so on",
    };
    format!("{text}\n       {end}")
}
