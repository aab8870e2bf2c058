//! A game between two engines, for matches and tests.

use std::sync::atomic::AtomicBool;

use endmill_games::{Ending, Evaluate, Features, Outcome, Value};

use crate::engine::Engine;
use crate::level::Limits;

/// An engine and how long it thinks about each turn.
pub struct Player<'a, G: Evaluate + Features> {
    /// Who plays.
    pub engine: Engine<'a, G>,
    /// For each turn.
    pub limits: Limits,
}

/// A game that was played.
pub struct Played<G: Evaluate + Features> {
    /// What was played.
    pub turns: Vec<G::Turn>,
    /// Who won, seen by the side that began; a draw if a position came up three times, or if the
    /// game was too long.
    pub outcome: Outcome,
}

/// Lets two players finish a game, the first of them to move. After `most` plies it is drawn.
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
