//! How the protocol of chess engines words what is answered.

use endmill_engine::{Level, Report, Score};
use endmill_games::Game;

use super::session::{EMPTY, MOST_HASH, Settings};

/// The option by which `bestmove` is one action at a time.
pub const ONE_ACTION: &str = "OneActionAtATime";

/// What is answered when the game is over, or there is no position.
pub const NO_TURN: &str = "bestmove (none)";

/// Who the engine is and what can be set.
pub fn introduction(ruleset: &str, settings: &Settings) -> String {
    let Settings {
        database,
        level,
        seed,
        hash,
        one_action,
        ..
    } = settings;
    let database = match database {
        Some(directory) => directory.display().to_string(),
        None => EMPTY.to_owned(),
    };
    let levels = Level::ALL.map(|level| format!("var {level}")).join(" ");
    format!(
        "id name Endmill {} {ruleset}\n\
         id author the authors of Endmill\n\
         option name Database type string default {database}\n\
         option name Level type combo default {level} {levels}\n\
         option name Seed type spin default {seed} min 0 max {}\n\
         option name Hash type spin default {hash} min 1 max {MOST_HASH}\n\
         option name {ONE_ACTION} type check default {one_action}\n\
         uciok",
        env!("CARGO_PKG_VERSION"),
        u64::MAX,
    )
}

/// How much of a turn is written.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    /// The words of the next turn that have been said: they are left out.
    pub said: Vec<String>,
    /// Whether only the next word is the best move.
    pub one_action: bool,
}

impl Wording {
    /// The words of the next turn that are still to be said.
    fn rest<G: Game>(&self, game: &G, position: &G::Position, turn: &G::Turn) -> Vec<String> {
        let mut words = game.turn_words(position, turn);
        words.retain(|word| !self.said.contains(word));
        words
    }
}

/// The turn to be made.
pub fn best<G: Game>(
    game: &G,
    position: &G::Position,
    turn: Option<&G::Turn>,
    wording: &Wording,
) -> String {
    let Some(turn) = turn else {
        return NO_TURN.to_owned();
    };
    let mut words = wording.rest(game, position, turn);
    if wording.one_action {
        words.truncate(1);
    }
    format!("bestmove {}", words.join(" "))
}

/// How far a search has got.
pub fn info<G: Game>(
    game: &G,
    position: &G::Position,
    report: &Report<G>,
    wording: &Wording,
) -> String {
    let mut position = *position;
    let mut line = String::new();
    for (i, turn) in report.line.iter().enumerate() {
        let words = match i {
            0 => wording.rest(game, &position, turn),
            _ => game.turn_words(&position, turn),
        };
        for word in words {
            line.push(' ');
            line.push_str(&word);
        }
        position = game.play(&position, turn);
    }
    format!(
        "info depth {} score {} nodes {} time {} pv{line}",
        report.depth,
        written(report.score),
        report.nodes,
        report.time.as_millis(),
    )
}

fn written(score: Score) -> String {
    match score {
        Score::Points(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("plies {plies}"),
        Score::LossIn(plies) => format!("plies -{plies}"),
        Score::Win => "win".to_owned(),
        Score::Loss => "loss".to_owned(),
        Score::Draw => "draw".to_owned(),
    }
}
