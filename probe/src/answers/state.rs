//! The state of a position by the rules: the men, the side to move, and whether the game is over.

use endmill_games::{Colour, Ending, Game, PieceKind, Setup};
use serde::{Deserialize, Serialize};

use super::turn::PlaceNames;

/// The fields with which every answer about a position begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Head {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The position in the first notation of the game.
    pub position: String,
    /// The table of the position. `null` if a side has lost with too few men, if no table has as
    /// many pieces, or if a mill is banned, when the value follows from the turns.
    #[cfg_attr(feature = "schema", schema(required))]
    pub table: Option<String>,
}

impl Head {
    /// The head of an answer about this position.
    pub fn new<G: Game>(game: &G, position: &G::Position) -> Head {
        Head {
            ruleset: game.description().id,
            position: game.format_position(position),
            table: game.table_of(position).map(|table| table.to_string()),
        }
    }
}

/// The state of a position by the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StateAnswer {
    /// The side to move.
    pub side: Colour,
    /// How the game ended; `null` if it is not over.
    #[cfg_attr(feature = "schema", schema(required))]
    pub finished: Option<Ending>,
    /// The men on the board, White's first.
    pub men: Vec<Man>,
    /// The numbers of men in White's hand and in Black's.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub hand: [u32; 2],
    /// The number of plies since the last removal. Absent if they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<u32>,
    /// The number of such plies after which the game is drawn. Absent if they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_limit: Option<u32>,
    /// The mills that the side with two men on them may not close with its next turn, such as
    /// `a1-a4-a7`. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub banned: Vec<String>,
    /// The position as sets of places.
    #[serde(skip)]
    pub setup: Setup,
}

/// A man on the board, in answers and in positions that programs set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Man {
    /// The name of its place.
    pub at: String,
    /// Its side.
    pub side: Colour,
    /// Its [kind](endmill_games::Notation::KINDS); `man` by default.
    #[serde(default = "man")]
    pub kind: String,
}

fn man() -> String {
    PieceKind::MAN.name.to_owned()
}

impl StateAnswer {
    /// The state of a position.
    pub fn new<G: Game>(game: &G, position: &G::Position) -> StateAnswer {
        StateAnswer::named(game, &PlaceNames::of(game), position)
    }

    pub(super) fn named<G: Game>(
        game: &G,
        names: &PlaceNames,
        position: &G::Position,
    ) -> StateAnswer {
        let (setup, memory) = (game.setup(position), game.memory(position));
        let mut men = Vec::new();
        for side in [Colour::White, Colour::Black] {
            for place in (0..64).filter(|place| setup.occupied(side) >> place & 1 == 1) {
                let kinds = G::KINDS.iter().zip(&setup.pieces);
                let mut here = kinds.filter(|(_, sets)| sets[side as usize] >> place & 1 == 1);
                if let Some((kind, _)) = here.next() {
                    men.push(Man {
                        at: names.of_place(place),
                        side,
                        kind: kind.name.to_owned(),
                    });
                }
            }
        }
        StateAnswer {
            side: game.to_move(position),
            finished: game.ending(position),
            men,
            hand: setup.hand[0],
            quiet: memory.clock.map(|clock| clock.plies),
            quiet_limit: memory.clock.map(|clock| clock.limit),
            banned: (memory.forbidden.into_iter())
                .map(|(_, line)| line)
                .collect(),
            setup,
        }
    }
}
