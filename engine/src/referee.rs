//! A game between two engines, for matches and tests.

use std::sync::atomic::AtomicBool;

use endmill_games::{Ending, Evaluate, Features, Outcome, Value};

use crate::engine::Engine;
use crate::level::Limits;

/// An engine with its limits.
pub struct Player<'a, G: Evaluate + Features> {
    /// The engine.
    pub engine: Engine<'a, G>,
    /// The limits of each turn.
    pub limits: Limits,
}

/// A finished game.
pub struct Played<G: Evaluate + Features> {
    /// The turns.
    pub turns: Vec<G::Turn>,
    /// The outcome for the side that began; a draw by threefold repetition, or if the game was too
    /// long.
    pub outcome: Outcome,
}

/// Lets two players finish a game. The first of them is to move. After `most_plies` it is a draw.
pub fn play<'a, G: Evaluate + Features>(
    game: &G,
    start: &G::Position,
    mut players: [&mut Player<'a, G>; 2],
    most_plies: usize,
) -> Played<G> {
    let mut position = *start;
    let (mut turns, mut history) = (Vec::new(), Vec::new());
    let seen_by_first = |ply: usize, outcome: Outcome| match ply % 2 {
        0 => outcome,
        _ => -outcome,
    };
    let outcome = loop {
        let ply = turns.len();
        if let Some(value) = game.finished(&position) {
            break seen_by_first(ply, Value::outcome(value));
        }
        if ply >= most_plies || Ending::by_repetition(&history, &position).is_some() {
            break Outcome::Draw;
        }
        let player = &mut players[ply % 2];
        let never = AtomicBool::new(false);
        let (engine, limits) = (&mut player.engine, &player.limits);
        let choice = engine.choose(&position, &history, limits, &never, &mut |_| {});
        let Some(choice) = choice else {
            break Outcome::Draw;
        };
        turns.push(choice.turn);
        history.push(position);
        position = game.play(&position, &choice.turn);
    };
    Played { turns, outcome }
}
