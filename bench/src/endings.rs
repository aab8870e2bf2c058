//! Perfect play from positions of the database: does it keep what the database promises?

use anyhow::bail;
use endmill_engine::Level;
use endmill_games::{Game, Outcome, Value};
use endmill_probe::Database;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::contender::{Contender, play_game};
use crate::draw::Draw;

/// Longer games from drawn positions count as draws.
const MOST_PLIES: usize = 1_000;

/// The results of the perfect side.
#[derive(Clone, Copy, Default)]
pub struct Endings {
    /// Games from won positions.
    pub won: u64,
    /// Of these, games won within the stated plies; against perfect defence in exactly these.
    pub converted: u64,
    /// Games from drawn positions.
    pub drawn: u64,
    /// Of these, games drawn.
    pub held: u64,
    /// Of these, games won.
    pub gained: u64,
}

impl Endings {
    /// Whether every game ended as the database promised, or better.
    pub fn is_perfect(&self) -> bool {
        self.converted == self.won && self.held + self.gained == self.drawn
    }
}

/// Lets the perfect side play random positions of the database that it does not lose, won and drawn
/// ones in turn.
pub fn play_endings<G: Game>(
    database: &Database<G>,
    opponent: Contender,
    nodes: u64,
    games: u64,
    seed: u64,
) -> anyhow::Result<Endings> {
    let draw = Draw::new(database, |_| true)?;
    let perfect = Contender::new(Level::Perfect, nodes);
    let mut random = StdRng::seed_from_u64(seed);
    let mut endings = Endings::default();
    for number in 0..games {
        let wants_win = number % 2 == 0;
        // The perfect side is the one that does not lose, to move or not.
        let (start, value) = loop {
            let start = draw.position(&mut random);
            let Some(value) = database.probe(&start)?.value() else {
                bail!("the database has no plies");
            };
            let decided = value != Value::Draw;
            if decided == wants_win && database.game().finished(&start).is_none() {
                break (start, value);
            }
        };
        let begins = value.outcome() != Outcome::Loss;
        let (outcome, plies) = play_game(
            database,
            &start,
            [perfect, opponent],
            begins,
            MOST_PLIES,
            &mut random,
        );
        match value.plies().map(usize::from) {
            Some(stated) => {
                let exact = opponent.level() == Level::Perfect;
                let in_time = plies == stated || (plies < stated && !exact);
                endings.won += 1;
                endings.converted += u64::from(outcome == Outcome::Win && in_time);
            }
            None => {
                endings.drawn += 1;
                endings.held += u64::from(outcome == Outcome::Draw);
                endings.gained += u64::from(outcome == Outcome::Win);
            }
        }
    }
    Ok(endings)
}
