//! A ruleset and its board.

use std::collections::BTreeMap;

use endmill_games::{Description, Game, Geometry, PlaceKind};
use serde::Serialize;

use super::coverage::CoverageAnswer;

/// A ruleset.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulesetAnswer {
    /// The id for commands.
    pub id: String,
    /// The family of games: `morris`, `draughts`.
    pub game: String,
    /// A title of one line.
    pub title: String,
    /// The size of the board.
    pub board: BoardAnswer,
    /// The number of men of each side at the start.
    pub men: u32,
    /// The name and value of every rule in which it may differ from its relatives.
    pub options: BTreeMap<String, String>,
    /// The history that a position keeps besides the men. Absent if the rules need none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryAnswer>,
    /// The starting position.
    pub start: String,
    /// The geometry of the board, for drawing it.
    pub geometry: GeometryAnswer,
    /// The tables in the database. Absent without a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageAnswer>,
}

/// The history that a position keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MemoryAnswer {
    /// The number of quiet plies after which a game is drawn; `null` if they are not counted.
    #[cfg_attr(feature = "schema", schema(required))]
    pub quiet: Option<u32>,
    /// Whether a broken mill may not be closed again at once.
    pub bans: bool,
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardAnswer {
    /// The number of places.
    pub points: u32,
    /// The number of pairs of neighbouring places.
    pub edges: u32,
    /// The number of lines on which a mill can stand.
    pub lines: u32,
    /// The number of symmetries. Symmetric positions count once.
    pub symmetries: u32,
}

/// A board as a drawing: x to the right, y downwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GeometryAnswer {
    /// `points` or `squares`.
    pub kind: &'static str,
    /// The width of the board.
    pub width: f64,
    /// The height of the board.
    pub height: f64,
    /// The places, in the order of the bits of a setup.
    pub points: Vec<PlaceAnswer>,
    /// Pairs of neighbouring points by their numbers. Empty for squares.
    pub edges: Vec<[usize; 2]>,
    /// Lines on which a mill can stand, by the numbers of their points.
    pub lines: Vec<Vec<usize>>,
}

/// A place of the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlaceAnswer {
    /// Its name in texts.
    pub name: String,
    /// The x coordinate of its centre.
    pub x: f64,
    /// The y coordinate of its centre.
    pub y: f64,
}

impl MemoryAnswer {
    fn of(rules: &Description) -> Option<MemoryAnswer> {
        let limit = rules
            .option("quiet-limit")
            .and_then(|plies| plies.parse().ok());
        let quiet = limit.filter(|&plies| plies > 0);
        let bans = rules.option("broken-mill") == Some("banned");
        (quiet.is_some() || bans).then_some(MemoryAnswer { quiet, bans })
    }
}

impl RulesetAnswer {
    /// Describes a game without a database.
    pub fn new<G: Game>(game: &G) -> RulesetAnswer {
        let of = game.description();
        let memory = MemoryAnswer::of(&of);
        let lines = of.count("lines").unwrap_or(0);
        let options = of.options.into_iter();
        RulesetAnswer {
            id: of.id,
            game: of.game.to_owned(),
            title: of.title,
            board: BoardAnswer {
                points: of.points,
                edges: of.edges,
                lines,
                symmetries: of.symmetries,
            },
            men: of.men,
            options: options
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            memory,
            start: game.format_position(&game.start()),
            geometry: game.geometry().into(),
            coverage: None,
        }
    }
}

impl From<Geometry> for GeometryAnswer {
    fn from(of: Geometry) -> GeometryAnswer {
        let places = of.places.into_iter();
        GeometryAnswer {
            kind: match of.kind {
                PlaceKind::Point => "points",
                PlaceKind::Square => "squares",
            },
            width: of.width,
            height: of.height,
            points: places
                .map(|place| PlaceAnswer {
                    name: place.name,
                    x: place.x,
                    y: place.y,
                })
                .collect(),
            edges: of.edges,
            lines: of.lines,
        }
    }
}
