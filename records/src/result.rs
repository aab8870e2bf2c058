//! The result of a game, and its text.
//!
//! PDN lists the points of the first player of the game, then those of the second: `1-0` is a win for
//! White in morris and for Black in English draughts, even if the other side moves first in a position
//! that was set up. A [`GameResult`] names the winner; only `read` and `text` deal with texts, and both
//! take the side whose points come first.

use endmill_games::{Colour, Rules};

use crate::Tag;

/// The results that may follow the turns.
pub(crate) const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"];

/// The tag with which `play` marks a result that has the points of the first player first. Games of
/// `play` without it are from old versions, which wrote White's points first.
pub(crate) const RESULT_ORDER: &str = "ResultOrder";
/// Its value.
pub(crate) const FIRST_PLAYER: &str = "first player";

/// The side that moves first in the starting position.
pub(crate) fn first_player<G: Rules>(game: &G) -> Colour {
    game.to_move(&game.start())
}

/// Returns whether `play` wrote these tags, in any version: no other program writes a seed.
pub(crate) fn from_play(tags: &[Tag]) -> bool {
    tags.iter()
        .any(|tag| tag.name == "Seed" && tag.value.parse::<u64>().is_ok())
}

/// Returns whether a game begins with the comment of `line`, which names the winner.
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

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult(Stated);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stated {
    Won(Colour, Scale),
    Drawn(Scale),
    /// Neither side has a point.
    BothLost,
    /// The text of a tag, none of [`RESULTS`].
    Other(String),
}

/// The points of a game.
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

    /// Reads a result with the points of `first` first. Returns `None` if the text is empty, `*` or
    /// `?`.
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

    /// Returns whether the result is one of PDN.
    pub(crate) fn is_standard(&self) -> bool {
        !matches!(self.0, Stated::Other(_))
    }
}
