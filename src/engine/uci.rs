//! How the protocol of chess engines words what is answered.

use endmill_engine::{Level, Report, Score};
use endmill_games::Game;

use super::session::{EMPTY, MOST_HASH, Settings};

/// What is answered when the game is over.
pub const NO_TURN: &str = "bestmove (none)";

/// Who the engine is and what can be set.
pub fn introduction(ruleset: &str, settings: &Settings) -> String {
    let Settings {
        database,
        level,
        seed,
        hash,
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
         uciok",
        env!("CARGO_PKG_VERSION"),
        u64::MAX,
    )
}

/// The turn to be made.
pub fn best<G: Game>(game: &G, position: &G::Position, turn: Option<&G::Turn>) -> String {
    match turn {
        Some(turn) => format!("bestmove {}", game.turn_words(position, turn).join(" ")),
        None => NO_TURN.to_owned(),
    }
}

/// How far a search has got.
pub fn info<G: Game>(game: &G, position: &G::Position, report: &Report<G>) -> String {
    let mut position = *position;
    let mut line = String::new();
    for turn in &report.line {
        for word in game.turn_words(&position, turn) {
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
