//! Search estimates of positions and moves that no table knows.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use endmill_games::{Game, Outcome, Value};
use endmill_probe::answers::{Estimate, MoveAnswer, Opinion, PositionAnswer, ValueAnswer};
use endmill_probe::{Database, ProbeError, Verdict};

use crate::engine::Engine;
use crate::level::{Level, Limits};
use crate::score::Score;

/// The number of positions that the searches for one answer visit by default, in every program.
pub const ESTIMATE_NODES: u64 = 40_000;

/// A guard for slow machines and slow disks: elsewhere the nodes end a search long before.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// The size of the transposition table of such a search, in bytes.
const MEMORY: usize = 1 << 20;

/// The score of a win, less its plies.
const WON: i32 = 10_000;

/// Returns the move that a search prefers, and its estimate; `None` if the game is over.
pub fn opinion<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<Opinion> {
    let game = database.game();
    let limits = Limits {
        nodes: Some(nodes),
        time: Some(TIME_LIMIT),
        depth: None,
    };
    let mut engine = Engine::new(game, Some(database), Level::Perfect, 0).with_memory(MEMORY);
    let choice = engine.choose(position, &[], &limits, stop, &mut |_| {})?;
    Some(Opinion {
        text: game.format_turn(position, &choice.turn),
        estimate: estimate(choice.score, choice.depth, choice.proved),
    })
}

/// Estimates the moves without a known value, and the position if its own value is unknown.
///
/// Symmetric moves are searched once. If all moves are known or estimated, the position takes the
/// best of them, so that the two agree.
pub fn add_estimates<G: Game>(
    database: &Database<G>,
    answer: &mut PositionAnswer,
    nodes: u64,
    stop: &AtomicBool,
) -> endmill_probe::Result<()> {
    let search = |position: &str, nodes: u64| -> endmill_probe::Result<Option<Estimate>> {
        let position = database.game().parse_position(position);
        let position = position.map_err(ProbeError::Position)?;
        let opinion = opinion(database, &position, nodes, stop);
        Ok(opinion.map(|opinion| opinion.estimate))
    };
    let moves = answer.moves.as_deref_mut().unwrap_or_default();
    let is_unknown = |ranked: &&mut MoveAnswer| ranked.value.outcome.is_none();
    let mut classes = BTreeMap::new();
    for unknown in moves.iter_mut().filter(is_unknown) {
        classes.entry(unknown.class).or_insert(None);
    }
    let share = (nodes / classes.len().max(1) as u64).max(1);
    for unknown in moves.iter_mut().filter(is_unknown) {
        let searched = classes.entry(unknown.class).or_default();
        if searched.is_none() {
            let after = search(&unknown.position, share)?;
            *searched = Some(after.map(Estimate::one_turn_earlier));
        }
        unknown.estimate = searched.flatten();
    }
    if answer.value.outcome.is_none() {
        answer.estimate = match best_of(moves) {
            Some(best) => Some(best),
            None => search(&answer.head.position, nodes)?,
        };
    }
    Ok(())
}

/// The best of the moves; `None` if one of them is neither known nor estimated.
fn best_of(moves: &[MoveAnswer]) -> Option<Estimate> {
    let estimates = moves.iter().map(|ranked| match ranked.value.verdict() {
        Some(known) => Some(estimate(known.into(), 1, true)),
        None => ranked.estimate,
    });
    let estimates = estimates.collect::<Option<Vec<_>>>()?;
    let all_proved = (estimates.iter()).all(|estimate| estimate.proved.outcome.is_some());
    let best = estimates.into_iter().max_by_key(|one| one.score)?;
    // One winning move proves a win; a draw or a loss needs a proof for every move.
    let is_proved = all_proved || best.proved.outcome == Some(Outcome::Win);
    Some(Estimate {
        proved: if is_proved {
            best.proved
        } else {
            ValueAnswer::default()
        },
        ..best
    })
}

/// A score as an answer.
pub fn estimate(score: Score, depth: u32, proved: bool) -> Estimate {
    let outcome = score.outcome().filter(|_| proved);
    let plies = match score {
        Score::WinIn(plies) | Score::LossIn(plies) => Some(plies),
        _ => None,
    };
    let away = plies.map_or(0, i32::from);
    Estimate {
        score: match score {
            Score::Points(points) => points,
            Score::Draw => 0,
            Score::Win | Score::WinIn(_) => WON - away,
            Score::Loss | Score::LossIn(_) => away - WON,
        },
        depth,
        proved: outcome.map(|outcome| verdict(outcome, plies)).into(),
    }
}

fn verdict(outcome: Outcome, plies: Option<u16>) -> Verdict {
    match (outcome, plies) {
        (Outcome::Win, Some(plies)) => Value::Win(plies).into(),
        (Outcome::Loss, Some(plies)) => Value::Loss(plies).into(),
        (outcome, _) => outcome.into(),
    }
}
