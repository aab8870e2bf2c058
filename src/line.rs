//! `endmill line`: the rest of a game under best play.

use std::io::Write;

use endmill_games::Colour;
use endmill_probe::answers::LineAnswer;
use endmill_probe::{AnyDatabase, LineEnd};
use endmill_records::GameResult;

use crate::probe::{self, Ask, Question, Reply, STATUS, heading};

/// Play a position to its end, both sides at their best.
///
/// The winner hurries, the loser delays. A drawn game is shown until a position comes back. Needs
/// stored distances: a winner who does not know them could go round in circles.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// As PDN, for other programs
    #[arg(long, conflicts_with_all = ["json", "stdin"])]
    pdn: bool,
}

impl Args {
    /// Answers.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.question.ask(&BestLine { pdn: self.pdn }, out)
    }
}

struct BestLine {
    pdn: bool,
}

impl Ask for BestLine {
    fn reply(
        &self,
        database: &dyn AnyDatabase,
        position: &str,
        json: bool,
    ) -> anyhow::Result<Reply> {
        let line = database.line(position.into())?;
        let text = if json {
            serde_json::to_string(&line)?
        } else if self.pdn {
            in_pdn(database, &line)?
        } else {
            let side = database.state(position.into())?.side;
            heading(database, &line.head, &line.value)? + &in_words(&line, side)
        };
        Ok(Reply {
            text,
            unknown: None,
        })
    }
}

/// The line as a game, with its value before the first turn and the result after the last.
fn in_pdn(database: &dyn AnyDatabase, line: &LineAnswer) -> anyhow::Result<String> {
    let position = line.head.position.as_str();
    let mut sheet = database.sheet(position.into(), &line.line)?;
    let side = database.state(position.into())?.side;
    let verdict = line.value.verdict();
    sheet
        .opening
        .extend(verdict.map(|verdict| probe::in_words(side, verdict)));
    let last = line.positions.last().map_or(position, String::as_str);
    let winner = match line.end {
        LineEnd::Finished => {
            let finished = database.state(last.into())?.finished;
            finished.map(|finished| finished.winner)
        }
        LineEnd::Repetition | LineEnd::Cut => Some(None),
    };
    sheet.result = winner.map(GameResult::new);
    Ok(sheet.pdn().trim_end().to_owned())
}

fn in_words(line: &LineAnswer, mut side: Colour) -> String {
    let wide = line.line.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (i, (name, value)) in line.line.iter().zip(&line.values).enumerate() {
        let worth = value.verdict().map(|verdict| verdict.to_string());
        let worth = worth.unwrap_or_default();
        let gap = if i == 0 { "\n" } else { "" };
        let letter = side.letter();
        text += &format!("{gap}\n{:>5}  {letter}  {name:<wide$}  {worth}", i + 1);
        side = side.other();
    }
    let end = match line.end {
        LineEnd::Finished => return text,
        LineEnd::Repetition => "and so on: the position has been there before",
        LineEnd::Cut => "and so on",
    };
    format!("{text}\n       {end}")
}
