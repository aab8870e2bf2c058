//! Searches beyond the reach of a database: does it help?

use std::sync::atomic::AtomicBool;

use endmill_engine::{Engine, Level, Limits, Score};
use endmill_games::{Game, Outcome};
use endmill_probe::Database;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::draw::Draw;

const THRESHOLDS: [i32; 8] = [25, 50, 75, 100, 150, 200, 300, 500];

/// Draws positions with this number of pieces from a database, a third of each outcome. The result is
/// text, because another database has its own game.
pub fn positions_with_outcomes<G: Game>(
    database: &Database<G>,
    pieces: u32,
    count: usize,
    seed: u64,
) -> anyhow::Result<Vec<(String, Outcome)>> {
    let game = database.game();
    let draw = Draw::new(database, |table| game.pieces(table).on_board == pieces)?;
    let mut random = StdRng::seed_from_u64(seed);
    let kinds = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let mut drawn = Vec::new();
    for &wanted in kinds.iter().cycle().take(count) {
        let position = loop {
            let position = draw.position(&mut random);
            let over = game.finished(&position).is_some();
            if !over && database.probe(&position)?.outcome() == wanted {
                break position;
            }
        };
        drawn.push((game.format_position(&position), wanted));
    }
    Ok(drawn)
}

/// How well searches find the outcome.
pub struct Judgement {
    /// Right by an exact win or loss.
    pub proved: usize,
    /// The threshold in points beyond which a search announces a win or loss: the best one.
    pub threshold: i32,
    /// Right with this threshold.
    pub right: usize,
}

/// Searches positions that are not in a database, with it or without it.
pub fn judge_outside<G: Game>(
    game: &G,
    database: Option<&Database<G>>,
    positions: &[(G::Position, Outcome)],
    nodes: u64,
) -> Judgement {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let search = |position: &G::Position| {
        let mut engine =
            Engine::new(game, database, Level::Perfect, 1).with_memory(nodes as usize * 64);
        let never = AtomicBool::new(false);
        let choice = engine.choose(position, &[], &limits, &never, &mut |_| {});
        choice.map_or(Score::LossIn(0), |choice| choice.score)
    };
    let found = positions.iter();
    let found: Vec<(Score, Outcome)> = found
        .map(|(position, truth)| (search(position), *truth))
        .collect();
    let right = |threshold: i32| {
        let right = found.iter();
        right
            .filter(|(score, truth)| announced(*score, threshold) == *truth)
            .count()
    };
    let best = THRESHOLDS
        .into_iter()
        .max_by_key(|&threshold| right(threshold));
    let threshold = best.unwrap_or_default();
    let exact = found
        .iter()
        .filter(|(score, truth)| *truth != Outcome::Draw && score.outcome() == Some(*truth));
    Judgement {
        proved: exact.count(),
        threshold,
        right: right(threshold),
    }
}

fn announced(score: Score, threshold: i32) -> Outcome {
    match (score, score.outcome()) {
        (_, Some(outcome)) => outcome,
        (Score::Points(points), _) if points >= threshold => Outcome::Win,
        (Score::Points(points), _) if points <= -threshold => Outcome::Loss,
        _ => Outcome::Draw,
    }
}
