//! Game records: PDN, saved games, lists of moves.
//!
//! | file | idea |
//! |---|---|
//! | `lex` | the tokens of PDN and of lists of moves |
//! | `transcript` | a text split into games, unchecked |
//! | `saved` | the saved games of `endmill play`, read and written |
//! | `naming` | the ruleset that a record names |
//! | `replay` | a transcript replayed by the rules: every turn is legal |
//! | `result` | the result of a game and its text |
//! | `sheet` | a game as texts, to be written as PDN |
//! | `location`, `error` | errors and their locations |
//!
//! To read: [`transcripts`] splits a text into games without knowing their rules;
//! [`Transcript::ruleset`] returns the ruleset that the record names, and [`Transcript::replay`] makes a
//! [`GameRecord`], up to the first error. To write: [`GameRecord::sheet`] and [`Sheet::pdn`], or
//! [`GameRecord::saved`]. Written games read back as the same games.

#![forbid(unsafe_code)]

mod error;
mod lex;
mod location;
mod naming;
mod replay;
mod result;
mod saved;
mod sheet;
mod transcript;

use std::fmt;

use endmill_games::{Colour, Ending, Interchange, Rules};

pub use crate::error::{RecordError, RecordProblem};
pub use crate::location::Location;
pub use crate::naming::guess;
pub use crate::replay::Replayed;
pub use crate::result::GameResult;
pub use crate::saved::is_saved;
pub use crate::sheet::{Sheet, SheetTurn};
pub use crate::transcript::{Transcript, transcripts};

/// A PDN tag: `[White "medium"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name in PDN: `Event`, `White`.
    pub name: String,
    /// Its value, any text.
    pub value: String,
}

impl Tag {
    /// A tag.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Tag {
        let (name, value) = (name.into(), value.into());
        Tag { name, value }
    }
}

/// A turn with its annotations and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedTurn<T> {
    /// The turn.
    pub turn: T,
    /// Annotations by number: 1 is `!`, 2 is `?`, 7 a forced turn.
    pub nags: Vec<u16>,
    /// The comments after it.
    pub comments: Vec<String>,
}

impl<T> NotedTurn<T> {
    /// A turn without annotations.
    pub fn new(turn: T) -> NotedTurn<T> {
        NotedTurn {
            turn,
            nags: Vec::new(),
            comments: Vec::new(),
        }
    }
}

/// A legal game. Variations are not kept.
pub struct GameRecord<G: Rules> {
    /// The tags, except those for the other fields: the game, the start, the result.
    pub tags: Vec<Tag>,
    /// The first position.
    pub start: G::Position,
    /// The comments before the first turn.
    pub opening: Vec<String>,
    /// The turns.
    pub turns: Vec<NotedTurn<G::Turn>>,
    /// The result, if the record has one.
    pub result: Option<GameResult>,
}

impl<G: Rules> Clone for GameRecord<G> {
    fn clone(&self) -> GameRecord<G> {
        GameRecord {
            tags: self.tags.clone(),
            start: self.start,
            opening: self.opening.clone(),
            turns: self.turns.clone(),
            result: self.result.clone(),
        }
    }
}

impl<G: Rules> fmt::Debug for GameRecord<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameRecord")
            .field("tags", &self.tags)
            .field("start", &self.start)
            .field("opening", &self.opening)
            .field("turns", &self.turns)
            .field("result", &self.result)
            .finish()
    }
}

impl<G: Rules> PartialEq for GameRecord<G> {
    fn eq(&self, other: &GameRecord<G>) -> bool {
        self.tags == other.tags
            && self.start == other.start
            && self.opening == other.opening
            && self.turns == other.turns
            && self.result == other.result
    }
}

/// How a game was ended other than by its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// This side resigned.
    Resigned(Colour),
    /// This side ran out of time.
    Late(Colour),
    /// Both sides agreed on a draw.
    Agreed,
}

impl From<Termination> for Ending {
    fn from(termination: Termination) -> Ending {
        let (loser, reason) = match termination {
            Termination::Resigned(loser) => (Some(loser), "resigned"),
            Termination::Late(loser) => (Some(loser), "time"),
            Termination::Agreed => (None, "agreement"),
        };
        let winner = loser.map(Colour::other);
        Ending { winner, reason }
    }
}

/// The tag for the reason why a game ended, and its value if a clock ran out.
const TERMINATION: &str = "Termination";
const TIME_FORFEIT: &str = "time forfeit";

impl<G: Interchange> GameRecord<G> {
    /// A game without turns.
    pub fn new(start: G::Position) -> GameRecord<G> {
        GameRecord {
            tags: Vec::new(),
            start,
            opening: Vec::new(),
            turns: Vec::new(),
            result: None,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut named = self.tags.iter().filter(|tag| tag.name == name);
        named.next().map(|tag| tag.value.as_str())
    }

    /// Sets the value of a tag.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        self.tags.retain(|tag| tag.name != name);
        self.tags.push(Tag::new(name, value));
    }

    /// The start, and the position after each turn.
    pub fn positions(&self, game: &G) -> Vec<G::Position> {
        let mut positions = vec![self.start];
        for noted in &self.turns {
            let last = positions[positions.len() - 1];
            positions.push(game.play(&last, &noted.turn));
        }
        positions
    }

    /// The winner according to the result; `Some(None)` in a draw, `None` without a result, or if
    /// both sides have lost.
    pub fn winner(&self) -> Option<Option<Colour>> {
        self.result.as_ref()?.winner()
    }

    /// How the game ended on the board: by the rules, or by repetition.
    pub fn ending(&self, game: &G) -> Option<Ending> {
        let positions = self.positions(game);
        let (last, earlier) = positions.split_last()?;
        let by_rules = game.ending(last);
        by_rules.or_else(|| Ending::by_repetition(earlier, last))
    }

    /// How the game was ended other than by its turns, as far as the result says: a game that is
    /// lost but not over on the board was resigned, unless a tag says that time ran out. A draw
    /// after a threefold repetition was not agreed.
    pub fn termination(&self, game: &G) -> Option<Termination> {
        let winner = self.winner()?;
        match self.ending(game) {
            // The other side may still have resigned.
            Some(Ending::REPETITION) if winner.is_some() => {}
            Some(_) => return None,
            None => {}
        }
        let late = self.tag(TERMINATION) == Some(TIME_FORFEIT);
        Some(match winner.map(Colour::other) {
            None => Termination::Agreed,
            Some(loser) if late => Termination::Late(loser),
            Some(loser) => Termination::Resigned(loser),
        })
    }

    /// Ends the game other than by a turn.
    pub fn terminate(&mut self, termination: Termination) {
        self.tags.retain(|tag| tag.name != TERMINATION);
        if let Termination::Late(_) = termination {
            self.set_tag(TERMINATION, TIME_FORFEIT);
        }
        self.result = Some(GameResult::new(Ending::from(termination).winner));
    }
}
