//! Saved games: a text file that people can read, write and send.
//!
//! ```text
//! endmill game 1
//! ruleset three
//! start W:W:B:H3,3
//! b2
//! a1
//! resigned white
//! ```
//!
//! After the three lines of the head one turn a line, and at the end `resigned` and the side if
//! somebody gave up. Every other end follows from the turns. Blank lines and what follows a `#`
//! at the beginning of a line are passed over.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use games::Game;
use thiserror::Error;

use super::record::Record;

/// The first line: what this is, and in which version of the format.
const MAGIC: &str = "endmill game 1";

/// Longer than any game; what is longer is not read.
const LONGEST: u64 = 1 << 20;

/// A file that does not hold a game of this ruleset.
#[derive(Debug, Error)]
#[error("{}, line {line}: {problem}", .file.display())]
pub struct BadGame {
    file: PathBuf,
    /// From 1.
    line: usize,
    problem: String,
}

/// A game as the text of a file. A game that is played on only adds to it.
pub fn write<G: Game>(game: &G, record: &Record<'_, G>) -> String {
    let ruleset = game.description().id;
    let start = game.format_position(record.start());
    let mut text = format!("{MAGIC}\nruleset {ruleset}\nstart {start}\n");
    for turn in record.turns() {
        text += &(turn + "\n");
    }
    if record.resigned() {
        text += &format!("resigned {}\n", record.to_move().name());
    }
    text
}

/// Reads the game in a file, and checks every turn.
pub fn load<'a, G: Game>(game: &'a G, file: &Path) -> anyhow::Result<Record<'a, G>> {
    let text = contents(file)?;
    read(game, &text).map_err(|(line, problem)| {
        let file = file.to_owned();
        BadGame {
            file,
            line,
            problem,
        }
        .into()
    })
}

/// Whether a file is a saved game, or there is no such file: one that may be written over.
pub fn may_replace(file: &Path) -> bool {
    !file.exists() || contents(file).is_ok_and(|text| text.starts_with(MAGIC))
}

fn contents(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|open| open.take(LONGEST).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read<'a, G: Game>(game: &'a G, text: &str) -> Result<Record<'a, G>, (usize, String)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let end = text.lines().count() + 1;
    let mut head = |what: &str| {
        let (at, line) = lines.next().unwrap_or((end, ""));
        match line.strip_prefix(what) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => Ok((at, rest.trim())),
            _ => Err((at, format!("expected {what:?}, found {line:?}"))),
        }
    };
    let (at, rest) = head(MAGIC)?;
    if !rest.is_empty() {
        return Err((at, format!("expected the end, found {rest:?}")));
    }
    let (at, ruleset) = head("ruleset")?;
    let own = game.description().id;
    if ruleset != own {
        return Err((at, format!("this is a game of {ruleset}, not of {own}")));
    }
    let (at, start) = head("start")?;
    let start = game.parse_position(start);
    let mut record = Record::new(game, start.map_err(|error| (at, error.to_string()))?);
    for (at, line) in lines {
        let loser = record.to_move().name();
        let made = match line.strip_prefix("resigned") {
            Some(side) if record.ending().is_none() && side.trim() == loser => {
                record.resign();
                Ok(())
            }
            Some(_) if record.ending().is_some() => Err("the game is over".to_owned()),
            Some(_) => Err(format!("only {loser}, who is to move, can resign")),
            None => record.play_text(line).map_err(|error| error.to_string()),
        };
        made.map_err(|problem| (at, problem))?;
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use games::draughts::Draughts;

    use super::*;

    fn reread(text: &str) -> String {
        let game = Draughts::new();
        match read(&game, text) {
            Ok(record) => write(&game, &record),
            Err((line, problem)) => format!("{line}: {problem}"),
        }
    }

    #[test]
    fn a_game_is_read_as_it_is_written() {
        let text =
            "endmill game 1\nruleset draughts\nstart B:WK32:BK1\n1-6\n32-27\nresigned black\n";
        assert_eq!(reread(text), text);
        let by_hand = "# by hand\n\nendmill game 1\r\nruleset  draughts\nstart B:WK32:BK1\n\
                       # a step\n 1-6 \n\n32-27\nresigned black";
        assert_eq!(reread(by_hand), text);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let head = "endmill game 1\nruleset draughts\nstart B:WK32:BK1\n";
        for (text, complaint) in [
            ("", r#"1: expected "endmill game 1", found """#),
            ("PDN\n", r#"1: expected "endmill game 1", found "PDN""#),
            (
                "endmill game 12\n",
                r#"1: expected "endmill game 1", found "endmill game 12""#,
            ),
            ("endmill game 1 2\n", r#"1: expected the end, found "2""#),
            (
                "endmill game 1\nstart W",
                r#"2: expected "ruleset", found "start W""#,
            ),
            (
                "endmill game 1\n\n#\nruleset nine",
                "4: this is a game of nine, not of draughts",
            ),
            (
                "endmill game 1\nruleset draughts",
                r#"3: expected "start", found """#,
            ),
            (
                "endmill game 1\nruleset draughts\nstart W:W33:B1",
                "3: 33 is not a square (character 4)",
            ),
            (
                &format!("{head}1-6\n32-28\n6-16\n"),
                "6: 6-16 is not legal: 6 does not touch 16",
            ),
            (
                &format!("{head}1-6\nresigned black"),
                "5: only white, who is to move, can resign",
            ),
            (
                &format!("{head}resigned black\n1-6"),
                "5: the game is over, there is no turn to make",
            ),
            (
                &format!("{head}resigned black\nresigned black"),
                "5: the game is over",
            ),
        ] {
            assert_eq!(reread(text), complaint, "{text:?}");
        }
    }
}
