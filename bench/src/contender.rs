//! Levels that play each other, with their own number of nodes if it is not the usual one.

use std::fmt;
use std::str::FromStr;

use endmill_engine::{Engine, Level, Limits, Player, play};
use endmill_games::{Game, Outcome};
use endmill_probe::Database;
use rand::Rng;
use rand::rngs::StdRng;

/// A level with the nodes it searches per turn: `high`, or `high:5000`.
#[derive(Clone, Copy)]
pub struct Contender {
    level: Level,
    nodes: Option<u64>,
}

impl FromStr for Contender {
    type Err = String;

    fn from_str(text: &str) -> Result<Contender, String> {
        let (level, nodes) = match text.split_once(':') {
            Some((level, nodes)) => (level, Some(nodes)),
            None => (text, None),
        };
        let nodes = nodes.map(|nodes| {
            let number = nodes.parse();
            number.map_err(|_| format!("{nodes:?} is not a number of nodes"))
        });
        Ok(Contender {
            level: level.parse().map_err(|unknown| format!("{unknown}"))?,
            nodes: nodes.transpose()?,
        })
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            Some(nodes) => f.pad(&format!("{}:{nodes}", self.level)),
            None => f.pad(self.level.name()),
        }
    }
}

impl Contender {
    pub(crate) fn new(level: Level, nodes: u64) -> Contender {
        let nodes = Some(nodes);
        Contender { level, nodes }
    }

    pub(crate) fn level(self) -> Level {
        self.level
    }

    fn limits(self) -> Limits {
        let usual = self.level.limits();
        Limits {
            nodes: self.nodes.or(usual.nodes),
            ..usual
        }
    }

    /// A player without memory of earlier games.
    fn player<'a, G: Game>(self, database: &'a Database<G>, seed: u64) -> Player<'a, G> {
        Player {
            engine: Engine::new(database.game(), Some(database), self.level, seed),
            limits: self.limits(),
        }
    }
}

/// Lets two contenders finish a game. Returns its outcome for the first of them, who makes the first
/// turn if `begins`, and its plies.
pub(crate) fn play_game<G: Game>(
    database: &Database<G>,
    start: &G::Position,
    [first, second]: [Contender; 2],
    begins: bool,
    most_plies: usize,
    random: &mut StdRng,
) -> (Outcome, usize) {
    let mut first = first.player(database, random.random());
    let mut second = second.player(database, random.random());
    let players = match begins {
        true => [&mut first, &mut second],
        false => [&mut second, &mut first],
    };
    let played = play(database.game(), start, players, most_plies);
    (for_first(played.outcome, begins), played.turns.len())
}

/// The outcome for the first contender, given that for the side that began.
pub(crate) fn for_first(outcome: Outcome, begins: bool) -> Outcome {
    if begins { outcome } else { -outcome }
}
