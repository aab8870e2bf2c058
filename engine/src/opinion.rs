//! What a search thinks of a position, as an answer.

use std::sync::atomic::AtomicBool;

use endmill_games::{Game, Outcome, Value};
use endmill_probe::answers::{Estimate, Opinion};
use endmill_probe::{Database, Verdict};

use crate::engine::Engine;
use crate::level::{Level, Limits};
use crate::score::Score;

/// Bytes for the positions that such a search remembers.
const MEMORY: usize = 1 << 20;
/// A search that is won scores so much, less its plies.
const WON: i32 = 10_000;

/// The turn that a search would make in a position where the tables do not know, and what it thinks
/// of it; `None` if the game is over.
pub fn opinion<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    limits: &Limits,
) -> Option<Opinion> {
    let game = database.game();
    let mut engine = Engine::new(game, Some(database), Level::Perfect, 0).with_memory(MEMORY);
    let never = AtomicBool::new(false);
    let choice = engine.choose(position, &[], limits, &never, &mut |_| {})?;
    Some(Opinion {
        text: game.format_turn(position, &choice.turn),
        estimate: estimate(choice.score, choice.depth, choice.proved),
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
