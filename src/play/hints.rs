//! The moves of a position with their values, or estimates if a table is missing.

use std::sync::atomic::AtomicBool;

use endmill_engine::{ESTIMATE_NODES, add_estimates};
use endmill_games::{Colour, Game, Outcome, Partial};
use endmill_probe::Database;
use endmill_probe::answers::{Estimate, MoveAnswer, PositionAnswer};

use crate::drawing::{filled, listed};
use crate::probe::{in_words, title};

/// The value of a position and of its moves, best first, for people. If a move has been begun, only
/// its completions. Estimates stand in for missing tables.
pub fn hint<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    open: Option<&Partial<G::Turn>>,
    stop: &AtomicBool,
) -> endmill_probe::Result<String> {
    let game = database.game();
    let mut answer = PositionAnswer::ask(database, position, true)?;
    add_estimates(database, &mut answer, ESTIMATE_NODES, stop)?;
    let moves = answer.moves.as_deref().unwrap_or_default();
    let named: Vec<(&MoveAnswer, String)> = match open {
        None => moves.iter().map(|turn| (turn, turn.text.clone())).collect(),
        Some(open) => {
            let completions = open.answers.iter().filter_map(|(name, turn)| {
                let text = game.format_turn(position, turn);
                let found = moves.iter().find(|turn| turn.text == text)?;
                Some((found, name.clone()))
            });
            completions.collect()
        }
    };
    let mut heading = Vec::new();
    if open.is_none() {
        let mover = game.to_move(position);
        heading.push(match (answer.value.verdict(), game.table_of(position)) {
            (Some(verdict), _) => in_words(mover, verdict),
            (None, Some(table)) => format!("There is no table {table} in the database"),
            (None, None) if !game.memory(position).forbidden.is_empty() => {
                "The database lacks tables that decide the value of the banned mill".to_owned()
            }
            (None, None) => "The position has more pieces than any table".to_owned(),
        });
        heading.extend(answer.estimate.map(|estimate| estimated(mover, &estimate)));
    }
    if named.iter().any(|(turn, _)| turn.value.outcome.is_none()) {
        heading.push("These are search estimates, in men, not proven".to_owned());
    }
    let mut text = filled(&heading.join(". "), "");
    let mut worths: Vec<(Worth, String)> = named
        .into_iter()
        .map(|(turn, name)| (Worth::of(turn), name))
        .collect();
    // Stable: known moves keep the order of the answer.
    worths.sort_by_key(|(worth, _)| std::cmp::Reverse(worth.rank));
    for alike in worths.chunk_by(|a, b| a.0 == b.0) {
        let title = format!("  {}:", alike[0].0.words);
        let names = alike.iter().map(|(_, name)| name.clone());
        text += &format!("\n{}", listed(&title, names));
    }
    Ok(text.trim_start_matches('\n').to_owned())
}

/// `White to move: about +0.1 men (search)`.
fn estimated(mover: Colour, estimate: &Estimate) -> String {
    match estimate.proved.verdict() {
        Some(verdict) => format!("{} (search)", in_words(mover, verdict)),
        None => format!(
            "{} to move: about {:+.1} men (search)",
            title(mover),
            men(estimate)
        ),
    }
}

/// An estimate in men, to a tenth, without a negative zero.
fn men(estimate: &Estimate) -> f64 {
    (f64::from(estimate.score) / 10.0).round() / 10.0 + 0.0
}

/// The value of a move in words, and its rank among others.
#[derive(PartialEq, Eq)]
struct Worth {
    /// Ties between a known draw and an estimate of 0 go to the draw.
    rank: (i32, bool),
    words: String,
}

impl Worth {
    fn of(turn: &MoveAnswer) -> Worth {
        let known = turn.value.verdict();
        let proved = turn.estimate.and_then(|estimate| estimate.proved.verdict());
        let Some(verdict) = known.or(proved) else {
            let (rank, words) = match &turn.estimate {
                None => (0, "not known".to_owned()),
                Some(estimate) => {
                    let men = men(estimate);
                    ((men * 10.0) as i32, format!("estimate {men:+.1}"))
                }
            };
            let rank = (rank, false);
            return Worth { rank, words };
        };
        /// Beyond every estimate and every distance.
        const SURE: i32 = 1_000_000;
        let plies = verdict.plies().map(i32::from);
        let rank = match verdict.outcome() {
            Outcome::Win => SURE - plies.unwrap_or(SURE / 2),
            Outcome::Draw => 0,
            Outcome::Loss => plies.unwrap_or(SURE / 2) - SURE,
        };
        let words = match (known, plies, verdict.outcome()) {
            (None, Some(plies), Outcome::Win) => format!("win in at most {plies}"),
            (None, Some(plies), Outcome::Loss) => format!("loss in at most {plies}"),
            _ => verdict.to_string(),
        };
        let rank = (rank, true);
        Worth { rank, words }
    }
}
