//! What stands where, whose move it is, and whether the game is over: what the rules alone say.

use endmill_games::{Colour, Ending, Game, PieceKind, Setup};
use serde::{Deserialize, Serialize};

use super::turn::PlaceNames;

/// What every answer about a position begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Head {
    /// The id.
    pub ruleset: String,
    /// As the game writes it.
    pub position: String,
    /// `null` if the game is over because a side has too few men, if no table has as many pieces,
    /// or if a mill is banned: then the value follows from the turns.
    pub table: Option<String>,
}

impl Head {
    /// PlaceNames a position.
    pub fn new<G: Game>(game: &G, position: &G::Position) -> Head {
        Head {
            ruleset: game.description().id,
            position: game.format_position(position),
            table: game.table_of(position).map(|table| table.to_string()),
        }
    }
}

/// What the rules say of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StateAnswer {
    /// The side to move.
    pub side: Colour,
    /// `null` while the game goes on.
    pub finished: Option<Ending>,
    /// Everything on the board, White's first.
    pub men: Vec<Man>,
    /// Men in White's hand and in Black's.
    pub hand: [u32; 2],
    /// Plies since the last removal; not written where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<u32>,
    /// After how many of them the game is drawn; not written where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_limit: Option<u32>,
    /// Mills that the side with two men on them may not close with its next turn, as `a1-a4-a7`; not
    /// written if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub banned: Vec<String>,
    /// The same for programs that have bitboards.
    #[serde(skip)]
    pub setup: Setup,
}

/// A piece on the board. Programs that set positions up send it too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Man {
    /// The name of its place.
    pub at: String,
    /// Whose it is.
    pub side: Colour,
    /// What it is: one of the game's [kinds](endmill_games::Notation::KINDS), `man` if nothing is said.
    #[serde(default = "man")]
    pub kind: String,
}

fn man() -> String {
    PieceKind::MAN.name.to_owned()
}

impl StateAnswer {
    /// Looks at a position.
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
