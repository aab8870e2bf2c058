//! A turn: its text, its places, and where it leads.

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

/// Where a turn goes and what it takes, by the names of places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PathAnswer {
    /// `null` if a man is placed from the hand.
    pub from: Option<String>,
    /// Where the man ends.
    pub to: String,
    /// What it passes in a capture of several jumps.
    pub via: Vec<String>,
    /// The places of the men that are taken.
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
    /// As the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it.
    pub position: String,
    /// By places.
    pub path: PathAnswer,
    /// By the bits of a setup.
    #[serde(skip)]
    pub places: Path,
}

impl TurnAnswer {
    /// Shows a legal turn.
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
