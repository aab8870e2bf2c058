//! What a ruleset is, and where the places of its board are.

use std::collections::BTreeMap;

use endmill_games::{Description, Game, Geometry, PlaceKind};
use serde::Serialize;

use super::coverage::CoverageAnswer;

/// A ruleset.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulesetAnswer {
    /// The id that commands take.
    pub id: String,
    /// The game that it is an instance of: `morris`, `draughts`.
    pub game: String,
    /// One line for people.
    pub title: String,
    /// The board in numbers.
    pub board: BoardAnswer,
    /// Men of each side at the start.
    pub men: u32,
    /// Name and value of every rule that distinguishes it from its relatives.
    pub options: BTreeMap<String, String>,
    /// What a position remembers besides the men; absent where the rules look only at the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryAnswer>,
    /// The position in which a game starts.
    pub start: String,
    /// Where the places are, for programs that draw the board.
    pub geometry: GeometryAnswer,
    /// What the database has of it, if it was a database that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageAnswer>,
}

/// What rules that look back keep in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MemoryAnswer {
    /// After how many quiet plies a game is drawn, if they are counted.
    pub quiet: Option<u32>,
    /// Whether broken mills are banned.
    pub bans: bool,
}

/// A board in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardAnswer {
    /// Places.
    pub points: u32,
    /// Pairs of neighbouring places.
    pub edges: u32,
    /// Lines on which a mill can stand.
    pub lines: u32,
    /// Symmetries by which positions are counted as one.
    pub symmetries: u32,
}

/// A board as a drawing: x to the right, y downwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GeometryAnswer {
    /// `points` or `squares`.
    pub kind: &'static str,
    /// From the left edge to the right one.
    pub width: f64,
    /// From the upper edge to the lower one.
    pub height: f64,
    /// The places, in the order of the bits of a setup.
    pub points: Vec<PlaceAnswer>,
    /// Pairs of neighbouring points by their numbers; none between squares.
    pub edges: Vec<[usize; 2]>,
    /// Lines on which a mill can stand, by the numbers of their points.
    pub lines: Vec<Vec<usize>>,
}

/// A place of the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlaceAnswer {
    /// As texts name it.
    pub name: String,
    /// The middle of it.
    pub x: f64,
    /// The middle of it.
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
    /// Describes a game, without a database.
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
