//! Whole games by the probe alone, against random turns and against itself.

use anyhow::Context;
use endmill_games::{Game, Outcome, Value};
use endmill_probe::{Database, Verdict};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::contender::for_first;
use crate::matches::MatchScore;

/// Longer games count as draws.
const MOST_PLIES: usize = 2_000;

/// The results of the probe.
pub struct RandomGames {
    /// The value of the start.
    pub start: Verdict,
    /// Against random turns.
    pub score: MatchScore,
    /// Games in which the probe had a won position.
    pub had_win: u64,
    /// Of these, games that it won.
    pub had_win_and_won: u64,
    /// Games that ended worse than the best position that the probe had.
    pub spoilt: u64,
    /// Games against itself that ended with the outcome of the start.
    pub own_as_stated: u64,
}

/// The end of a game.
struct Ended {
    /// For the first player.
    outcome: Outcome,
    /// The best outcome of a position in which each player moved by the probe.
    best: [Option<Outcome>; 2],
}

/// Plays games from the start against random turns, with each side in turn, and `own` games against
/// itself. The probe plays any of the best turns.
pub fn play_random<G: Game>(
    database: &Database<G>,
    games: u64,
    own: u64,
    seed: u64,
) -> anyhow::Result<RandomGames> {
    let start = database.probe(&database.game().start());
    let start = start.context("the whole game is not in the database")?;
    let mut random = StdRng::seed_from_u64(seed);
    let mut result = RandomGames {
        start,
        score: MatchScore::default(),
        had_win: 0,
        had_win_and_won: 0,
        spoilt: 0,
        own_as_stated: 0,
    };
    for number in 0..games {
        let begins = number % 2 == 0;
        let ended = play(database, [begins, !begins], &mut random)?;
        let best = ended.best[usize::from(!begins)];
        result.add(for_first(ended.outcome, begins), best);
    }
    for _ in 0..own {
        let ended = play(database, [true; 2], &mut random)?;
        result.own_as_stated += u64::from(ended.outcome == start.outcome());
    }
    Ok(result)
}

impl RandomGames {
    fn add(&mut self, outcome: Outcome, best: Option<Outcome>) {
        self.score.add(outcome);
        let had_win = best == Some(Outcome::Win);
        self.spoilt += u64::from(Some(outcome) < best);
        self.had_win += u64::from(had_win);
        self.had_win_and_won += u64::from(had_win && outcome == Outcome::Win);
    }
}

/// Plays a game. `by_probe` selects the players that play by the probe.
fn play<G: Game>(
    database: &Database<G>,
    by_probe: [bool; 2],
    random: &mut StdRng,
) -> anyhow::Result<Ended> {
    let game = database.game();
    let mut position = game.start();
    let mut best = [None; 2];
    let mut turns = Vec::new();
    for ply in 0..MOST_PLIES {
        let player = ply % 2;
        if let Some(value) = game.finished(&position) {
            let outcome = for_first(Value::outcome(value), player == 0);
            return Ok(Ended { outcome, best });
        }
        position = if by_probe[player] {
            let (after, verdict) = any_best(database, &position, random)?;
            best[player] = best[player].max(Some(verdict.outcome()));
            after
        } else {
            game.turns(&position, &mut turns);
            game.play(&position, turns.choose(random).expect("a turn"))
        };
    }
    Ok(Ended {
        outcome: Outcome::Draw,
        best,
    })
}

/// Any of the best turns: the position after it, and its value.
fn any_best<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    random: &mut StdRng,
) -> anyhow::Result<(G::Position, Verdict)> {
    let moves = database.moves(position)?;
    let worth = |i: usize| moves.get(i).and_then(|ranked| ranked.value.verdict());
    let best = worth(0).context("a table is missing")?;
    let equal = (0..moves.len()).take_while(|&i| worth(i) == Some(best));
    let chosen = random.random_range(0..equal.count());
    Ok((moves[chosen].after, best))
}
