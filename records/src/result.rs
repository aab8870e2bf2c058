//! Results: who has won, and the text that says so.
//!
//! PDN gives the points of the player who moves first in the game, then those of the other: `1-0`
//! is a win for White in morris and for Black in English draughts, whoever is to move in a position
//! that was set up. A [`GameResult`] names the winner; only its `read` and `text` know the texts, and
//! both take the side whose points stand first.

use endmill_games::{Colour, Rules};

use crate::Tag;

/// The results that may stand after the turns.
pub(crate) const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"];

/// The tag by which a game of `play` says that its result gives the points of the first player
/// first. Without it, a game that `play` wrote gives White's points first, as the program once did
/// in every game.
pub(crate) const RESULT_ORDER: &str = "ResultOrder";
/// Its value.
pub(crate) const FIRST_PLAYER: &str = "first player";

/// The side that moves first in a game that begins at the usual start.
pub(crate) fn first_player<G: Rules>(game: &G) -> Colour {
    game.to_move(&game.start())
}

/// Whether the tags are of a game that `play` wrote, now or before: no other program writes a seed.
pub(crate) fn from_play(tags: &[Tag]) -> bool {
    tags.iter()
        .any(|tag| tag.name == "Seed" && tag.value.parse::<u64>().is_ok())
}

/// Whether a game begins with the comment by which `line` names the winner.
pub(crate) fn from_line(opening: &[String]) -> bool {
    opening.first().is_some_and(|comment| {
        let sides = ["White ", "Black "].into_iter();
        let mut rest = sides.filter_map(|side| comment.strip_prefix(side));
        rest.any(|rest| {
            rest == "has won: the game is over"
                || rest.starts_with("wins in ")
                    && (rest.ends_with(" plies") || rest.ends_with(" ply"))
        })
    })
}

/// The result of a game, by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult(Stated);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stated {
    Won(Colour, Scale),
    Drawn(Scale),
    /// Neither side has a point.
    BothLost,
    /// A tag may say anything; none of [`RESULTS`].
    Other(String),
}

/// How many points there are in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// `1-0`.
    One,
    /// `2-0`.
    Two,
}

impl GameResult {
    /// A win of this side, or a draw.
    pub fn new(winner: Option<Colour>) -> GameResult {
        GameResult(match winner {
            Some(winner) => Stated::Won(winner, Scale::One),
            None => Stated::Drawn(Scale::One),
        })
    }

    /// Reads a result in which the points of `first` stand first. `None` if the text says nothing:
    /// it is empty, `*` or `?`.
    pub fn read(text: &str, first: Colour) -> Option<GameResult> {
        let second = first.other();
        Some(GameResult(match text.trim() {
            "" | "*" | "?" => return None,
            "1-0" => Stated::Won(first, Scale::One),
            "0-1" => Stated::Won(second, Scale::One),
            "1/2-1/2" | "½-½" => Stated::Drawn(Scale::One),
            "2-0" => Stated::Won(first, Scale::Two),
            "0-2" => Stated::Won(second, Scale::Two),
            "1-1" => Stated::Drawn(Scale::Two),
            "0-0" => Stated::BothLost,
            other => Stated::Other(other.to_owned()),
        }))
    }

    /// The text, with the points of `first` first.
    pub fn text(&self, first: Colour) -> &str {
        match &self.0 {
            Stated::Won(winner, Scale::One) if *winner == first => "1-0",
            Stated::Won(_, Scale::One) => "0-1",
            Stated::Drawn(Scale::One) => "1/2-1/2",
            Stated::Won(winner, Scale::Two) if *winner == first => "2-0",
            Stated::Won(_, Scale::Two) => "0-2",
            Stated::Drawn(Scale::Two) => "1-1",
            Stated::BothLost => "0-0",
            Stated::Other(text) => text,
        }
    }

    /// The winner; `Some(None)` is a draw, `None` if the result names neither.
    pub fn winner(&self) -> Option<Option<Colour>> {
        match self.0 {
            Stated::Won(winner, _) => Some(Some(winner)),
            Stated::Drawn(_) => Some(None),
            Stated::BothLost | Stated::Other(_) => None,
        }
    }

    /// Whether PDN knows the result, and not only the program that wrote the tag.
    pub(crate) fn is_standard(&self) -> bool {
        !matches!(self.0, Stated::Other(_))
    }
}
