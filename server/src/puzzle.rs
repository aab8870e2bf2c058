//! Positions in which exactly one turn wins.

use std::collections::BTreeMap;

use endmill_games::Outcome;
use endmill_probe::SampleFilter;
use endmill_probe::answers::MoveAnswer;
use serde::Serialize;
use utoipa::ToSchema;

use crate::rulesets::{Edition, Random};

/// Positions that are looked at.
const LOOKED_AT: usize = 240;
/// Positions that are drawn from a table at once.
const AT_ONCE: usize = 8;
/// Look-ups for one draw.
const TRIES: u64 = 400;

/// A position with one winning turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// To the end of the game.
    pub plies: u16,
    /// The turn that wins.
    pub solution: String,
}

/// Looks for a puzzle with a distance of about `plies`, nearer ones first. A choice of one turn is
/// none: there are at least two.
pub fn find(edition: &Edition, plies: u16, seed: u64) -> endmill_probe::Result<Option<Puzzle>> {
    let mut random = Random(seed);
    let tables = edition.tables()?;
    // Tables by the distances that wins in them have.
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
    let mut looked_at = 0;
    for distance in distances {
        let names = &by_plies[&distance];
        // Several tables, for each seed others.
        for _ in 0..names.len().min(4) {
            if looked_at >= LOOKED_AT {
                return Ok(None);
            }
            let name = names[random.below(names.len() as u64) as usize];
            let wanted = SampleFilter {
                outcome: Some(Outcome::Win),
                plies: Some(distance),
            };
            let seed = random.next();
            let opened = &edition.opened;
            let drawn = opened.draw(name, &wanted, AT_ONCE, seed, TRIES)?;
            looked_at += AT_ONCE;
            for sampled in drawn.positions {
                let position = sampled.head.position;
                if let Some(solution) = only_win(edition, &position)? {
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

/// The turn that wins, if it is the only one and not the only turn.
fn only_win(edition: &Edition, position: &str) -> endmill_probe::Result<Option<String>> {
    let answer = edition.any().probe(position.into(), true)?;
    let moves = answer.moves.unwrap_or_default();
    let outcome = |turn: &MoveAnswer| turn.value.outcome;
    if moves.len() < 2 || moves.iter().any(|turn| outcome(turn).is_none()) {
        return Ok(None);
    }
    let wins = |turn: &&MoveAnswer| outcome(turn) == Some(Outcome::Win);
    let mut winning = moves.iter().filter(wins);
    Ok(match (winning.next(), winning.next()) {
        (Some(only), None) => Some(only.text.clone()),
        _ => None,
    })
}
