//! Who plays: a level, and how many nodes it may look at if not as many as usual.

use std::fmt;
use std::str::FromStr;

use endmill_engine::{Engine, Level, Limits, Player};
use endmill_games::Game;
use endmill_probe::Database;

/// `high`, or `high:5000` for 5,000 nodes a turn.
#[derive(Clone, Copy)]
pub struct Named {
    level: Level,
    nodes: Option<u64>,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        let (level, nodes) = match text.split_once(':') {
            Some((level, nodes)) => (level, Some(nodes)),
            None => (text, None),
        };
        let nodes = nodes.map(|nodes| {
            let number = nodes.parse();
            number.map_err(|_| format!("{nodes:?} is not a number of nodes"))
        });
        Ok(Named {
            level: level.parse().map_err(|unknown| format!("{unknown}"))?,
            nodes: nodes.transpose()?,
        })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            Some(nodes) => f.pad(&format!("{}:{nodes}", self.level)),
            None => f.pad(self.level.name()),
        }
    }
}

impl Named {
    pub fn new(level: Level, nodes: u64) -> Named {
        let nodes = Some(nodes);
        Named { level, nodes }
    }

    pub fn level(self) -> Level {
        self.level
    }

    fn limits(self) -> Limits {
        let usual = self.level.limits();
        Limits {
            nodes: self.nodes.or(usual.nodes),
            ..usual
        }
    }

    /// A player that has seen nothing yet.
    pub fn player<'a, G: Game>(self, database: &'a Database<G>, seed: u64) -> Player<'a, G> {
        Player {
            engine: Engine::new(database.game(), Some(database), self.level, seed),
            limits: self.limits(),
        }
    }
}
