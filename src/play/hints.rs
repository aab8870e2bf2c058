//! What is known about the turns of a position, or believed where no table is.

use std::sync::atomic::AtomicBool;

use endmill_engine::{Engine, Level, Limits, Score};
use endmill_games::{Game, Partial};
use endmill_probe::{Answer, Database, ProbeError, Ranked};

use super::record::Record;
use crate::drawing::{filled, listed};
use crate::probe::in_words;

/// How far turns are searched that no table knows: a moment on any machine.
const SEARCH: Limits = Limits {
    depth: Some(6),
    nodes: Some(150_000),
    time: None,
};

/// Said where the engine's opinion stands in for a table.
const ESTIMATES: &str = "What no table knows is estimated by a search, in men, and not proved";

/// What is known of a position, for people: its value, then the turns of each value, best first;
/// of a turn that has begun, what the answers are worth. Where no table is, what the engine
/// believes, and that it does.
pub fn hint<G: Game>(
    database: &Database<G>,
    record: &Record<'_, G>,
    open: Option<&Partial<G::Turn>>,
    stop: &AtomicBool,
) -> Result<String, ProbeError> {
    let (game, position) = (database.game(), record.position());
    let mut moves = database.moves(position)?;
    if let Some(open) = open {
        moves.retain(|ranked| open.answers.iter().any(|(_, turn)| *turn == ranked.turn));
    }
    let known = match database.probe(position) {
        Ok(verdict) => Some(verdict),
        Err(error) if error.is_missing() => None,
        Err(error) => return Err(error),
    };
    let guesses = moves.iter().any(|ranked| ranked.answer.verdict().is_none());
    let believed = if guesses {
        let mut engine = Engine::new(game, Some(database), Level::Perfect, 1);
        engine.assess(position, record.history(), &SEARCH, stop)
    } else {
        Vec::new()
    };
    let heading = match (known, open) {
        (_, Some(_)) => String::new(),
        (Some(verdict), None) => in_words(game.to_move(position), verdict),
        (None, None) => match game.table_of(position) {
            Some(table) => format!("There is no table {table} in the database"),
            None if !game.bans(position).is_empty() => {
                "The database lacks tables that decide what the banned mill is worth".to_owned()
            }
            None => "The position has more pieces than any table".to_owned(),
        },
    };
    let estimates = if guesses { ESTIMATES } else { "" };
    let sentences = [heading.as_str(), estimates];
    let said = sentences.into_iter().filter(|said| !said.is_empty());
    let mut text = filled(&said.collect::<Vec<_>>().join(". "), "");
    let mut worths: Vec<(Worth, String)> = moves
        .iter()
        .map(|ranked| {
            let name = open.and_then(|open| {
                let mut answers = open.answers.iter();
                answers.find(|(_, turn)| *turn == ranked.turn)
            });
            let name = name.map(|(answer, _)| answer.clone());
            let name = name.unwrap_or_else(|| game.format_turn(position, &ranked.turn));
            (worth::<G>(ranked, &believed), name)
        })
        .collect();
    // Stable: what is known is in order, and what is believed in the order of the turns.
    worths.sort_by_key(|(worth, _)| std::cmp::Reverse(worth.rank));
    for alike in worths.chunk_by(|a, b| a.0 == b.0) {
        let title = format!("  {}:", alike[0].0.words);
        let names = alike.iter().map(|(_, name)| name.clone());
        text += &format!("\n{}", listed(&title, names));
    }
    Ok(text.trim_start_matches('\n').to_owned())
}

/// What a turn is worth, in words, and where it stands among others.
#[derive(Clone, PartialEq, Eq)]
struct Worth {
    rank: i32,
    words: String,
}

fn worth<G: Game>(ranked: &Ranked<G>, believed: &[(G::Turn, Score)]) -> Worth {
    const SURE: i32 = 1_000_000;
    let placed = |outcome: Score| match outcome {
        Score::WinIn(plies) => SURE - i32::from(plies),
        Score::Win => SURE / 2,
        Score::Draw => 0,
        Score::Loss => -SURE / 2,
        Score::LossIn(plies) => i32::from(plies) - SURE,
        Score::Points(points) => points.clamp(-SURE / 4, SURE / 4),
    };
    if let Answer::Known(verdict) = &ranked.answer {
        let rank = placed(Score::from(*verdict));
        let words = verdict.to_string();
        return Worth { rank, words };
    }
    let mut found = believed.iter().filter(|(turn, _)| *turn == ranked.turn);
    let (rank, words) = match found.next().map(|(_, score)| *score) {
        None => (0, "not known".to_owned()),
        Some(Score::Points(points)) => {
            // Half a man: no estimate is finer than that.
            let halves = (f64::from(points) / 50.0).round() as i32;
            let men = f64::from(halves) / 2.0;
            (halves * 50, format!("estimate {men:+.1}"))
        }
        Some(score @ Score::WinIn(plies)) => (placed(score), format!("win in at most {plies}")),
        Some(score @ Score::LossIn(plies)) => (placed(score), format!("loss in about {plies}")),
        Some(score @ Score::Win) => (placed(score), "win".to_owned()),
        Some(score @ Score::Loss) => (placed(score), "loss".to_owned()),
        Some(Score::Draw) => (1, "estimate +0.0".to_owned()),
    };
    Worth { rank, words }
}
