//! `endmill line`: a game under best play.

use std::io::Write;

use endmill_games::Colour;
use endmill_probe::answers::LineAnswer;
use endmill_probe::{AnyDatabase, LineEnd};
use endmill_records::GameResult;

use crate::probe::{self, Question, Reply, STATUS, heading};

/// Print the game under best play from a position.
///
/// The winner takes the shortest way, the loser the longest. A drawn game is shown until a position
/// repeats. Requires distances: without them the winner could move in circles.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Print PDN, for other programs
    #[arg(long, conflicts_with_all = ["json", "stdin"])]
    pdn: bool,
}

impl Args {
    /// Prints the line.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let pdn = self.pdn;
        let ask =
            |database: &dyn AnyDatabase, position: &str, json| reply(database, position, json, pdn);
        self.question.ask(&ask, out)
    }
}

fn reply(
    database: &dyn AnyDatabase,
    position: &str,
    json: bool,
    pdn: bool,
) -> anyhow::Result<Reply> {
    let line = database.line(position.into())?;
    let text = if json {
        serde_json::to_string(&line)?
    } else if pdn {
        in_pdn(database, &line)?
    } else {
        let side = database.state(position.into())?.side;
        let rank = line.draw_ranks.first().and_then(Option::as_ref);
        heading(database, &line.head, &line.value, rank)? + &in_words(&line, side)
    };
    Ok(text.into())
}

/// The line as a game, with its value before the first move and the result after the last.
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
        let rank = line.draw_ranks.get(i).cloned().flatten();
        let worth = probe::worth(value, &Some(rank), None);
        let gap = if i == 0 { "\n" } else { "" };
        let letter = side.letter();
        text += &format!("{gap}\n{:>5}  {letter}  {name:<wide$}  {worth}", i + 1);
        side = side.other();
    }
    let end = match line.end {
        LineEnd::Finished => return text,
        LineEnd::Repetition => "and so on: the position repeats",
        LineEnd::Cut => "and so on",
    };
    format!("{text}\n       {end}")
}
