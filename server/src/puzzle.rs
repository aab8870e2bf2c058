//! Puzzles: positions in which exactly one move wins.

use std::collections::BTreeMap;

use endmill_games::Outcome;
use endmill_probe::answers::MoveAnswer;
use endmill_probe::{Random, Result, SampleFilter};
use serde::Serialize;
use utoipa::ToSchema;

use crate::rulesets::RulesetSnapshot;

/// The number of positions to examine.
const MAX_EXAMINED: usize = 240;
/// The number of positions per sample.
const SAMPLE: usize = 8;
/// The number of look-ups per sample.
const MAX_TRIES: u64 = 400;

/// A position with one winning move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// The distance to the end of the game.
    pub plies: u16,
    /// The move that wins.
    pub solution: String,
}

/// Looks for a puzzle with a distance near `plies`, the nearest first.
pub fn find(snapshot: &RulesetSnapshot, plies: u16, seed: u64) -> Result<Option<Puzzle>> {
    let mut random = Random::new(seed);
    let tables = snapshot.tables()?;
    // The tables by the distances of their wins.
    let mut by_plies: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for table in tables {
        let Some(name) = &table.table else { continue };
        for (&plies, _) in table.plies.iter().flatten() {
            if let Ok(plies) = u16::try_from(plies)
                && plies % 2 == 1
            {
                by_plies.entry(plies).or_default().push(name);
            }
        }
    }
    let mut distances: Vec<u16> = by_plies.keys().copied().collect();
    distances.sort_by_key(|&distance| (distance.abs_diff(plies), distance));
    let mut examined = 0;
    for distance in distances {
        let names = &by_plies[&distance];
        // Several tables; other seeds choose other tables.
        for _ in 0..names.len().min(4) {
            if examined >= MAX_EXAMINED {
                return Ok(None);
            }
            let name = names[random.below(names.len() as u64) as usize];
            let filter = SampleFilter {
                outcome: Some(Outcome::Win),
                plies: Some(distance),
            };
            let seed = random.next_u64();
            let database = &snapshot.database;
            let sample = database.sample_bounded(name, &filter, SAMPLE, seed, MAX_TRIES)?;
            examined += SAMPLE;
            for sampled in sample.positions {
                let position = sampled.head.position;
                if let Some(solution) = only_win(snapshot, &position)? {
                    return Ok(Some(Puzzle {
                        position,
                        plies: distance,
                        solution,
                    }));
                }
            }
        }
    }
    Ok(None)
}

/// The only winning move; `None` if there are others, or no choice at all.
fn only_win(snapshot: &RulesetSnapshot, position: &str) -> Result<Option<String>> {
    let answer = snapshot.database.probe(position.into(), true)?;
    let moves = answer.moves.unwrap_or_default();
    let outcome = |ranked: &MoveAnswer| ranked.value.outcome;
    if moves.len() < 2 || moves.iter().any(|ranked| outcome(ranked).is_none()) {
        return Ok(None);
    }
    let wins = |ranked: &&MoveAnswer| outcome(ranked) == Some(Outcome::Win);
    let mut winning = moves.iter().filter(wins);
    Ok(match (winning.next(), winning.next()) {
        (Some(only), None) => Some(only.text.clone()),
        _ => None,
    })
}
