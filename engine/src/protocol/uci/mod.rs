//! The protocol of chess engines (UCI), with the turns, positions and scores of these games.

mod board;
mod parse;

use endmill_games::Game;

pub use self::board::{Board, parse_board, parse_turns};
pub use self::parse::parse;
use super::session::{PlaySettings, Settings};
use super::{EMPTY, MAX_HASH};
use crate::engine::Report;
use crate::level::Level;
use crate::score::Score;

/// The option that makes `bestmove` one action at a time.
pub const ONE_ACTION: &str = "OneActionAtATime";

/// The answer if the game is over, or there is no position.
pub const NO_TURN: &str = "bestmove (none)";

/// The name of the engine and its options.
pub fn introduction(ruleset: &str, settings: &Settings) -> String {
    let Settings {
        database,
        play: PlaySettings { level, seed, hash },
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
         option name Hash type spin default {hash} min 1 max {MAX_HASH}\n\
         option name {ONE_ACTION} type check default {one_action}\n\
         uciok",
        env!("CARGO_PKG_VERSION"),
        u64::MAX,
    )
}

/// Which part of a turn to write.
#[derive(Clone, Debug, Default)]
pub struct TurnPart {
    /// The words of the next turn that were played already, and are left out.
    pub begun: Vec<String>,
    /// Whether `bestmove` is the next word only.
    pub one_action: bool,
}

impl TurnPart {
    /// The words of the next turn that remain to be played.
    fn rest<G: Game>(&self, game: &G, position: &G::Position, turn: &G::Turn) -> Vec<String> {
        let mut words = game.turn_words(position, turn);
        words.retain(|word| !self.begun.contains(word));
        words
    }
}

/// The result of a search.
pub fn best<G: Game>(
    game: &G,
    position: &G::Position,
    turn: Option<&G::Turn>,
    part: &TurnPart,
) -> String {
    let Some(turn) = turn else {
        return NO_TURN.to_owned();
    };
    let mut words = part.rest(game, position, turn);
    if part.one_action {
        words.truncate(1);
    }
    format!("bestmove {}", words.join(" "))
}

/// The progress of a search.
pub fn info<G: Game>(
    game: &G,
    position: &G::Position,
    report: &Report<G>,
    part: &TurnPart,
) -> String {
    let mut position = *position;
    let mut line = String::new();
    for (i, turn) in report.line.iter().enumerate() {
        let words = match i {
            0 => part.rest(game, &position, turn),
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
        format_score(report.score),
        report.nodes,
        report.time.as_millis(),
    )
}

fn format_score(score: Score) -> String {
    match score {
        Score::Points(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("plies {plies}"),
        Score::LossIn(plies) => format!("plies -{plies}"),
        Score::Win => "win".to_owned(),
        Score::Loss => "loss".to_owned(),
        Score::Draw => "draw".to_owned(),
    }
}
