//! A turn: its text, its places, and the position after it.

use endmill_games::{Game, Path};
use serde::Serialize;

/// The names of the places of a board, by their bits in a setup.
pub(crate) struct PlaceNames(Vec<String>);

impl PlaceNames {
    pub(crate) fn of<G: Game>(game: &G) -> PlaceNames {
        let places = game.geometry().places.into_iter();
        PlaceNames(places.map(|place| place.name).collect())
    }

    pub(super) fn of_place(&self, place: u8) -> String {
        let name = self.0.get(usize::from(place)).cloned();
        name.unwrap_or_default()
    }
}

/// The path of a turn by the names of places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PathAnswer {
    /// The place the man leaves; `null` if it is placed from the hand.
    #[cfg_attr(feature = "schema", schema(required))]
    pub from: Option<String>,
    /// The place where the man ends.
    pub to: String,
    /// The places in between, in a capture of several jumps.
    pub via: Vec<String>,
    /// The places of the captured men.
    pub taken: Vec<String>,
}

impl PathAnswer {
    fn new(names: &PlaceNames, path: &Path) -> PathAnswer {
        let name = |place| names.of_place(place);
        PathAnswer {
            from: path.from.map(name),
            to: name(path.to),
            via: path.via.iter().copied().map(name).collect(),
            taken: path.taken_places().map(name).collect(),
        }
    }
}

/// A legal turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TurnAnswer {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it.
    pub position: String,
    /// Its places.
    pub path: PathAnswer,
    /// Its places by the bits of a setup.
    #[serde(skip)]
    pub places: Path,
}

impl TurnAnswer {
    /// The answer for a legal turn.
    pub fn new<G: Game>(game: &G, position: &G::Position, turn: &G::Turn) -> TurnAnswer {
        let after = game.play(position, turn);
        TurnAnswer::named(game, &PlaceNames::of(game), position, turn, &after)
    }

    pub(crate) fn named<G: Game>(
        game: &G,
        names: &PlaceNames,
        position: &G::Position,
        turn: &G::Turn,
        after: &G::Position,
    ) -> TurnAnswer {
        let places = game.path(position, turn);
        TurnAnswer {
            text: game.format_turn(position, turn),
            position: game.format_position(after),
            path: PathAnswer::new(names, &places),
            places,
        }
    }
}
