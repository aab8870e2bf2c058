//! The two line protocols: what they read, and how they word what is answered. What is done is the
//! same for both.

use clap::ValueEnum;
use endmill_engine::Report;
use endmill_games::{Game, Problem};

use super::board::{Board, read_board};
use super::command::{Command, Misunderstood};
use super::hub;
use super::session::Settings;
use super::uci::{self, Wording};

/// Which line protocol is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// That of chess engines, with turns, positions and scores of these games
    Uci,
    /// Hub version 2, that of draughts engines; draughts only
    Hub,
}

impl Protocol {
    /// Refuses a game that the protocol has no words for.
    pub fn check<G: Game>(self, game: &G) -> Result<(), Problem> {
        match self {
            Protocol::Uci => Ok(()),
            Protocol::Hub => hub::check(game),
        }
    }

    /// What a line asks for.
    pub fn read(self, line: &str) -> Result<Command, Misunderstood> {
        match self {
            Protocol::Uci => Command::read(line),
            Protocol::Hub => hub::read(line),
        }
    }

    /// The position of a line that sets one up, with the turns after it.
    pub fn read_board<G: Game>(self, game: &G, text: &str) -> anyhow::Result<Board<G>> {
        match self {
            Protocol::Uci => read_board(game, text),
            Protocol::Hub => hub::read_board(game, text),
        }
    }

    /// Who the engine is and what can be set.
    pub fn introduction(self, ruleset: &str, settings: &Settings) -> String {
        match self {
            Protocol::Uci => uci::introduction(ruleset, settings),
            Protocol::Hub => hub::introduction(settings),
        }
    }

    /// It is there.
    pub fn ready(self) -> &'static str {
        match self {
            Protocol::Uci => "readyok",
            Protocol::Hub => "pong",
        }
    }

    /// Something went wrong.
    pub fn error(self, why: &str) -> String {
        match self {
            Protocol::Uci => format!("info string error: {why}"),
            Protocol::Hub => format!("error message={}", hub::quoted(why)),
        }
    }

    /// Something was passed over.
    pub fn ignored(self, what: &str) -> String {
        match self {
            Protocol::Uci => format!("info string ignored: {what}"),
            Protocol::Hub => format!("error message={}", hub::quoted(&format!("ignored: {what}"))),
        }
    }

    /// How far a search has got.
    pub fn info<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        report: &Report<G>,
        wording: &Wording,
    ) -> String {
        match self {
            Protocol::Uci => uci::info(game, position, report, wording),
            Protocol::Hub => hub::info(game, position, report),
        }
    }

    /// What a search has come to, with the line that it expects.
    pub fn best<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        line: &[G::Turn],
        wording: &Wording,
    ) -> String {
        match self {
            Protocol::Uci => uci::best(game, position, line.first(), wording),
            Protocol::Hub => hub::best(game, position, line),
        }
    }

    /// There is no move: the game is over, or there is no position.
    pub fn no_turn(self) -> &'static str {
        match self {
            Protocol::Uci => uci::NO_TURN,
            Protocol::Hub => hub::NO_TURN,
        }
    }
}
