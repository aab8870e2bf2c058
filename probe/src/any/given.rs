//! Positions and turns as a caller has them who does not know the game.

use endmill_games::{Game, ParseError, Path, Problem, Setup};

use crate::error::{ProbeError, Result};

/// A position as the caller has it, unchecked.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// In any notation of the game; `start` is the start of the game.
    Text(&'a str),
    /// By sets of places.
    Setup(&'a Setup),
}

/// A turn as the caller has it, unchecked.
#[derive(Clone, Copy, Debug)]
pub enum GivenTurn<'a> {
    /// As the game writes it, or as it reads it.
    Text(&'a str),
    /// By places. Which way a capture goes does not matter.
    Path(&'a Path),
}

impl<'a> From<&'a str> for Given<'a> {
    fn from(text: &'a str) -> Given<'a> {
        Given::Text(text)
    }
}

impl<'a> From<&'a Setup> for Given<'a> {
    fn from(setup: &'a Setup) -> Given<'a> {
        Given::Setup(setup)
    }
}

impl<'a> From<&'a str> for GivenTurn<'a> {
    fn from(text: &'a str) -> GivenTurn<'a> {
        GivenTurn::Text(text)
    }
}

impl<'a> From<&'a Path> for GivenTurn<'a> {
    fn from(path: &'a Path) -> GivenTurn<'a> {
        GivenTurn::Path(path)
    }
}

impl Given<'_> {
    /// The legal position that is meant.
    pub(super) fn position<G: Game>(self, game: &G) -> Result<G::Position> {
        match self {
            Given::Text(text) => game.parse_position(text).map_err(ProbeError::Position),
            Given::Setup(setup) => game.legal(setup).map_err(|problem| {
                let error = ParseError::from(problem);
                ProbeError::Position(error)
            }),
        }
    }
}

impl GivenTurn<'_> {
    /// The legal turn that is meant.
    pub(super) fn turn<G: Game>(self, game: &G, position: &G::Position) -> Result<G::Turn> {
        let path = match self {
            GivenTurn::Text(text) => {
                return game.parse_turn(position, text).map_err(ProbeError::Turn);
            }
            GivenTurn::Path(path) => path,
        };
        let mut turns = Vec::new();
        game.turns(position, &mut turns);
        let over = turns.is_empty();
        let mut turns = turns.into_iter();
        let found = turns.find(|turn| game.path(position, turn).same_turn(path));
        found.ok_or_else(|| {
            let problem = match over {
                true => Problem::GameOver,
                false => Problem::IllegalTurn {
                    turn: in_numbers(path),
                    why: "no turn has these places".to_owned(),
                },
            };
            ProbeError::Turn(problem.into())
        })
    }
}

/// `3-17 taking 5,9`: a turn that has no text because it is not legal.
fn in_numbers(path: &Path) -> String {
    let from = path.from.map_or("hand".to_owned(), |from| from.to_string());
    let taken: Vec<String> = path.taken_places().map(|place| place.to_string()).collect();
    let taken = match taken.as_slice() {
        [] => String::new(),
        taken => format!(" taking {}", taken.join(",")),
    };
    format!("{from}-{}{taken}", path.to)
}
