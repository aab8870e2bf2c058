//! `--draws` and `--draw-scores`: by which scores draws are ranked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use endmill_games::Game;
use endmill_games::value::Score;
use endmill_solver::ChosenScores;
use serde_json::Value;

/// The first word of a list of Malom.
const SECTOR_VALUES: &str = "virt_loss_val";

/// Whether and how draws are ranked.
#[derive(clap::Args)]
pub struct DrawOptions {
    /// Rank the draws too: store in which table a drawn game stays, and how soon it gets there
    #[arg(long)]
    pub draws: bool,
    /// Rank by the scores of tables in this file instead of by their counts: JSON,
    /// {"5v4": 29, "4v5": -29, …} or by ruleset, or a .secval of Malom
    #[arg(long, value_name = "FILE", requires = "draws")]
    draw_scores: Option<PathBuf>,
}

impl DrawOptions {
    /// The scores to rank by.
    pub fn scores<G: Game>(&self, game: &G) -> anyhow::Result<ChosenScores<G::Table>> {
        let Some(file) = &self.draw_scores else {
            return Ok(ChosenScores::Counted);
        };
        let cannot = || format!("cannot read {}", file.display());
        let text = fs::read_to_string(file).with_context(cannot)?;
        let named = match text.trim_start().starts_with(SECTOR_VALUES) {
            true => of_sectors(&text),
            false => of_json(&text, &game.description().id),
        };
        let given = named.and_then(|named| by_table(game, named));
        Ok(ChosenScores::Given(
            given.map_err(|error| bad(file, error))?,
        ))
    }
}

fn bad(file: &Path, error: anyhow::Error) -> anyhow::Error {
    crate::scope::BadScope::new(format!("{}: {error}", file.display())).into()
}

/// The scores of the tables in which a game can stay. A list may have others, of which draws only
/// pass through.
fn by_table<G: Game>(
    game: &G,
    named: Vec<(String, Score)>,
) -> anyhow::Result<BTreeMap<G::Table, Score>> {
    let mut given = BTreeMap::new();
    for (name, score) in named {
        let table = game.parse_table(&name)?;
        if game.can_stay(table) && given.insert(table, score).is_some() {
            anyhow::bail!("{name} is listed twice");
        }
    }
    Ok(given)
}

/// An object with a number, or a fraction as a string, per table; or one with such an object per
/// ruleset.
fn of_json(text: &str, ruleset: &str) -> anyhow::Result<Vec<(String, Score)>> {
    let read: Value = serde_json::from_str(text)?;
    let scores = match read.get(ruleset) {
        Some(own) if own.is_object() => own,
        _ => &read,
    };
    let Value::Object(scores) = scores else {
        anyhow::bail!("expected an object with a score per table");
    };
    let score = |(table, score): (&String, &Value)| {
        let text = match score {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let parsed = text.parse::<Score>();
        Ok((
            table.clone(),
            parsed.with_context(|| format!("{table}: {text}"))?,
        ))
    };
    scores.iter().map(score).collect()
}

/// Lines `W B WF BF  value` behind three others: men on the board and in hand, the side to move first.
fn of_sectors(text: &str) -> anyhow::Result<Vec<(String, Score)>> {
    let mut scores = Vec::new();
    for (number, line) in text.lines().enumerate().skip(3) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let [own, other, own_hand, other_hand, value] = words[..] else {
            anyhow::bail!("line {}: expected W B WF BF value", number + 1);
        };
        let name = match (own_hand, other_hand) {
            ("0", "0") => format!("{own}v{other}"),
            _ => format!("{own}+{own_hand}v{other}+{other_hand}"),
        };
        let score = value
            .parse()
            .with_context(|| format!("line {}", number + 1))?;
        scores.push((name, score));
    }
    Ok(scores)
}
