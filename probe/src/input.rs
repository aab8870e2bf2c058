//! Unchecked positions and turns, from programs that do not know the game.

use endmill_games::{Colour, Game, ParseError, Path, PieceKind, Problem, Setup};

use crate::answers::Man;
use crate::error::{ProbeError, Result};

/// A position, unchecked.
#[derive(Clone, Copy, Debug)]
pub enum PositionInput<'a> {
    /// In any notation of the game; `start` is the start of the game.
    Text(&'a str),
    /// As sets of places.
    Setup(&'a Setup),
    /// As a list of the men on the board.
    Men {
        /// The men, by the names of their places.
        men: &'a [Man],
        /// Men in White's hand and in Black's.
        hand: [u32; 2],
        /// The side to move.
        to_move: Colour,
    },
}

/// A turn, unchecked.
#[derive(Clone, Copy, Debug)]
pub enum TurnInput<'a> {
    /// In a notation of the game.
    Text(&'a str),
    /// By places. Those that a capture passes between its ends are ignored.
    Path(&'a Path),
}

impl<'a> From<&'a str> for PositionInput<'a> {
    fn from(text: &'a str) -> PositionInput<'a> {
        PositionInput::Text(text)
    }
}

impl<'a> From<&'a Setup> for PositionInput<'a> {
    fn from(setup: &'a Setup) -> PositionInput<'a> {
        PositionInput::Setup(setup)
    }
}

impl<'a> From<&'a str> for TurnInput<'a> {
    fn from(text: &'a str) -> TurnInput<'a> {
        TurnInput::Text(text)
    }
}

impl<'a> From<&'a Path> for TurnInput<'a> {
    fn from(path: &'a Path) -> TurnInput<'a> {
        TurnInput::Path(path)
    }
}

impl PositionInput<'_> {
    /// Returns the position if it is legal.
    pub(crate) fn check<G: Game>(self, game: &G) -> Result<G::Position> {
        let legal = match self {
            PositionInput::Text(text) => game.parse_position(text),
            PositionInput::Setup(setup) => game.legal(setup).map_err(ParseError::from),
            PositionInput::Men { men, hand, to_move } => arrange(game, men, hand, to_move)
                .and_then(|setup| game.legal(&setup))
                .map_err(ParseError::from),
        };
        legal.map_err(ProbeError::Position)
    }
}

impl TurnInput<'_> {
    /// Returns the turn if it is legal in the position.
    pub(crate) fn check<G: Game>(self, game: &G, position: &G::Position) -> Result<G::Turn> {
        let path = match self {
            TurnInput::Text(text) => {
                return game.parse_turn(position, text).map_err(ProbeError::Turn);
            }
            TurnInput::Path(path) => path,
        };
        let mut turns = Vec::new();
        game.turns(position, &mut turns);
        let same = |turn: &&G::Turn| game.path(position, turn).same_turn(path);
        let problem = match turns.iter().find(same) {
            Some(turn) => return Ok(*turn),
            None if turns.is_empty() => Problem::GameOver,
            None => Problem::IllegalTurn {
                turn: in_numbers(path),
                why: "no turn has these places".to_owned(),
            },
        };
        Err(ProbeError::Turn(problem.into()))
    }
}

/// `3-17 taking 5,9`: an illegal turn has no text.
fn in_numbers(path: &Path) -> String {
    let from = path.from.map_or("hand".to_owned(), |from| from.to_string());
    let taken: Vec<String> = path.taken_places().map(|place| place.to_string()).collect();
    let taken = match taken.as_slice() {
        [] => String::new(),
        taken => format!(" taking {}", taken.join(",")),
    };
    format!("{from}-{}{taken}", path.to)
}

/// The setup with these men on the board. Only their places and kinds are checked.
fn arrange<G: Game>(
    game: &G,
    men: &[Man],
    hand: [u32; 2],
    to_move: Colour,
) -> std::result::Result<Setup, Problem> {
    let geometry = game.geometry();
    let mut setup = Setup::empty(to_move);
    setup.hand[0] = hand;
    for Man { at, side, kind } in men {
        let mut places = geometry.places.iter();
        let found = places.position(|place| place.name.eq_ignore_ascii_case(at));
        let place = found.ok_or_else(|| Problem::NoSuchPlace {
            name: at.clone(),
            kind: geometry.kind.name(),
        })?;
        let occupied = setup.occupied(Colour::White) | setup.occupied(Colour::Black);
        if occupied >> place & 1 == 1 {
            return Err(Problem::UsedTwice {
                name: at.clone(),
                kind: geometry.kind.name(),
            });
        }
        let number = G::KINDS.iter().position(|known| known.name == kind);
        let number = number.ok_or_else(|| Problem::Syntax {
            expected: listed(G::KINDS),
            found: kind.clone(),
        })?;
        setup.pieces[number][*side as usize] |= 1 << place;
    }
    Ok(setup)
}

/// `man or king`.
fn listed(kinds: &[PieceKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    names.join(" or ")
}
