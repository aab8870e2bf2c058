//! A match between two levels.

use endmill_games::{Game, Outcome};
use endmill_probe::Database;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use crate::contender::{Contender, play_game};

/// Longer games count as draws.
const MOST_PLIES: usize = 300;

/// The score of a match, for the first contender.
#[derive(Clone, Copy, Default)]
pub struct MatchScore {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl MatchScore {
    /// Adds a game with this outcome.
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.won += 1,
            Outcome::Draw => self.drawn += 1,
            Outcome::Loss => self.lost += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// Plays a match from random openings, each twice with sides changed.
pub fn play_match<G: Game>(
    database: &Database<G>,
    contenders: [Contender; 2],
    games: u64,
    opening_turns: u32,
    seed: u64,
) -> MatchScore {
    let mut random = StdRng::seed_from_u64(seed);
    let mut score = MatchScore::default();
    let mut start = database.game().start();
    for number in 0..games {
        let begins = number % 2 == 0;
        if begins {
            start = opening(database.game(), opening_turns, &mut random);
        }
        let (outcome, _) = play_game(
            database,
            &start,
            contenders,
            begins,
            MOST_PLIES,
            &mut random,
        );
        score.add(outcome);
    }
    score
}

/// A position after some random turns with the game still in progress.
fn opening<G: Game>(game: &G, turns: u32, random: &mut StdRng) -> G::Position {
    let mut legal = Vec::new();
    loop {
        let mut position = game.start();
        for _ in 0..turns {
            game.turns(&position, &mut legal);
            let Some(turn) = legal.choose(random) else {
                break;
            };
            position = game.play(&position, turn);
        }
        if game.finished(&position).is_none() {
            return position;
        }
    }
}
